import type { GridRow } from '../../desktop/model/grid.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { CellFormat } from './cell-format.ts'
import { sortValue } from './totals.ts'

/** A column of a table: what it shows of a record, and how. */
export interface RowColumn {
  readonly format: CellFormat
  compute(record: DataValue): DataValue | Date
}

/** A row of a table, whose cells are computed when they are needed: for the rows in view, and for sorting and totals. */
export class RecordRow implements GridRow {
  readonly key: string
  readonly record: DataValue
  readonly #columns: readonly RowColumn[]
  readonly #computed: (DataValue | Date | undefined)[] = []
  #cells: readonly string[] | undefined
  #values: GridRow['values'] | undefined

  constructor(key: string, record: DataValue, columns: readonly RowColumn[]) {
    this.key = key
    this.record = record
    this.#columns = columns
  }

  /** The value of a column. */
  valueAt(index: number): DataValue | Date {
    const known = this.#computed[index]
    if (known !== undefined) return known
    const value = this.#columns[index]!.compute(this.record)
    this.#computed[index] = value
    return value
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
