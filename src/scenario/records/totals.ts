import type { DataValue } from '../expression/data-type.ts'
import type { TableColumn } from '../schema/table.ts'

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
export const sortValue = (value: DataValue | Date): string | number | boolean | null =>
  value instanceof Date ? value.getTime() : typeof value === 'object' && value !== null ? JSON.stringify(value) : value
