import type { DataValue } from '../expression/data-type.ts'
import type { TableColumn } from '../schema/table.ts'

/** Computes a total over the values of a column. Undefined if there is none, such as the average of no numbers. */
export function totalOf(kind: NonNullable<TableColumn['total']>, values: readonly unknown[]): number | undefined {
  if (kind === 'count') return values.filter((value) => value !== null && value !== '').length
  const numbers = values.filter((value) => typeof value === 'number')
  if (kind === 'sum') return sumOf(numbers)
  if (numbers.length === 0) return undefined
  if (kind === 'average') return exact(sumOf(numbers) / numbers.length)
  return numbers.reduce((best, each) => (kind === 'min' ? Math.min(best, each) : Math.max(best, each)))
}

const sumOf = (numbers: readonly number[]): number => exact(numbers.reduce((sum, each) => sum + each, 0))

/** Without the digits that binary fractions add, such as 0.1 + 0.2. */
const exact = (value: number): number => Number(value.toPrecision(14))

/** The values of a column that a table sorts by: plain ones, others as text. */
export const sortValue = (value: DataValue | Date): string | number | boolean | null =>
  value instanceof Date ? value.getTime() : typeof value === 'object' && value !== null ? JSON.stringify(value) : value
