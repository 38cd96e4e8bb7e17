import { type CellValue, compareCells, numberValue, SheetDate, SheetError } from './cell-value.ts'
import {
  computedTable,
  eachCell,
  type FormulaContext,
  type FunctionCall,
  type Functions,
  type Operand,
  raise,
  type SheetFunction,
  sound,
  type Table,
} from './evaluate.ts'
import { averageOf, leastOf, mostOf, NUMBER_FUNCTIONS, sumOf } from './number-functions.ts'
import { criterion, DATE_FUNCTIONS, matchesWildcards, TEXT_FUNCTIONS } from './text-functions.ts'

/** The functions of formulas: logic, lookup and conditions here, the others in files of their own. */

const MANY = 255

const define = (least: number, most: number, call: SheetFunction['call']): SheetFunction => ({ least, most, call })

/** The truth values of the arguments. Texts and empty cells in ranges do not count. */
function conditionsOf(call: FunctionCall): readonly boolean[] {
  const found: boolean[] = []
  call.each((value, isDirect) => {
    const sure = sound(value)
    if (typeof sure === 'boolean') found.push(sure)
    else if (typeof sure === 'number') found.push(sure !== 0)
    else if (isDirect && sure !== null) raise('#VALUE!')
  })
  return found.length === 0 ? raise('#VALUE!') : found
}

/** Errors of an argument as values, which other functions would throw. */
function caught(call: FunctionCall, index: number): CellValue {
  try {
    return call.value(index)
  } catch (error) {
    if (error instanceof SheetError) return error
    throw error
  }
}

const ifs = define(2, MANY, (call) => {
  for (let index = 0; index + 1 < call.count; index += 2) if (call.condition(index)) return call.operand(index + 1)
  return raise('#N/A')
})

const switchOf = define(3, MANY, (call) => {
  const wanted = call.value(0)
  let index = 1
  for (; index + 1 < call.count; index += 2)
    if (compareCells(wanted, call.value(index)) === 0) return call.operand(index + 1)
  return index < call.count ? call.operand(index) : raise('#N/A')
})

const is = (test: (value: CellValue) => boolean): SheetFunction => define(1, 1, (call) => test(caught(call, 0)))
const isNumber = (value: CellValue): boolean => typeof value === 'number' || value instanceof SheetDate
const isError = (value: CellValue): value is SheetError => value instanceof SheetError
const isMissing = (value: CellValue): boolean => isError(value) && value.code === '#N/A'

/** Its first argument, which is evaluated once, or its second one instead of an error. */
const otherwise = (isReplaced: (value: CellValue) => boolean): SheetFunction =>
  define(2, 2, (call) => {
    const value = caught(call, 0)
    return isReplaced(value) ? call.operand(1) : value
  })

/** The cells for which all pairs of a range and a criterion hold, of a range of the same size. */
function chosen(call: FunctionCall, cells: Table, from: number): readonly CellValue[] {
  const tests: { readonly table: Table; readonly test: (value: CellValue) => boolean }[] = []
  for (let index = from; index < call.count; index += 2) {
    const table = call.table(index)
    if (table.rows !== cells.rows || table.columns !== cells.columns) raise('#VALUE!')
    tests.push({
      table,
      test: criterion(index + 1 < call.count ? call.value(index + 1) : raise('#VALUE!'), call.context),
    })
  }
  const found: CellValue[] = []
  eachCell(cells, (value, row, column) => {
    if (tests.every(({ table, test }) => test(table.at(row, column)))) found.push(value)
  })
  return found
}

/** The numbers among values. */
const numbersIn = (values: readonly CellValue[]): readonly number[] =>
  values.flatMap((value) => {
    const sure = sound(value)
    return typeof sure === 'number' ? [sure] : sure instanceof SheetDate ? [sure.serial] : []
  })

/** SUMIF, AVERAGEIF: a range, a criterion, and the range that is summed up, which begins at the same place. */
const overRange = (reduce: (numbers: readonly number[]) => number): SheetFunction =>
  define(2, 3, (call) => {
    const tested = call.table(0)
    const summed = call.has(2) ? call.table(2) : tested
    const test = criterion(call.value(1), call.context)
    const found: CellValue[] = []
    eachCell(tested, (value, row, column) => {
      if (row < summed.rows && column < summed.columns && test(value)) found.push(summed.at(row, column))
    })
    return numberValue(reduce(numbersIn(found)))
  })

const overRanges = (reduce: (numbers: readonly number[]) => number): SheetFunction =>
  define(3, MANY, (call) => numberValue(reduce(numbersIn(chosen(call, call.table(0), 1)))))

const countIf = define(2, MANY, (call) => chosen(call, call.table(0), 0).length)

/** The cells of a single row or column. */
function lineOf(table: Table): readonly CellValue[] {
  if (table.rows !== 1 && table.columns !== 1) raise('#N/A')
  const values: CellValue[] = []
  eachCell(table, (value) => values.push(value))
  return values
}

const isAlike = (a: CellValue, b: CellValue): boolean =>
  a !== null && b !== null && !isError(a) && (typeof a === typeof b || (isNumber(a) && isNumber(b)))

/** The place of a value. `exact`: the same one, with wildcards; otherwise the last that is not greater or not smaller. */
function placeOf(
  wanted: CellValue,
  values: readonly CellValue[],
  how: 'exact' | 'below' | 'above',
  context: FormulaContext,
): number {
  if (how === 'exact') {
    const hasWildcards = typeof wanted === 'string' && /[?*~]/.test(wanted)
    return values.findIndex((value) =>
      hasWildcards
        ? typeof value === 'string' && matchesWildcards(value, wanted, context)
        : isAlike(value, wanted) && compareCells(value, wanted) === 0,
    )
  }
  let place = -1
  for (const [index, value] of values.entries()) {
    if (!isAlike(value, wanted)) continue
    const order = compareCells(value, wanted)
    if (how === 'below' ? order > 0 : order < 0) break
    place = index
  }
  return place
}

const found = (place: number): number => (place < 0 ? raise('#N/A') : place)
const rowOf = (table: Table, row: number): readonly CellValue[] =>
  Array.from({ length: table.columns }, (_, column) => table.at(row, column))
const columnOf = (table: Table, column: number): readonly CellValue[] =>
  Array.from({ length: table.rows }, (_, row) => table.at(row, column))

const lookIn = (isVertical: boolean): SheetFunction =>
  define(3, 4, (call) => {
    const [wanted, table, at] = [call.value(0), call.table(1), Math.trunc(call.number(2)) - 1]
    if (at < 0) return raise('#VALUE!')
    if (at >= (isVertical ? table.columns : table.rows)) return raise('#REF!')
    const line = isVertical ? columnOf(table, 0) : rowOf(table, 0)
    const place = found(placeOf(wanted, line, call.condition(3, true) ? 'below' : 'exact', call.context))
    return isVertical ? table.at(place, at) : table.at(at, place)
  })

const match = define(2, 3, (call) => {
  const how = call.number(2, 1)
  return (
    1 +
    found(
      placeOf(call.value(0), lineOf(call.table(1)), how === 0 ? 'exact' : how > 0 ? 'below' : 'above', call.context),
    )
  )
})

const lookup = define(2, 3, (call) => {
  const table = call.table(1)
  const line = table.rows >= table.columns ? columnOf(table, 0) : rowOf(table, 0)
  const place = found(placeOf(call.value(0), line, 'below', call.context))
  if (call.has(2)) return lineOf(call.table(2))[place] ?? raise('#N/A')
  return table.rows >= table.columns ? table.at(place, table.columns - 1) : table.at(table.rows - 1, place)
})

const xlookup = define(3, 4, (call) => {
  const place = placeOf(call.value(0), lineOf(call.table(1)), 'exact', call.context)
  if (place < 0) return call.has(3) ? call.operand(3) : raise('#N/A')
  return lineOf(call.table(2))[place] ?? raise('#N/A')
})

/** Row 0 or column 0 is the whole column or row. */
const index = define(2, 3, (call): Operand => {
  const table = call.table(0)
  const isRow = table.rows === 1 && !call.has(2)
  const [first, second] = [Math.trunc(call.number(1)), Math.trunc(call.number(2, isRow ? 0 : 1))]
  const [row, column] = isRow ? [1, first] : [first, second]
  if (row < 0 || column < 0 || row > table.rows || column > table.columns) return raise('#REF!')
  if (row > 0 && column > 0) return table.at(row - 1, column - 1)
  return computedTable(row === 0 ? table.rows : 1, column === 0 ? table.columns : 1, (down, right) =>
    table.at(row === 0 ? down : row - 1, column === 0 ? right : column - 1),
  )
})

/** The place of a reference, or of the formula. */
const placed = (read: (table: Table) => number | undefined, own: (call: FunctionCall) => number): SheetFunction =>
  define(0, 1, (call) => (call.count === 0 ? own(call) : (read(call.table(0)) ?? raise('#VALUE!'))))

const OTHER_FUNCTIONS: Readonly<Record<string, SheetFunction>> = {
  IF: define(2, 3, (call) => (call.condition(0) ? call.operand(1) : call.count < 3 ? false : call.operand(2))),
  IFS: ifs,
  SWITCH: switchOf,
  CHOOSE: define(2, MANY, (call) => {
    const which = Math.trunc(call.number(0))
    return which >= 1 && which < call.count ? call.operand(which) : raise('#VALUE!')
  }),
  IFERROR: otherwise(isError),
  IFNA: otherwise(isMissing),
  AND: define(1, MANY, (call) => conditionsOf(call).every(Boolean)),
  OR: define(1, MANY, (call) => conditionsOf(call).some(Boolean)),
  XOR: define(1, MANY, (call) => conditionsOf(call).filter(Boolean).length % 2 === 1),
  NOT: define(1, 1, (call) => !call.condition(0)),
  TRUE: define(0, 0, () => true),
  FALSE: define(0, 0, () => false),
  NA: define(0, 0, () => raise('#N/A')),
  ISBLANK: is((value) => value === null),
  ISNUMBER: is(isNumber),
  ISTEXT: is((value) => typeof value === 'string'),
  ISLOGICAL: is((value) => typeof value === 'boolean'),
  ISERROR: is(isError),
  ISERR: is((value) => isError(value) && !isMissing(value)),
  ISNA: is(isMissing),
  ISEVEN: define(1, 1, (call) => Math.trunc(call.number(0)) % 2 === 0),
  ISODD: define(1, 1, (call) => Math.trunc(call.number(0)) % 2 !== 0),
  N: define(1, 1, (call) => {
    const value = call.value(0)
    return typeof value === 'string' || value === null ? 0 : typeof value === 'boolean' ? Number(value) : value
  }),
  SUMIF: overRange(sumOf),
  AVERAGEIF: overRange(averageOf),
  COUNTIF: countIf,
  COUNTIFS: countIf,
  SUMIFS: overRanges(sumOf),
  AVERAGEIFS: overRanges(averageOf),
  MINIFS: overRanges(leastOf),
  MAXIFS: overRanges(mostOf),
  VLOOKUP: lookIn(true),
  HLOOKUP: lookIn(false),
  LOOKUP: lookup,
  XLOOKUP: xlookup,
  MATCH: match,
  INDEX: index,
  ROW: placed(
    ({ place }) => place && place.top + 1,
    ({ context }) => context.row + 1,
  ),
  COLUMN: placed(
    ({ place }) => place && place.left + 1,
    ({ context }) => context.column + 1,
  ),
  ROWS: define(1, 1, (call) => call.table(0).rows),
  COLUMNS: define(1, 1, (call) => call.table(0).columns),
}

/** All functions by their names. */
export const SHEET_FUNCTIONS: Functions = new Map(
  Object.entries({ ...OTHER_FUNCTIONS, ...NUMBER_FUNCTIONS, ...TEXT_FUNCTIONS, ...DATE_FUNCTIONS }),
)

/** Functions whose values depend on the clock, and those that depend on the seed. */
export const CLOCK_FUNCTIONS: readonly string[] = ['NOW', 'TODAY']
export const RANDOM_FUNCTIONS: readonly string[] = ['RAND', 'RANDBETWEEN']
