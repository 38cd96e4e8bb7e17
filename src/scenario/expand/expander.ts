import { didYouMean, shortened } from '../../base/strings.ts'
import type { DataValue } from '../expression/data-type.ts'
import { isList } from '../expression/data-type.ts'
import { SCOPE } from '../sites/write-sites.ts'
import {
  changeEntries,
  changeItems,
  childOf,
  type ListNode,
  type MapEntry,
  type MapNode,
  nodeText,
  plainValue,
  type ScalarNode,
  type SourceNode,
  withoutKeys,
} from '../source/source-node.ts'
import { spend, templateExpression } from '../source/template.ts'
import { bindArguments, type Components, componentsIn, leastValuesOf } from './components.ts'
import { type Expansion, evaluateNode, evaluatePart, fillScalar, liveExpression, withoutLive } from './expand-text.ts'
import { withSpeltKeys } from './misspelt-keys.ts'
import { hasName, type Names, namesInEvents, pathIn, withExpressions, withLiveItem, withNames } from './names.ts'

const MAX_REPEATS = 10_000
const MAX_NESTED_USES = 20

const REPEAT = ['repeat']
const WITH = ['with']

/** Expands `use`, `repeat`, `if` and templates in the parts of a scenario. */
export interface Expander {
  /** @param isScreen Whether the node has windows, whose parts may follow the data. */
  expand(node: SourceNode, names: Names, isScreen?: boolean): SourceNode
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
    isScreen: false,
    items: [],
  }
  return {
    extras: state.extras,
    expand: (node, names, isScreen = false) => {
      state.isScreen = isScreen
      return expandOne(node, names, state, 0) ?? node
    },
  }
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
  /** Whether the node is a part of a window. */
  isScreen: boolean
  /** The names that the live items around the node have in the running scenario. */
  readonly items: string[]
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
  'found',
])

function expandEntries(given: MapNode, around: Names, state: ExpandState, uses: number): MapNode {
  const names = withScope(given, around, state)
  const map = withoutKeys(given, [SCOPE])
  const isData = map.entries.has('var')
  const inside = nodeText(childOf(map, 'kind')) === 'answer' ? withExpressions(names, [['answer', 'answer']]) : names
  if (isData) state.dataDepth++
  const expanded = changeEntries(map, (key, { node: authored }) => {
    if ((key === 'children' || key === 'windows') && state.isScreen && authored.kind === 'list')
      return changeItems(authored, (child) => expandChild(child, names, state, uses))
    if (PLACE_KEYS.has(key) && nodeText(authored) !== undefined) return placeText(authored, key, names, state)
    const isExpression = EXPRESSION_KEYS.has(key) && nodeText(authored) !== undefined
    const node = isExpression ? bareExpression(authored, inside, state) : expandOne(authored, names, state, uses)
    const isText = state.isText(key) && (state.dataDepth === 0 || (isData && key === 'var'))
    return node && isText ? asText(node, authored) : node
  })
  if (isData) state.dataDepth--
  return expanded
}

/** Keys that name a place of the data. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['bind', 'var'])

/** The names below a map that gives names a meaning, as a page does with its parameters. */
function withScope(map: MapNode, names: Names, { expansion: { live, report } }: ExpandState): Names {
  const scope = childOf(map, SCOPE)
  if (scope?.kind !== 'map') return names
  const added = [...scope.entries].map(([name, { node }]) => [name, nodeText(node)!] as const)
  for (const [name] of added)
    if (hasName(names, name) || live?.all.has(name))
      report(map.place, `${name} already has a meaning here; rename the parameter`)
  return withExpressions(names, added)
}

/** A place of the data, in which the parameter of a component is the place that it stands for. */
function placeText(node: SourceNode, key: string, names: Names, { expansion }: ExpandState): SourceNode {
  const text = nodeText(node)!
  if (text.includes('{{')) return fillScalar(node as ScalarNode, names, expansion).node
  const path = pathIn(text, names)
  if (path === undefined)
    expansion.report(
      node.place,
      `${text} is computed and cannot be written; ${key}: needs a variable, or an item of a list of one`,
    )
  return path === undefined || path === text ? node : { ...(node as ScalarNode), value: path }
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
  return expandEach(item, repeat, names, state, (body, inside) => {
    const node = expandOne(body, inside, state, uses)
    return node ? [node] : []
  })
}

/** What stands for an item of a list that is written out for each value of another. */
function expandEach(
  item: MapNode,
  repeat: MapEntry,
  names: Names,
  state: ExpandState,
  expand: (body: MapNode, names: Names) => readonly SourceNode[],
): readonly SourceNode[] {
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
    return expand(body, inside)
  })
}

/**
 * A child of an element, or a window of a state: several when it has `repeat`, or `if` and `then`. What depends on the running scenario stays, with
 * its expressions as the running scenario has them.
 * @param conditions The live conditions around it that have no element.
 */
function expandChild(
  given: SourceNode,
  names: Names,
  state: ExpandState,
  uses: number,
  conditions: readonly string[] = [],
): readonly SourceNode[] {
  if (state.expansion.budget.isSpent) return []
  const item = given.kind === 'map' ? withSpeltKeys(given, REPEAT, [], state.expansion.report) : given
  if (item.kind !== 'map') return expandItem(item, names, state, uses)
  const condition = item.entries.get('if')
  if (condition && item.entries.has('then')) return expandBranches(item, condition, names, state, uses, conditions)
  const branch = item.entries.get('then') ?? item.entries.get('else')
  if (branch) {
    const wanted = condition ? 'else needs then beside it' : 'then and else need if beside them'
    state.expansion.report(branch.keyPlace, `${wanted}, such as {if: count > 0, then: […], else: […]}`)
    return []
  }
  const repeat = item.entries.get('repeat')
  const over = repeat && liveRepeatOf(repeat, names, state)
  const isLiveHere = !repeat && condition !== undefined && dependsOnRun(condition.node, names, state)
  if (over || isLiveHere) return expandLive(item, over, names, state, uses, conditions)
  if (repeat)
    return expandEach(item, repeat, names, state, (body, inside) => expandChild(body, inside, state, uses, conditions))
  if (conditions.length === 0) return expandItem(item, names, state, uses)
  return holds(item, names, state) ? expandLive(withoutKeys(item, ['if']), over, names, state, uses, conditions) : []
}

/** The children of one of two branches, or those of both if the condition depends on the running scenario. */
function expandBranches(
  item: MapNode,
  { node, keyPlace }: MapEntry,
  names: Names,
  state: ExpandState,
  uses: number,
  conditions: readonly string[],
): readonly SourceNode[] {
  const { report } = state.expansion
  for (const [key, entry] of item.entries)
    if (!BRANCH_KEYS.includes(key))
      report(entry.keyPlace, `${key} stands beside then; write it in the elements under then and else`)
  const branch = (key: string, around: readonly string[]): readonly SourceNode[] => {
    const list = childOf(item, key)
    if (list && list.kind !== 'list') report(list.place, `expected a list of elements under ${key}`)
    return list?.kind === 'list' ? list.items.flatMap((child) => expandChild(child, names, state, uses, around)) : []
  }
  if (dependsOnRun(node, names, state)) {
    const text = nodeText(bareExpression(node, names, state))!
    return [...branch('then', [...conditions, text]), ...branch('else', [...conditions, `!(${text})`])]
  }
  const value = plainValue(evaluateExpression(node, names, state))
  if (typeof value !== 'boolean') report(keyPlace, 'expected an expression that is true or false')
  return branch(value === true ? 'then' : 'else', conditions)
}

const BRANCH_KEYS: readonly string[] = ['if', 'then', 'else']

/** A live `repeat`: the expression of its items, and its other keys. Undefined if its items are known now. */
function liveRepeatOf({ node, keyPlace }: MapEntry, names: Names, state: ExpandState): MapNode | undefined {
  const { report } = state.expansion
  const of = node.kind === 'map' ? childOf(node, 'of') : node
  if (!of) report(keyPlace, 'expected the list under of, such as repeat: {of: orders, key: number}')
  if (!of || nodeText(of) === undefined) return undefined
  if (node.kind !== 'map' && !dependsOnRun(of, names, state)) return undefined
  const bare = bareExpression(of, names, state)
  if (node.kind !== 'map')
    return { kind: 'map', entries: new Map([['of', { keyPlace, node: bare }]]), place: node.place }
  return changeEntries(node, (key, entry) =>
    key === 'of' ? bare : key === 'page' ? bareExpression(entry.node, names, state) : entry.node,
  )
}

/** Whether a key that takes an expression has one whose value only the running scenario knows. */
function dependsOnRun(node: SourceNode, names: Names, { expansion: { evaluator, live } }: ExpandState): boolean {
  const text = nodeText(node)
  if (text === undefined || !live) return false
  return 'text' in evaluatePart(text.includes('{{') ? templateExpression(text) : text, names, evaluator, live)
}

/** A child or a window that the running scenario makes, once or for each item. */
function expandLive(
  item: MapNode,
  over: MapNode | undefined,
  names: Names,
  state: ExpandState,
  uses: number,
  conditions: readonly string[],
): readonly SourceNode[] {
  const { report, live } = state.expansion
  const name = nodeText(childOf(item, 'as')) ?? 'item'
  const place = item.entries.get('repeat')?.keyPlace ?? item.entries.get('if')?.keyPlace ?? item.place
  if (over && (hasName(names, name) || live?.all.has(name))) {
    report(
      item.entries.get('as')?.node.place ?? place,
      `${name} already has a meaning here; write as: with another name`,
    )
    return []
  }
  const unique = uniqueName(name, state)
  const inside = over ? withLiveItem(names, name, unique) : names
  const idKey = item.entries.has('uid') ? 'uid' : 'id'
  const authored = childOf(item, idKey)
  const isMade = over !== undefined && nodeText(authored)?.includes('{{') === true
  if (isMade) {
    const id = /^\w+/.exec(nodeText(authored)!)?.[0] ?? name
    report(
      authored!.place,
      `${idKey}s in a live repeat have the key added: write ${idKey}: ${id}, and its items have ${idKey}s such as ${id}-7`,
    )
  }
  const own = childOf(item, 'if')
  if (over) state.items.push(unique)
  const condition = own && nodeText(bareExpression(own, inside, state))
  const bare = withoutKeys(item, isMade ? ['repeat', 'as', 'if', idKey] : ['repeat', 'as', 'if'])
  const body = bare.entries.has('use') ? expandUse(bare, inside, state, uses) : expandEntries(bare, inside, state, uses)
  if (over) state.items.pop()
  if (body?.kind !== 'map') return []
  const scalar = (value: string): ScalarNode => ({ kind: 'scalar', value, place })
  const all = [...conditions, ...(condition === undefined ? [] : [condition])]
  const entries = new Map<string, MapEntry>()
  if (over)
    entries.set('repeat', {
      keyPlace: place,
      node: {
        ...over,
        entries: new Map([
          ...over.entries,
          ['as', { keyPlace: place, node: scalar(unique) }],
          ['name', { keyPlace: place, node: scalar(name) }],
        ]),
      },
    })
  if (all.length > 0) {
    const text = all.length === 1 ? all[0]! : all.map((each) => `(${each})`).join(' && ')
    entries.set('if', { keyPlace: place, node: { ...scalar(text), place: own?.place ?? place } })
  }
  return [{ ...body, entries: new Map([...entries, ...body.entries]) }]
}

/** The name of a live item in the running scenario: a component that uses itself has an item of the same name in each. */
function uniqueName(name: string, { items }: ExpandState): string {
  let unique = name
  for (let number = 2; items.includes(unique); number++) unique = `${name}_${number}`
  return unique
}

function repeated({ node, keyPlace }: MapEntry, names: Names, state: ExpandState): readonly DataValue[] {
  const found = evaluateExpression(node, names, state)
  if (
    reportLive(
      found,
      'repeat',
      'write it among the children of an element or the windows of a state; a reaction to all items has target_id and event.item',
      state,
    )
  )
    return []
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
  if (
    reportLive(
      found,
      'if',
      'write it among the children of an element or the windows of a state; a reaction has when:',
      state,
    )
  )
    return false
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
    uses >= MAX_NESTED_USES && state.items.length === 0
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
  // A component that uses itself for live items ends here, as deep as items are shown.
  if (uses >= MAX_NESTED_USES) return undefined
  const given = childOf(map, 'with')
  const bind = (known: Names) =>
    bindArguments(component, given && evaluateNode(given, known, state.expansion).node, map.place, state.expansion)
  const args = bind(names)
  const argsInEvents = args && names.inEvents ? bind(namesInEvents(names)) : args
  if (!args || !argsInEvents) return undefined
  const inside = argsInEvents.expressions ? { ...args, inEvents: argsInEvents.expressions } : args
  for (const key of ['reactions', 'timers'] as const)
    for (const extra of expandList(childOf(component.body, key), argsInEvents, state, uses + 1)) {
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
