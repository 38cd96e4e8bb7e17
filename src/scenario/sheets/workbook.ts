import { LruCache } from '../../base/lru-cache.ts'
import { drawInteger, seededRandom, split } from '../../base/random.ts'
import { cellName, isFormula } from '../../desktop/model/formula-text.ts'
import { fieldOf } from '../data/data-change.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { type CellValue, SheetDate, SheetError, valueOfContent } from './cell-value.ts'
import { evaluateFormula, type FormulaContext, type Table } from './evaluate.ts'
import { type Area, type Formula, parseFormula } from './formula.ts'
import { CLOCK_FUNCTIONS, RANDOM_FUNCTIONS, SHEET_FUNCTIONS } from './functions.ts'

/**
 * The cells of the sheets of a scenario. What is calculated next is derived from what was calculated before, so that an edit
 * costs what depends on it. The result is the same as one that is calculated from scratch.
 */

/** A sheet: the records of a variable are its rows, and some of their fields its columns. */
export interface SheetDefinition {
  readonly name: string
  readonly variable: string
  readonly fields: readonly string[]
  /** The variable with the looks of its cells. */
  readonly looks?: string | undefined
}

/** What formulas depend on beside the cells. */
export interface SheetEnvironment {
  /** The clock of the scenario in milliseconds since the epoch. */
  readonly nowMs: number
  readonly seed: number
}

/** The sheets of a scenario. They refer to each other by their names. */
export interface Workbook {
  readonly sheets: readonly SheetDefinition[]
  /** The index of a sheet by its name, ignoring case. Undefined for a name without a sheet. */
  indexOf(name: string): number | undefined
  /** @param lists The records of each sheet. */
  calculate(lists: readonly (readonly DataValue[])[], environment: SheetEnvironment): Calculation
}

/** The contents and values of all cells at a moment. */
export interface Calculation {
  readonly lists: readonly (readonly DataValue[])[]
  /** The contents and the values of the rows of each sheet. Those of rows that did not change are the same objects. */
  readonly rows: readonly (readonly SheetRow[])[]
  readonly values: readonly (readonly (readonly CellValue[])[])[]
  readonly readsClock: boolean
  readonly readsRandom: boolean
  readonly environment: SheetEnvironment
  /** The formulas in an order in which each comes after those that it reads. */
  readonly order: readonly FormulaCell[]
}

/** A row as it is in the data. */
export interface SheetRow {
  readonly record: DataValue
  readonly contents: readonly string[]
  /** The values of contents without a formula. */
  readonly constants: readonly CellValue[]
  readonly formulas: readonly (Formula | SheetError | undefined)[]
}

/** A formula in its cell. */
interface FormulaCell {
  readonly key: number
  readonly sheet: number
  readonly row: number
  readonly column: number
  readonly formula: Formula | SheetError
  readonly areas: readonly (SheetArea | SheetError)[]
  /** Why the formula is not evaluated: a circular reference, or too much to read. */
  readonly blocked: SheetError | undefined
}

/** Cells of a sheet, both ends included. */
interface SheetArea {
  readonly sheet: number
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** The most formulas of a workbook. Those after them, by sheets, rows and columns, are `#NUM!`. */
export const MAX_FORMULAS = 5000
/** The most cells that one formula reads, and that all formulas read together. Formulas beyond are `#NUM!`. */
const MAX_AREA_CELLS = 20_000
const MAX_READ_CELLS = 5_000_000
/** The most steps of one formula: of operators over ranges, wildcards and days. */
const MAX_STEPS = 200_000
/** The most results that are kept, and formulas that were read. */
const MAX_KEPT = 8
const MAX_PARSED = 20_000

const [CIRCULAR, TOO_MUCH, NO_SHEET, UNREADABLE] = (['Err:522', '#NUM!', '#REF!', '#NAME?'] as const).map((code) =>
  SheetError.of(code),
) as [SheetError, SheetError, SheetError, SheetError]

const parsed = new LruCache<string, Formula | SheetError>(MAX_PARSED)

function formulaOf(content: string): Formula | SheetError {
  const known = parsed.get(content)
  if (known) return known
  const read = parseFormula(content)
  return parsed.keep(content, 'message' in read ? UNREADABLE : read)
}

/** Prepares the sheets of a scenario. */
export function createWorkbook(sheets: readonly SheetDefinition[]): Workbook {
  const indexes = new Map(sheets.map(({ name }, index) => [name.toLowerCase(), index]))
  const indexOf = (name: string) => indexes.get(name.toLowerCase())
  let kept: readonly Calculation[] = []
  return {
    sheets,
    indexOf,
    calculate(lists, environment) {
      const known = kept.find((each) => isCurrent(each, lists, environment))
      if (known && known === kept[0]) return known
      const made = known ?? recalculated({ sheets, indexOf }, kept[0], lists, environment)
      kept = [made, ...kept.filter((each) => each !== known)].slice(0, MAX_KEPT)
      return made
    },
  }
}

const isCurrent = (
  { lists, environment, readsClock, readsRandom }: Calculation,
  now: Calculation['lists'],
  { nowMs, seed }: SheetEnvironment,
): boolean =>
  lists.every((list, index) => list === now[index]) &&
  (!readsClock || environment.nowMs === nowMs) &&
  (!readsRandom || environment.seed === seed)

/** A cell as a number: of its sheet, its column and its row. */
const keyOf = (sheet: number, row: number, column: number): number => lineKey(sheet, column) * 0x100000 + row
const lineKey = (sheet: number, column: number): number => sheet * 0x8000 + column

function recalculated(
  book: Pick<Workbook, 'sheets' | 'indexOf'>,
  earlier: Calculation | undefined,
  lists: Calculation['lists'],
  environment: SheetEnvironment,
): Calculation {
  const isDerived =
    earlier !== undefined &&
    lists.every((list, index) => list.length === earlier.lists[index]!.length) &&
    (!earlier.readsRandom || earlier.environment.seed === environment.seed)
  const before = isDerived ? earlier : undefined
  const changes = new Changes()
  const rows = lists.map((list, sheet) => rowsOf(book.sheets[sheet]!, list, before?.lists[sheet], before?.rows[sheet]))
  const values = rows.map((own, sheet) => constantsOf(sheet, own, before, changes))
  const isSameFormulas = before !== undefined && !changes.areFormulasNew
  const order = isSameFormulas ? before.order : orderOf(book, rows, before)
  if (before && !isSameFormulas) {
    const known = new Map(before.order.map((cell) => [cell.key, cell]))
    for (const cell of order) {
      const was = known.get(cell.key)
      if (was?.formula !== cell.formula || was.blocked !== cell.blocked) changes.reevaluated.add(cell.key)
    }
  }
  const calls = (names: readonly string[]) =>
    order.some(({ formula }) => !(formula instanceof SheetError) && names.some((name) => formula.calls.has(name)))
  const [readsClock, readsRandom] = isSameFormulas
    ? [before.readsClock, before.readsRandom]
    : [calls(CLOCK_FUNCTIONS), calls(RANDOM_FUNCTIONS)]
  const isNewTime = readsClock && before?.environment.nowMs !== environment.nowMs
  const sheets = new SheetValues(values)
  const evaluator = createEvaluator(book.sheets, sheets, environment)
  for (const cell of order) {
    const isTimed = isNewTime && hasCall(cell, CLOCK_FUNCTIONS)
    if (before && !isTimed && !changes.reevaluated.has(cell.key) && !cell.areas.some((area) => changes.touches(area)))
      continue
    const value = evaluator(cell)
    if (before && isSameValue(sheets.at(cell.sheet, cell.row, cell.column), value)) continue
    sheets.set(cell, value)
    changes.add(cell.sheet, cell.row, cell.column)
  }
  return { lists, rows, values: sheets.all, readsClock, readsRandom, environment, order }
}

const hasCall = ({ formula }: FormulaCell, names: readonly string[]): boolean =>
  !(formula instanceof SheetError) && names.some((name) => formula.calls.has(name))

const isSameValue = (a: CellValue | undefined, b: CellValue): boolean =>
  Object.is(a, b) || (a instanceof SheetDate && b instanceof SheetDate && a.serial === b.serial)

/** Cells whose values changed. */
class Changes {
  /** Whether a cell has another formula than before. */
  areFormulasNew = false
  /** Formulas that are evaluated even if nothing that they read changed. */
  readonly reevaluated = new Set<number>()
  readonly #rows = new Map<number, number[]>()

  add(sheet: number, row: number, column: number): void {
    const key = lineKey(sheet, column)
    const rows = this.#rows.get(key)
    if (rows) rows.push(row)
    else this.#rows.set(key, [row])
  }

  touches(area: SheetArea | SheetError): boolean {
    if (area instanceof SheetError || this.#rows.size === 0) return false
    for (let column = area.left; column <= area.right; column++) {
      const rows = this.#rows.get(lineKey(area.sheet, column))
      if (rows?.some((row) => row >= area.top && row <= area.bottom)) return true
    }
    return false
  }
}

/** The rows of a sheet. Those of records that did not change stay as they are. */
function rowsOf(
  { fields }: SheetDefinition,
  list: readonly DataValue[],
  listBefore: readonly DataValue[] | undefined,
  before: readonly SheetRow[] | undefined,
): readonly SheetRow[] {
  if (before && list === listBefore) return before
  return list.map((record, index) => {
    const known = before?.[index]
    return known?.record === record ? known : rowOf(record, fields)
  })
}

function rowOf(record: DataValue, fields: readonly string[]): SheetRow {
  const contents: string[] = []
  const constants: CellValue[] = []
  const formulas: (Formula | SheetError | undefined)[] = []
  for (const field of fields) {
    const value = fieldOf(record, field)
    const content = typeof value === 'boolean' ? String(value).toUpperCase() : textOfValue(value)
    const formula = typeof value === 'string' && isFormula(value) ? formulaOf(value) : undefined
    contents.push(content)
    formulas.push(formula)
    constants.push(
      formula ? null : typeof value === 'number' || typeof value === 'boolean' ? value : valueOfContent(content),
    )
  }
  return { record, contents, constants, formulas }
}

/** The values of a sheet before its formulas are evaluated: those of unchanged formulas are the earlier ones. */
function constantsOf(
  sheet: number,
  rows: readonly SheetRow[],
  before: Calculation | undefined,
  changes: Changes,
): readonly (readonly CellValue[])[] {
  if (before && rows === before.rows[sheet]) return before.values[sheet]!
  return rows.map((row, index) => {
    const [was, values] = [before?.rows[sheet]?.[index], before?.values[sheet]?.[index]]
    if (!was || !values) return row.constants
    if (was === row) return values
    return row.constants.map((constant, column) => {
      const [formula, earlier] = [row.formulas[column], was.formulas[column]]
      if (formula !== earlier) changes.areFormulasNew = true
      if (formula) return earlier ? values[column]! : constant
      if (earlier || !isSameValue(values[column], constant)) changes.add(sheet, index, column)
      return constant
    })
  })
}

/** Values of which rows are copied when they change. */
class SheetValues {
  readonly all: (readonly (readonly CellValue[])[])[]
  readonly #sheets = new Set<number>()
  readonly #rows = new Set<number>()

  constructor(values: readonly (readonly (readonly CellValue[])[])[]) {
    this.all = [...values]
  }

  at(sheet: number, row: number, column: number): CellValue {
    return this.all[sheet]![row]?.[column] ?? null
  }

  set({ sheet, row, column }: FormulaCell, value: CellValue): void {
    if (!this.#sheets.has(sheet)) this.all[sheet] = [...this.all[sheet]!]
    this.#sheets.add(sheet)
    const rows = this.all[sheet] as CellValue[][]
    const key = keyOf(sheet, row, 0)
    if (!this.#rows.has(key)) rows[row] = [...rows[row]!]
    this.#rows.add(key)
    rows[row]![column] = value
  }
}

function createEvaluator(
  definitions: readonly SheetDefinition[],
  values: SheetValues,
  { nowMs, seed }: SheetEnvironment,
): (cell: FormulaCell) => CellValue {
  return (cell) => {
    const { sheet, row, column, formula, areas, blocked } = cell
    if (blocked) return blocked
    if (formula instanceof SheetError) return formula
    let left = MAX_STEPS
    const context: FormulaContext = {
      row,
      column,
      nowMs,
      random: (call) => randomNumber(seed, `${definitions[sheet]!.name}!${cellName(column, row)}:${call}`),
      spend(steps) {
        left -= steps
        if (left < 0) throw SheetError.of('#VALUE!')
      },
      cells(area) {
        const found = areas[formula.areas.indexOf(area)] ?? NO_SHEET
        return found instanceof SheetError ? found : tableOf(values, found)
      },
    }
    return evaluateFormula(formula, SHEET_FUNCTIONS, context)
  }
}

const RANDOM_STEPS = 0x7fffffff

const randomNumber = (seed: number, purpose: string): number =>
  drawInteger(split(seededRandom(seed), purpose), 0, RANDOM_STEPS - 1)[0] / RANDOM_STEPS

const tableOf = (values: SheetValues, { sheet, top, left, bottom, right }: SheetArea): Table => ({
  rows: bottom - top + 1,
  columns: right - left + 1,
  place: { top, left },
  at: (row, column) => values.at(sheet, top + row, left + column),
})

/** The formulas of all sheets, each after those that it reads. Those in a circle and beyond the limits are blocked. */
function orderOf(
  { sheets, indexOf }: Pick<Workbook, 'sheets' | 'indexOf'>,
  rows: Calculation['rows'],
  before: Calculation | undefined,
): readonly FormulaCell[] {
  const known = new Map(before?.order.map((cell) => [cell.key, cell]))
  const height = rows.reduce((most, own) => Math.max(most, own.length), 1)
  const cells: FormulaCell[] = []
  let read = 0
  for (const [sheet, own] of rows.entries())
    for (const [row, { formulas }] of own.entries())
      for (let column = 0; column < sheets[sheet]!.fields.length; column++) {
        const formula = formulas[column]
        if (!formula) continue
        const key = keyOf(sheet, row, column)
        const was = known.get(key)
        const areas = was?.formula === formula ? was.areas : areasOf(formula, sheet, indexOf, height)
        const size = areas.reduce((sum, area) => sum + sizeOf(area), 0)
        read += size
        const isTooMuch = cells.length >= MAX_FORMULAS || size > MAX_AREA_CELLS || read > MAX_READ_CELLS
        cells.push({
          key,
          sheet,
          row,
          column,
          formula,
          areas,
          blocked: isTooMuch ? TOO_MUCH : undefined,
        })
      }
  return sortedByReading(cells)
}

const sizeOf = (area: SheetArea | SheetError): number =>
  area instanceof SheetError ? 0 : (area.bottom - area.top + 1) * (area.right - area.left + 1)

function areasOf(
  formula: Formula | SheetError,
  sheet: number,
  indexOf: Workbook['indexOf'],
  height: number,
): FormulaCell['areas'] {
  if (formula instanceof SheetError) return []
  return formula.areas.map((area: Area) => {
    const index = area.sheet === undefined ? sheet : indexOf(area.sheet)
    return index === undefined ? NO_SHEET : { ...area, sheet: index, bottom: area.bottom ?? height - 1 }
  })
}

/** The formulas of a column by their rows. */
interface FormulaLine {
  readonly rows: number[]
  readonly nodes: number[]
}

/** A formula whose references are visited: the next one is at `position` in a line of `area`. */
interface Visit {
  readonly node: number
  area: number
  column: number
  position: number
}

/** Sorts by the strongly connected components of Tarjan, without recursion. A component of several cells is a circle. */
function sortedByReading(cells: readonly FormulaCell[]): readonly FormulaCell[] {
  const lines = new Map<number, FormulaLine>()
  for (const [node, { sheet, row, column }] of cells.entries()) {
    const line = lines.get(lineKey(sheet, column)) ?? { rows: [], nodes: [] }
    lines.set(lineKey(sheet, column), line)
    line.rows.push(row)
    line.nodes.push(node)
  }
  const found = new Int32Array(cells.length).fill(-1)
  const low = new Int32Array(cells.length)
  const isOpen = new Uint8Array(cells.length)
  const open: number[] = []
  const sorted: FormulaCell[] = []
  let count = 0
  for (let start = 0; start < cells.length; start++) {
    if (found[start] !== -1) continue
    const visits: Visit[] = [begin(start)]
    while (visits.length > 0) {
      const visit = visits.at(-1)!
      const { node } = visit
      const next = nextRead(cells[node]!, visit, lines)
      if (next !== undefined) {
        if (found[next] === -1) visits.push(begin(next))
        else if (isOpen[next]) low[node] = Math.min(low[node]!, found[next]!)
        continue
      }
      visits.pop()
      const parent = visits.at(-1)?.node
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!)
      if (low[node] === found[node]) close(node)
    }
  }
  return sorted

  function begin(node: number): Visit {
    found[node] = low[node] = count++
    isOpen[node] = 1
    open.push(node)
    return { node, area: 0, column: -1, position: 0 }
  }

  function close(node: number): void {
    const members = open.splice(open.lastIndexOf(node))
    const isCircle = members.length > 1 || readsItself(cells[node]!)
    for (const member of members.reverse()) {
      isOpen[member] = 0
      const cell = cells[member]!
      sorted.push(isCircle && !cell.blocked ? { ...cell, blocked: CIRCULAR } : cell)
    }
  }
}

const readsItself = ({ areas, sheet, row, column }: FormulaCell): boolean =>
  areas.some(
    (area) =>
      !(area instanceof SheetError) &&
      area.sheet === sheet &&
      area.top <= row &&
      row <= area.bottom &&
      area.left <= column &&
      column <= area.right,
  )

/** The next formula that a formula reads. */
function nextRead(
  { areas, blocked }: FormulaCell,
  visit: Visit,
  lines: ReadonlyMap<number, FormulaLine>,
): number | undefined {
  if (blocked) return undefined
  for (; visit.area < areas.length; visit.area++, visit.column = -1) {
    const area = areas[visit.area]!
    if (area instanceof SheetError) continue
    if (visit.column === -1) startLine(area.left)
    while (visit.column <= area.right) {
      const line = lines.get(lineKey(area.sheet, visit.column))
      const row = line?.rows[visit.position]
      if (row !== undefined && row <= area.bottom) return line!.nodes[visit.position++]
      startLine(visit.column + 1)
    }

    function startLine(column: number): void {
      visit.column = column
      visit.position = firstFrom(
        lines.get(lineKey((area as SheetArea).sheet, column))?.rows ?? [],
        (area as SheetArea).top,
      )
    }
  }
  return undefined
}

/** The index of the first row that is not above another. */
function firstFrom(rows: readonly number[], top: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]! < top) low = middle + 1
    else high = middle
  }
  return low
}
