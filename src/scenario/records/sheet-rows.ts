import { Fault } from '../../base/fault.ts'
import { didYouMean } from '../../base/strings.ts'
import { cellName, cellNamed, isFormula } from '../../desktop/model/formula-text.ts'
import { CELL_COLOURS, type CellColour, type GridRow } from '../../desktop/model/grid.ts'
import { fieldOf, valueAt } from '../data/data-change.ts'
import type { RunData } from '../data/run-data.ts'
import type { LiveContext } from '../data/scope.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { type CellValue, SheetDate, SheetError, shownValue, timeOf } from '../sheets/cell-value.ts'
import type { Calculation, SheetEnvironment, SheetRow, Workbook } from '../sheets/workbook.ts'
import { keysOf } from './record-entries.ts'
import { type CellFormat, cellFormat } from './record-row.ts'
import type { TableContent } from './records-rows.ts'

/** What tables show of a workbook, and what expressions read from it. */

/** A table whose cells take formulas. */
export type AuthoredSheet = AuthoredElement & { readonly rows: string; readonly sheet: string }

/** Whether a table that shows records is a sheet. */
export const isSheetTable = (element: AuthoredElement): element is AuthoredSheet =>
  element.sheet !== undefined && typeof element.rows === 'string'

const environmentOf = ({ nowMs, seed = 0 }: Pick<LiveContext, 'nowMs' | 'seed'>): SheetEnvironment => ({ nowMs, seed })

/** The cells of all sheets at a moment. */
export const calculationAt = (
  workbook: Workbook,
  data: RunData,
  moment: Pick<LiveContext, 'nowMs' | 'seed'>,
): Calculation =>
  workbook.calculate(
    workbook.sheets.map(({ variable }) => listIn(data, variable)),
    environmentOf(moment),
  )

const NO_ROWS: readonly DataValue[] = []

function listIn(data: RunData, variable: string): readonly DataValue[] {
  const value = valueAt(data, variable)
  return value !== null && isList(value) ? value : NO_ROWS
}

/** Computes the rows of a table that is a sheet. */
export interface SheetSource {
  /** The names that the rows depend on. */
  readonly names: ReadonlySet<string>
  tableContent(records: readonly DataValue[], context: LiveContext): TableContent
}

/** A row of a table, and the parts of a calculation and of the looks of its cells that it shows. */
interface ShownRow {
  readonly row: SheetRow
  readonly values: readonly CellValue[]
  readonly looks: RowLooks | undefined
  readonly shown: GridRow
}

/** How cells of a row look that do not look as their columns do, by field. */
type RowLooks = ReadonlyMap<string, DataValue>

/** The looks of cells by the keys of their rows. Rows of which nothing changed keep their object. */
function looksByRow(looks: readonly DataValue[], before: ReadonlyMap<string, RowLooks>): ReadonlyMap<string, RowLooks> {
  const found = new Map<string, Map<string, DataValue>>()
  for (const look of looks) {
    const id = String(fieldOf(look, 'id'))
    const dot = id.lastIndexOf('.')
    const row = found.get(id.slice(0, dot)) ?? new Map<string, DataValue>()
    found.set(id.slice(0, dot), row.set(id.slice(dot + 1), look))
  }
  const isSame = (row: RowLooks, was: RowLooks | undefined) =>
    was?.size === row.size && [...row].every(([field, look]) => was.get(field) === look)
  return new Map([...found].map(([key, row]) => [key, isSame(row, before.get(key)) ? before.get(key)! : row]))
}

/** Prepares a table that is a sheet. Rows whose cells did not change stay the same objects. */
export function createSheetSource(authored: AuthoredSheet, workbook: Workbook): SheetSource {
  const sheet = workbook.indexOf(authored.sheet) ?? 0
  const { columns = [], looks } = authored
  const formats = columns.map(({ format }) => (format === undefined ? undefined : cellFormat(format)))
  const own = new Map<string, CellFormat | undefined>()
  const formatAt = (column: number, rowLooks: RowLooks | undefined): CellFormat | undefined => {
    const text = rowLooks && fieldOf(rowLooks.get(columns[column]!.field) ?? null, 'format')
    if (typeof text !== 'string' || text === '') return formats[column]
    if (!own.has(text)) own.set(text, cellFormat(text))
    return own.get(text)
  }
  let knownLooks: { readonly list: readonly DataValue[]; readonly rows: ReadonlyMap<string, RowLooks> } = {
    list: NO_ROWS,
    rows: new Map(),
  }
  let latest: readonly ShownRow[] = []
  let content: TableContent = { rows: [], totals: undefined }
  let known: Calculation | undefined
  const shownCell = (value: CellValue, text: string, format: CellFormat | undefined): string => {
    if (format && typeof value === 'number') return format(value)
    if (format && value instanceof SheetDate) return formattedDate(format, value)
    // What was typed is shown as it was typed.
    if (!isFormula(text)) return text.startsWith("'") ? text.slice(1) : text
    return shownValue(value)
  }
  return {
    names: new Set([
      ...workbook.sheets.map(({ variable }) => variable.split('.')[0]!),
      'now',
      ...(looks === undefined ? [] : [looks.split('.')[0]!]),
    ]),
    tableContent(records, context) {
      const calculation = calculationAt(workbook, context.data, context)
      const list = looks === undefined ? NO_ROWS : listIn(context.data, looks)
      if (calculation === known && list === knownLooks.list) return content
      if (list !== knownLooks.list) knownLooks = { list, rows: looksByRow(list, knownLooks.rows) }
      const keys = keysOf(records, authored.key)
      const before = new Map(latest.map((each) => [each.shown.key, each]))
      latest = calculation.rows[sheet]!.map((row, index) => {
        const [values, key] = [calculation.values[sheet]![index]!, keys[index] ?? String(index)]
        const was = before.get(key)
        const own = knownLooks.rows.get(key)
        if (was?.row === row && was.values === values && was.looks === own) return was
        const cells = row.contents.map((text, column) => shownCell(values[column]!, text, formatAt(column, own)))
        const bold = columns.flatMap(({ field }, column) =>
          fieldOf(own?.get(field) ?? null, 'bold') === true ? [column] : [],
        )
        const colours = columns.flatMap(({ field }, column) => {
          const look = own?.get(field) ?? null
          const [fill, ink] = [colourIn(look, 'fill'), colourIn(look, 'ink')]
          return fill || ink ? [{ column, ...(fill && { fill }), ...(ink && { ink }) }] : []
        })
        const shown = {
          key,
          cells,
          contents: row.contents,
          values: values.map(sortable),
          ...(bold.length > 0 && { bold }),
          ...(colours.length > 0 && { colours }),
        }
        return { row, values, looks: own, shown }
      })
      known = calculation
      content = { rows: latest.map(({ shown }) => shown), totals: undefined }
      return content
    },
  }
}

/** A colour of a look. Undefined for any other text, such as none. */
const colourIn = (look: DataValue, field: 'fill' | 'ink'): CellColour | undefined =>
  CELL_COLOURS.find((colour) => colour === fieldOf(look, field))

function formattedDate(format: (value: DataValue | Date) => string, date: SheetDate): string {
  const time = timeOf(date.serial)
  return time instanceof SheetError ? time.code : format(time)
}

const sortable = (value: CellValue): string | number | boolean | null =>
  value instanceof SheetDate ? value.serial : value instanceof SheetError ? value.code : value

/** A cell as expressions read it. */
export interface ReadCell {
  /** A number, a text or a truth value; dates and errors as texts, an empty cell as the empty text. */
  readonly value: number | string | boolean
  /** What was typed: a formula with its equals sign, or the text. */
  readonly content: string
}

/**
 * Reads a cell by its name, such as `Costs!B2`.
 * @throws `BadRequest` for another text and an unknown sheet.
 */
export function readSheetCell(
  workbook: Workbook | undefined,
  reference: string,
  data: RunData,
  moment: Pick<LiveContext, 'nowMs' | 'seed'>,
): ReadCell {
  const { sheet, row, column } = placeOfCell(workbook, reference)
  const calculation = calculationAt(workbook!, data, moment)
  const value = calculation.values[sheet]![row]?.[column] ?? null
  return {
    value: value === null || value instanceof SheetDate || value instanceof SheetError ? shownValue(value) : value,
    content: calculation.rows[sheet]![row]?.contents[column] ?? '',
  }
}

/** The indexes of a cell by its name. Throws `BadRequest` if there is none. */
export function placeOfCell(
  workbook: Workbook | undefined,
  reference: string,
): { readonly sheet: number; readonly row: number; readonly column: number } {
  const mark = reference.lastIndexOf('!')
  const name = reference.slice(0, Math.max(0, mark))
  const cell = cellNamed(reference.slice(mark + 1))
  if (mark < 0 || !cell)
    throw new Fault(
      'BadRequest',
      `${JSON.stringify(reference)} is not a cell; expected a sheet and a cell, such as Costs!B2`,
    )
  const names = workbook?.sheets.map((each) => each.name) ?? []
  const sheet = workbook?.indexOf(name)
  if (sheet === undefined) {
    const list = names.length === 0 ? '; no table has the key sheet' : `; the sheets are ${names.join(', ')}`
    throw new Fault('BadRequest', `there is no sheet ${JSON.stringify(name)}${didYouMean(name, names) || list}`)
  }
  return { sheet, ...cell }
}

/** The name of the cell of a field of a record, such as Costs!B2. */
export const nameOfCell = (sheet: string, column: number, row: number): string => `${sheet}!${cellName(column, row)}`
