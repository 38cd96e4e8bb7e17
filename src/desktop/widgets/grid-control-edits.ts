import { type Desktop, type Target, windowByUid } from '../model/desktop.ts'
import { type Element, nodeById } from '../model/element.ts'
import type { GridColumn, GridControl, VirtualGrid } from '../model/grid.ts'
import { refOf } from '../tree/element-ref.ts'
import { setCellText } from './cell-cursor.ts'
import { gridPositionOf, isRecordRow, recordAt } from './grid-cells.ts'
import { controlIdOf } from './grid-controls.ts'

/** What the user changes by controls in the cells of virtual tables. */

/** Whether the user changes the data by a control. */
const writes = ({ control }: GridColumn): boolean =>
  control !== undefined && !control.isFixed && (control.role === 'CheckBox' || control.role === 'ComboBox')

/** Writes what the user has changed by controls in cells to the rows of their tables, and records it for the data. */
export function withControlsRead(before: Desktop, after: Desktop): Desktop {
  let next = after
  for (const window of after.windows) {
    const was = windowByUid(before, window.uid)
    if (was && was.tree !== window.tree) next = readBelow(next, window.uid, was.tree, window.tree)
  }
  return next
}

/** Reads the tables in a subtree that differ from before. */
function readBelow(desktop: Desktop, window: string, before: Element, after: Element): Desktop {
  const { grid } = after.traits ?? {}
  if (grid) return grid.columns.some(writes) ? readTable(desktop, { window, element: after.id }, after, grid) : desktop
  let next = desktop
  for (const [index, child] of after.children.entries()) {
    const was = before.children[index]
    if (was !== child) next = readBelow(next, window, was ?? child, child)
  }
  return next
}

function readTable(desktop: Desktop, target: Target, table: Element, grid: VirtualGrid): Desktop {
  let next = desktop
  for (const row of table.children) {
    const position = isRecordRow(table.id, row.id) ? gridPositionOf(table, row) : undefined
    const record = position === undefined ? undefined : recordAt(grid, position)
    if (!record) continue
    for (const [column, { field, control }] of grid.columns.entries()) {
      if (!control || !writes(grid.columns[column]!)) continue
      const shown = nodeById(row, controlIdOf(`${row.id}.${field}`))
      const text = shown && textOf(shown, control)
      if (text === undefined || text === asWritten(record.cells[column] ?? '', control)) continue
      next = setCellText(next, refOf(next, target), { row: position!, column }, text)
    }
  }
  return next
}

const textOf = (shown: Element, { role }: GridControl): string =>
  role === 'CheckBox' ? String(shown.selected === true) : (shown.value ?? '')

/** A check box is on or off, whatever else its field holds. */
const asWritten = (text: string, { role }: GridControl): string =>
  role === 'CheckBox' ? String(text === 'true') : text
