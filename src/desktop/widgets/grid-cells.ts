import type { Element } from '../model/element.ts'
import { cellName } from '../model/formula-text.ts'
import type { Rect } from '../model/geometry.ts'
import { type GridCell, type GridColumn, type GridRow, rangeOf, type VirtualGrid } from '../model/grid.ts'
import { roleKind } from '../model/role.ts'

/** Where the parts of a virtual table are: a header, the rows in view, totals, and buttons to change pages. */

export const GRID_ROW_HEIGHT_PX = 28
const HEADER_HEIGHT_PX = 30
export const PAGES_HEIGHT_PX = 36
const ROW_HEADER_WIDTH_PX = 48
const MIN_COLUMN_WIDTH_PX = 48
/** The space before the columns for the marks of unread rows. */
const UNREAD_WIDTH_PX = 16

/** The viewport of the rows that scroll. */
export function gridView({ bounds }: Element, grid: VirtualGrid): Rect {
  const { x, y, width, height } = bounds
  const above = headerHeight(grid) + frozenRows(grid) * grid.rowHeight
  return { x, y: y + above, width, height: Math.max(0, height - above - totalsHeight(grid) - pagesHeight(grid)) }
}

/** How many rows of the page do not scroll. */
export function frozenRows(grid: VirtualGrid): number {
  const { rows = 0 } = grid.frozen ?? {}
  if (rows === 0) return 0
  const [first, last] = pageRange(grid)
  return Math.min(rows, last - first)
}

/** The position of the first row that scrolls. */
export const firstScrolled = (grid: VirtualGrid): number => pageRange(grid)[0] + frozenRows(grid)

/** Whether a column stays while the others scroll sideways. */
export const isFrozenColumn = ({ frozen }: VirtualGrid, column: number): boolean => column < (frozen?.columns ?? 0)

/** The pixels at the start of each row that do not scroll. Undefined for a table without frozen columns. */
export function frozenWidth(grid: VirtualGrid, view: Rect): number | undefined {
  const { columns = 0 } = grid.frozen ?? {}
  const last = columns === 0 ? undefined : columnSpans(grid, view, 0)[columns - 1]
  return last && last.x + last.width - view.x
}

/** The part of the view in which cells scroll in both directions. */
export function scrolledView(table: Element, grid: VirtualGrid): Rect {
  const view = gridView(table, grid)
  const frozen = frozenWidth(grid, view) ?? 0
  return { ...view, x: view.x + frozen, width: Math.max(0, view.width - frozen) }
}

/** How far the columns of a table can scroll sideways; 0 without frozen columns. */
export function farthestColumn(table: Element, grid: VirtualGrid): number {
  if (frozenWidth(grid, table.bounds) === undefined) return 0
  const { x, width } = table.bounds
  const last = columnSpans(grid, table.bounds, 0).at(-1)
  return last ? Math.max(0, last.x + last.width - (x + width)) : 0
}

/** How far the columns of a table are scrolled. */
export const columnOffset = (table: Element, grid: VirtualGrid): number =>
  Math.min(table.traits?.scrolled?.x ?? 0, farthestColumn(table, grid))

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

/** The height of all rows of the page that scroll. */
export const rowsHeight = (grid: VirtualGrid): number => (pageRange(grid)[1] - firstScrolled(grid)) * grid.rowHeight

/** The positions of the scrolled rows in view: from the first up to but without the last. */
export function rowsShown(table: Element, grid: VirtualGrid): readonly [first: number, last: number] {
  const offset = table.traits?.scrolled?.y ?? 0
  const [start, end] = [firstScrolled(grid), pageRange(grid)[1]]
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
 * columns shrink in proportion. With frozen columns none shrinks, and the others are scrolled by an offset.
 */
export function columnSpans(grid: VirtualGrid, view: Rect, offset: number): readonly ColumnSpan[] {
  const { columns: frozen = 0 } = grid.frozen ?? {}
  const key = `${view.x} ${view.width} ${grid.rowHeaders === true} ${grid.marksUnread === true} ${frozen} ${offset}`
  const known = latestSpans.get(grid.columns)
  if (known?.key === key) return known.spans
  const spans = computeSpans(grid, view, offset)
  latestSpans.set(grid.columns, { key, spans })
  return spans
}

/** The latest places of the columns of tables. */
const latestSpans = new WeakMap<
  readonly GridColumn[],
  { readonly key: string; readonly spans: readonly ColumnSpan[] }
>()

function computeSpans(grid: VirtualGrid, view: Rect, offset: number): readonly ColumnSpan[] {
  const start = view.x + rowHeaderSpan(grid, view).width + (grid.marksUnread ? UNREAD_WIDTH_PX : 0)
  const room = Math.max(0, view.x + view.width - start)
  const fixed = grid.columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const flexible = grid.columns.filter(({ width }) => width === undefined).length
  const share = Math.max(MIN_COLUMN_WIDTH_PX, flexible === 0 ? 0 : (room - fixed) / flexible)
  const wanted = grid.columns.map(({ width = share }) => width)
  const total = wanted.reduce((sum, width) => sum + width, 0)
  const scale = total > room && !isFrozenColumn(grid, 0) ? room / total : 1
  const spans: ColumnSpan[] = []
  let end = 0
  for (const [column, width] of wanted.entries()) {
    const from = Math.round(end)
    end += width * scale
    const scrolled = isFrozenColumn(grid, column) ? 0 : offset
    spans.push({ x: start + from - scrolled, width: Math.round(end) - from })
  }
  return spans
}

/** The ids of the parts of a virtual table: those of records contain their keys. */

export const rowIdOf = (table: string, row: GridRow): string => `${table}.row-${row.key}`
export const cellIdOf = (table: string, row: GridRow, field: string): string => `${rowIdOf(table, row)}.${field}`

/** Whether an element is a part that the table creates, other than children that the author gave it. */
export const isGridPart = (table: string, { id }: Element): boolean =>
  isRecordRow(table, id) || ['header', 'totals', 'pages'].some((part) => id === `${table}.${part}`)

export const isRecordRow = (table: string, id: string): boolean => id.startsWith(`${table}.row-`)

/** The record at a position. */
export const recordAt = ({ rows, order }: VirtualGrid, position: number): GridRow | undefined => rows[order[position]!]

/** The position of the record with the id of a row. Undefined for other elements. */
export function gridPositionOf(table: Element, { id }: Element): number | undefined {
  const { grid } = table.traits ?? {}
  if (!grid || !isRecordRow(table.id, id)) return undefined
  const key = id.slice(`${table.id}.row-`.length)
  const [first, last] = rowsShown(table, grid)
  for (let position = first; position < last; position++) if (recordAt(grid, position)?.key === key) return position
  return positionOfKey(grid, key)
}

/** The cell with an id that is in the tree. */
export function gridCellOf(table: Element, row: Element, cell: Element): GridCell | undefined {
  const { grid } = table.traits ?? {}
  const position = gridPositionOf(table, row)
  if (!grid || position === undefined) return undefined
  const column = grid.columns.findIndex(({ field }) => cell.id === `${row.id}.${field}`)
  return column < 0 ? undefined : { row: position, column }
}

/** The position of the record with a key. Undefined if there is none. */
export function positionOfKey(grid: VirtualGrid, key: string): number | undefined {
  return positionsOf(grid).get(key)
}

/** What is known about rows in an order. */
interface Known {
  readonly order: readonly number[]
  positions?: ReadonlyMap<string, number>
  names?: readonly string[]
}

const known = new WeakMap<readonly GridRow[], Known>()

function knownOf({ rows, order }: VirtualGrid): Known {
  const held = known.get(rows)
  const found = held?.order === order ? held : { order }
  known.set(rows, found)
  return found
}

/** The positions of the records by their keys. Computed once for rows and an order. */
function positionsOf(grid: VirtualGrid): ReadonlyMap<string, number> {
  const found = knownOf(grid)
  found.positions ??= new Map(grid.order.map((index, position) => [grid.rows[index]!.key, position]))
  return found.positions
}

/** Finds where the records at positions are after a change; -1 for records that are gone. */
export function movedPositions(before: VirtualGrid, after: VirtualGrid): (position: number) => number {
  return (position) => {
    const key = recordAt(before, position)?.key
    if (key === undefined) return -1
    return recordAt(after, position)?.key === key ? position : (positionOfKey(after, key) ?? -1)
  }
}

/** The names of the records in the order in which they are shown. Computed once for rows and an order. */
export function recordNames(grid: VirtualGrid): readonly string[] {
  const found = knownOf(grid)
  found.names ??= grid.order.map((index) => nameOfRecord(grid.rows[index]!))
  return found.names
}

/** The text of the edited cell of a table. */
function editedText(table: Element, grid: VirtualGrid, record: GridRow): string | undefined {
  const id = cellIdOf(table.id, record, grid.columns[grid.column]!.field)
  const row = table.children.find((each) => each.id === rowIdOf(table.id, record))
  return row?.children.find((cell) => cell.id === id && cell.traits?.editing !== undefined)?.value ?? undefined
}

/** What a function gives for each selected cell of a table, by rows. */
function ofSelected<T>({ traits }: Element, read: (record: GridRow, column: number, grid: VirtualGrid) => T): T[] {
  const grid = traits?.grid
  const range = grid && rangeOf(grid)
  const found: T[] = []
  if (!range) return found
  for (let row = range.top; row <= range.bottom; row++) {
    const record = recordAt(grid, row)
    for (let column = range.left; record && column <= range.right; column++) found.push(read(record, column, grid))
  }
  return found
}

/** The numbers in the selected cells of a table, by rows. */
export const selectedNumbersOf = (table: Element): readonly number[] =>
  ofSelected(table, ({ values }, column) => values[column]).filter((value) => typeof value === 'number')

/** The selected cells of a table by rows, each as the key of its record and the field of its column. */
export const selectedCellsOf = (table: Element): readonly string[] =>
  ofSelected(table, ({ key }, column, { columns }) => `${key}.${columns[column]!.field}`)

/** The name of a row: its texts. */
export const nameOfRecord = ({ cells, name }: GridRow): string => name ?? cells.filter((text) => text !== '').join(', ')

/**
 * The name of the current cell of a table, such as B3, its text, and what was typed into it. While it is edited, those from
 * before; in a sheet, what is being typed.
 */
export function currentCellOf(
  table: Element,
): { readonly name: string; readonly text: string; readonly content: string } | undefined {
  const { grid, current } = table.traits ?? {}
  if (grid) {
    const record = grid.selects === 'cell' ? recordAt(grid, grid.current) : undefined
    if (!record) return undefined
    const text = record.cells[grid.column] ?? ''
    const edited = grid.sheet && grid.edit && editedText(table, grid, record)
    return {
      name: cellName(grid.column, grid.current),
      text,
      content: edited ?? record.contents?.[grid.column] ?? text,
    }
  }
  const rows = table.children.filter((child) => roleKind(child.role) === 'row')
  for (const [row, { children }] of rows.entries()) {
    const cells = children.filter((child) => roleKind(child.role) === 'cell')
    const column = cells.findIndex(({ id }) => id === current)
    const cell = cells[column]
    if (!cell) continue
    const text = cell.traits?.editing ?? cell.value ?? cell.name
    return { name: cellName(column, row), text, content: text }
  }
  return undefined
}
