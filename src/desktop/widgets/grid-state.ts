import { sortedOrder, updatedOrder } from '../../base/lists.ts'
import type { Element, Fields } from '../model/element.ts'
import type { Point } from '../model/geometry.ts'
import type { GridRow, GridSort, VirtualGrid } from '../model/grid.ts'
import { withTraits } from '../tree/element-ref.ts'
import {
  cellIdOf,
  gridView,
  isOnPage,
  movedPositions,
  pageCount,
  pageWith,
  recordAt,
  rowIdOf,
  rowsHeight,
} from './grid-cells.ts'
import { realisedGrid } from './realise.ts'

/** Changes of the state of a virtual table. Each returns the table with the elements of its rows in view. */

/** A virtual table over records, with nothing selected. */
export function createGrid(
  given: Omit<VirtualGrid, 'order' | 'page' | 'selected' | 'current' | 'anchor' | 'column' | 'edit'>,
): VirtualGrid {
  const start = { order: orderOf(given.rows, given.sort), page: 0, selected: NONE, current: -1, anchor: -1, column: 0 }
  return { ...given, ...start }
}

const NONE: readonly number[] = []

/** The table with other state. Shows the last page at most. */
export function withGrid(table: Element, changes: Fields<VirtualGrid>): Element {
  const before = table.traits!.grid!
  const changed = merged(before, changes)
  const page = Math.max(0, Math.min(changed.page, pageCount(changed) - 1))
  const grid = page === changed.page ? changed : { ...changed, page }
  const scrolled = page === before.page ? table.traits!.scrolled : offsetAt(table, 0)
  return realisedGrid(withTraits(table, { grid, scrolled, current: currentIdOf(table.id, grid) }), grid)
}

function merged(grid: VirtualGrid, changes: Fields<VirtualGrid>): VirtualGrid {
  const next: Record<string, unknown> = { ...grid, ...changes }
  for (const name in next) if (next[name] === undefined) delete next[name]
  return next as unknown as VirtualGrid
}

/** The id of the current row or cell. */
export function currentIdOf(table: string, grid: VirtualGrid): string | undefined {
  const row = recordAt(grid, grid.current)
  const column = grid.columns[grid.column]
  if (!row) return undefined
  return grid.selects === 'cell' && column ? cellIdOf(table, row, column.field) : rowIdOf(table, row)
}

/**
 * The table with other records and totals, in the same sort order. The selection, the cursor and the edited cell stay
 * with their records. If the current record is gone, the one at its position becomes current. The page follows the
 * current record if it showed it.
 */
export function withGridRows(table: Element, rows: readonly GridRow[], totals?: readonly string[]): Element {
  const before = table.traits!.grid!
  return withOrderedRows(table, rows, reorder(before, rows), totals)
}

function withOrderedRows(
  table: Element,
  rows: readonly GridRow[],
  order: readonly number[],
  totals: readonly string[] | undefined,
): Element {
  const before = table.traits!.grid!
  const grid = { ...before, rows, order }
  const moved = movedPositions(before, grid)
  const selected = before.selected.map(moved).filter((position) => position >= 0)
  const stayed = before.sheet && !before.edit ? before.current : moved(before.current)
  const current = Math.min(stayed >= 0 ? stayed : before.current, order.length - 1)
  const follows = current >= 0 && isOnPage(before, before.current)
  const editRow = before.edit ? moved(before.edit.row) : -1
  const next = withGrid(table, {
    rows,
    order,
    totals,
    selected: selected.toSorted((a, b) => a - b),
    current,
    ...(follows && { page: pageWith(grid, current) }),
    anchor: moved(before.anchor),
    edit: before.edit && editRow >= 0 ? { ...before.edit, row: editRow } : undefined,
  })
  return withinRows(next)
}

/** The table scrolled no further than its rows. */
function withinRows(table: Element): Element {
  const grid = table.traits!.grid!
  const offset = table.traits?.scrolled?.y ?? 0
  const most = Math.max(0, rowsHeight(grid) - gridView(table, grid).height)
  if (offset <= most) return table
  return realisedGrid(withTraits(table, { scrolled: offsetAt(table, most) }), grid)
}

/** The scroll offset of a table with other rows at its top. */
function offsetAt({ traits }: Element, y: number): Point | undefined {
  const { x = 0 } = traits?.scrolled ?? {}
  return x === 0 && y === 0 ? undefined : { x, y }
}

/** The table sorted by a column: ascending, and descending if it is sorted so already. Nothing else changes place. */
export function withSort(table: Element, column: number): Element {
  const grid = table.traits!.grid!
  const descending = grid.sort?.column === column && !grid.sort.descending
  const sort = { column, descending }
  const sorted = withTraits(table, { grid: { ...grid, sort } })
  return withOrderedRows(sorted, grid.rows, orderOf(grid.rows, sort), grid.totals)
}

/** The order in which a virtual table shows its records. Sorting costs what changed, and each order is computed once. */

type Orders = Map<string, readonly number[]>

const known = new WeakMap<readonly GridRow[], Orders>()

/** The indexes of records in sort order; equal ones in the order of the data. */
function orderOf(rows: readonly GridRow[], sort: GridSort | undefined): readonly number[] {
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
function reorder(before: VirtualGrid, rows: readonly GridRow[]): readonly number[] {
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
