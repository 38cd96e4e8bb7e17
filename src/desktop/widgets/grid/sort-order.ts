import { sortedOrder, updatedOrder } from '../../../base/lists.ts'
import type { GridRow, GridSort, VirtualGrid } from '../../model/grid.ts'

/** The order in which a virtual table shows its records. Sorting costs what changed, and each order is computed once. */

type Orders = Map<string, readonly number[]>

const known = new WeakMap<readonly GridRow[], Orders>()

/** The indexes of records in sort order; equal ones in the order of the data. */
export function orderOf(rows: readonly GridRow[], sort: GridSort | undefined): readonly number[] {
  if (!sort) return orderOfData(rows.length)
  return remembered(rows, sort, () => sortedOrder(keysOf(rows, sort), compareIn(sort)))
}

let longest: readonly number[] = []

/** The order of unsorted records. */
function orderOfData(count: number): readonly number[] {
  if (longest.length < count) longest = Array.from({ length: 2 * count }, (_, at) => at)
  return longest.slice(0, count)
}

/** The order of other records in the same sort order. Finds the places of those records that changed. */
export function reorder(before: VirtualGrid, rows: readonly GridRow[]): readonly number[] {
  const { sort } = before
  if (!sort) return rows.length === before.rows.length ? before.order : orderOfData(rows.length)
  const compare = compareIn(sort)
  const byKey = (a: GridRow, b: GridRow) => compare(keyOf(a, sort), keyOf(b, sort))
  return remembered(rows, sort, () => updatedOrder({ items: before.rows, order: before.order }, rows, byKey))
}

function remembered(
  rows: readonly GridRow[],
  { column, descending }: GridSort,
  compute: () => readonly number[],
): readonly number[] {
  const orders: Orders = known.get(rows) ?? new Map()
  known.set(rows, orders)
  const name = `${column} ${descending}`
  const order = orders.get(name) ?? compute()
  orders.set(name, order)
  return order
}

interface Key extends SortKey {
  /** The value itself, if it is a number. */
  readonly value: number | undefined
}

const keysOf = (rows: readonly GridRow[], sort: GridSort): readonly Key[] => rows.map((row) => keyOf(row, sort))

/** Records without a value come first. */
function keyOf({ values }: GridRow, { column }: GridSort): Key {
  const value = values[column] ?? ''
  return { ...sortKeyOf(String(value)), value: typeof value === 'number' ? value : undefined }
}

/** Compares numbers by size, then other values by their text. */
function compareIn({ descending }: GridSort): (a: Key, b: Key) => number {
  const direction = descending ? -1 : 1
  return (a, b) => direction * (a.value !== undefined && b.value !== undefined ? a.value - b.value : compareKeys(a, b))
}

/** A value prepared for comparing it often. */
interface SortKey {
  /** The number that a text holds, also with a currency sign, a per cent sign or thousands separators. */
  readonly number: number | undefined
  /** The text in lower case. */
  readonly text: string
}

/** Prepares a text. */
const sortKeyOf = (text: string): SortKey => ({ number: numberIn(text), text: text.toLowerCase() })

/** Compares numbers by size, other texts ignoring case. */
function compareKeys(a: SortKey, b: SortKey): number {
  if (a.number !== undefined && b.number !== undefined) return a.number - b.number
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0
}

/** Compares two texts as `compareKeys` does. */
export const compareTexts = (a: string, b: string): number => compareKeys(sortKeyOf(a), sortKeyOf(b))

function numberIn(text: string): number | undefined {
  const plain = text.replace(/[\s,%$€£]/g, '')
  const number = Number(plain)
  return plain !== '' && Number.isFinite(number) ? number : undefined
}
