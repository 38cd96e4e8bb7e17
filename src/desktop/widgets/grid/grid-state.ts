import type { Element, Fields } from '../../model/element.ts'
import type { GridRow, VirtualGrid } from '../../model/grid.ts'
import { withTraits } from '../../tree/element-ref.ts'
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
import { orderOf, reorder } from './sort-order.ts'

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
  const scrolled = page === before.page ? table.traits!.scrolled : undefined
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
  const stayed = moved(before.current)
  const current = stayed >= 0 ? stayed : Math.min(before.current, order.length - 1)
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
  return realisedGrid(withTraits(table, { scrolled: most === 0 ? undefined : { x: 0, y: most } }), grid)
}

/** The table sorted by a column: ascending, and descending if it is sorted so already. Nothing else changes place. */
export function withSort(table: Element, column: number): Element {
  const grid = table.traits!.grid!
  const descending = grid.sort?.column === column && !grid.sort.descending
  const sort = { column, descending }
  const sorted = withTraits(table, { grid: { ...grid, sort } })
  return withOrderedRows(sorted, grid.rows, orderOf(grid.rows, sort), grid.totals)
}
