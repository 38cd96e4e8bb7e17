import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import { drawInteger, type Random } from '../../base/random.ts'
import { checkTextLength, type EvaluationBudget, MAX_LIST_ITEMS } from './budget.ts'
import { fromCel } from './cel-value.ts'
import { textOfValue } from './data-type.ts'
import { formatDate, formatNumber, parseDate, roundTo } from './formats.ts'
import { hasWords, searchRecords } from './search.ts'

type Numeric = number | bigint

const DAY_MS = 86_400_000

const ascending = (a: Numeric, b: Numeric): number => Number(a) - Number(b)

/** Every function that scenarios may call beside CEL's own. */
export const FUNCTIONS: readonly ExpressionFunction[] = [
  // Numbers
  ...numeric('abs', 'The number without its sign', 'abs(-3)', (x) => (x < 0 ? -x : x)),
  define('round(double): int', 'The nearest integer', 'round(2.5)', (_, x: number) => BigInt(Math.round(x))),
  define(
    'round(double, int): double',
    'Rounded to a number of decimals',
    'round(2.345, 2)',
    (_, x: number, digits: bigint) => roundTo(x, Number(digits)),
  ),
  define('floor(double): int', 'The next lower integer', 'floor(2.7)', (_, x: number) => BigInt(Math.floor(x))),
  define('ceil(double): int', 'The next higher integer', 'ceil(2.1)', (_, x: number) => BigInt(Math.ceil(x))),
  ...pairwise('min', 'The smaller number', 'min(2, 3)', (a, b) => [a, b].sort(ascending)[0]!),
  ...pairwise('max', 'The greater number', 'max(2, 3)', (a, b) => [a, b].sort(ascending)[1]!),
  define('sum(list<int>): int', 'The sum of integers', 'sum([1, 2])', (_, list: readonly bigint[]) =>
    list.reduce((sum, each) => sum + each, 0n),
  ),
  define('sum(list<double>): double', 'The sum of numbers', 'sum([0.5, 2.0])', (_, list: readonly Numeric[]) =>
    list.reduce<number>((sum, each) => sum + Number(each), 0),
  ),
  define(
    'decimals(int, int): string',
    'A number with a fixed count of decimals',
    'decimals(5, 2)',
    (_, x: bigint, digits: bigint) => formatNumber(Number(x), Number(digits)),
  ),
  define(
    'decimals(double, int): string',
    'A number with a fixed count of decimals',
    'decimals(1234.5, 2)',
    (_, x: number, digits: bigint) => formatNumber(x, Number(digits)),
  ),
  // Text
  define('string.lower(): string', 'In lower case', '"Ada".lower()', (_, text: string) => text.toLowerCase()),
  define('string.upper(): string', 'In upper case', '"Ada".upper()', (_, text: string) => text.toUpperCase()),
  define(
    'string.replace(string, string): string',
    'With every occurrence of a text replaced',
    '"a-b".replace("-", "+")',
    (_, text: string, from: string, to: string) => replaced(text, from, to),
  ),
  define(
    'string.padStart(int, string): string',
    'Filled at the start to a length',
    '"7".padStart(3, "0")',
    (_, text: string, length: bigint, fill: string) => text.padStart(padLength(length), fill),
  ),
  define(
    'string.padEnd(int, string): string',
    'Filled at the end to a length',
    '"7".padEnd(3, ".")',
    (_, text: string, length: bigint, fill: string) => text.padEnd(padLength(length), fill),
  ),
  define(
    'string.fill(dyn): string',
    'With each `{field}` replaced by that field of a record; other braces stay',
    '"Dear {name}".fill({"name": "Ada"})',
    (_, text: string, record: unknown) => filled(text, record),
  ),
  define('text(dyn): string', 'A value as a longer text shows it', 'text([1, 2])', (_, value: unknown) =>
    textOfValue(fromCel(value)),
  ),
  define(
    'is_pattern(string): bool',
    'Whether a text is an RE2 pattern, such as one that a user has typed',
    'is_pattern("[0-9]+")',
    (_, pattern: string) => isPattern(pattern),
  ),
  define(
    'places(string, string, int): list<list<int>>',
    'Where an RE2 pattern matches within the lines of a text, up to a count: for each place, the characters before its start and before its end',
    'places("a1 b22", "[0-9]+", 100)',
    ({ budget }, text: string, pattern: string, most: bigint) =>
      compilePattern(pattern)
        .places(text, Math.min(Number(most), MAX_PLACES), budget.matching)
        .map((place) => place.map(BigInt)),
  ),
  // Lists
  define(
    'take(list<T>, int): list<T>',
    'The first items of a list',
    'take([3, 1, 2], 2)',
    (_, list: readonly unknown[], count: bigint) => list.slice(0, Math.max(0, Number(count))),
  ),
  define(
    'range(int): list<int>',
    'The integers from 0 up to a count, without it, such as the places of a list',
    'range(3)',
    (_, count: bigint) =>
      Array.from({ length: Math.min(Math.max(0, Number(count)), MAX_LIST_ITEMS + 1) }, (_, place) => BigInt(place)),
  ),
  define(
    'next_id(list): int',
    'One more than the greatest integer among the items, or among the `id` of the records',
    'next_id([3, 7])',
    (_, list: readonly unknown[]) => list.map(idOf).reduce<bigint>((next, id) => (id >= next ? id + 1n : next), 1n),
  ),
  define(
    'search(list<T>, string, list<string>): list<T>',
    'The records that have all words of a text in some of their fields; `FIELD:word` asks for one field',
    'search([{"id": 1, "from": "Zoë", "text": "Lunch at noon"}], "from:zoe lunch", ["from", "text"])',
    ({ budget }, records: readonly unknown[], query: string, fields: readonly string[]) =>
      searchRecords(budget, records, query, { fields }),
  ),
  define(
    'search(list<T>, string, list<string>, string): list<T>',
    'The same, where `before:2026-03-01` and `after:2026-03-01` ask for the date in the last field',
    'search([{"id": 1, "text": "Lunch", "sent": "2026-03-02"}], "lunch after:2026-03-01", ["text"], "sent")',
    ({ budget }, records: readonly unknown[], query: string, fields: readonly string[], date: string) =>
      searchRecords(budget, records, query, { fields, date }),
  ),
  define(
    'has_words(string, string): bool',
    'Whether a text has all words of another, as `search` looks for them',
    'has_words("Déjà vu at noon", "deja noon")',
    (_, text: string, query: string) => hasWords(text, query),
  ),
  // Dates
  define(
    'date(string): timestamp',
    'A day (2026-01-31) or a time (2026-01-31T12:30) in UTC',
    'date("2026-01-31")',
    (_, text: string) => parseDate(text),
  ),
  define(
    'timestamp.plusDays(int): timestamp',
    'A number of days later',
    'date("2026-01-31").plusDays(1)',
    (_, time: Date, days: bigint) => validDate(time.getTime() + Number(days) * DAY_MS),
  ),
  define(
    'timestamp.daysUntil(timestamp): int',
    'Whole days to another time',
    'date("2026-01-01").daysUntil(date("2026-02-01"))',
    (_, from: Date, to: Date) => BigInt(Math.floor((to.getTime() - from.getTime()) / DAY_MS)),
  ),
  define(
    'timestamp.format(string): string',
    'As text: yyyy MMMM MMM MM M dd d EEEE EEE HH H mm ss',
    'date("2026-01-31").format("d MMM yyyy")',
    (_, time: Date, pattern: string) => formatDate(time, pattern),
  ),
  // Chance
  define(
    'pick(list): dyn',
    'One item, chosen by the seed',
    'pick(["red", "blue"])',
    (runtime, list: readonly unknown[]) => {
      if (list.length === 0) throw new Fault('BadRequest', 'pick needs a list with at least one item')
      return list[next(runtime, 0, list.length - 1)]
    },
  ),
  define(
    'between(int, int): int',
    'An integer from the first to the second, chosen by the seed',
    'between(1, 6)',
    (runtime, low: bigint, high: bigint) => {
      if (low > high)
        throw new Fault('BadRequest', `between(${low}, ${high}): the first number is greater than the second`)
      return BigInt(next(runtime, Number(low), Number(high)))
    },
  ),
  define(
    'chance(double): bool',
    'True with a probability from 0 to 1, chosen by the seed',
    'chance(0.5)',
    (runtime, probability: number) => next(runtime, 0, 999_999) < probability * 1_000_000,
  ),
  define(
    'shuffle(list): list',
    'The items in another order, chosen by the seed',
    'shuffle([1, 2, 3])',
    (runtime, list: readonly unknown[]) => {
      const items = [...list]
      for (let last = items.length - 1; last > 0; last--) {
        const other = next(runtime, 0, last)
        const moved = items[last]
        items[last] = items[other]
        items[other] = moved
      }
      return items
    },
  ),
]

/** Our versions of functions of CEL: `matches` would run the host's RegExp, `join` could fill the memory. */
export const REPLACEMENTS: Readonly<Record<string, readonly ExpressionFunction[]>> = {
  matches: [
    define(
      'string.boundedMatches(string): bool',
      'Whether an RE2 pattern matches somewhere in the text',
      '"A12".matches("[0-9]+")',
      ({ budget }, text: string, pattern: string) => compilePattern(pattern).search(text, budget.matching),
    ),
  ],
  join: [
    define(
      'list<string>.boundedJoin(): string',
      'The texts joined',
      '["a", "b"].join()',
      (_, texts: readonly string[]) => joined(texts, ''),
    ),
    define(
      'list<string>.boundedJoin(string): string',
      'The texts joined with another between them',
      '["a", "b"].join(", ")',
      (_, texts: readonly string[], separator: string) => joined(texts, separator),
    ),
  ],
}

const MAX_PLACES = 10_000

function isPattern(source: string): boolean {
  try {
    compilePattern(source)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

function joined(texts: readonly string[], separator: string): string {
  checkTextLength(texts.reduce((sum, text) => sum + text.length + separator.length, 0))
  return texts.join(separator)
}

function define<Args extends never[]>(
  signature: string,
  description: string,
  example: string,
  call: (runtime: EvaluationContext, ...args: Args) => unknown,
): ExpressionFunction {
  return { signature, description, example, call: call as ExpressionFunction['call'] }
}

/** The same function for integers and for decimal numbers. */
function numeric(
  name: string,
  description: string,
  example: string,
  call: (x: Numeric) => Numeric,
): readonly ExpressionFunction[] {
  return ['int', 'double'].map((type) =>
    define(`${name}(${type}): ${type}`, description, example, (_, x: Numeric) => call(x)),
  )
}

function pairwise(
  name: string,
  description: string,
  example: string,
  call: (a: Numeric, b: Numeric) => Numeric,
): readonly ExpressionFunction[] {
  const same = ['int', 'double'].map((type) =>
    define(`${name}(${type}, ${type}): ${type}`, description, example, (_, a: Numeric, b: Numeric) => call(a, b)),
  )
  const mixed = ['int, double', 'double, int'].map((types) =>
    define(`${name}(${types}): double`, description, example, (_, a: Numeric, b: Numeric) => Number(call(a, b))),
  )
  return [...same, ...mixed]
}

/** The integer that identifies an item; 0 if there is none. */
function idOf(item: unknown): bigint {
  const id = Object(item) === item ? fieldOf(item, 'id') : item
  return typeof id === 'bigint' ? id : 0n
}

/** A field of a record, which CEL has as a map if it was written in an expression. Undefined if it has none of this name. */
function fieldOf(record: unknown, name: string): unknown {
  if (record instanceof Map) return record.get(name)
  return Object(record) === record && Object.hasOwn(record as object, name)
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function filled(text: string, record: unknown): string {
  let length = 0
  const parts = text.split(/(\{[A-Za-z_]\w*\})/).map((part, place) => {
    const value = place % 2 === 1 ? fieldOf(record, part.slice(1, -1)) : undefined
    const shown = value === undefined ? part : textOfValue(fromCel(value))
    length += shown.length
    checkTextLength(length)
    return shown
  })
  return parts.join('')
}

function replaced(text: string, from: string, to: string): string {
  const parts = text.split(from)
  checkTextLength(text.length + (parts.length - 1) * (to.length - from.length))
  return parts.join(to)
}

const MAX_PAD_LENGTH = 10_000

function padLength(length: bigint): number {
  if (length > MAX_PAD_LENGTH)
    throw new Fault('BadRequest', `a length of ${length} is too large; at most ${MAX_PAD_LENGTH} is allowed`)
  return Number(length)
}

function validDate(timeMs: number): Date {
  const time = new Date(timeMs)
  if (Number.isNaN(time.getTime())) throw new Fault('BadRequest', 'the date is out of range')
  return time
}

function next(runtime: EvaluationContext, low: number, high: number): number {
  if (!runtime.random)
    throw new Fault('BadRequest', 'random choices are not allowed here, because the expression may run at any time')
  const [value, random] = drawInteger(runtime.random, low, high)
  runtime.random = random
  return value
}

/** What expressions read from the screen of a running scenario. Elements that do not exist have empty values. */
export interface ScreenReader {
  value(id: string): string
  name(id: string): string
  /** Whether an element is selected; for a list, tree or row of tabs, the name of its selected item. */
  selected(id: string): boolean | string
  /** The keys of all selected items of a list or tree, or records of a table. */
  selectedKeys(id: string): readonly string[]
  /** The current cell of a table, such as B3, its text, and what was typed into it. Empty without one. */
  cell(id: string): { readonly name: string; readonly text: string; readonly content: string }
  /** The numbers in the selected cells of a table. */
  selectedNumbers(id: string): readonly number[]
  /** How many characters of a field are before its caret, and the selected text. */
  caret(id: string): { readonly at: number; readonly selected: string }
  /** The selected cells of a table, each as the key of its record and the field of its column, such as 7.total. */
  selectedCells(id: string): readonly string[]
  /** A cell of a sheet, such as Costs!B2: its value, and what was typed into it. Throws `BadRequest` without such a sheet. */
  sheetCell(reference: string): { readonly value: number | string | boolean; readonly content: string }
  exists(id: string): boolean
  /** The number of elements that a selector matches in all windows. Throws `BadRequest` for an invalid selector. */
  count(selector: string): number
  /** How often an event has happened. */
  happened(name: string): number
  /** Whether the effects `undo` and `redo` of a name would take changes back, or make them again. */
  canUndo(name: string): boolean
  canRedo(name: string): boolean
}

/** What the functions of a running expression may use. */
export interface EvaluationContext {
  budget: EvaluationBudget
  /** Undefined where an expression must not depend on the seed. */
  random: Random | undefined
  /** Undefined where there is no screen, such as while a scenario is loaded. */
  screen?: ScreenReader | undefined
  /** The values of the names of the scope that it mentions. */
  values: Readonly<Record<string, unknown>>
}

/** A function of the expression language. */
interface ExpressionFunction {
  /** In CEL's notation. */
  readonly signature: string
  readonly description: string
  readonly example: string
  readonly call: (runtime: EvaluationContext, ...args: never[]) => unknown
}

/** Functions that read the screen. They have a value only while a scenario runs. */
export const SCREEN_FUNCTIONS: readonly ExpressionFunction[] = [
  read('value(string): string', 'The value of an element; empty if there is none', 'value("search")', (screen, id) =>
    screen.value(id),
  ),
  read('name(string): string', 'The name of an element; empty if there is none', 'name("answer")', (screen, id) =>
    screen.name(id),
  ),
  read(
    'selected(string): dyn',
    'Whether an element is selected; of a list, tree or row of tabs, the name of the selected item',
    'selected("agree")',
    (screen, id) => screen.selected(id),
  ),
  read(
    'selected_keys(string): list<string>',
    'The keys of all selected records of a table, or items of a list or tree that follow data; the names of other items',
    'selected_keys("mails")',
    (screen, id) => screen.selectedKeys(id),
  ),
  read(
    'caret(string): int',
    'How many characters of a field are before its caret; 0 without a field',
    'caret("text")',
    (screen, id) => BigInt(screen.caret(id).at),
  ),
  read(
    'selected_text(string): string',
    'The selected text of a field; empty if there is none',
    'selected_text("text")',
    (screen, id) => screen.caret(id).selected,
  ),
  read(
    'cell_name(string): string',
    'The letter of the column and the number of the row of the current cell of a table; empty if there is none',
    'cell_name("sheet")',
    (screen, id) => screen.cell(id).name,
  ),
  read(
    'cell_text(string): string',
    'The text of the current cell of a table; empty if there is none',
    'cell_text("sheet")',
    (screen, id) => screen.cell(id).text,
  ),
  read(
    'cell_content(string): string',
    'What was typed into the current cell of a table: its formula, otherwise its text; empty if there is none',
    'cell_content("sheet")',
    (screen, id) => screen.cell(id).content,
  ),
  read(
    'selected_numbers(string): list<double>',
    'The numbers in the selected cells of a sheet, for its status bar',
    'sum(selected_numbers("sheet"))',
    (screen, id) => screen.selectedNumbers(id),
  ),
  read(
    'selected_cells(string): list<string>',
    'The selected cells of a table, each as the key of its record and the field of its column, such as `7.total`',
    'selected_cells("sheet")',
    (screen, id) => screen.selectedCells(id),
  ),
  read(
    'cell_value(string): dyn',
    'The value of a cell of a sheet: a decimal number, a text or a truth value; dates and errors are texts',
    'cell_value("Costs!B2")',
    (screen, reference) => screen.sheetCell(reference).value,
  ),
  read(
    'cell_formula(string): string',
    'What was typed into a cell of a sheet: its formula, otherwise its text',
    'cell_formula("Costs!B2")',
    (screen, reference) => screen.sheetCell(reference).content,
  ),
  read('exists(string): bool', 'Whether there is an element with the id', 'exists("dialog")', (screen, id) =>
    screen.exists(id),
  ),
  read('count(string): int', 'How many elements match a selector', `count('Button "Save"')`, (screen, selector) =>
    BigInt(screen.count(selector)),
  ),
  read(
    'happened(string): int',
    'How often an event was emitted, or a reaction or timer with this id ran',
    'happened("saved")',
    (screen, name) => BigInt(screen.happened(name)),
  ),
  read(
    'can_undo(string): bool',
    'Whether there are changes to undo: of the last action, or of the reaction with this id',
    'can_undo("last")',
    (screen, name) => screen.canUndo(name),
  ),
  read('can_redo(string): bool', 'Whether there are changes to make again', 'can_redo("last")', (screen, name) =>
    screen.canRedo(name),
  ),
]

function read(
  signature: string,
  description: string,
  example: string,
  get: (screen: ScreenReader, argument: string) => unknown,
): ExpressionFunction {
  const call = ({ screen }: EvaluationContext, argument: string) => {
    if (screen) return get(screen, argument)
    const name = signature.slice(0, signature.indexOf('('))
    throw new Fault('BadRequest', `${name}(…) reads the screen, which exists only while the scenario runs`)
  }
  return { signature, description, example, call: call as ExpressionFunction['call'] }
}

/** The names of the functions that read the screen. */
export const SCREEN_FUNCTION_NAMES: ReadonlySet<string> = new Set(
  SCREEN_FUNCTIONS.map(({ signature }) => signature.slice(0, signature.indexOf('('))),
)
