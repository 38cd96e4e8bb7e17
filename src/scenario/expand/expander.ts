import { didYouMean, shortened } from '../../base/strings.ts'
import type { DataValue } from '../expression/data-type.ts'
import { isList } from '../expression/data-type.ts'
import {
  changeEntries,
  changeItems,
  childOf,
  type ListNode,
  type MapEntry,
  type MapNode,
  nodeText,
  plainValue,
  type SourceNode,
  withoutKeys,
} from '../source/source-node.ts'
import { spend, templateExpression } from '../source/template.ts'
import { bindArguments, type Components, componentsIn, leastValuesOf } from './components.ts'
import { type Expansion, evaluateNode, fillScalar, liveExpression, withoutLive } from './expand-text.ts'
import { withSpeltKeys } from './misspelt-keys.ts'
import { hasName, type Names, withExpressions, withNames } from './names.ts'

const MAX_REPEATS = 10_000
const MAX_NESTED_USES = 20

const REPEAT = ['repeat']
const WITH = ['with']

/** Expands `use`, `repeat`, `if` and templates in the parts of a scenario. */
export interface Expander {
  expand(node: SourceNode, names: Names): SourceNode
  /** What components brought along beside their element. */
  readonly extras: { readonly reactions: SourceNode[]; readonly timers: SourceNode[] }
}

/** Prepares the expansion of one scenario. */
export function createExpander(
  components: MapNode | undefined,
  expansion: Expansion,
  isText: (key: string) => boolean,
): Expander {
  const known = componentsIn(components, expansion.report)
  const state: ExpandState = {
    expansion,
    components: known,
    extras: { reactions: [], timers: [] },
    extraKeys: new Set(),
    isText,
    dataDepth: 0,
  }
  return { extras: state.extras, expand: (node, names) => expandOne(node, names, state, 0) ?? node }
}

interface ExpandState {
  readonly expansion: Expansion
  readonly components: Components
  readonly extras: Expander['extras']
  /** Extras that are already there, so that a component used in two states reacts once. */
  readonly extraKeys: Set<string>
  readonly isText: (key: string) => boolean
  /** How many changes of variables the node is in. Their values keep their types, under any key. */
  dataDepth: number
}

/** The number of values in the nodes that expand to themselves whatever the names are. The seeds of a file share them. */
const fixedValues = new WeakMap<SourceNode, number>()

/** Whether expansion leaves a node as it is, in every seed. Known once it was expanded. */
export const isFixed = (node: SourceNode): boolean =>
  node.kind === 'scalar' ? typeof node.value !== 'string' || !node.value.includes('{{') : fixedValues.has(node)

/** The node that stands for a node: undefined when an `if` leaves it out. */
function expandOne(node: SourceNode, names: Names, state: ExpandState, uses: number): SourceNode | undefined {
  const { budget, report } = state.expansion
  const known = fixedValues.get(node)
  if (!spend(budget, { values: known ?? 1 }, node.place, report)) return undefined
  if (known !== undefined) return node
  const before = budget.values - 1
  const expanded = expandParts(node, names, state, uses)
  // A part with a template is the same only after a problem, which is reported for each seed.
  if (expanded === node && node.kind !== 'scalar' && partsOf(node).every(isFixed))
    fixedValues.set(node, budget.values - before)
  return expanded
}

const partsOf = (node: ListNode | MapNode): readonly SourceNode[] =>
  node.kind === 'list' ? node.items : [...node.entries.values()].map((entry) => entry.node)

function expandParts(node: SourceNode, names: Names, state: ExpandState, uses: number): SourceNode | undefined {
  if (node.kind === 'scalar') return fillScalar(node, names, state.expansion).node
  if (node.kind === 'list') return changeItems(node, (item) => expandItem(item, names, state, uses))
  if (node.entries.has('then') || node.entries.has('do')) return expandProgram(node, names, state, uses)
  if (!holds(node, names, state)) return undefined
  const bare = withoutKeys(node, ['if'])
  return bare.entries.has('use') ? expandUse(bare, names, state, uses) : expandEntries(bare, names, state, uses)
}

/** A step of a solution with `if` and `then`, or `for` and `do`: its expressions belong to the running scenario. */
function expandProgram(map: MapNode, names: Names, state: ExpandState, uses: number): MapNode {
  const name = nodeText(childOf(map, 'as')) ?? 'item'
  const inside = withExpressions(names, [
    [name, name],
    [`${name}_index`, `${name}_index`],
  ])
  const entries = [...map.entries].flatMap(([key, entry]): [string, MapEntry][] => {
    const node =
      (key === 'if' || key === 'for') && nodeText(entry.node) !== undefined
        ? bareExpression(entry.node, names, state)
        : expandOne(entry.node, key === 'do' ? inside : names, state, uses)
    return node ? [[key, { ...entry, node }]] : []
  })
  return { ...map, entries: new Map(entries) }
}

/** Keys that hold an expression of the running scenario, with or without braces. */
const EXPRESSION_KEYS: ReadonlySet<string> = new Set([
  'expression',
  'where',
  'removed',
  'when',
  'filter',
  'unread_where',
  'formula',
])

function expandEntries(map: MapNode, names: Names, state: ExpandState, uses: number): MapNode {
  const isData = map.entries.has('var')
  const inside = nodeText(childOf(map, 'kind')) === 'answer' ? withExpressions(names, [['answer', 'answer']]) : names
  if (isData) state.dataDepth++
  const expanded = changeEntries(map, (key, { node: authored }) => {
    const isExpression = EXPRESSION_KEYS.has(key) && nodeText(authored) !== undefined
    const node = isExpression ? bareExpression(authored, inside, state) : expandOne(authored, names, state, uses)
    const isText = state.isText(key) && (state.dataDepth === 0 || (isData && key === 'var'))
    return node && isText ? asText(node, authored) : node
  })
  if (isData) state.dataDepth--
  return expanded
}

/** The text of an expression that the running scenario evaluates, without braces. */
function bareExpression(node: SourceNode, names: Names, { expansion }: ExpandState): SourceNode {
  const { evaluator, report, live } = expansion
  const text = nodeText(node)
  if (node.kind !== 'scalar' || text === undefined || !live) return node
  const result = liveExpression(text.includes('{{') ? templateExpression(text) : text, names, evaluator, live)
  if ('message' in result) report(node.place, `in ${shortened(text.trim())}: ${result.message}`)
  return 'message' in result ? node : { ...node, value: result.text }
}

/** An item of a list: several when it has `repeat`. */
function expandItem(given: SourceNode, names: Names, state: ExpandState, uses: number): readonly SourceNode[] {
  const item = given.kind === 'map' ? withSpeltKeys(given, REPEAT, [], state.expansion.report) : given
  const repeat = item.kind === 'map' ? item.entries.get('repeat') : undefined
  if (item.kind !== 'map' || !repeat) {
    const node = expandOne(item, names, state, uses)
    return node ? [node] : []
  }
  const name = nodeText(childOf(item, 'as')) ?? 'item'
  const over = repeated(repeat, names, state)
  const body = withoutKeys(item, ['repeat', 'as'])
  if (hasName(names, name)) {
    state.expansion.report(
      item.entries.get('as')?.node.place ?? repeat.keyPlace,
      `${name} already has a meaning here; write as: with another name`,
    )
    return []
  }
  return over.flatMap((value, index) => {
    if (state.expansion.budget.isSpent) return []
    const inside = withNames(names, [
      [name, value],
      [`${name}_index`, index],
    ])
    const node = expandOne(body, inside, state, uses)
    return node ? [node] : []
  })
}

function repeated({ node, keyPlace }: MapEntry, names: Names, state: ExpandState): readonly DataValue[] {
  const found = evaluateExpression(node, names, state)
  if (reportLive(found, 'repeat', 'show the records of a variable in a table or list with rows:', state)) return []
  const value = plainValue(found)
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_REPEATS)
    return Array.from({ length: value }, (_, index) => index)
  if (value !== null && isList(value) && value.length <= MAX_REPEATS) return value
  state.expansion.report(keyPlace, `expected a list or a number of at most ${MAX_REPEATS}, such as repeat: orders`)
  return []
}

/** The value of a key that takes an expression, with or without braces. */
function evaluateExpression(node: SourceNode, names: Names, state: ExpandState): SourceNode {
  const text = nodeText(node)
  if (text === undefined || text.includes('{{')) return evaluateNode(node, names, state.expansion).node
  return fillScalar({ kind: 'scalar', value: `{{${text}}}`, place: node.place }, names, state.expansion).node
}

/** Reports a value that is needed now and that only the running scenario knows. */
function reportLive(node: SourceNode, key: string, hint: string, { expansion }: ExpandState): boolean {
  if (node.kind !== 'scalar' || !node.live) return false
  expansion.report(
    node.place,
    `${key} is decided before the scenario runs, and ${templateExpression(String(node.value))} changes while it runs; ${hint}`,
  )
  return true
}

function holds(map: MapNode, names: Names, state: ExpandState): boolean {
  const condition = map.entries.get('if')
  if (!condition) return true
  const found = evaluateExpression(condition.node, names, state)
  if (reportLive(found, 'if', 'write hidden: "{{ … }}" instead', state)) return false
  const value = plainValue(found)
  if (typeof value === 'boolean') return value
  state.expansion.report(condition.node.place, 'expected an expression that is true or false')
  return false
}

function expandUse(authored: MapNode, names: Names, state: ExpandState, uses: number): SourceNode | undefined {
  const map = withSpeltKeys(authored, WITH, ['width'], state.expansion.report)
  const { node: which, keyPlace } = map.entries.get('use')!
  const name = nodeText(evaluateNode(which, names, withoutLive(state.expansion)).node)
  const component = name === undefined ? undefined : state.components.get(name)
  if (!component) {
    const known = [...state.components.keys()]
    const hint = didYouMean(name ?? '', known) || (known.length > 0 ? `; the components are ${known.join(', ')}` : '')
    state.expansion.report(which.place, `unknown component ${JSON.stringify(name ?? null)}${hint}`)
    return undefined
  }
  const { budget, report } = state.expansion
  const least = leastValuesOf(component, state.components)
  const excess =
    uses >= MAX_NESTED_USES
      ? `components use each other more than ${MAX_NESTED_USES} deep`
      : least === Number.POSITIVE_INFINITY
        ? `the component ${component.name} uses itself without an if that ends it`
        : budget.values + least > budget.maxValues
          ? `the scenario grows beyond ${budget.maxValues} values`
          : undefined
  if (excess !== undefined) {
    if (!budget.isSpent) report(keyPlace, excess)
    // Each use may make many others, which would all be reported.
    budget.isSpent = true
    return undefined
  }
  const given = childOf(map, 'with')
  const args = given ? evaluateNode(given, names, state.expansion).node : undefined
  const inside = bindArguments(component, args, map.place, state.expansion)
  if (!inside) return undefined
  for (const key of ['reactions', 'timers'] as const)
    for (const extra of expandList(childOf(component.body, key), inside, state, uses + 1)) {
      const text = JSON.stringify([key, plainValue(extra)])
      if (!state.extraKeys.has(text)) state.extras[key].push(extra)
      state.extraKeys.add(text)
    }
  const content = childOf(component.body, component.kind)!
  const expanded = expandOne(content, inside, state, uses + 1)
  if (expanded?.kind !== 'map') return expanded
  const own = withoutKeys(map, ['use', 'with'])
  if (own.entries.size === 0) return { ...expanded, place: map.place }
  const over = expandEntries(own, names, state, uses)
  return { ...expanded, entries: new Map([...expanded.entries, ...over.entries]), place: map.place }
}

function expandList(
  list: SourceNode | undefined,
  names: Names,
  state: ExpandState,
  uses: number,
): readonly SourceNode[] {
  return list?.kind === 'list' ? list.items.flatMap((item) => expandItem(item, names, state, uses)) : []
}

/** A number or boolean that a template gave, as the text that its key expects. */
function asText(node: SourceNode, authored: SourceNode): SourceNode {
  if (node.kind !== 'scalar' || nodeText(authored) === undefined || node.value === null) return node
  return typeof node.value === 'string' ? node : { ...node, value: String(node.value) }
}
