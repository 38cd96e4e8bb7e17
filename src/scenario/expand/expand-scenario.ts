import { seededRandom, split } from '../../base/random.ts'
import { didYouMean, shortened } from '../../base/strings.ts'
import { type AuthoredComputed, LIVE_NAMES } from '../data/scope.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { namesMentioned } from '../expression/expression.ts'
import { withSites } from '../sites/write-sites.ts'
import {
  childOf,
  type FilePlace,
  type MapEntry,
  type MapNode,
  nodeText,
  overlaid,
  plainValue,
  type Report,
  type SourceNode,
  type SourceProblem,
  withoutKeys,
} from '../source/source-node.ts'
import { startExpansion, templateExpression } from '../source/template.ts'
import { type Expansion, evaluateNode, fillScalar, liveExpression, withoutLive } from './expand-text.ts'
import { createExpander } from './expander.ts'
import type { FakeData } from './fake-data.ts'
import { isListOrEmpty, type ReadInclude, withIncludes } from './includes.ts'
import { misspeltKey, withSpeltKeys } from './misspelt-keys.ts'
import { createEvaluator, type Evaluator, type Names } from './names.ts'
import { drawParams } from './params.ts'
import { misfitOfName, NO_VARIABLES, readVariables, type Variables } from './variables.ts'
import { withActors } from './write-actors.ts'

/** What a scenario is composed with. */
export interface ExpandOptions {
  /** The seed that parameters are drawn from; the scenario's own when left out. */
  readonly seed?: number | undefined
  /** Values for parameters that are chosen instead of drawn. */
  readonly params?: Readonly<Record<string, DataValue>>
  readonly fake?: FakeData
  readonly readInclude?: ReadInclude
  /** Evaluates the expressions; another seed of the scenario may have used it. */
  readonly evaluator?: Evaluator
  /** The keys at the top of a scenario without composition. A key that is near one of them is not one of composition. */
  readonly sections?: readonly string[]
  /** The most values that the scenario may grow to. */
  readonly maxValues?: number | undefined
  /** Whether the value of a key is a text, even when a template gives a number. */
  readonly isText?: (key: string) => boolean
}

/** A scenario as one file without composition, or what is wrong with it. */
export interface ExpandedScenario {
  readonly root: MapNode
  /** The value of each parameter. */
  readonly params: Readonly<Record<string, DataValue>>
  /** The variables at the start. */
  readonly variables: Variables
  /** The computed names, with their places. */
  readonly computed: readonly LocatedComputed[]
  /** Values that live templates mention by a name: the parameters, and lists and records of repeats and components. */
  readonly constants: Readonly<Record<string, DataValue>>
  readonly problems: readonly SourceProblem[]
}

/** A computed name, and where its expression is. */
export interface LocatedComputed extends AuthoredComputed {
  readonly place: FilePlace
}

/** After so many problems nothing more is expanded: one mistake in a `repeat` would fill the memory. */
const MAX_PROBLEMS = 1000

/** Keys that are gone after composing. */
const COMPOSITION = ['include', 'components', 'params', 'assert', 'vars', 'types', 'computed']
/** Sections in which templates, `use`, `repeat` and `if` are expanded. */
export const EXPANDED_SECTIONS = [
  'states',
  'reactions',
  'timers',
  'actors',
  'faults',
  'oracles',
  'solution',
  'solutions',
  'obedience',
  'windows',
  'sites',
  'start_time',
  'name',
  'about',
  'task',
  'wordings',
  'clipboard',
  'files',
]

/** Keys of items that are gone after composing, and that no item has otherwise. */
const ITEM_KEYS = ['repeat', 'use']

/** Sections with the script of an agent, which has templates of its own. */
const SCRIPTS = ['agent', 'model']

/**
 * Whether a scenario uses composition. In other files `{{` is text like any other. A misspelt key of composition counts,
 * unless it is near one of the other `sections` of a scenario.
 */
export function usesComposition(scenario: unknown, sections: readonly string[] = []): boolean {
  if (!isRecord(scenario)) return false
  if (COMPOSITION.some((key) => Object.hasOwn(scenario, key))) return true
  if (Object.keys(scenario).some((key) => misspeltKey(key, COMPOSITION, sections) !== undefined)) return true
  if (['sites', 'solutions', 'obedience'].some((key) => Object.hasOwn(scenario, key)) || hasProgram(scenario.solution))
    return true
  return (
    (isRecord(scenario.states) &&
      Object.values(scenario.states).some((state) => isRecord(state) && Object.hasOwn(state, 'extends'))) ||
    EXPANDED_SECTIONS.some((name) => hasItemOfComposition(scenario[name])) ||
    hasCondition(scenario.states) ||
    hasCondition(scenario.windows)
  )
}

/** Whether an item at any depth has a key that only composition knows. */
function hasItemOfComposition(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasItemOfComposition)
  if (!isRecord(value)) return false
  return ITEM_KEYS.some((key) => Object.hasOwn(value, key)) || Object.values(value).some(hasItemOfComposition)
}

/** Whether an element below has a condition. */
function hasCondition(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasCondition)
  return isRecord(value) && (Object.hasOwn(value, 'if') || Object.values(value).some(hasCondition))
}

/** Whether a solution has loops or branches, in which templates are filled. */
const hasProgram = (solution: unknown): boolean =>
  Array.isArray(solution) && solution.some((step) => isRecord(step) && ('do' in step || 'then' in step))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Includes files, draws the parameters, expands components, repeats, conditions and templates, and completes states. */
export function expandScenario(
  root: MapNode,
  {
    seed,
    params,
    fake,
    readInclude = includeNothing,
    evaluator = createEvaluator(),
    isText = () => false,
    sections = [],
    maxValues,
  }: ExpandOptions = {},
): ExpandedScenario {
  const problems: SourceProblem[] = []
  const budget = startExpansion(maxValues)
  const early: Expansion = {
    evaluator,
    budget,
    report: (place, message, isRepaired = false) => {
      problems.push({ place, message, isRepaired })
      if (problems.length >= MAX_PROBLEMS) budget.isSpent = true
    },
  }
  const spelt = withSpeltKeys(root, COMPOSITION, sections, early.report)
  const whole = withActors(withSites(withIncludes(spelt, readInclude, early.report), early.report))
  const authored = childOf(whole, 'seed')
  const own = authored?.kind === 'scalar' && typeof authored.value === 'number' ? authored.value : 1
  const random = split(seededRandom(seed ?? own), 'params')
  const names = drawParams(
    sectionOf(whole, 'params', early),
    childOf(whole, 'assert'),
    { random, isOwnSeed: seed === undefined || seed === own, ...(fake && { fake }), ...(params && { chosen: params }) },
    early,
  )
  const variables = expandVariables(whole, names, early)
  const constants: Record<string, DataValue> = Object.fromEntries(names.values)
  const live = {
    hasVariables: childOf(whole, 'vars') !== undefined || childOf(whole, 'computed') !== undefined,
    all: new Set([...LIVE_NAMES, ...Object.keys(variables.types)]),
    nameFor: (value: DataValue) => nameConstant(constants, value),
  }
  const expansion: Expansion = { ...early, live }
  const computed = expandComputed(whole, names, variables, { ...early, live })
  const expanded = expandSections(whole, names, expansion, isText)
  return { root: expanded, params: Object.fromEntries(names.values), variables, computed, constants, problems }
}

/** A name for a value, the same for the same value. */
function nameConstant(constants: Record<string, DataValue>, value: DataValue): string {
  const known = Object.keys(constants).find((name) => constants[name] === value)
  if (known !== undefined) return known
  let number = Object.keys(constants).length + 1
  while (Object.hasOwn(constants, `constant_${number}`)) number++
  constants[`constant_${number}`] = value
  return `constant_${number}`
}

/** The variables at the start: their templates, `repeat`, `use` and `if` are expanded with the parameters. */
function expandVariables(root: MapNode, names: Names, expansion: Expansion): Variables {
  const section = sectionOf(root, 'vars', expansion)
  const types = sectionOf(root, 'types', expansion)
  if (!section && !types) return NO_VARIABLES
  const expander = createExpander(sectionOf(root, 'components', expansion), withoutLive(expansion), () => false)
  return readVariables(section && expander.expand(section, names), types, names, expansion.report)
}

/** The computed names: what is known in their expressions is written out. Each becomes a live name for those after it. */
function expandComputed(
  root: MapNode,
  names: Names,
  { types }: Variables,
  { live, ...expansion }: Expansion & { readonly live: NonNullable<Expansion['live']> & { readonly all: Set<string> } },
): readonly LocatedComputed[] {
  const { evaluator, report } = expansion
  const entries = [...(sectionOf(root, 'computed', expansion)?.entries ?? [])]
  return entries.map(([name, { keyPlace, node }], index) => {
    const wrong = misfitOfName(name, names, types)
    if (wrong !== undefined) report(keyPlace, wrong)
    const later = entries.slice(index).map(([each]) => each)
    const made = computedText(name, node, later)
    if ('message' in made) report(node.place, made.message)
    live.all.add(name)
    // One that is reported has any value, so that its uses are not reported too.
    return { name, text: 'text' in made ? made.text : 'null', place: node.place }
  })

  function computedText(name: string, node: SourceNode, later: readonly string[]): ReturnType<typeof liveExpression> {
    if (node.kind !== 'scalar' || node.value === null)
      return { message: `expected an expression for ${name}, such as size(orders)` }
    const authored = String(node.value)
    const text = authored.includes('{{') ? templateExpression(authored) : authored
    const mentioned = namesMentioned(text)
    const unready = later.find((each) => mentioned.has(each))
    if (unready === name)
      return { message: `${name} needs itself; expected an expression over variables and names above it` }
    if (unready !== undefined)
      return { message: `${name} needs ${unready}, which is computed after it; write ${unready} above it` }
    const made = liveExpression(text, names, evaluator, live)
    return 'message' in made ? { message: `in ${shortened(text.trim())}: ${made.message}` } : made
  }
}

/** The answer for files that a scenario given as text includes. */
export const includeNothing = (path: string): { readonly message: string } => ({
  message: `${JSON.stringify(path)} cannot be included: the scenario was given as text, not as a file`,
})

function sectionOf(root: MapNode, key: string, { report }: Expansion): MapNode | undefined {
  const section = childOf(root, key)
  if (!section || section.kind === 'map') return section
  report(section.place, `expected names with values under ${key}`)
  return undefined
}

function expandSections(root: MapNode, names: Names, expansion: Expansion, isText: (key: string) => boolean): MapNode {
  const expander = createExpander(sectionOf(root, 'components', expansion), expansion, isText)
  const expandSection = (key: string, node: SourceNode): SourceNode => {
    if (SCRIPTS.includes(key)) return fillScriptParams(node, names, withoutLive(expansion))
    if (!EXPANDED_SECTIONS.includes(key)) return node
    const expanded = expander.expand(node, names, key === 'states' || key === 'windows')
    return key === 'files' ? fillFilePaths(expanded, names, withoutLive(expansion)) : expanded
  }
  const entries = new Map<string, MapEntry>()
  for (const [key, entry] of withoutKeys(root, COMPOSITION).entries)
    entries.set(key, { ...entry, node: expandSection(key, entry.node) })
  for (const key of ['reactions', 'timers'] as const) {
    const extras = expander.extras[key]
    if (extras.length === 0) continue
    const own = entries.get(key)
    if (own && !isListOrEmpty(own.node)) continue
    const items = own?.node.kind === 'list' ? own.node.items : []
    const place = own?.node.place ?? root.place
    entries.set(key, { keyPlace: own?.keyPlace ?? place, node: { kind: 'list', items: [...items, ...extras], place } })
  }
  const states = entries.get('states')
  if (states?.node.kind === 'map')
    entries.set('states', { ...states, node: extendStates(states.node, expansion.report) })
  return { ...root, entries }
}

/** Fills the templates in the paths of `files`, whose texts are filled already. */
function fillFilePaths(files: SourceNode, names: Names, expansion: Expansion): SourceNode {
  if (files.kind !== 'map') return files
  const entries = new Map<string, MapEntry>()
  for (const [written, { keyPlace, node }] of files.entries) {
    const filled = fillScalar({ kind: 'scalar', value: written, place: keyPlace }, names, expansion).node
    const path = textOfValue(plainValue(filled))
    if (entries.has(path)) expansion.report(keyPlace, `${written} is ${path}, which is another file here`)
    entries.set(path, { keyPlace, node: asFileText(node) })
  }
  return { ...files, entries }
}

/** A number or boolean that a template gave, as the text of a file. */
const asFileText = (node: SourceNode): SourceNode =>
  node.kind === 'scalar' && node.value !== null ? { ...node, value: String(node.value) } : node

/** A template of a script that names a parameter; all others are filled while the script is played. */
const PARAMETER = /\{\{\s*params\.([\w.]+)\s*\}\}/g

/** Fills the parameters in the script of an agent. */
function fillScriptParams(node: SourceNode, names: Names, expansion: Expansion): SourceNode {
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => fillScriptParams(item, names, expansion)) }
  if (node.kind === 'map') {
    const entries = [...node.entries].map(
      ([key, entry]) => [key, { ...entry, node: fillScriptParams(entry.node, names, expansion) }] as const,
    )
    return { ...node, entries: new Map(entries) }
  }
  if (typeof node.value !== 'string') return node
  const value = node.value.replace(PARAMETER, (_, path: string) => {
    const filled = evaluateNode({ ...node, value: `{{ ${path} }}` }, names, expansion).node
    return textOfValue(plainValue(filled))
  })
  return { ...node, value }
}

/** Keys of a state that say how it differs from the state that it extends. */
const DIFFERENCES = ['extends', 'without', 'set']
const STATE_KEYS = ['windows', ...DIFFERENCES]

/** Replaces each state that extends another by the whole state. */
function extendStates(states: MapNode, report: Report): MapNode {
  const done = new Map<string, SourceNode>()
  const open = new Set<string>()
  const resolve = (name: string, { node }: MapEntry): SourceNode => {
    const known = done.get(name)
    if (known) return known
    open.add(name)
    const spelt = node.kind === 'map' ? withSpeltKeys(node, ['extends'], STATE_KEYS, report) : node
    const whole = spelt.kind === 'map' ? extended(spelt, states, resolve, open, report) : spelt
    open.delete(name)
    done.set(name, whole)
    return whole
  }
  const entries = [...states.entries].map(([name, entry]) => [name, { ...entry, node: resolve(name, entry) }] as const)
  return { ...states, entries: new Map(entries) }
}

type Resolve = (name: string, entry: MapEntry) => SourceNode

function extended(
  state: MapNode,
  states: MapNode,
  resolve: Resolve,
  open: ReadonlySet<string>,
  report: Report,
): SourceNode {
  const named = childOf(state, 'extends')
  if (!named) {
    for (const key of ['without', 'set'])
      if (state.entries.has(key))
        report(state.entries.get(key)!.keyPlace, `${key} changes the state that extends names; extends is missing`)
    return withoutKeys(state, DIFFERENCES)
  }
  const name = nodeText(named)
  const entry = name === undefined ? undefined : states.entries.get(name)
  if (!entry || name === undefined) {
    const known = [...states.entries.keys()]
    report(
      named.place,
      `unknown state ${JSON.stringify(name ?? null)}${didYouMean(name ?? '', known) || `; the states are ${known.join(', ')}`}`,
    )
    return withoutKeys(state, DIFFERENCES)
  }
  if (open.has(name)) {
    report(named.place, `the state extends itself: ${[...open, name].join(' → ')}`)
    return withoutKeys(state, DIFFERENCES)
  }
  const base = resolve(name, entry)
  const windows = changedWindows(
    withoutWindows(
      mergedWindows(itemsOf(base, 'windows'), itemsOf(state, 'windows')),
      childOf(state, 'without'),
      report,
    ),
    childOf(state, 'set'),
    report,
  )
  const list: SourceNode = { kind: 'list', items: windows, place: childOf(state, 'windows')?.place ?? state.place }
  const whole = base.kind === 'map' ? overlaid(base, withoutKeys(state, DIFFERENCES)) : state
  return { ...whole, entries: new Map([...whole.entries, ['windows', { keyPlace: state.place, node: list }]]) }
}

const itemsOf = (state: SourceNode, key: string): readonly SourceNode[] => {
  const list = state.kind === 'map' ? childOf(state, key) : undefined
  return list?.kind === 'list' ? list.items : []
}

const uidOfNode = (window: SourceNode): string | undefined =>
  window.kind === 'map' ? nodeText(childOf(window, 'uid')) : undefined

/** Windows with the same uid keep their place and take the new keys; new windows come in front. */
function mergedWindows(base: readonly SourceNode[], own: readonly SourceNode[]): readonly SourceNode[] {
  const named = new Map(
    own.flatMap((window) => (uidOfNode(window) === undefined ? [] : [[uidOfNode(window)!, window]])),
  )
  const known = new Set(base.map(uidOfNode))
  const added = own.filter((window) => uidOfNode(window) === undefined || !known.has(uidOfNode(window)))
  const merged = base.map((window) => {
    const over = named.get(uidOfNode(window) ?? '')
    return over?.kind === 'map' && window.kind === 'map' ? overlaid(window, over) : window
  })
  return [...added, ...merged]
}

function withoutWindows(
  windows: readonly SourceNode[],
  without: SourceNode | undefined,
  report: Report,
): readonly SourceNode[] {
  if (!without) return windows
  const uids = without.kind === 'list' ? without.items : [without]
  for (const uid of uids)
    if (!windows.some((window) => uidOfNode(window) === nodeText(uid)))
      report(uid.place, `no window has the uid ${JSON.stringify(nodeText(uid) ?? null)}`)
  return windows.filter((window) => !uids.some((uid) => nodeText(uid) === uidOfNode(window)))
}

/** Windows after the changes of a `set`: the same keys as in a reaction, but for `value_now: {add: …}`. */
function changedWindows(
  windows: readonly SourceNode[],
  set: SourceNode | undefined,
  report: Report,
): readonly SourceNode[] {
  const changes = set?.kind === 'list' ? set.items : []
  return changes.reduce(
    (current, change) => (change.kind === 'map' ? changed(current, change, report) : current),
    windows,
  )
}

function changed(windows: readonly SourceNode[], change: MapNode, report: Report): readonly SourceNode[] {
  const id = nodeText(childOf(change, 'id'))
  const uid = nodeText(childOf(change, 'window'))
  const fields = withoutKeys(change, ['id', 'window', 'append', 'remove'])
  let found = 0
  const result = windows.map((window) => {
    if (window.kind !== 'map' || (uid !== undefined && uidOfNode(window) !== uid)) return window
    if (id === undefined) {
      found++
      return overlaid(window, fields)
    }
    const tree = childOf(window, 'tree')
    const next = tree && changedBelow(tree, id, change, fields)
    if (!next || next === tree) return window
    found++
    return overlaid(window, { ...window, entries: new Map([['tree', { keyPlace: tree.place, node: next }]]) })
  })
  if (found === 0) {
    const what = id === undefined ? `window ${JSON.stringify(uid ?? null)}` : `element ${JSON.stringify(id)}`
    report(change.place, `there is no ${what} in the state that is extended`)
  }
  return result
}

function changedBelow(node: SourceNode, id: string, change: MapNode, fields: MapNode): SourceNode {
  if (node.kind !== 'map') return node
  if (nodeText(childOf(node, 'id')) === id) return withAppended(overlaid(node, fields), childOf(change, 'append'))
  const children = childOf(node, 'children')
  if (children?.kind !== 'list') return node
  const isRemoved = (child: SourceNode) =>
    isTrue(childOf(change, 'remove')) && child.kind === 'map' && nodeText(childOf(child, 'id')) === id
  const items = children.items.flatMap((child) => (isRemoved(child) ? [] : [changedBelow(child, id, change, fields)]))
  if (items.length === children.items.length && items.every((item, index) => item === children.items[index]))
    return node
  return withChildren(node, { ...children, items })
}

const isTrue = (node: SourceNode | undefined): boolean => node?.kind === 'scalar' && node.value === true

function withAppended(element: MapNode, append: SourceNode | undefined): MapNode {
  if (append?.kind !== 'list') return element
  const children = childOf(element, 'children')
  const items = children?.kind === 'list' ? children.items : []
  return withChildren(element, { ...append, items: [...items, ...append.items] })
}

const withChildren = (element: MapNode, children: SourceNode): MapNode => ({
  ...element,
  entries: new Map([...element.entries, ['children', { keyPlace: element.place, node: children }]]),
})
