import { Fault } from '../../base/fault.ts'
import type { GridRow } from '../../desktop/model/grid.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { formatDate, formatNumber, parseDate } from '../expression/formats.ts'
import type { TableColumn } from '../schema/element.ts'

/** A column of a table: what it shows of a record, and how. */
export interface RowColumn {
  readonly format: CellFormat
  /** Whether the name of a row leaves out the text of this column, because a control shows it. */
  readonly isUnnamed?: boolean
  compute(record: DataValue): DataValue | Date
}

/** Whether a condition holds for a record. */
export type RecordTest = (record: DataValue) => boolean

/** A row of a table, whose cells are computed when they are needed: for the rows in view, and for sorting and totals. */
export class RecordRow implements GridRow {
  readonly key: string
  readonly record: DataValue
  readonly #columns: readonly RowColumn[]
  readonly #isUnread: RecordTest | undefined
  readonly #computed: (DataValue | Date | undefined)[] = []
  #cells: readonly string[] | undefined
  #unread: boolean | undefined
  #values: GridRow['values'] | undefined

  constructor(key: string, record: DataValue, columns: readonly RowColumn[], isUnread?: RecordTest) {
    this.key = key
    this.record = record
    this.#columns = columns
    this.#isUnread = isUnread
  }

  /** The value of a column. */
  valueAt(index: number): DataValue | Date {
    const known = this.#computed[index]
    if (known !== undefined) return known
    const value = this.#columns[index]!.compute(this.record)
    this.#computed[index] = value
    return value
  }

  get isUnread(): boolean {
    this.#unread ??= this.#isUnread?.(this.record) ?? false
    return this.#unread
  }

  get cells(): readonly string[] {
    this.#cells ??= this.#columns.map(({ format }, index) => format(this.valueAt(index)))
    return this.#cells
  }

  get name(): string | undefined {
    if (!this.#columns.some(({ isUnnamed }) => isUnnamed)) return undefined
    return this.cells.filter((text, index) => text !== '' && !this.#columns[index]!.isUnnamed).join(', ')
  }

  get values(): GridRow['values'] {
    this.#values ??= this.#columns.map((_, index) => sortValue(this.valueAt(index)))
    return this.#values
  }
}

/** Formats a value of a column. */
export type CellFormat = (value: DataValue | Date) => string

/** Texts around a number: an optional grouping mark, decimals and a per cent sign. */
const NUMBER = /^([^0#.,%A-Za-z]*)(#,##)?0(?:\.(0{1,12}))?( ?%)?([^0#.,%]*)$/

/** The formatter of a format; without one, values are shown as expressions write them. Undefined if it is neither. */
export function cellFormat(format: string | undefined): CellFormat | undefined {
  if (format === undefined) return textOfValue
  const [match, before = '', grouping, decimals = '', percent = '', after = ''] = NUMBER.exec(format) ?? []
  if (match !== undefined) {
    const scale = percent ? 100 : 1
    return (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value * scale) >= 1e15)
        return textOfValue(value)
      const text = formatNumber(value * scale, decimals.length)
      return `${before}${grouping ? text : text.replaceAll(',', '')}${percent}${after}`
    }
  }
  return isDateFormat(format) ? (value) => formatted(value, format) : undefined
}

function isDateFormat(format: string): boolean {
  try {
    return /[A-Za-z]/.test(format) && formatDate(new Date(0), format) !== ''
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** Texts that are no dates stay as they are. */
function formatted(value: DataValue | Date, format: string): string {
  if (value instanceof Date) return formatDate(value, format)
  if (typeof value !== 'string') return textOfValue(value)
  try {
    return formatDate(parseDate(value), format)
  } catch (error) {
    if (error instanceof Fault) return value
    throw error
  }
}

/** Computes a total over the values of a column. Undefined if there is none, such as the average of no numbers. */
export function totalOf(kind: NonNullable<TableColumn['total']>, values: readonly unknown[]): number | undefined {
  let [filled, numbers, sum] = [0, 0, 0]
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value !== null && value !== '') filled++
    if (typeof value !== 'number') continue
    numbers++
    sum += value
    if (value < least) least = value
    if (value > most) most = value
  }
  if (kind === 'count') return filled
  if (kind === 'sum') return exact(sum)
  if (numbers === 0) return undefined
  if (kind === 'average') return exact(exact(sum) / numbers)
  return kind === 'min' ? least : most
}

/** Without the digits that binary fractions add, such as 0.1 + 0.2. */
const exact = (value: number): number => Number(value.toPrecision(14))

/** The values of a column that a table sorts by: plain ones, others as text. */
const sortValue = (value: DataValue | Date): string | number | boolean | null =>
  value instanceof Date ? value.getTime() : typeof value === 'object' && value !== null ? JSON.stringify(value) : value
