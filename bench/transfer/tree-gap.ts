import { type Element, walk } from '../../src/desktop/model/element.ts'
import { encloses, isEmptyRect } from '../../src/desktop/model/geometry.ts'

/** What is compared of the elements of one native role. */
const FACTS = ['role', 'name', 'value', 'selected', 'expanded', 'number', 'parent', 'bounds'] as const
export type TreeFact = (typeof FACTS)[number]

/** What most elements of a native role have in common, and how many there are. */
interface RoleFacts {
  readonly count: number
  readonly facts: Readonly<Record<TreeFact, string>>
}

/** A fact of a native role in a real tree and in one of Backlot. */
export interface ComparedFact {
  readonly native: string
  readonly fact: TreeFact | 'covered'
  readonly real: string
  readonly ours: string
  readonly isEqual: boolean
  /** The number of real elements. */
  readonly elements: number
}

/** Roles with fewer elements say little about a platform. */
const MIN_ELEMENTS = 3

/** The most frequent value; of equally frequent ones the first. */
function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
}

const has = (value: unknown): string => (value === undefined || value === null || value === '' ? 'no' : 'yes')

function factsOf(node: Element, parent: Element | undefined): Readonly<Record<TreeFact, string>> {
  const isPlaced = !node.traits?.hidden && !isEmptyRect(node.bounds)
  return {
    role: node.role,
    name: has(node.name),
    value: has(node.value),
    selected: has(node.selected),
    expanded: has(node.expanded),
    number: has(node.valueNow),
    parent: parent?.role ?? 'none',
    bounds: !isPlaced ? 'none' : parent === undefined || encloses(parent.bounds, node.bounds) ? 'inside' : 'beyond',
  }
}

/** The facts of each native role of trees. */
function roleFactsOf(trees: readonly Element[]): ReadonlyMap<string, RoleFacts> {
  const found = new Map<string, Readonly<Record<TreeFact, string>>[]>()
  for (const tree of trees) {
    const parents = new Map<Element, Element>()
    for (const node of walk(tree)) {
      for (const child of node.children) parents.set(child, node)
      const native = node.identifier ?? node.role
      const known = found.get(native)
      if (known) known.push(factsOf(node, parents.get(node)))
      else found.set(native, [factsOf(node, parents.get(node))])
    }
  }
  return new Map(
    [...found].map(([native, all]) => {
      const visible = all.filter(({ bounds }) => bounds !== 'none')
      const facts = Object.fromEntries(
        FACTS.map((fact) => [
          fact,
          mostFrequent((fact === 'bounds' && visible.length > 0 ? visible : all).map((each) => each[fact])),
        ]),
      ) as Record<TreeFact, string>
      return [native, { count: all.length, facts }]
    }),
  )
}

/** Compares real trees with those of Backlot in a personality, by the rules of docs/transfer.md. */
export function treeGap(real: readonly Element[], ours: readonly Element[]): readonly ComparedFact[] {
  const claimed = roleFactsOf(ours)
  return [...roleFactsOf(real)]
    .filter(([, { count }]) => count >= MIN_ELEMENTS)
    .flatMap(([native, { count, facts }]): readonly ComparedFact[] => {
      const claim = claimed.get(native)
      if (!claim) return [{ native, fact: 'covered', real: String(count), ours: '0', isEqual: false, elements: count }]
      if (claim.count < MIN_ELEMENTS) return []
      return FACTS.map((fact) => ({
        native,
        fact,
        real: facts[fact],
        ours: claim.facts[fact],
        isEqual: facts[fact] === claim.facts[fact],
        elements: count,
      }))
    })
}

/** The share of facts that are equal, weighted by elements. A role that is not covered is one fact. */
export function equalShare(facts: readonly ComparedFact[]): number {
  const total = facts.reduce((sum, { elements }) => sum + elements, 0)
  return facts.reduce((sum, { isEqual, elements }) => sum + (isEqual ? elements : 0), 0) / Math.max(1, total)
}
