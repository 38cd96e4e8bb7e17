import type { Desktop } from '../../model/desktop.ts'
import { type Element, nodeById } from '../../model/element.ts'
import type { GridCell, GridRow, VirtualGrid } from '../../model/grid.ts'
import { changeRef, type ElementRef, refOf, refresh, targetOf, withTraits } from '../../tree/element-ref.ts'
import { recordCellEdit } from '../action-effect.ts'
import { field } from '../text/edit.ts'
import { selectAll, withEditState } from '../text/text.ts'
import { cellIdOf, recordAt } from './grid-ids.ts'
import { withGrid } from './grid-state.ts'

/** Editing of the cells of a virtual table, in place. */

/** Whether the user can change a cell. */
export const isEditable = ({ columns }: VirtualGrid, { column }: GridCell): boolean =>
  columns[column]?.editable === true

/** The element of a cell that is in the tree. */
export function cellRefAt(desktop: Desktop, holder: ElementRef, cell: GridCell): ElementRef | undefined {
  const here = refresh(desktop, holder)
  const id = here && cellIdAt(here.element, cell)
  return id !== undefined && nodeById(here!.element, id)
    ? refOf(desktop, { window: here!.window.uid, element: id })
    : undefined
}

function cellIdAt(table: Element, { row, column }: GridCell): string | undefined {
  const { grid } = table.traits ?? {}
  const record = grid && recordAt(grid, row)
  const field = grid?.columns[column]?.field
  return record && field !== undefined ? cellIdOf(table.id, record, field) : undefined
}

/** The id of the edited cell of a table. */
export const editedIdOf = (table: Element): string | undefined => {
  const edit = table.traits?.grid?.edit
  return edit && cellIdAt(table, edit)
}

/** The element of the edited cell. */
export const editedCell = (desktop: Desktop, holder: ElementRef): ElementRef | undefined => {
  const edit = refresh(desktop, holder)?.element.traits?.grid?.edit
  return edit && cellRefAt(desktop, holder, edit)
}

/** Begins to edit a cell, with its text or, if one is given, with another text in its place. */
export function beginCellEdit(desktop: Desktop, holder: ElementRef, cell: GridCell, replacement?: string): Desktop {
  const { grid } = holder.element.traits ?? {}
  if (!grid || !isEditable(grid, cell)) return desktop
  const begun = changeRef(desktop, holder, (table) => withGrid(table, { edit: cell }))
  const ref = cellRefAt(begun, holder, cell)
  if (!ref) return desktop
  const opened = changeRef(begun, ref, (element) => {
    const text = element.value ?? ''
    const edited = withTraits(element, { editing: text, caret: { at: text.length, from: text.length } })
    return replacement === undefined ? edited : withEditState(edited, selectAll({ text, at: 0, from: 0 }))
  })
  return replacement === undefined ? opened : field.type!(opened, refresh(opened, ref)!, replacement)
}

/** Ends editing and keeps the text. */
export function commitCellEdit(desktop: Desktop, holder: ElementRef): Desktop {
  const here = refresh(desktop, holder)
  const edit = here?.element.traits?.grid?.edit
  if (!here || !edit) return desktop
  const text = editedCell(desktop, holder)?.element.value
  const ended = changeRef(desktop, here, (table) => withGrid(table, { edit: undefined }))
  return text === undefined || text === null ? ended : setCellText(ended, here, edit, text)
}

/** Ends editing without keeping the text. */
export const cancelCellEdit = (desktop: Desktop, holder: ElementRef): Desktop =>
  changeRef(desktop, holder, (table) => withGrid(table, { edit: undefined }))

/** The rows that a table was given, for rows in which the user edited cells. */
const given = new WeakMap<readonly GridRow[], readonly GridRow[]>()

/** The rows that a table was given, before the user edited cells in them. */
export const rowsBeforeEdits = (rows: readonly GridRow[]): readonly GridRow[] => given.get(rows) ?? rows

/** Gives a cell a text, and records the edit if it is another. */
export function setCellText(desktop: Desktop, holder: ElementRef, cell: GridCell, text: string): Desktop {
  const here = refresh(desktop, holder)
  const grid = here?.element.traits?.grid
  const record = grid && recordAt(grid, cell.row)
  if (!here || !record || (record.cells[cell.column] ?? '') === text) return desktop
  const row = {
    key: record.key,
    cells: record.cells.with(cell.column, text),
    values: record.values.with(cell.column, text),
    ...(record.isUnread && { isUnread: true }),
  }
  const rows = grid.rows.with(grid.order[cell.row]!, row)
  given.set(rows, rowsBeforeEdits(grid.rows))
  const changed = changeRef(desktop, here, (table) => withGrid(table, { rows }))
  return recordCellEdit(changed, { ...targetOf(here), key: record.key, field: grid.columns[cell.column]!.field, text })
}

/** Sets the text of a cell as the accessibility action does. Throws `PatternUnsupported` for a read-only cell. */
export function setCellValue(
  desktop: Desktop,
  holder: ElementRef,
  cell: GridCell,
  value: string,
  clearFirst: boolean,
): Desktop {
  const done = commitCellEdit(desktop, holder)
  const ref = cellRefAt(done, holder, cell)
  if (!ref) return done
  const set = field.setValue!(done, ref, value, clearFirst)
  const text = refresh(set, ref)?.element.value ?? ''
  return setCellText(done, holder, cell, text)
}
