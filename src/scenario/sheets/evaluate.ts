import {
  asCondition,
  asNumber,
  asText,
  type CellValue,
  compareCells,
  dateValue,
  fitsText,
  numberValue,
  SheetDate,
  SheetError,
} from './cell-value.ts'
import type { Area, BinarySign, Formula, FormulaNode } from './formula.ts'

/** Values of formulas. Errors are thrown inside of a formula and caught where one is its value. */

/** Cells in rows and columns: of a sheet, or computed. */
export interface Table {
  readonly rows: number
  readonly columns: number
  /** Where it is in a sheet. Undefined if it was computed. */
  readonly place: { readonly top: number; readonly left: number } | undefined
  at(row: number, column: number): CellValue
}

/** An argument or a result of a function. */
export type Operand = CellValue | Table

/** What a formula depends on beside its arguments. */
export interface FormulaContext {
  /** Where the formula is. */
  readonly row: number
  readonly column: number
  /** The clock of the scenario in milliseconds since the epoch. */
  readonly nowMs: number
  /** A number from 0 up to 1, the same for the same call of the formula. */
  random(call: number): number
  /** Charges steps to the formula. Throws `#VALUE!` beyond its limit. */
  spend(steps: number): void
  /** The cells of an area; an error if it is not in the workbook. */
  cells(area: Area): Table | SheetError
}

/** A call of a function whose arguments are evaluated when they are asked for. */
export interface FunctionCall {
  readonly count: number
  readonly context: FormulaContext
  /** The place of the call among those of its formula. */
  readonly index: number
  /** Whether an argument is there and not empty. */
  has(index: number): boolean
  /** An argument as it is. */
  operand(index: number): Operand
  /** An argument as one value. Throws its error. */
  value(index: number): CellValue
  number(index: number, missing?: number): number
  text(index: number, missing?: string): string
  condition(index: number, missing?: boolean): boolean
  /** An argument as cells: one value is one cell. */
  table(index: number): Table
  /** The values of all arguments from an index on, and whether each was written into the formula. Errors are not thrown. */
  each(visit: (value: CellValue, isDirect: boolean) => void, from?: number): void
}

/** A function of spreadsheets. It throws errors. */
export interface SheetFunction {
  /** The least and the most number of arguments. */
  readonly least: number
  readonly most: number
  readonly call: (call: FunctionCall) => Operand
}

/** Throws an error of spreadsheets. */
export function raise(code: SheetError['code']): never {
  throw SheetError.of(code)
}

/** A value without an error; otherwise throws it. */
export function sound<T>(value: T | SheetError): T {
  if (value instanceof SheetError) throw value
  return value
}

export const isCellTable = (operand: Operand): operand is Table =>
  typeof operand === 'object' && operand !== null && 'rows' in operand

/** Cells that were computed. */
export const computedTable = (rows: number, columns: number, at: Table['at']): Table => ({
  rows,
  columns,
  place: undefined,
  at,
})

/** The value of a formula. An empty cell is 0, as a formula cannot be empty. */
export function evaluateFormula({ root }: Formula, functions: Functions, context: FormulaContext): CellValue {
  try {
    return single(evaluated(root, functions, context), context) ?? 0
  } catch (error) {
    if (error instanceof SheetError) return error
    throw error
  }
}

/** The functions by their names. */
export type Functions = ReadonlyMap<string, SheetFunction>

/** One value of an operand: of a row or column of cells that in line with the formula, of an array the first. */
function single(operand: Operand, { row, column }: FormulaContext): CellValue {
  if (!isCellTable(operand)) return operand
  const { rows, columns, place } = operand
  if (!place || (rows === 1 && columns === 1)) return operand.at(0, 0)
  const [down, right] = [row - place.top, column - place.left]
  if (columns === 1 && down >= 0 && down < rows) return operand.at(down, 0)
  if (rows === 1 && right >= 0 && right < columns) return operand.at(0, right)
  return SheetError.of('#VALUE!')
}

function evaluated(node: FormulaNode, functions: Functions, context: FormulaContext): Operand {
  switch (node.kind) {
    case 'value':
      return node.value
    case 'area':
      return context.cells(node.area)
    case 'unary':
      return mapped(evaluated(node.operand, functions, context), (value) => unary(node.sign, value), context)
    case 'binary':
      return joined(
        evaluated(node.left, functions, context),
        evaluated(node.right, functions, context),
        (left, right) => binary(node.sign, left, right),
        context,
      )
    case 'call': {
      const { name, args, index } = node
      const found = functions.get(name.replace(/^_XLFN\./, ''))
      if (!found) return SheetError.of('#NAME?')
      if (args.length < found.least || args.length > found.most) return SheetError.of('#VALUE!')
      try {
        return found.call(callOf(args, index, functions, context))
      } catch (error) {
        if (error instanceof SheetError) return error
        throw error
      }
    }
  }
}

function callOf(
  args: readonly FormulaNode[],
  index: number,
  functions: Functions,
  context: FormulaContext,
): FunctionCall {
  const operand = (at: number): Operand => {
    const arg = args[at]
    return arg ? evaluated(arg, functions, context) : null
  }
  const has = (at: number): boolean => {
    const arg = args[at]
    return arg !== undefined && !(arg.kind === 'value' && arg.value === null)
  }
  const value = (at: number): CellValue => sound(single(operand(at), context))
  const table = (at: number): Table => {
    const found = operand(at)
    if (isCellTable(found)) return found
    sound(found)
    return computedTable(1, 1, () => found)
  }
  return {
    count: args.length,
    context,
    index,
    has,
    operand,
    value,
    table,
    number: (at, missing) => (missing !== undefined && !has(at) ? missing : sound(asNumber(value(at)))),
    text: (at, missing) => (missing !== undefined && !has(at) ? missing : sound(asText(value(at)))),
    condition: (at, missing) => (missing !== undefined && !has(at) ? missing : sound(asCondition(value(at)))),
    each(visit, from = 0) {
      for (let at = from; at < args.length; at++) {
        const found = operand(at)
        if (!isCellTable(found)) visit(found, true)
        else eachCell(found, (cell) => visit(cell, false))
      }
    },
  }
}

/** Visits the cells of a table by rows. */
export function eachCell(table: Table, visit: (value: CellValue, row: number, column: number) => void): void {
  for (let row = 0; row < table.rows; row++)
    for (let column = 0; column < table.columns; column++) visit(table.at(row, column), row, column)
}

/** A value of each cell, or of one value. Computed once. */
function mapped(operand: Operand, map: (value: CellValue) => CellValue, context: FormulaContext): Operand {
  if (!isCellTable(operand)) return map(operand)
  if (operand.rows === 1 && operand.columns === 1) return map(operand.at(0, 0))
  return filled(operand.rows, operand.columns, (row, column) => map(operand.at(row, column)), context)
}

function filled(rows: number, columns: number, compute: Table['at'], { spend }: FormulaContext): Table {
  spend(rows * columns)
  const values: CellValue[] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) values.push(compute(row, column))
  return computedTable(rows, columns, (row, column) => values[row * columns + column] ?? null)
}

const MISSING = SheetError.of('#N/A')

/** A value of each pair of cells. A single row, column or value is repeated. */
function joined(
  left: Operand,
  right: Operand,
  join: (left: CellValue, right: CellValue) => CellValue,
  context: FormulaContext,
): Operand {
  const [a, b] = [left, right].map((operand) =>
    isCellTable(operand) && operand.rows === 1 && operand.columns === 1 ? operand.at(0, 0) : operand,
  ) as [Operand, Operand]
  if (!isCellTable(a) && !isCellTable(b)) return join(a, b)
  if (!isCellTable(a)) return mapped(b, (value) => join(a, value), context)
  if (!isCellTable(b)) return mapped(a, (value) => join(value, b), context)
  const at = (table: Table, row: number, column: number): CellValue => {
    const [y, x] = [table.rows === 1 ? 0 : row, table.columns === 1 ? 0 : column]
    return y < table.rows && x < table.columns ? table.at(y, x) : MISSING
  }
  const [rows, columns] = [Math.max(a.rows, b.rows), Math.max(a.columns, b.columns)]
  return filled(rows, columns, (row, column) => join(at(a, row, column), at(b, row, column)), context)
}

function unary(sign: '-' | '+' | '%', value: CellValue): CellValue {
  if (sign === '+') return value
  const number = asNumber(value)
  if (number instanceof SheetError) return number
  return sign === '-' ? -number : number / 100
}

function binary(sign: BinarySign, left: CellValue, right: CellValue): CellValue {
  if (left instanceof SheetError) return left
  if (right instanceof SheetError) return right
  switch (sign) {
    case '&': {
      const [a, b] = [String(asText(left)), String(asText(right))]
      return fitsText(a.length + b.length) ? a + b : SheetError.of('#VALUE!')
    }
    case '=':
      return compareCells(left, right) === 0
    case '<>':
      return compareCells(left, right) !== 0
    case '<':
      return compareCells(left, right) < 0
    case '>':
      return compareCells(left, right) > 0
    case '<=':
      return compareCells(left, right) <= 0
    case '>=':
      return compareCells(left, right) >= 0
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
      return arithmetic(sign, left, right)
  }
}

function arithmetic(sign: '+' | '-' | '*' | '/' | '^', left: CellValue, right: CellValue): CellValue {
  const [a, b] = [asNumber(left), asNumber(right)]
  if (a instanceof SheetError) return a
  if (b instanceof SheetError) return b
  switch (sign) {
    case '+':
    case '-': {
      const sum = nearly(sign === '+' ? a + b : a - b, a, b)
      // A date and a number of days are a date; two dates are a number of days apart.
      const isDate =
        left instanceof SheetDate !== right instanceof SheetDate && !(sign === '-' && right instanceof SheetDate)
      return isDate ? dateValue(sum) : numberValue(sum)
    }
    case '*':
      return numberValue(a * b)
    case '/':
      return b === 0 ? SheetError.of('#DIV/0!') : numberValue(a / b)
    case '^':
      return a === 0 && b < 0 ? SheetError.of('#DIV/0!') : numberValue(a ** b)
  }
}

/** A sum that is only what binary fractions leave over is 0: 0.3-0.2-0.1. */
const nearly = (sum: number, a: number, b: number): number =>
  Math.abs(sum) < Math.max(Math.abs(a), Math.abs(b)) * 2 ** -49 ? 0 : sum
