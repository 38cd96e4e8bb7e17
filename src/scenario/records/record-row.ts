import type { GridRow } from '../../desktop/model/grid.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { CellFormat } from './cell-format.ts'
import { sortValue } from './totals.ts'

/** A column of a table: what it shows of a record, and how. */
export interface RowColumn {
  readonly format: CellFormat
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

  get values(): GridRow['values'] {
    this.#values ??= this.#columns.map((_, index) => sortValue(this.valueAt(index)))
    return this.#values
  }
}
