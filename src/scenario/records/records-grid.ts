import type { GridColumn, VirtualGrid } from '../../desktop/model/grid.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { ElementTraits, VirtualRows } from '../../desktop/model/traits.ts'
import type { RowMetrics } from '../../desktop/style/metrics.ts'
import { columnLetter } from '../../desktop/widgets/grid/current-cell.ts'
import { createGrid } from '../../desktop/widgets/grid/grid-state.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { TableColumn } from '../schema/table.ts'

/** Elements that show the records of a variable, before the scenario runs: without rows. */

/** Whether an element shows the records of a variable. */
export const showsRecords = (
  written: WrittenElement,
): written is WrittenElement & { readonly rows: string; readonly role: string } => typeof written.rows === 'string'

/** Whether the element is a table rather than a list. */
export const isTable = ({ role = '' }: WrittenElement): boolean => kindOf(role) === 'table'

/** The traits of a written element that concern its rows. */
export function rowTraits(written: WrittenElement, row: RowMetrics): Pick<ElementTraits, 'rows' | 'grid'> {
  if (showsRecords(written))
    return isTable(written) ? { grid: emptyGrid(written, row) } : { rows: rowsNamed([], row.list) }
  return written.rows === undefined || typeof written.rows === 'string'
    ? {}
    : { rows: rowsNamed(written.rows, row.list) }
}

const rowsNamed = (names: readonly string[], height: number): VirtualRows => ({
  names,
  height,
  selected: [],
  current: -1,
  anchor: -1,
})

function emptyGrid(written: WrittenElement, row: RowMetrics): VirtualGrid {
  const columns = written.columns ?? []
  const sorted = columns.findIndex(({ field }) => field === written.sort_by)
  const selects = written.select ?? (/grid|sheet/i.test(written.role ?? '') ? 'cell' : 'row')
  return createGrid({
    columns: columns.map((column, index) => gridColumn(column, index, written.row_headers === true)),
    rows: [],
    // Cells that are selected one by one are low.
    ...(written.look === 'spreadsheet'
      ? { rowHeight: row.sheet, headerHeight: row.sheetHeader }
      : { rowHeight: selects === 'cell' ? row.list : row.table }),
    selects,
    ...(sorted >= 0 && { sort: { column: sorted, descending: written.descending === true } }),
    ...(written.page_size !== undefined && { pageSize: written.page_size }),
    ...(written.row_headers && { rowHeaders: true }),
    ...(written.unread_where !== undefined && { marksUnread: true }),
    ...(columns.some(({ total }) => total !== undefined) && { totals: columns.map(() => '') }),
  })
}

const gridColumn = (
  { field, title, width, align, sortable, editable }: TableColumn,
  index: number,
  hasLetters: boolean,
): GridColumn => ({
  field,
  title: title ?? (hasLetters ? columnLetter(index) : field),
  ...(width !== undefined && { width }),
  ...(align !== undefined && { align }),
  ...(sortable && { sortable }),
  ...(editable && { editable }),
})
