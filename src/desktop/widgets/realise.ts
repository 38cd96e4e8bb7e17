import { controlPart, type Element, type Fields, withFields } from '../model/element.ts'
import { isFormula } from '../model/formula-text.ts'
import { type Rect, translate } from '../model/geometry.ts'
import { type GridColumn, type GridRow, rangeOf, type VirtualGrid } from '../model/grid.ts'
import type { IconName } from '../model/pictures.ts'
import type { ElementTraits } from '../model/traits.ts'
import {
  type ColumnSpan,
  cellIdOf,
  columnOffset,
  columnSpans,
  firstScrolled,
  frozenWidth,
  gridView,
  headerHeight,
  isFrozenColumn,
  isGridPart,
  nameOfRecord,
  PAGES_HEIGHT_PX,
  pageCount,
  pageRange,
  pagesHeight,
  recordAt,
  rowHeaderSpan,
  rowIdOf,
  rowsShown,
  totalsHeight,
} from './grid-cells.ts'
import { controlIn } from './grid-controls.ts'

/** The elements of a virtual table: header, the rows in view, the row that is edited, totals and page buttons. */
export function realisedGrid(table: Element, grid: VirtualGrid): Element {
  const view = gridView(table, grid)
  const spans = columnSpans(grid, view, columnOffset(table, grid))
  const before = new Map(table.children.map((child) => [child.id, child]))
  const parts = [
    cachedHeader(table, grid, view, spans, before.get(`${table.id}.header`)),
    ...rowsInView(table, grid, view, spans, before),
    ...(grid.totals ? [totalsOf(table, grid, grid.totals, view, spans)] : []),
    ...(pagesHeight(grid) > 0 ? [pageBar(table, grid)] : []),
  ]
  const others = table.children.filter((child) => !isGridPart(table.id, child))
  const children = [...parts.map((each) => (recipes.has(each) ? each : reused(before.get(each.id), each))), ...others]
  return sameItems(children, table.children) ? table : withFields(table, { children })
}

/** What the header of a table that was built depends on. */
const headers = new WeakMap<Element, object>()

function cachedHeader(
  table: Element,
  grid: VirtualGrid,
  view: Rect,
  spans: readonly ColumnSpan[],
  held: Element | undefined,
): Element {
  const recipe = {
    columns: grid.columns,
    spans,
    y: table.bounds.y,
    column: grid.sort?.column,
    down: grid.sort?.descending,
  }
  if (held && isEqual(recipe, headers.get(held))) return held
  const made = reused(held, headerOf(table, grid, view, spans))
  headers.set(made, recipe)
  return made
}

function headerOf(table: Element, grid: VirtualGrid, view: Rect, spans: readonly ColumnSpan[]): Element {
  const bounds = { x: view.x, y: table.bounds.y, width: view.width, height: headerHeight(grid) }
  const corner = controlPart(
    `${table.id}.header.corner`,
    'ColumnHeader',
    // The corner of a spreadsheet selects all cells and has no sign.
    grid.sheet ? '' : '#',
    { ...bounds, ...rowHeaderSpan(grid, view) },
    { traits: pinnedIn(grid, -1, { align: 'center' })! },
  )
  const items = grid.columns.map(({ field, title, align }, index) => {
    const sorted = grid.sort?.column === index ? (grid.sort.descending ? 'descending' : 'ascending') : undefined
    return controlPart(
      `${table.id}.header.${field}`,
      'ColumnHeader',
      title,
      { ...bounds, ...spans[index]! },
      {
        traits: pinnedIn(grid, index, { sorted, align }),
      },
    )
  })
  const children = grid.rowHeaders ? [corner, ...items] : items
  const traits = traitsWith({ frozenWidth: frozenWidth(grid, view) })
  return controlPart(`${table.id}.header`, 'HeaderRow', 'Columns', bounds, { children, ...(traits && { traits }) })
}

function rowsInView(
  table: Element,
  grid: VirtualGrid,
  view: Rect,
  spans: readonly ColumnSpan[],
  before: ReadonlyMap<string, Element>,
): readonly Element[] {
  const offset = table.traits?.scrolled?.y ?? 0
  const start = firstScrolled(grid)
  const [first, last] = rowsShown(table, grid)
  const rows: Element[] = []
  const add = (position: number) => {
    const scrolled = position < start ? 0 : offset
    const bounds = { ...view, y: view.y + (position - start) * grid.rowHeight - scrolled, height: grid.rowHeight }
    rows.push(rowOf(table, grid, position, bounds, spans, before))
  }
  const edited = grid.edit?.row
  for (let position = pageRange(grid)[0]; position < start; position++) add(position)
  if (edited !== undefined && edited >= start && edited < first) add(edited)
  for (let position = first; position < last; position++) add(position)
  if (edited !== undefined && edited >= last) add(edited)
  return rows
}

function rowOf(
  table: Element,
  grid: VirtualGrid,
  position: number,
  bounds: Rect,
  spans: readonly ColumnSpan[],
  before: ReadonlyMap<string, Element>,
): Element {
  const row = recordAt(grid, position)!
  const id = rowIdOf(table.id, row)
  const held = before.get(id)
  const recipe: RowRecipe = {
    row,
    columns: grid.columns,
    spans,
    y: bounds.y,
    height: bounds.height,
    mark: markOf(grid, position),
    number: grid.rowHeaders ? position : undefined,
  }
  if (held && grid.edit?.row !== position && isEqual(recipe, recipes.get(held))) return held
  const made = builtRow(table, grid, position, bounds, spans, row, held)
  const next = reused(held, made)
  if (grid.edit?.row !== position) recipes.set(next, recipe)
  return next
}

/** Everything that the elements of a row depend on, apart from editing. */
interface RowRecipe {
  readonly row: GridRow
  readonly columns: readonly GridColumn[]
  readonly spans: readonly ColumnSpan[]
  readonly y: number
  readonly height: number
  /** Whether the row is selected, or the column of the cell cursor in it. */
  readonly mark: boolean | number | string
  readonly number: number | undefined
}

/** The recipes of rows that were built, so that a row is not built again while nothing about it changes. */
const recipes = new WeakMap<Element, RowRecipe>()

function markOf(grid: VirtualGrid, position: number): boolean | number | string {
  if (grid.selects === 'row') return grid.selected.includes(position)
  if (grid.sheet) return grid.columns.map((_, column) => rangeMark(grid, position, column)).join()
  return position === grid.current ? grid.column : -1
}

/** Whether a cell of a sheet is selected, as `traits.range` has it. */
function rangeMark(grid: VirtualGrid, row: number, column: number): string {
  const range = rangeOf(grid)
  if (!range || row < range.top || row > range.bottom || column < range.left || column > range.right) return ''
  const edges = [
    row === range.top ? 't' : '',
    column === range.left ? 'l' : '',
    row === range.bottom ? 'b' : '',
    column === range.right ? 'r' : '',
    row === grid.current && column === grid.column ? 'c' : '',
  ].join('')
  return edges === '' ? '-' : edges
}

function builtRow(
  table: Element,
  grid: VirtualGrid,
  position: number,
  bounds: Rect,
  spans: readonly ColumnSpan[],
  row: GridRow,
  held: Element | undefined,
): Element {
  const id = rowIdOf(table.id, row)
  const cells = grid.columns.map((column, index) => {
    const isHere = (at: { readonly row: number; readonly column: number } | undefined) =>
      at !== undefined && at.row === position && at.column === index
    const range = grid.sheet && rangeMark(grid, position, index)
    const isCurrent = range === undefined ? isHere({ row: grid.current, column: grid.column }) : range !== ''
    const cell = cellOf(table.id, grid, row, column, index, { ...bounds, ...spans[index]! }, range)
    const marked = grid.selects === 'cell' ? withFields(cell, { selected: isCurrent }) : cell
    return isHere(grid.edit)
      ? withEdit(
          marked,
          held?.children.find((each) => each.id === cell.id),
        )
      : marked
  })
  const number = controlPart(
    `${id}.row-header`,
    'RowHeader',
    String(position + 1),
    { ...bounds, ...rowHeaderSpan(grid, bounds) },
    { traits: pinnedIn(grid, -1, {}) },
  )
  const traits = traitsWith({
    unread: row.isUnread || undefined,
    pinned: position < firstScrolled(grid) || undefined,
    frozenWidth: frozenWidth(grid, bounds),
  })
  return controlPart(id, 'Row', nameOfRecord(row), bounds, {
    ...(grid.selects === 'row' ? { selected: grid.selected.includes(position) } : {}),
    ...(traits && { traits }),
    children: grid.rowHeaders ? [number, ...cells] : cells,
  })
}

const cellOf = (
  table: string,
  grid: VirtualGrid,
  row: GridRow,
  shown: GridColumn,
  column: number,
  around: Rect,
  range: string | undefined,
): Element => {
  const content = range === undefined ? undefined : row.contents?.[column]
  const { field, title, align, editable } = shown
  const id = cellIdOf(table, row, field)
  const bounds = { ...around, height: grid.rowHeight }
  const text = row.cells[column] ?? ''
  const control = controlIn(table, { id, text, bounds }, shown)
  return controlPart(id, 'Cell', title || field, bounds, {
    value: shown.control ? '' : text,
    traits: pinnedIn(grid, column, {
      align: align ?? (range === undefined ? undefined : alignOf(row.values[column])),
      readOnly: editable ? undefined : true,
      unread: row.isUnread || undefined,
      bold: row.bold?.includes(column) || undefined,
      cellColours: row.colours?.find((each) => each.column === column),
      range,
      formula: content !== undefined && isFormula(content) ? content : undefined,
    }),
    ...(control && { children: [control] }),
  })
}

/** Numbers of a sheet are at the end, truth values and errors in the middle, texts at the start. */
const alignOf = (value: GridRow['values'][number] | undefined): NonNullable<GridColumn['align']> =>
  typeof value === 'number'
    ? 'end'
    : typeof value === 'boolean' || (typeof value === 'string' && IS_ERROR.test(value))
      ? 'center'
      : 'start'

const IS_ERROR = /^(?:#[A-Z/0]+[!?A]|Err:\d+)$/

/** The edited cell keeps its text, caret and history. */
const withEdit = (cell: Element, held: Element | undefined): Element =>
  held?.traits?.editing === undefined
    ? cell
    : withFields(cell, { value: held.value, traits: { ...held.traits, ...cell.traits } })

function totalsOf(
  table: Element,
  grid: VirtualGrid,
  totals: readonly string[],
  view: Rect,
  spans: readonly ColumnSpan[],
): Element {
  const bounds = { ...view, y: view.y + view.height, height: totalsHeight(grid) }
  const id = `${table.id}.totals`
  const corner = controlPart(
    `${id}.corner`,
    'RowHeader',
    'Total',
    { ...bounds, ...rowHeaderSpan(grid, bounds) },
    { traits: pinnedIn(grid, -1, {}) },
  )
  const cells = grid.columns.map(({ field, title, align }, index) =>
    controlPart(
      `${id}.${field}`,
      'Cell',
      title || field,
      { ...bounds, ...spans[index]! },
      {
        value: totals[index] ?? '',
        traits: pinnedIn(grid, index, { align, readOnly: true }),
      },
    ),
  )
  return controlPart(id, 'Row', 'Totals', bounds, {
    traits: traitsWith({ summary: true, frozenWidth: frozenWidth(grid, bounds) }),
    children: grid.rowHeaders ? [corner, ...cells] : cells,
  })
}

/** The traits of a cell, which says when it stays while others scroll sideways. The header of a row has the column -1. */
const pinnedIn = (grid: VirtualGrid, column: number, traits: Fields<ElementTraits>): ElementTraits | undefined =>
  traitsWith({ ...traits, pinned: (isFrozenColumn(grid, 0) && isFrozenColumn(grid, column)) || undefined })

/** Traits without absent fields. Undefined if none are left. */
function traitsWith(traits: Fields<ElementTraits>): ElementTraits | undefined {
  const found = Object.entries(traits).filter(([, value]) => value !== undefined)
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** An open list of a combo box in a cell stays open, and moves with it. Other elements as they are. */
function withOpenList(before: Element, fresh: Element): Element {
  if (before.expanded !== true || fresh.role !== 'ComboBox') return fresh
  const moved = (bounds: Rect) => translate(bounds, fresh.bounds.x - before.bounds.x, fresh.bounds.y - before.bounds.y)
  const { popup, current, scrolled } = before.traits ?? {}
  const rows = new Map(before.children.map(({ id, bounds }) => [id, moved(bounds)]))
  return withFields(fresh, {
    expanded: true,
    traits: traitsWith({ ...fresh.traits, popup: popup && moved(popup), current, scrolled }),
    children: fresh.children.map((row) => withFields(row, { bounds: rows.get(row.id) ?? row.bounds })),
  })
}

/** The element that was in the tree before, if nothing about it changed. Keeps the focus, and open lists. */
function reused(before: Element | undefined, made: Element): Element {
  if (!before) return made
  const fresh = withOpenList(before, made)
  const held = new Map(before.children.map((child) => [child.id, child]))
  const children = fresh.children.map((child) => reused(held.get(child.id), child))
  const same = sameItems(children, before.children)
  const next = { ...fresh, children: same ? before.children : children, focused: before.focused }
  return same && COMPARED.every((field) => isEqual(next[field], before[field])) ? before : withFields(fresh, next)
}

const COMPARED = ['role', 'name', 'value', 'bounds', 'enabled', 'selected', 'valueNow', 'traits'] as const

/** Whether two values are equal, up to the fields of two objects of plain values. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [one, other] = [Object.entries(a), b as Readonly<Record<string, unknown>>]
  return one.length === Object.keys(b).length && one.every(([name, value]) => value === other[name])
}

const sameItems = (a: readonly Element[], b: readonly Element[]): boolean =>
  a.length === b.length && a.every((each, at) => each === b[at])

const BUTTON_PX = 28
const GAP_PX = 4
const PADDING_PX = 8

/** A button that changes the page: its name, its icon, and the page that it shows. */
interface PageButton {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  readonly target: (grid: VirtualGrid) => number
}

const BUTTONS: readonly PageButton[] = [
  { to: 'previous', name: 'Previous page', icon: 'chevron-left', target: ({ page }) => page - 1 },
  { to: 'next', name: 'Next page', icon: 'chevron-right', target: ({ page }) => page + 1 },
]

/** The bar below a table with pages: the records that are shown, and buttons. */
function pageBar(table: Element, grid: VirtualGrid): Element {
  const { x, y, width, height } = table.bounds
  const bounds = { x, y: y + height - PAGES_HEIGHT_PX, width, height: PAGES_HEIGHT_PX }
  const id = `${table.id}.pages`
  const [first, last] = pageRange(grid)
  const count = grid.order.length
  const text = count === 0 ? 'No records' : `${first + 1}–${last} of ${count}`
  const right = x + width - PADDING_PX - BUTTONS.length * (BUTTON_PX + GAP_PX) + GAP_PX
  const place = (index: number): Rect => ({
    x: right + index * (BUTTON_PX + GAP_PX),
    y: bounds.y + (PAGES_HEIGHT_PX - BUTTON_PX) / 2,
    width: BUTTON_PX,
    height: BUTTON_PX,
  })
  const label = controlPart(`${id}.text`, 'Text', text, {
    x: x + PADDING_PX,
    y: bounds.y,
    width: Math.max(0, right - x - 2 * PADDING_PX),
    height: PAGES_HEIGHT_PX,
  })
  const buttons = BUTTONS.map(({ to, name, icon, target }, index) =>
    controlPart(`${id}.${to}`, 'Button', name, place(index), { enabled: isPage(grid, target(grid)), traits: { icon } }),
  )
  return controlPart(id, 'ToolBar', 'Pages', bounds, { children: [label, ...buttons] })
}

/** The page that a button of the bar shows. Undefined for other elements, and without such a page. */
export function pageBehind(table: Element, { id }: Element): number | undefined {
  const { grid } = table.traits ?? {}
  const button = BUTTONS.find(({ to }) => id === `${table.id}.pages.${to}`)
  const page = grid && button?.target(grid)
  return page !== undefined && isPage(grid!, page) ? page : undefined
}

const isPage = (grid: VirtualGrid, page: number): boolean => page >= 0 && page < pageCount(grid)
