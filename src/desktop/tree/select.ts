import { compilePattern, createMatchBudget, type MatchBudget, UNLIMITED_MATCHING } from '../../base/pattern.ts'
import { editsBetween } from '../../base/strings.ts'
import { type Element, memoize, nodeAt, type Path, pathOf, withFields } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import {
  type AttributeTest,
  formatStep,
  isReadable,
  isRole,
  parseSelector,
  type Selector,
  type SelectorStep,
  type TextKey,
} from './selector.ts'

/** An element that matches a selector. */
export interface Match {
  readonly path: Path
  readonly element: Element
}

/** Whether an element matches; `index` is its index among siblings of its role. */
type Fits = (element: Element, index: number) => boolean

const NONE: readonly number[] = []
const zero = () => 0

/**
 * All elements that a selector names, each once, in document order. When the root fits the first step the search starts there
 * only, else at every element below that does. One pass: nodes times steps at most.
 * @param root The tree to search.
 * @param selector A selector or its text.
 * @throws A `Fault` `BadRequest` for a text that is not a selector.
 * @example
 * const [match] = querySelectorAll(window.tree, 'Button "Save"')
 */
export function querySelectorAll(root: Element, selector: Selector | string): readonly Match[] {
  const parsed = typeof selector === 'string' ? parseSelector(selector) : selector
  const matches = queryTree(root, parsed)
  return matches.length === 0 && isShownDifferently(root) ? queryWritten(root, parsed) : matches
}

/** What a selector names by the roles and names of the scenario, in a tree that shows others. */
function queryWritten(root: Element, selector: Selector): readonly Match[] {
  return queryTree(authoredTree(root), selector).flatMap(({ element: written }) => {
    const path = pathOfWritten(root, written)
    const element = path && nodeAt(root, path)
    return path && element ? [{ path, element }] : []
  })
}

function queryTree(root: Element, { steps }: Selector): readonly Match[] {
  const work = createMatchBudget()
  const fits = steps.map((step) => fitsOf(step, work))
  const countsSiblings = steps.some(({ tests }) => tests.some(({ key }) => key === 'index'))
  const matches: Match[] = []
  const path: number[] = []
  /** For each step, how many ancestors search for it among their descendants. */
  const asked = steps.map(() => 0)
  let askedInAll = 0

  const ask = (step: number, by: 1 | -1): void => {
    asked[step]! += by
    askedInAll += by
  }

  /** The steps after those that matched, with the given combinator. */
  const next = (found: readonly number[], reach: SelectorStep['reach']): readonly number[] =>
    found.length === 0 ? NONE : found.map((step) => step + 1).filter((step) => steps[step]?.reach === reach)

  /** `askedHere` are the steps that the parent searches for among its children, ascending. */
  const visit = (element: Element, index: number, askedHere: readonly number[]): void => {
    let found: number[] | undefined
    let place = 0
    for (let step = 0; step < fits.length; step++) {
      const here = askedHere[place] === step
      if (here) place++
      if ((here || asked[step]! > 0) && fits[step]!(element, index)) {
        found ??= []
        found.push(step)
      }
    }
    if (found?.at(-1) === steps.length - 1) matches.push({ path: path.slice(), element })
    if (element.children.length > 0) visitChildren(element, found ?? NONE)
  }

  const visitChildren = (element: Element, found: readonly number[]): void => {
    const ofChildren = next(found, 'child')
    const ofDescendants = next(found, 'descendant')
    for (const step of ofDescendants) ask(step, 1)
    if (askedInAll > 0 || ofChildren.length > 0) {
      const indexOf = countsSiblings ? siblingCounter() : zero
      element.children.forEach((child, position) => {
        path.push(position)
        visit(child, indexOf(child), ofChildren)
        path.pop()
      })
    }
    for (const step of ofDescendants) ask(step, -1)
  }

  if (steps[0]!.reach === 'anywhere' && fits[0]!(root, 0)) {
    visit(root, 0, [0])
    return matches
  }
  ask(0, 1)
  visitChildren(root, NONE)
  return matches
}

/**
 * The canonical selector of a node: from the root, the role of each node with its name, or with its index where that does not
 * tell it from its siblings (observer document, "ActionReceipt"). It selects exactly that node.
 * @param root The tree that the node is in.
 * @param path The indexes of children that lead from the root to the node.
 * @throws An `Error` when there is no node at the path.
 */
export function selectorOf(root: Element, path: Path): string {
  let text = rootName(root)
  let node = root
  for (const position of path) {
    const child = node.children[position]
    if (!child) throw new Error(`there is no node at ${path.join('/')}`)
    text += childName(node, position)
    node = child
  }
  if (isReadable(path.length + 1, text)) return text
  return formatStep({ reach: 'anywhere', tests: [{ key: 'id', op: '=', value: node.id }] })
}

/** The step that names a root, which has no siblings. */
const rootName = memoize((root) => formatStep(namingStep([root], 0, 'anywhere')), { update: (text) => text })

/** The canonical text of the step that names a child among its siblings. */
function childName(parent: Element, position: number): string {
  const names = namesBelow(parent)
  names[position] ??= formatStep(namingStep(parent.children, position, 'child'))
  return names[position]
}

/** The canonical steps of children, computed on demand. Valid while no child changes its role or name. */
const namesBelow = memoize((): (string | undefined)[] => [], {
  update: (names, before, after) => (before.role === after.role && before.name === after.name ? names : undefined),
})

/** Longer names are omitted from derived selectors: they are content rather than names. */
const MAX_SELECTED_NAME_CHARACTERS = 200

const CONTROL = /[\0-\x1f\x7f-\x9f]/

/** The first step that matches the node at `position` and none of its siblings. */
function namingStep(siblings: readonly Element[], position: number, reach: SelectorStep['reach']): SelectorStep {
  const node = siblings[position]!
  const isName = node.name !== '' && node.name.length <= MAX_SELECTED_NAME_CHARACTERS && !CONTROL.test(node.name)
  const named: readonly AttributeTest[] = isName ? [{ key: 'name', op: '=', value: node.name }] : NO_TESTS
  const role = node.role.includes(' ') ? node.role.replaceAll(' ', '_') : node.role
  const isWord = isRole(role)
  if (isWord && !hasTwin(siblings, position, role, isName)) return { reach, role, tests: named }
  const indexed: AttributeTest = { key: 'index', op: '=', value: indexAt(siblings, position) }
  const counted: SelectorStep = { reach, role, tests: [...named, indexed] }
  if (isWord && isAlone(siblings, position, counted)) return counted
  // Roles that are not words, or that differ only in typography, are written as a pattern.
  const spelt: AttributeTest = { key: 'role', op: '~=', value: node.role.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&') }
  return { reach, tests: [spelt, indexed] }
}

const NO_TESTS: readonly AttributeTest[] = []

/** Whether a sibling of the node at `position` has its role and, if the step has a name, its name. */
function hasTwin(siblings: readonly Element[], position: number, role: string, isName: boolean): boolean {
  const fitsRole = roleTest(role)
  const name = fold(siblings[position]!.name)
  for (let at = 0; at < siblings.length; at++) {
    const sibling = siblings[at]!
    if (at !== position && fitsRole(sibling.role) && (!isName || isFolded(sibling.name, name))) return true
  }
  return false
}

/** Whether a step matches the node at `position` and none of its siblings. */
function isAlone(siblings: readonly Element[], position: number, step: SelectorStep): boolean {
  const fits = fitsOf(step, UNLIMITED_MATCHING)
  const indexOf = siblingCounter()
  return siblings.every((sibling, at) => fits(sibling, indexOf(sibling)) === (at === position))
}

function indexAt(siblings: readonly Element[], position: number): number {
  let index = 0
  for (let at = 0; at < position; at++) if (siblings[at]!.role === siblings[position]!.role) index++
  return index
}

/** Numbers siblings in order, those of each role from 0. */
function siblingCounter(): (sibling: Element) => number {
  const counts = new Map<string, number>()
  return ({ role }) => {
    const index = counts.get(role) ?? 0
    counts.set(role, index + 1)
    return index
  }
}

function fitsOf({ role, tests }: SelectorStep, work: MatchBudget): Fits {
  const all = tests.map((test) => fitsTest(test, work))
  if (role === undefined) return (element, index) => all.every((fits) => fits(element, index))
  const fitsRole = roleTest(role)
  if (all.length === 0) return (element) => fitsRole(element.role)
  return (element, index) => fitsRole(element.role) && all.every((fits) => fits(element, index))
}

/** Whether a role matches a step, with blanks in place of the step's underscores. */
export function roleTest(role: string): (found: string) => boolean {
  if (!role.includes('_')) return (found) => found === role
  const blanks = role.replaceAll('_', ' ')
  return (found) => found === role || found.replaceAll('_', ' ') === blanks
}

const READS: Readonly<Record<Exclude<AttributeTest['key'], 'index'>, (element: Element) => unknown>> = {
  name: ({ name }) => name,
  value: ({ value }) => value,
  role: ({ role }) => role,
  id: ({ id }) => id,
  identifier: ({ identifier }) => identifier,
  description: ({ description }) => description,
  keyboard_shortcut: ({ keyboardShortcut }) => keyboardShortcut,
  enabled: ({ enabled }) => enabled,
  focused: ({ focused }) => focused,
  selected: ({ selected = false }) => selected,
  expanded: ({ expanded = false }) => expanded,
  value_now: ({ valueNow }) => valueNow,
  value_min: ({ valueMin }) => valueMin,
  value_max: ({ valueMax }) => valueMax,
}

function fitsTest({ key, op, value }: AttributeTest, work: MatchBudget): Fits {
  if (key === 'index') return (_, index) => index === value
  const read = READS[key]
  if (typeof value !== 'string') return (element) => read(element) === value
  const fits = textTest(op, value, work)
  return (element) => fits(String(read(element) ?? ''))
}

function textTest(op: AttributeTest['op'], value: string, work: MatchBudget): (text: string) => boolean {
  if (op === '~=') {
    const pattern = compilePattern(value)
    return (text) => pattern.whole(text, work) !== undefined
  }
  const wanted = fold(value)
  return op === '=' ? (text) => isFolded(text, wanted) : (text) => fold(text).includes(wanted)
}

/** Whether a text normalises to `wanted`. Most others differ in length or last character. */
function isFolded(text: string, wanted: string): boolean {
  if (text === wanted) return true
  if (text.length > wanted.length) return false
  const last = text.charCodeAt(text.length - 1)
  if (last < 0x80 && last !== wanted.charCodeAt(wanted.length - 1)) return false
  return fold(text) === wanted
}

const TYPOGRAPHY = /[\u2026\u00a0\u2013\u2014]/
const PLAIN: Readonly<Record<string, string>> = { '\u2026': '...', '\u00a0': ' ', '\u2013': '-', '\u2014': '--' }

/** Replaces typographic characters by the plain ones that people type. */
const fold = (text: string): string =>
  TYPOGRAPHY.test(text) ? text.replace(/[\u2026\u00a0\u2013\u2014]/g, (sign) => PLAIN[sign]!) : text

/** The most elements of a tree that are compared. */
const MAX_COMPARED = 5000
const MAX_COMPARED_CHARACTERS = 80

/**
 * The elements that are nearest to what a selector or an id asks for, such as `Button "Save as"` for `Button "Save"`: at most
 * `most` of them. Hidden elements are left out.
 */
export function nearestElements(tree: Element, asked: Selector | { readonly id: string }, most = 3): readonly string[] {
  const wanted = 'id' in asked ? { key: 'id' as const, text: asked.id, role: undefined } : wantedIn(asked.steps.at(-1))
  if (!wanted || wanted.text === '' || wanted.text.length > MAX_COMPARED_CHARACTERS) return []
  const found = new Map<string, number>()
  let compared = 0
  const visit = (element: Element): void => {
    if (element.traits?.hidden || ++compared > MAX_COMPARED) return
    const distance = distanceBetween(wanted.text, String(element[wanted.key] ?? ''))
    if (distance !== undefined) {
      const isSameRole = wanted.role === undefined || roleKind(wanted.role) === roleKind(element.role)
      const shown = describe(element, wanted.key)
      found.set(shown, Math.min(found.get(shown) ?? Number.POSITIVE_INFINITY, distance + (isSameRole ? 0 : 1)))
    }
    for (const child of element.children) visit(child)
  }
  visit(tree)
  return [...found]
    .toSorted((a, b) => a[1] - b[1])
    .slice(0, most)
    .map(([shown]) => shown)
}

interface Wanted {
  readonly key: Extract<TextKey, 'name' | 'id'>
  readonly text: string
  readonly role: string | undefined
}

/** What the last step of a selector asks for: a name or an id. */
function wantedIn(step: SelectorStep | undefined): Wanted | undefined {
  for (const key of ['name', 'id'] as const)
    for (const test of step?.tests ?? [])
      if (test.key === key && typeof test.value === 'string') return { key, text: test.value, role: step?.role }
  return undefined
}

const describe = ({ role, name, id }: Element, key: Wanted['key']): string =>
  key === 'id' ? `${role} ${JSON.stringify(name)} with the id ${JSON.stringify(id)}` : `${role} ${JSON.stringify(name)}`

const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '')

/** How far two texts are from each other: 0 if they differ in case and blanks only. Undefined if they are not near. */
function distanceBetween(wanted: string, found: string): number | undefined {
  if (found === '' || found.length > MAX_COMPARED_CHARACTERS) return undefined
  const [a, b] = [plain(wanted), plain(found)]
  if (a === '' || b === '') return undefined
  if (a === b) return 0
  const allowed = Math.min(3, Math.floor(Math.max(a.length, 3) / 3))
  const edits = editsBetween(a, b, allowed)
  if (edits <= allowed) return edits
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 3 && long.includes(short) ? allowed + 1 : undefined
}

/**
 * The tree with the roles and names of its scenario, and without what a platform added, as far as it is known. The nodes
 * keep their ids.
 */
const authoredTree = memoize((element: Element): Element => {
  const { authored } = element.traits ?? {}
  const fields = authored ? { role: authored.role, name: authored.name } : {}
  return withFields(element, { ...fields, children: authoredChildren(element.children) })
})

/** The children without containers that were added, and cells in their rows. */
function authoredChildren(children: readonly Element[]): readonly Element[] {
  const result: Element[] = []
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!
    const row = child.traits?.writtenRow
    if (child.traits?.added) result.push(...authoredChildren(child.children))
    else if (row) {
      let end = at + 1
      while (children[end]?.traits?.writtenRow?.id === row.id) end++
      const cells = children.slice(at, end).map(authoredTree)
      result.push(withFields(child, { ...row, children: cells, traits: undefined }))
      at = end - 1
    } else result.push(authoredTree(child))
  }
  return result
}

/** Whether a tree is shown as a platform does, with other roles and names than those of its scenario. */
const isShownDifferently = (root: Element): boolean => root.traits?.authored !== undefined

/** The path in a tree of an element of its written tree. A row that is not in the tree is its first cell. */
const pathOfWritten = (root: Element, element: Element) =>
  pathOf(root, element.id) ?? (element.children[0] && pathOf(root, element.children[0].id))
