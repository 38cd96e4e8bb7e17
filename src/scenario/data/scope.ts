import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Random } from '../../base/random.ts'
import { didYouMean } from '../../base/strings.ts'
import { computeKept, type KeptResult, recall } from '../expression/budget.ts'
import { ANY, type DataType, type DataValue, mapFields, STRING, TIMESTAMP, typeOf } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import {
  CompilerCache,
  type Evaluated,
  type Expression,
  type ExpressionCompiler,
  type ExpressionProblem,
  isProblem,
  selectedPath,
  textOfTypes,
  type Values,
} from '../expression/expression.ts'
import type { ScreenReader } from '../expression/functions.ts'
import type { KeyPath } from '../source/source.ts'
import type { DataPlace, RunData } from './run-data.ts'

/** The names of the live expressions of a scenario, and their compiled forms. */
export interface LiveScope {
  /** The variables and their types, which changes keep. */
  readonly vars: NameTypes
  /** The parameters: names with a constant value. */
  readonly constants: Readonly<Record<string, DataValue>>
  /** The variables at the start. */
  readonly initial: RunData
  /** The computed names in the order of the file. */
  readonly computed: ReadonlyMap<string, ComputedName>
  /**
   * Compiles an expression, once per text.
   * @param locals Names of one place, such as `row`, beside those of the scenario.
   */
  compile(text: string, locals?: NameTypes): Expression | ExpressionProblem
  /** The names of a place that looks at one record of a variable: `row`. Undefined when the variable does not hold records. */
  rowOf(variable: string): NameTypes | undefined
  /** The same names with other expressions of computed names. */
  withComputed(change: (text: string) => string): LiveScope
}

/** A name for an expression, as it is written. */
export interface AuthoredComputed {
  readonly name: string
  readonly text: string
}

/** A name whose value is that of an expression over the data and computed names before it. */
export interface ComputedName {
  readonly text: string
  readonly expression: Expression | ExpressionProblem
  /** The names that its value depends on in the end, which are not computed. */
  readonly sources: ReadonlySet<string>
  /** Results for the values that it had last, newest first. */
  readonly results: { readonly values: Values; readonly result: KeptResult<DataValue | Date> }[]
}

/** The most results of a computed name that are kept. */
const MAX_RESULTS = 8

/** An expression of a scenario, and where it is. */
export interface ExpressionUse {
  readonly path: KeyPath
  readonly expression: Expression
}

/** What the names of a scenario hold. */
export interface ScopeOptions {
  readonly initial: RunData
  /** The types of the variables, by default as their values show. */
  readonly vars?: NameTypes
  readonly constants?: Readonly<Record<string, DataValue>>
  readonly computed?: readonly AuthoredComputed[]
  /** The names that calls of `happened` may have. Any by default. */
  readonly happenings?: readonly string[] | undefined
  /** Where compiled expressions are kept. */
  readonly compilers?: CompilerCache
}

const NO_LOCALS: NameTypes = {}
const MAX_COMPILERS = 50

/** Creates the scope of the live expressions of a scenario. */
export function createScope(options: ScopeOptions): LiveScope {
  const { initial, vars = mapFields(initial, typeOf), constants = {}, computed: authored = [], happenings } = options
  const { compilers = new CompilerCache() } = options
  let names = compilers.names({
    ...mapFields(constants, typeOf),
    ...vars,
    ...LIVE_TYPES,
    initial: { kind: 'record', fields: vars },
  })
  const computed = new Map<string, ComputedName>()
  for (const { name, text } of authored) {
    const expression = compilers.compilerFor(names, happenings).compile(text)
    computed.set(name, { text, expression, sources: sourcesOf(expression, computed), results: [] })
    names = compilers.extended(names, { [name]: isProblem(expression) ? ANY : expression.type })
  }
  const rows = new Map<string, NameTypes | undefined>()
  const compilersHere = new LruCache<string, ExpressionCompiler>(MAX_COMPILERS)
  const madeHere = new WeakMap<Expression, Expression>()
  return {
    vars,
    constants,
    initial,
    computed,
    withComputed: (change) =>
      createScope({
        ...options,
        compilers,
        computed: authored.map(({ name, text }) => ({ name, text: change(text) })),
      }),
    compile(text, locals = NO_LOCALS) {
      const key = textOfTypes(locals)
      const known =
        compilersHere.get(key) ??
        compilersHere.keep(key, compilers.compilerFor(compilers.extended(names, locals), happenings))
      const expression = known.compile(text)
      if (computed.size === 0 || isProblem(expression)) return expression
      const made = madeHere.get(expression) ?? withSources(expression, computed)
      madeHere.set(expression, made)
      return made
    },
    rowOf(variable) {
      if (!rows.has(variable)) {
        const items = recordsType(typeAt(vars, variable))
        rows.set(variable, items && { row: items })
      }
      return rows.get(variable)
    },
  }
}

/** The names that an expression depends on in the end: computed names are replaced by those that they are computed from. */
const sourcesOf = (expression: Expression | ExpressionProblem, computed: LiveScope['computed']): ReadonlySet<string> =>
  new Set(
    isProblem(expression) ? [] : [...expression.names].flatMap((name) => [...(computed.get(name)?.sources ?? [name])]),
  )

/** An expression whose names include those that the computed names in it are computed from. */
const withSources = (expression: Expression, computed: LiveScope['computed']): Expression =>
  [...expression.names].some((name) => computed.has(name))
    ? { ...expression, names: new Set([...expression.names, ...sourcesOf(expression, computed)]) }
    : expression

/**
 * The name and the fields of the list that an expression selects items of, as `selectedPath` has them, where computed names
 * stand for their expressions.
 */
export function sourcePath(text: string, scope: LiveScope): ReturnType<typeof selectedPath> {
  const path = selectedPath(text)
  const computed = path && scope.computed.get(path.root)
  if (!computed) return path
  const source = isProblem(computed.expression) ? undefined : sourcePath(computed.text, scope)
  return source && { root: source.root, fields: [...source.fields, ...path.fields] }
}

/** The type of the records of a list. `any` for an empty list, undefined for what is not a list of records. */
export function recordsType(type: DataType | undefined): DataType | undefined {
  if (type?.kind === 'any') return ANY
  if (type?.kind !== 'list') return undefined
  return type.items.kind === 'record' || type.items.kind === 'any' ? type.items : undefined
}

/** The type of a variable or of a field in it, such as `form.amount`. Undefined if there is none. */
export function typeAt(vars: NameTypes, path: string): DataType | undefined {
  const [name = '', ...fields] = path.split('.')
  let type = Object.hasOwn(vars, name) ? vars[name] : undefined
  for (const field of fields) {
    if (type?.kind === 'any') return ANY
    type = type?.kind === 'record' && Object.hasOwn(type.fields, field) ? type.fields[field] : undefined
  }
  return type
}

/** The event that caused a reaction, as expressions see it. */
export interface EventValues {
  /** The text that was typed, pressed, set or selected; the first group of a `text_regex` if there is one. */
  readonly text: string
  /** The value of the element. */
  readonly value: string
  /** The key or chord that was pressed. */
  readonly key: string
  /** The groups of the `text_regex`, from 1 as in the pattern; 0 is the whole text. */
  readonly groups: readonly string[]
  /** The id of the element. */
  readonly target: string
  /** The uid of its window. */
  readonly window: string
  /** What a tool of the page was given, of a call of one. Empty elsewhere. */
  readonly input: Readonly<Record<string, DataValue>>
  /** The record of the row of a table; null elsewhere. */
  readonly row: DataValue
  /** The id of the dragged element, of a drop. */
  readonly from: string
  /** The record of the dragged row, of a drop; null elsewhere. */
  readonly from_row: DataValue
  /** What was dropped, of a drop of an element with `drag`. Empty elsewhere. */
  readonly drag: {
    /** The kind of the dragged element. */
    readonly kind: string
    /** The edge of it that was dragged; empty if all of it was. */
    readonly edge: string
    /** The values of the place in the scales of what accepts it; null without one. */
    readonly x: number | null
    readonly y: number | null
    /** The key of the item before which it was dropped; null at the end. */
    readonly before: DataValue
  }
  /** The address of the link that the element is or is in. */
  readonly href: string
  /** The item that the element was made for; null elsewhere. */
  readonly item: DataValue
  /** The items around the element by their names. */
  readonly items: Readonly<Record<string, DataValue>>
  /** The same of the dragged element, of a drop. */
  readonly from_item: DataValue
  readonly from_items: Readonly<Record<string, DataValue>>
  /** The ids of the items around the element, innermost first. Expressions do not know them. */
  readonly within: readonly string[]
  /** Where the items are in the data, by their paths such as `item` and `items.line`. Expressions do not know them. */
  readonly places: Readonly<Record<string, DataPlace>>
  /** The name `event` with the types of the items, if there are any. Expressions do not know them. */
  readonly types: NameTypes | undefined
}

/** The event of what no event caused. */
export const NO_EVENT: EventValues = {
  text: '',
  input: {},
  value: '',
  key: '',
  groups: [],
  target: '',
  window: '',
  row: null,
  from: '',
  from_row: null,
  drag: { kind: '', edge: '', x: null, y: null, before: null },
  href: '',
  item: null,
  items: {},
  from_item: null,
  from_items: {},
  within: [],
  places: {},
  types: undefined,
}

/** A path to an item of the event, and to a field in it: `event.item`, `event.items.line.quantity`, `event.from_item`. */
export const EVENT_PLACE = /^event\.((?:from_)?(?:item|items\.\w+))((?:\.\w+)*)$/

const EVENT_TYPE = {
  kind: 'record',
  fields: {
    text: STRING,
    input: ANY,
    value: STRING,
    key: STRING,
    groups: { kind: 'list', items: STRING },
    target: STRING,
    window: STRING,
    row: ANY,
    from: STRING,
    from_row: ANY,
    drag: { kind: 'record', fields: { kind: STRING, edge: STRING, x: ANY, y: ANY, before: ANY } },
    href: STRING,
    item: ANY,
    items: ANY,
    from_item: ANY,
    from_items: ANY,
  },
} as const satisfies DataType

/** The types of the items around an element: of the innermost, and of each by its name. */
export interface ItemTypes {
  readonly item: DataType
  readonly items: NameTypes
}

/** The types of items with another one inside of them. */
export const withItem = (around: ItemTypes | undefined, name: string, item: DataType): ItemTypes => ({
  item,
  items: { ...around?.items, [name]: item },
})

/** The name `event` of what happens to an element in items, or between two of them. Undefined where no items are known. */
export function namesOfEvent(target: ItemTypes | undefined, from: ItemTypes | undefined, row?: DataType): NameTypes {
  const record = (fields: NameTypes): DataType => ({ kind: 'record', fields })
  return {
    event: record({
      ...EVENT_TYPE.fields,
      ...(target && { item: target.item, items: record(target.items) }),
      ...(row && { row }),
      ...(from && { from_item: from.item, from_items: record(from.items) }),
    }),
  }
}

/** The name `row` of a change of a variable, or of an item of the event. Undefined if it is about no records. */
export function rowNamesOf(path: string, scope: LiveScope, names: NameTypes | undefined): NameTypes | undefined {
  if (!EVENT_PLACE.test(path)) return scope.rowOf(path)
  const type = names?.event ? typeAt(names, path) : ANY
  const row = type?.kind === 'record' ? type : recordsType(type)
  return row && { row }
}

/** The types of the names that every running scenario has beside its variables; `initial` and `row` depend on these. */
const LIVE_TYPES: Readonly<Record<string, DataType>> = {
  now: TIMESTAMP,
  start_time: TIMESTAMP,
  state: STRING,
  event: EVENT_TYPE,
}

/** Names with a meaning in every running scenario, which variables cannot have. */
export const LIVE_NAMES: ReadonlySet<string> = new Set([...Object.keys(LIVE_TYPES), 'initial', 'row'])

/** The moment at which live expressions are evaluated. */
export interface LiveContext {
  readonly data: RunData
  /** The state that the run is in. */
  readonly state: string
  /** The time of the scenario's clock, in milliseconds. */
  readonly nowMs: number
  /** The time at which the run started, on the same clock. */
  readonly startMs: number
  /** The seed of the run, which random numbers in sheets are drawn from; 0 by default. */
  readonly seed?: number | undefined
  /** Undefined where there is no screen yet. */
  readonly screen: ScreenReader | undefined
  readonly event?: EventValues | undefined
}

/** Names of one place beside those of the scenario, such as `row`, with their types and values. */
export interface LocalNames {
  readonly types: NameTypes
  readonly values: Values
}

/** The value of an expression, or why it has none. */
export type LiveResult = Evaluated | { readonly message: string }

/**
 * Evaluates an expression of a running scenario.
 * @param text An expression without braces.
 * @param locals Names of this place, such as `row`.
 * @param random The generator that `pick` and its like draw from. Left out, they have no value.
 */
export function evaluateLive(
  scope: LiveScope,
  text: string,
  context: LiveContext,
  locals?: LocalNames,
  random?: Random,
): LiveResult {
  const items = /\bevent\b/.test(text) ? context.event?.types : undefined
  const expression = scope.compile(text, items ? { ...locals?.types, ...items } : locals?.types)
  if (isProblem(expression)) return { message: expression.message }
  try {
    return expression.evaluate(valuesOf(scope, expression, context, locals), random, context.screen)
  } catch (error) {
    if (error instanceof Fault) return { message: error.message }
    throw error
  }
}

/** Whether a condition holds. A condition without a value does not. */
export function conditionHolds(scope: LiveScope, text: string, context: LiveContext, locals?: LocalNames): boolean {
  const result = evaluateLive(scope, text, context, locals)
  return 'value' in result && result.value === true
}

/** The values of the names that an expression mentions. */
function valuesOf(
  scope: LiveScope,
  { names }: Expression,
  context: LiveContext,
  locals: LocalNames | undefined,
): Values {
  const values: Record<string, DataValue | Date> = {}
  for (const name of names) {
    if (locals && Object.hasOwn(locals.types, name)) values[name] = locals.values[name] ?? null
    else if (Object.hasOwn(OWN_NAMES, name)) values[name] = OWN_NAMES[name]!(context, scope)
    else if (scope.computed.has(name)) values[name] = computedValue(scope, scope.computed.get(name)!, context)
    else values[name] = (Object.hasOwn(scope.vars, name) ? context.data : scope.constants)[name] ?? null
  }
  return values
}

/** The value of a computed name. It stays the same value as long as those that it is computed from do. */
function computedValue(
  scope: LiveScope,
  { expression, results }: ComputedName,
  context: LiveContext,
): DataValue | Date {
  if (isProblem(expression)) throw new Fault('BadRequest', expression.message)
  const values = valuesOf(scope, expression, context, undefined)
  const index = results.findIndex((known) => hasSameValues(known.values, values))
  const known =
    index < 0 ? { values, result: computeKept(() => expression.evaluate(values).value) } : results.splice(index, 1)[0]!
  results.unshift(known)
  results.splice(MAX_RESULTS)
  return recall(known.result)
}

const hasSameValues = (one: Values, other: Values): boolean =>
  Object.entries(other).every(([name, value]) =>
    value instanceof Date ? value.getTime() === (one[name] as Date).getTime() : value === one[name],
  )

/** What tells whether the value of a name changed between two moments. Constants have none, since they do not change. */
export function valueOfName(name: string, { data, state, nowMs, startMs }: LiveContext): unknown {
  if (name === 'now') return nowMs
  if (name === 'start_time') return startMs
  return name === 'state' ? state : data[name]
}

const OWN_NAMES: Readonly<Record<string, (context: LiveContext, scope: LiveScope) => DataValue | Date>> = {
  now: ({ nowMs }) => new Date(nowMs),
  start_time: ({ startMs }) => new Date(startMs),
  state: ({ state }) => state,
  event: ({ event = NO_EVENT }) => event as unknown as DataValue,
  initial: (_, { initial }) => initial,
}

/** The message about a variable, or a field in it such as `form.amount`, that does not exist. */
export function unknownVariable(path: string, types: NameTypes, { computed }: LiveScope): string {
  const [name = '', ...fields] = path.split('.')
  const sources = computed.get(name)?.sources
  if (sources)
    return `${name} is computed and read-only, and a variable is needed here${sources.size === 0 ? '' : `; name ${[...sources].join(' or ')}, from which it is computed`}`
  let type = Object.hasOwn(types, name) ? types[name] : undefined
  if (!type) return `there is no variable ${JSON.stringify(name)}${hintOf(name, types, 'the variables are')}`
  let above = name
  for (const field of fields) {
    if (type?.kind !== 'record') return `${above} has no fields, and ${JSON.stringify(path)} names one`
    if (!Object.hasOwn(type.fields, field))
      return `${above} has no field ${JSON.stringify(field)}${hintOf(field, type.fields, 'its fields are')}`
    type = type.fields[field]
    above = `${above}.${field}`
  }
  return `there is no variable ${JSON.stringify(path)}`
}

const hintOf = (name: string, types: NameTypes, listed: string): string =>
  didYouMean(name, Object.keys(types)) || `; ${listed} ${Object.keys(types).join(', ') || 'none'}`
