import { didYouMean, shortened } from '../../base/strings.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { fieldOf, valueAt } from '../data/data-change.ts'
import { isAssignable, misfit, nameOfType } from '../data/run-data.ts'
import {
  EVENT_PLACE,
  type ExpressionUse,
  type ItemTypes,
  type LiveScope,
  namesOfEvent,
  recordsType,
  rowNamesOf,
  sourcePath,
  typeAt,
  unknownVariable,
  withItem,
} from '../data/scope.ts'
import {
  ANY,
  BOOL,
  type DataType,
  type DataValue,
  DOUBLE,
  INT,
  isList,
  mapFields,
  STRING,
  textOfValue,
  unify,
} from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { type Expression, isProblem } from '../expression/expression.ts'
import { SCREEN_FUNCTION_NAMES } from '../expression/functions.ts'
import type { EventFieldType, ScenarioEvents } from '../scenario-file.ts'
import type { AuthoredElement, LiveRepeat } from '../schema/element.ts'
import type { Trigger } from '../schema/reaction.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { templateExpression } from '../source/template.ts'
import { type LiveTemplates, liveTemplatesOf } from './live-template.ts'
import { misfitOfExpression, namesOfItem, problemOfUse } from './prepare-live.ts'

/** The live expressions of a scenario, compiled, and what is wrong with them. */
export interface CompiledLive {
  readonly templates: LiveTemplates
  readonly problems: readonly UnlocatedProblem[]
  /** The expressions, with their places. */
  readonly uses: readonly ExpressionUse[]
  /** Whether there is any expression. */
  readonly isLive: boolean
}

/** Keys whose text is an expression without braces; all but `for` and `formula` are conditions. */
const EXPRESSION_KEYS: ReadonlySet<string> = new Set([
  'expression',
  'where',
  'removed',
  'when',
  'filter',
  'unread_where',
  'formula',
  'if',
  'for',
  'found',
])
/** Sections in which `if` decides which elements there are. */
const STRUCTURE: ReadonlySet<string> = new Set(['states', 'windows'])
const VALUE_KEYS: ReadonlySet<unknown> = new Set(['for', 'formula'])
/** The sections with expressions. In states, those about the rows of tables. */
const SECTIONS = [
  'states',
  'windows',
  'sites',
  'reactions',
  'timers',
  'actors',
  'faults',
  'oracles',
  'solution',
  'solutions',
] as const
const WITH_EVENTS: ReadonlySet<string> = new Set(['reactions', 'timers', 'actors', 'oracles'])

/** Compiles the live templates and expressions of a checked file, so that their problems are known before it runs. */
export function compileLive(authored: object, scope: LiveScope, texts: ReadonlySet<string>): CompiledLive {
  const problems: UnlocatedProblem[] = []
  const { events } = authored as { readonly events?: ScenarioEvents | null }
  const report: CompileWork['report'] = (path, message) => problems.push({ path, message })
  const work: CompileWork = {
    scope,
    texts,
    report,
    events: events ?? {},
    uses: [],
    reported: new Set(),
    itemsOf: new Map(),
    mayHaveItem: itemsNearIds(authored),
    found: 0,
  }
  for (const section of SECTIONS) {
    const value = (authored as Readonly<Record<string, unknown>>)[section]
    if (value !== undefined && value !== null)
      visit(value, section, [section], { event: WITH_EVENTS.has(section), locals: {} }, work)
  }
  return { templates: liveTemplatesOf(texts), problems, uses: work.uses, isLive: work.found > 0 || texts.size > 0 }
}

interface CompileWork {
  readonly scope: LiveScope
  readonly texts: ReadonlySet<string>
  readonly events: ScenarioEvents
  readonly uses: ExpressionUse[]
  readonly report: (path: KeyPath, message: string) => void
  /** The lists that were reported because they start empty. */
  readonly reported: Set<string>
  /** The items around the elements of live items, by the ids of these in the file. */
  readonly itemsOf: Map<string, ItemTypes>
  /** Whether an element with an id may be around an item or in one, by the ids in the file. */
  readonly mayHaveItem: ReadonlyMap<string, boolean>
  found: number
}

/** Whether elements with an id are in items or have items in them, by their ids. */
function itemsNearIds(authored: object): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  const look = (value: unknown, isInside: boolean): boolean => {
    if (typeof value !== 'object' || value === null) return false
    if (Array.isArray(value)) return value.map((each) => look(each, isInside)).includes(true)
    const map = value as Readonly<Record<string, unknown>>
    const isItem = map.repeat !== undefined
    const below = Object.values(map).map((each) => look(each, isInside || isItem))
    const hasItem = isItem || below.includes(true)
    if (typeof map.id === 'string' && typeof map.role === 'string')
      found.set(map.id, (found.get(map.id) ?? false) || isInside || hasItem)
    return hasItem
  }
  const { states, windows, sites } = authored as Readonly<Record<string, unknown>>
  look([states, windows, sites], false)
  return found
}

/** Where an expression is. */
interface Surroundings {
  readonly event: boolean
  readonly locals: NameTypes
  /** The items that cannot be written, and the expressions that compute them. */
  readonly computed?: ReadonlyMap<string, string> | undefined
  /** The items whose fields are not known, and the variables with their lists. */
  readonly untyped?: ReadonlyMap<string, string> | undefined
  /** The live items around it. */
  readonly items?: ItemTypes | undefined
  /** The ids of the elements around it that are in live items. */
  readonly partIds?: readonly string[] | undefined
  /** What the event of a reaction does not have, and why, by the beginnings of names. */
  readonly missing?: readonly (readonly [name: RegExp, why: string])[] | undefined
}

function visit(value: unknown, key: string, path: KeyPath, near: Surroundings, work: CompileWork): void {
  if (typeof value === 'string') {
    if (work.texts.has(value)) compileTemplate(value, path, near, work)
    else if (EXPRESSION_KEYS.has(key) && !path.includes('with')) compileExpression(value, path, near, work)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const inside = EXPRESSION_KEYS.has(key) ? '' : key
    for (const [index, item] of value.entries()) visit(item, inside, [...path, index], near, work)
    return
  }
  const map = value as Readonly<Record<string, unknown>>
  const inside = withPart(map, surroundingsIn(map, path, near, work), work)
  checkItemHeight(map, path, work)
  const places = { ...work.scope.vars, ...inside.locals }
  if (typeof map.bind === 'string' && !typeAt(places, map.bind))
    work.report([...path, 'bind'], unknownVariable(map.bind, places, work.scope))
  if (typeof map.bind === 'string') reportUntyped([map.bind], [...path, 'bind'], inside, work)
  const computed = typeof map.bind === 'string' ? inside.computed?.get(map.bind.split('.')[0]!) : undefined
  if (computed !== undefined)
    work.report(
      [...path, 'bind'],
      `${map.bind} is computed by ${shortened(computed)} and cannot be written; repeat over a variable, or show it with value: '{{ … }}'`,
    )
  for (const [name, part] of Object.entries(map)) {
    // A value that is stored is about no record, so it has no row.
    const isStored = typeof map.var === 'string' && Object.hasOwn(STORED, name)
    const own = isStored || name === 'for' || name === 'rows' ? near : inside
    if (name !== 'repeat') visit(part, name, [...path, name], own, work)
  }
}

/** Records the items around an element that is in live items, and around the elements below it. */
function withPart(map: Readonly<Record<string, unknown>>, near: Surroundings, { itemsOf }: CompileWork): Surroundings {
  const { items, partIds = [] } = near
  if (items && typeof map.uid === 'string' && map.repeat) itemsOf.set(windowKey(map.uid), items)
  if (!items || typeof map.id !== 'string') return near
  itemsOf.set(map.id, sharedTypes(itemsOf.get(map.id), items))
  return { ...near, partIds: [...partIds, map.id] }
}

/** The key of a window for each item among the ids of elements. */
const windowKey = (uid: string): string => `window ${uid}`

/** The types of the items of an element that has these items or those. */
const sharedTypes = (one: ItemTypes | undefined, other: ItemTypes): ItemTypes =>
  one
    ? {
        item: unify(one.item, other.item),
        items: { ...one.items, ...mapFields(other.items, (type, name) => unify(one.items[name] ?? type, type)) },
      }
    : other

/** The names below a map: `row` where it names a variable with records, the item of a loop, and those of some oracles. */
function surroundingsIn(
  map: Readonly<Record<string, unknown>>,
  path: KeyPath,
  near: Surroundings,
  work: CompileWork,
): Surroundings {
  const { scope } = work
  if (isLiveRepeat(map.repeat)) return checkRepeat(map.repeat, [...path, 'repeat'], near, work)
  if (path.length === 2 && WITH_ITEMS.has(String(path[0])) && typeof map.on === 'object')
    return withEvent(map.on as Trigger | null, near, work)
  if (path.length === 2 && path[0] === 'actors') return checkActor(map, path, near, work)
  if (typeof map.var === 'string') return checkData(map, map.var, path, near, work)
  if (typeof map.rows === 'string') {
    // An unknown variable is reported with the table.
    const row = scope.rowOf(map.rows) ?? { row: ANY }
    return { ...near, locals: { ...near.locals, ...row } }
  }
  if (path[0] === 'oracles') return { ...near, locals: { ...near.locals, ...oracleNames(map, work.events) } }
  return 'do' in map ? loopNames(map, near, scope) : near
}

/** Checks the variables of a person who answers. Below, `row` and `event.row` are a record of the list, and so is `event.item`. */
function checkActor(
  map: Readonly<Record<string, unknown>>,
  path: KeyPath,
  near: Surroundings,
  { scope, report }: CompileWork,
): Surroundings {
  const typeOfKey = (key: 'hears' | 'typing'): DataType => {
    const name = map[key]
    const type = typeof name === 'string' ? typeAt(scope.vars, name) : ANY
    if (!type) report([...path, key], unknownVariable(String(name), scope.vars, scope))
    return type ?? ANY
  }
  const [list, typing] = [typeOfKey('hears'), typeOfKey('typing')]
  if (!isAssignable(typing, BOOL))
    report([...path, 'typing'], `${map.typing} is ${nameOfType(typing)}; expected ${nameOfType(BOOL)}`)
  const row = recordsType(list)
  if (!row) report([...path, 'hears'], `${map.hears} holds no records; expected a list of these`)
  const names = namesOfEvent({ item: row ?? ANY, items: {} }, undefined, row)
  return { ...near, locals: { ...near.locals, row: row ?? ANY, ...names } }
}

/** The sections whose events may be about live items. */
const WITH_ITEMS: ReadonlySet<string> = new Set(['reactions', 'timers'])

/** The name `event` with the items around the elements that a trigger names. */
function withEvent(on: Trigger | null, given: Surroundings, { itemsOf, mayHaveItem }: CompileWork): Surroundings {
  // `card.remove` is the part of each item.
  const itemsAt = (id = '') =>
    itemsOf.get(id) ?? (mayHaveItem.has(id) ? undefined : itemsOf.get(id.split('.').slice(1).join('.')))
  const id = on?.target_id ?? on?.changed
  const ofWindow = on?.window === undefined ? undefined : itemsOf.get(windowKey(on.window))
  const [target, from] = [itemsAt(id) ?? ofWindow, itemsAt(on?.from_id)]
  const column = id !== undefined && !mayHaveItem.has(id) && id.includes('.') ? id.split('.')[0]! : undefined
  const isElsewhere = id !== undefined && !target && mayHaveItem.get(column ?? id) === false
  const hint = column === undefined ? 'name a part of an item as target_id' : 'the record of its row is event.row'
  const missing = [
    ...(isElsewhere
      ? [[ITEM_OF_EVENT, `${id} is in no item of a repeat, so the event has no item; ${hint}`] as const]
      : []),
    ...(on && on.tool !== 'drop' && on.tool !== 'any'
      ? [[DRAGGED_ITEM, 'event.from_item is what was dragged; only reactions to {tool: drop} have one'] as const]
      : []),
  ]
  const near = missing.length === 0 ? given : { ...given, missing }
  return target || from ? { ...near, locals: { ...near.locals, ...namesOfEvent(target, from) } } : near
}

const ITEM_OF_EVENT = /\bevent\.items?\b/
const DRAGGED_ITEM = /\bevent\.from_items?\b/

/** Reports what a text reads or writes of an event that does not have it. Returns whether it did. */
function reportMissing(text: string, path: KeyPath, { missing = [] }: Surroundings, { report }: CompileWork): boolean {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '""')
  const [, why] = missing.find(([name]) => name.test(bare)) ?? []
  if (why !== undefined) report(path, why)
  return why !== undefined
}

const isLiveRepeat = (repeat: unknown): repeat is LiveRepeat =>
  typeof repeat === 'object' && repeat !== null && 'of' in repeat && 'as' in repeat

/** Checks a live `repeat`. Its item and the index are known below it. */
function checkRepeat(repeat: LiveRepeat, path: KeyPath, near: Surroundings, work: CompileWork): Surroundings {
  const { scope, report } = work
  const { of, as: name = 'item', key, sort_by: sortBy, page, page_size: pageSize } = repeat
  const list = compileStructure(of, [...path, 'of'], near, work)
  const type = list?.type ?? ANY
  if (!['list', 'int', 'any'].includes(type.kind))
    report([...path, 'of'], `${of} is ${nameOfType(type)}; expected a list or a number`)
  const items = type.kind === 'list' ? type.items : ANY
  const fields = items.kind === 'record' ? items.fields : undefined
  const isPath = key !== undefined && /[.{]/.test(key)
  if (isPath)
    report([...path, 'key'], `key names a field of the records, such as key: ${/(\w+)\W*$/.exec(key)?.[1] ?? 'id'}`)
  else if (fields && !Object.hasOwn(fields, key ?? 'id'))
    report(
      key === undefined ? path : [...path, 'key'],
      key === undefined
        ? `the records of ${of} have no field id; write repeat: {of: ${of}, key: ${Object.keys(fields)[0]}} with a field that differs in each`
        : `the records of ${of} have no field ${JSON.stringify(key)}${didYouMean(key, Object.keys(fields)) || `; they have ${Object.keys(fields).join(', ')}`}`,
    )
  if (key !== undefined && !isPath && !fields && items.kind !== 'any')
    report([...path, 'key'], `the items of ${of} are no records; each is its own key`)
  if (['list', 'double', 'bool'].includes(items.kind) && type.kind === 'list')
    report([...path, 'of'], `the items of ${of} have no key; expected records, texts or integers`)
  if (sortBy !== undefined && !fields && items.kind !== 'any')
    report([...path, 'sort_by'], `the items of ${of} are no records; sort_by is for these`)
  if (sortBy !== undefined && fields && !Object.hasOwn(fields, sortBy))
    report(
      [...path, 'sort_by'],
      `the records of ${of} have no field ${JSON.stringify(sortBy)}${didYouMean(sortBy, Object.keys(fields)) || `; they have ${Object.keys(fields).join(', ')}`}`,
    )
  if ((page === undefined) !== (pageSize === undefined)) report(path, 'expected both page and page_size, or neither')
  const number = page === undefined ? undefined : compileStructure(page, [...path, 'page'], near, work)
  if (number && !isAssignable(number.type, INT))
    report([...path, 'page'], `${page} is ${nameOfType(number.type)}; expected an integer`)
  if (!fields || Object.hasOwn(fields, key ?? 'id')) checkKeys(of, key ?? 'id', path, work)
  const source = list && sourcePath(of, scope)
  const root = source?.root
  const place = source && [source.root, ...source.fields].join('.')
  const startsEmpty = place !== undefined && items.kind === 'any' && isEmptyList(valueAt(scope.initial, place))
  const item = namesOfItem(name, type)
  const around = withItem(near.items, repeat.name ?? name, item[name]!)
  // A reaction to an element around may be about the item in it.
  for (const id of near.partIds ?? []) work.itemsOf.set(id, sharedTypes(work.itemsOf.get(id), around))
  const isWritable =
    root !== undefined &&
    !near.computed?.has(root) &&
    (Object.hasOwn(scope.vars, root) || Object.hasOwn(near.locals, root))
  return {
    ...near,
    locals: { ...near.locals, ...item },
    items: around,
    computed: isWritable
      ? near.computed
      : new Map([...(near.computed ?? []), [name, scope.computed.get(of)?.text ?? of]]),
    untyped: startsEmpty ? new Map([...(near.untyped ?? []), [name, place]]) : near.untyped,
  }
}

/** The keys of an item whose place the list decides. */
const PLACE_KEYS = ['bounds', 'width', 'height', 'grow'] as const

/** Reports what a list cannot have whose items are made only while they are in view. */
function checkItemHeight(map: Readonly<Record<string, unknown>>, path: KeyPath, { report }: CompileWork): void {
  const children: readonly AuthoredElement[] = Array.isArray(map.children) ? map.children : []
  const index = children.findIndex(({ repeat }) => isLiveRepeat(repeat) && repeat.item_height !== undefined)
  if (index < 0) return
  const item = children[index]!
  const list = map as AuthoredElement
  const here = [...path, 'children', index]
  const kind = kindOf(list.role ?? '')
  const wrong = (key: string, message: string) => report([...here, key], `with item_height, ${message}`)
  if (kind !== 'list' && kind !== 'scrollarea')
    wrong('repeat', `the parent scrolls, so it is a List or ScrollArea; ${list.role || 'this element'} shows all items`)
  else if (list.layout?.arrange !== undefined && list.layout.arrange !== 'column')
    wrong('repeat', `items are below each other; leave out arrange: ${list.layout.arrange} of the parent`)
  if (children.length > 1)
    wrong('repeat', 'the repeat is the only child of its parent; put other children beside that parent')
  if (kind === 'list' && kindOf(item.role ?? '') !== 'listitem')
    wrong('repeat', `the items of a List are ListItem; write a ScrollArea around items of the role ${item.role}`)
  if (list.rows !== undefined) wrong('repeat', 'the items come from repeat; leave out rows of the parent')
  if (item.repeat?.page !== undefined)
    wrong('repeat', 'the list scrolls through all items; leave out page and page_size')
  if (item.if !== undefined)
    wrong('if', 'each item has its place; leave items out with of: LIST.filter(item, CONDITION)')
  for (const key of PLACE_KEYS)
    if (item[key] !== undefined) wrong(key, `it decides the place of items; leave out ${key}`)
}

const isEmptyList = (value: DataValue): boolean => value !== null && isList(value) && value.length === 0

/** Reports the first field of an item that is read although its list starts empty, so that nothing tells its fields. */
function reportUntyped(
  fields: Iterable<string>,
  path: KeyPath,
  { untyped }: Surroundings,
  { report, reported }: CompileWork,
): void {
  for (const field of fields) {
    const list = untyped?.get(field.split('.')[0]!)
    if (list === undefined || reported.has(list)) continue
    reported.add(list)
    report(path, `${list} starts empty, so its fields are unknown; write types: {${list}: {${field.split('.')[1]}: …}}`)
  }
}

/** Reports a record of a variable that has the key of one before it. */
function checkKeys(of: string, key: string, path: KeyPath, { scope, report }: CompileWork): void {
  const records = /^\w+(\.\w+)*$/.test(of) ? valueAt(scope.initial, of) : null
  if (records === null || !isList(records)) return
  const known = new Map<DataValue, number>()
  for (const [index, record] of records.entries()) {
    const value = typeof record === 'object' && record !== null ? fieldOf(record, key) : record
    const before = known.get(value)
    if (before !== undefined) {
      report([...path, 'of'], `${of}[${index}] has the key ${textOfValue(value)} of ${of}[${before}]; keys must differ`)
      return
    }
    known.set(value, index)
  }
}

/** Compiles an expression that decides which elements there are. */
function compileStructure(
  text: string,
  path: KeyPath,
  { locals }: Surroundings,
  work: CompileWork,
): Expression | undefined {
  const { scope, report } = work
  work.found++
  const expression = scope.compile(text, locals)
  const wrong = isProblem(expression)
    ? expression.message
    : (problemOfUse(expression, { event: false }) ?? problemOfStructure(expression, String(path.at(-1))))
  if (wrong !== undefined) report(path, `in ${shortened(text)}: ${wrong}`)
  else work.uses.push({ path, expression: expression as Expression })
  return isProblem(expression) ? undefined : expression
}

/** Why an expression cannot decide which elements there are. */
function problemOfStructure({ calls }: Expression, key: string): string | undefined {
  const reads = [...calls].find((name) => SCREEN_FUNCTION_NAMES.has(name))
  return reads === undefined
    ? undefined
    : `${key === 'if' ? 'if' : 'repeat'} decides what is on the screen, so it cannot read the screen with ${reads}(…); bind: a variable to the element, and use that`
}

/** The names of a loop in a solution: the item, and its index. */
function loopNames(map: Readonly<Record<string, unknown>>, near: Surroundings, scope: LiveScope): Surroundings {
  const list = typeof map.for === 'string' ? scope.compile(map.for, near.locals) : undefined
  const isTyped = list && !isProblem(list) && list.type.kind === 'list'
  const name = typeof map.as === 'string' ? map.as : 'item'
  const locals = { ...near.locals, [name]: isTyped ? list.type.items : ANY, [`${name}_index`]: INT }
  return { ...near, locals }
}

function compileExpression(text: string, path: KeyPath, near: Surroundings, work: CompileWork): void {
  const { scope, report } = work
  const { event, locals } = near
  work.found++
  if (reportMissing(text, path, near, work)) return
  const expression = scope.compile(text, locals)
  const wrong = isProblem(expression)
    ? expression.message
    : (problemOfUse(expression, { event }) ??
      (STRUCTURE.has(String(path[0])) && path.at(-1) === 'if' ? problemOfStructure(expression, 'if') : undefined) ??
      (VALUE_KEYS.has(path.at(-1)) ? undefined : misfitOfExpression(expression, { kind: 'bool' })))
  if (wrong !== undefined) report(path, `in ${shortened(text)}: ${wrong}`)
  else addUse(expression as Expression, path, near, work)
}

function addUse(expression: Expression, path: KeyPath, near: Surroundings, work: CompileWork): void {
  work.uses.push({ path, expression })
  reportUntyped(expression.fields, path, near, work)
}

function compileTemplate(text: string, path: KeyPath, near: Surroundings, work: CompileWork): void {
  const { scope, report } = work
  work.found++
  for (const segment of liveTemplatesOf([text]).get(text) ?? []) {
    if (segment.kind === 'literal') continue
    if (reportMissing(segment.text, path, near, work)) continue
    const expression = scope.compile(segment.text, near.locals)
    const wrong = isProblem(expression) ? expression.message : problemOfUse(expression, { event: near.event })
    if (wrong !== undefined) report(path, `in {{${shortened(segment.text)}}}: ${wrong}`)
    else addUse(expression as Expression, path, near, work)
  }
}

/** Keys of an entry with `var` whose values are stored, and the type that each takes from that of the variable. */
const STORED: Readonly<Record<string, (type: DataType) => DataType | undefined>> = {
  to: (type) => type,
  append: (type) => (type.kind === 'list' ? type.items : type.kind === 'any' ? type : undefined),
}

/** Checks an entry that changes or compares a variable. */
function checkData(
  map: Readonly<Record<string, unknown>>,
  variable: string,
  path: KeyPath,
  near: Surroundings,
  work: CompileWork,
): Surroundings {
  const { scope, report } = work
  if (/^event\.(?:from_)?row\b/.test(variable)) {
    const row = variable.split('.').slice(0, 2).join('.')
    report(
      [...path, 'var'],
      `${row} is a copy of a record; name its variable, with where: row.id == ${row}.id and change`,
    )
    return near
  }
  if (path[0] === 'oracles' && EVENT_PLACE.test(variable)) {
    report([...path, 'var'], 'a probe has no event; name the variable, with where')
    return near
  }
  if (reportMissing(variable, [...path, 'var'], near, work)) return near
  const isItem = near.event && EVENT_PLACE.test(variable)
  const places = isItem ? { event: near.locals.event ?? ANY } : scope.vars
  const type = typeAt(places, variable)
  if (!type) {
    report([...path, 'var'], unknownVariable(variable, places, scope))
    return near
  }
  const record = rowNamesOf(variable, scope, places)?.row
  const inside = record ? { ...near, locals: { ...near.locals, row: record } } : near
  for (const [key, typeFor] of Object.entries(STORED)) {
    if (!Object.hasOwn(map, key)) continue
    const expected = typeFor(type)
    if (expected) checkStored(map[key], expected, [...path, key], variable, near, work)
    else report([...path, key], `${variable} is ${nameOfType(type)}; ${key} is for lists`)
  }
  const isOne = isItem && type.kind === 'record'
  for (const key of ['where', 'change', 'sort_by', 'appended', 'removed'])
    if (Object.hasOwn(map, key) && (isOne ? key !== 'change' : !record))
      report([...path, key], `${variable} holds no records; ${key} is for these`)
  if (record) checkFields(map, record, path, variable, inside, work)
  return inside
}

function checkFields(
  map: Readonly<Record<string, unknown>>,
  record: DataType,
  path: KeyPath,
  variable: string,
  near: Surroundings,
  work: CompileWork,
): void {
  const fields = record.kind === 'record' ? record.fields : undefined
  const check = (name: string, at: KeyPath): DataType | undefined => {
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined
    if (fields && !field)
      work.report(
        at,
        `records of ${variable} have no field ${JSON.stringify(name)}${didYouMean(name, Object.keys(fields)) || `; they have ${Object.keys(fields).join(', ')}`}`,
      )
    return field
  }
  if (typeof map.sort_by === 'string') check(map.sort_by, [...path, 'sort_by'])
  for (const key of ['change', 'appended'])
    for (const [name, value] of Object.entries(map[key] ?? {})) {
      const at = [...path, key, name]
      const field = check(name, at)
      if (field) checkStored(value, field, at, name, near, work)
    }
}

/** Checks that a value, in which texts may be templates, fits a type. */
function checkStored(
  value: unknown,
  type: DataType,
  path: KeyPath,
  name: string,
  near: Surroundings,
  work: CompileWork,
): void {
  const { report, texts, scope } = work
  if (typeof value === 'string' && texts.has(value)) {
    const expression = scope.compile(templateExpression(value), near.locals)
    const wrong = isProblem(expression) ? undefined : misfitOfExpression(expression, type)
    if (wrong !== undefined) report(path, `${value} ${wrong}`)
    return
  }
  const data = value as DataValue
  if (!holdsTemplate(data, texts)) {
    const wrong = misfit(data, type, name)
    if (wrong !== undefined) report(path, wrong)
    return
  }
  if (isList(data) && type.kind === 'list')
    for (const [index, item] of data.entries()) checkStored(item, type.items, [...path, index], name, near, work)
  else if (typeof data === 'object' && data !== null && !isList(data) && type.kind === 'record')
    checkRecord(data, type.fields, path, name, near, work)
}

function checkRecord(
  record: Readonly<Record<string, DataValue>>,
  fields: Readonly<Record<string, DataType>>,
  path: KeyPath,
  name: string,
  near: Surroundings,
  work: CompileWork,
): void {
  for (const [key, value] of Object.entries(record)) {
    if (Object.hasOwn(fields, key)) checkStored(value, fields[key]!, [...path, key], `${name}.${key}`, near, work)
    else
      work.report(
        [...path, key],
        `${name} has no field ${JSON.stringify(key)}; its fields are ${Object.keys(fields).join(', ')}`,
      )
  }
  for (const [key, field] of Object.entries(fields))
    if (!Object.hasOwn(record, key) && field.kind !== 'any')
      work.report(path, `${name} needs the field ${key} (${nameOfType(field)})`)
}

const holdsTemplate = (value: DataValue, texts: ReadonlySet<string>): boolean => {
  if (typeof value === 'string') return texts.has(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => holdsTemplate(part, texts))
}

const TYPES: Readonly<Record<EventFieldType, DataType>> = {
  text: STRING,
  number: DOUBLE,
  integer: INT,
  boolean: BOOL,
  any: ANY,
}

const namesOfEvents = new WeakMap<object, NameTypes>()
const NO_FIELDS = {}

/** The name `event` with the fields that a scenario declares for an event. */
export function eventNames(fields: ScenarioEvents[string]): NameTypes {
  const declared = fields ?? NO_FIELDS
  const known: NameTypes = namesOfEvents.get(declared) ?? {
    event: { kind: 'record', fields: mapFields(declared as Record<string, EventFieldType>, (type) => TYPES[type]) },
  }
  namesOfEvents.set(declared, known)
  return known
}

/** The names that only the expressions of an oracle have: `answer`, or `event` with the fields of the event that it is about. */
export function oracleNames(oracle: Readonly<Record<string, unknown>>, events: ScenarioEvents): NameTypes {
  if (oracle.kind === 'answer') return { answer: STRING }
  const name = oracle.kind === 'event' ? oracle.name : oracle.event
  return typeof name === 'string' && Object.hasOwn(events, name) ? eventNames(events[name]!) : {}
}
