import { changeWindow, type Desktop, windowByUid, windowWith } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, pathOf } from '../../desktop/model/element.ts'
import { columnLetter } from '../../desktop/model/formula-text.ts'
import type { GridColumn, GridRow, VirtualGrid } from '../../desktop/model/grid.ts'
import { roleKind } from '../../desktop/model/role.ts'
import type { ElementTraits, VirtualRows } from '../../desktop/model/traits.ts'
import type { RowMetrics } from '../../desktop/style/metrics.ts'
import { rowsBeforeEdits } from '../../desktop/widgets/cell-texts.ts'
import { createGrid, withGridRows } from '../../desktop/widgets/grid-state.ts'
import { scrolledTo, viewOf } from '../../desktop/widgets/scrolling.ts'
import { realised, withVirtualRows } from '../../desktop/widgets/virtual-rows.ts'
import type { LiveContext, LiveScope } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { RecordsBinding } from '../live/live-program.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { AuthoredElement, TableColumn } from '../schema/element.ts'
import type { Workbook } from '../sheets/workbook.ts'
import { allWindows } from '../visit.ts'
import { createRowSource, type ListContent, type TableContent } from './records-rows.ts'
import { type AuthoredSheet, createSheetSource, isSheetTable } from './sheet-rows.ts'

/** Elements that show the records of a variable, before the scenario runs: without rows. */

/** Whether an element shows the records of a variable. */
export const showsRecords = (
  authored: AuthoredElement,
): authored is AuthoredElement & { readonly rows: string; readonly role: string } => typeof authored.rows === 'string'

/** Whether the element is a table rather than a list. */
export const isTable = ({ role = '' }: AuthoredElement): boolean => roleKind(role) === 'table'

/** The traits of a written element that concern its rows. */
export function rowTraits(authored: AuthoredElement, row: RowMetrics): Pick<ElementTraits, 'rows' | 'grid'> {
  if (showsRecords(authored))
    return isTable(authored) ? { grid: emptyGrid(authored, row) } : { rows: rowsNamed([], row.list) }
  return authored.rows === undefined || typeof authored.rows === 'string'
    ? {}
    : { rows: rowsNamed(authored.rows, row.list) }
}

const rowsNamed = (names: readonly string[], height: number): VirtualRows => ({
  names,
  height,
  selected: [],
  current: -1,
  anchor: -1,
})

function emptyGrid(authored: AuthoredElement, row: RowMetrics): VirtualGrid {
  const columns = authored.columns ?? []
  const sorted = columns.findIndex(({ field }) => field === authored.sort_by)
  const selects = authored.select ?? (/grid|sheet/i.test(authored.role ?? '') ? 'cell' : 'row')
  return createGrid({
    columns: columns.map((column, index) => gridColumn(column, index, authored.row_headers === true)),
    rows: [],
    // Cells that are selected one by one are low.
    ...(authored.look === 'spreadsheet'
      ? { rowHeight: row.sheet, headerHeight: row.sheetHeader }
      : { rowHeight: selects === 'cell' ? row.list : row.table }),
    selects,
    ...(authored.sheet !== undefined && { sheet: { name: authored.sheet, undo: [], redo: [] } }),
    ...(sorted >= 0 && { sort: { column: sorted, descending: authored.descending === true } }),
    ...(authored.page_size !== undefined && { pageSize: authored.page_size }),
    ...(authored.frozen && { frozen: authored.frozen }),
    ...(authored.row_headers && { rowHeaders: true }),
    ...(authored.unread_where !== undefined && { marksUnread: true }),
    ...(columns.some(({ total }) => total !== undefined) && { totals: columns.map(() => '') }),
  })
}

const gridColumn = (
  { field, title, width, align, sortable, editable, formula, role, options, icon }: TableColumn,
  index: number,
  hasLetters: boolean,
): GridColumn => ({
  field,
  title: title ?? (hasLetters ? columnLetter(index) : field),
  ...(width !== undefined && { width }),
  ...(align !== undefined && { align }),
  ...(sortable && { sortable }),
  ...(editable && { editable }),
  ...(role && {
    control: {
      role,
      ...(options && { options }),
      ...(icon && { icon }),
      ...(formula !== undefined && { isFixed: true }),
    },
  }),
})

/** The tables and lists of a scenario that show records. */
export function recordsBindings(
  scenario: AuthoredScenario,
  scope: LiveScope,
  workbook: Workbook | undefined,
): readonly RecordsBinding[] {
  const found: RecordsBinding[] = []
  for (const { window, uid, path } of allWindows(scenario)) {
    const state = path[0] === 'states' ? String(path[1]) : undefined
    if (window.tree)
      visit(window.tree, 'root', (element, id) => found.push(bindingOf(element, state, uid, id, { scope, workbook })))
  }
  return found
}

type Showing = AuthoredElement & { readonly rows: string }

function visit(element: AuthoredElement, position: string, found: (element: Showing, id: string) => void): void {
  if (showsRecords(element)) found(element, element.id ?? position)
  element.children?.forEach((child, index) => {
    visit(child, `${position}.${index}`, found)
  })
}

function bindingOf(
  authored: Showing,
  state: string | undefined,
  window: string,
  element: string,
  { scope, workbook }: { readonly scope: LiveScope; readonly workbook: Workbook | undefined },
): RecordsBinding {
  if (workbook && isSheetTable(authored)) return sheetBinding(authored, { state, window, element }, workbook)
  const source = createRowSource(authored, scope)
  const shown: (element: Element, records: readonly DataValue[], context: LiveContext) => Element = isTable(authored)
    ? (table, ...now) => withTableContent(table, source.tableContent(...now, rowsOfTable(table)))
    : (list, ...now) => withListContent(list, source.listContent(...now, list.traits?.rows?.names))
  return {
    state,
    window,
    element,
    variable: authored.rows,
    key: authored.key,
    names: source.names,
    refresh: (desktop, records, context) =>
      withElement(desktop, window, element, (found) => shown(found, records, context)),
  }
}

/** A table whose cells take formulas shows the values of a workbook. */
function sheetBinding(
  authored: AuthoredSheet,
  place: Pick<RecordsBinding, 'state' | 'window' | 'element'>,
  workbook: Workbook,
): RecordsBinding {
  const source = createSheetSource(authored, workbook)
  return {
    ...place,
    variable: authored.rows,
    key: authored.key,
    names: source.names,
    refresh: (desktop, records, context) =>
      withElement(desktop, place.window, place.element, (found) =>
        withTableContent(found, source.tableContent(records, context)),
      ),
  }
}

/** The rows that a table was given last, before the user edited cells. */
const rowsOfTable = ({ traits }: Element): readonly GridRow[] | undefined =>
  traits?.grid && rowsBeforeEdits(traits.grid.rows)

/** Changes an element of a window, if it is there. */
function withElement(desktop: Desktop, uid: string, id: string, change: (element: Element) => Element): Desktop {
  const tree = windowByUid(desktop, uid)?.tree
  const path = tree && pathOf(tree, id)
  if (!path) return desktop
  return changeWindow(desktop, uid, (window) => windowWith(window, { tree: changeAt(window.tree, path, change) }))
}

function withTableContent(table: Element, { rows, totals }: TableContent): Element {
  const { grid } = table.traits ?? {}
  if (!grid || (isSame(grid.rows, rows) && isSame(grid.totals ?? [], totals ?? []))) return table
  return withGridRows(table, rows, totals)
}

function withListContent(list: Element, { names, keys }: ListContent): Element {
  const { rows } = list.traits ?? {}
  if (!rows || (isSame(rows.names, names) && isSame(rows.keys ?? [], keys))) return list
  const next = withVirtualRows(list, names, keys)
  const shown = realised(next, viewOf(next))
  return scrolledTo(shown, shown.traits?.scrolled?.y ?? 0)
}

const isSame = (a: readonly (string | GridRow)[], b: readonly (string | GridRow)[]): boolean =>
  a === b || (a.length === b.length && a.every((each, at) => each === b[at]))
