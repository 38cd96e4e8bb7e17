import type { Element } from '../../model/element.ts'
import type { Rect } from '../../model/geometry.ts'
import type { GridColumn, VirtualGrid } from '../../model/grid.ts'

/** Where the parts of a virtual table are: a header, the rows in view, totals, and buttons to change pages. */

export const GRID_ROW_HEIGHT_PX = 28
const HEADER_HEIGHT_PX = 30
export const PAGES_HEIGHT_PX = 36
const ROW_HEADER_WIDTH_PX = 48
const MIN_COLUMN_WIDTH_PX = 48
/** The space before the columns for the marks of unread rows. */
const UNREAD_WIDTH_PX = 16

/** The viewport of the rows. */
export function gridView({ bounds }: Element, grid: VirtualGrid): Rect {
  const { x, y, width, height } = bounds
  const around = headerHeight(grid) + totalsHeight(grid) + pagesHeight(grid)
  return { x, y: y + headerHeight(grid), width, height: Math.max(0, height - around) }
}

export const headerHeight = (grid: VirtualGrid): number => grid.headerHeight ?? HEADER_HEIGHT_PX
export const totalsHeight = ({ totals, rowHeight }: VirtualGrid): number => (totals ? rowHeight : 0)
export const pagesHeight = ({ pageSize }: VirtualGrid): number => (pageSize === undefined ? 0 : PAGES_HEIGHT_PX)

/** The positions of the records of the current page: from the first up to but without the last. */
export function pageRange({ page, pageSize, order }: VirtualGrid): readonly [first: number, last: number] {
  if (pageSize === undefined) return [0, order.length]
  return [Math.min(page * pageSize, order.length), Math.min((page + 1) * pageSize, order.length)]
}

export const pageCount = ({ pageSize, order }: VirtualGrid): number =>
  pageSize === undefined ? 1 : Math.max(1, Math.ceil(order.length / pageSize))

/** The page that shows a position. */
export const pageWith = ({ pageSize }: VirtualGrid, position: number): number =>
  pageSize === undefined ? 0 : Math.floor(Math.max(0, position) / pageSize)

/** Whether the current page shows a position. */
export function isOnPage(grid: VirtualGrid, position: number): boolean {
  const [first, last] = pageRange(grid)
  return position >= first && position < last
}

/** The height of all rows of the page. */
export function rowsHeight(grid: VirtualGrid): number {
  const [first, last] = pageRange(grid)
  return (last - first) * grid.rowHeight
}

/** The positions of the rows in view: from the first up to but without the last. */
export function rowsShown(table: Element, grid: VirtualGrid): readonly [first: number, last: number] {
  const offset = table.traits?.scrolled?.y ?? 0
  const [start, end] = pageRange(grid)
  const first = start + Math.max(0, Math.floor(offset / grid.rowHeight))
  return [first, Math.min(end, start + Math.ceil((offset + gridView(table, grid).height) / grid.rowHeight))]
}

/** A range of pixels across the table. */
export interface ColumnSpan {
  readonly x: number
  readonly width: number
}

/** The place of the row headers. */
export const rowHeaderSpan = (grid: VirtualGrid, { x }: Rect): ColumnSpan => ({
  x,
  width: grid.rowHeaders ? ROW_HEADER_WIDTH_PX : 0,
})

/**
 * The places of the columns. Columns without a width share the space that is left; if it is too small for all, all
 * columns shrink in proportion.
 */
export function columnSpans(grid: VirtualGrid, view: Rect): readonly ColumnSpan[] {
  const key = `${view.x} ${view.width} ${grid.rowHeaders === true} ${grid.marksUnread === true}`
  const known = latestSpans.get(grid.columns)
  if (known?.key === key) return known.spans
  const spans = computeSpans(grid, view)
  latestSpans.set(grid.columns, { key, spans })
  return spans
}

/** The latest places of the columns of tables. */
const latestSpans = new WeakMap<
  readonly GridColumn[],
  { readonly key: string; readonly spans: readonly ColumnSpan[] }
>()

function computeSpans(grid: VirtualGrid, view: Rect): readonly ColumnSpan[] {
  const start = view.x + rowHeaderSpan(grid, view).width + (grid.marksUnread ? UNREAD_WIDTH_PX : 0)
  const room = Math.max(0, view.x + view.width - start)
  const fixed = grid.columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const flexible = grid.columns.filter(({ width }) => width === undefined).length
  const share = Math.max(MIN_COLUMN_WIDTH_PX, flexible === 0 ? 0 : (room - fixed) / flexible)
  const wanted = grid.columns.map(({ width = share }) => width)
  const total = wanted.reduce((sum, width) => sum + width, 0)
  const scale = total > room ? room / total : 1
  const spans: ColumnSpan[] = []
  let end = 0
  for (const width of wanted) {
    const from = Math.round(end)
    end += width * scale
    spans.push({ x: start + from, width: Math.round(end) - from })
  }
  return spans
}
