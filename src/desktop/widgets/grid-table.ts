import type { Chord } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, closest, type ElementRef, parentOf, refresh } from '../tree/element-ref.ts'
import {
  beginCellEdit,
  cancelCellEdit,
  chooseCell,
  commitCellEdit,
  editedCell,
  keyAtCell,
  setCellValue,
  stepTo,
  tabTo,
  typeAtCell,
  withPage,
} from './cell-cursor.ts'
import { field } from './edit.ts'
import { gridCellOf, gridPositionOf } from './grid-cells.ts'
import { withSort } from './grid-state.ts'
import { pageBehind } from './realise.ts'
import { keyInSheet, selectGridLine } from './sheet-range.ts'
import type { ClickGesture } from './widget.ts'

/**
 * The behaviour of a virtual table and its parts. Selection of rows by keys is the same as in lists.
 */

/** The virtual table that an element is part of. */
export const virtualGridOf = (ref: ElementRef): ElementRef | undefined =>
  closest(ref, (element) => element.traits?.grid !== undefined)

/** Handles a click on a cell, a row, a row header or a total. */
export function clickInGrid(desktop: Desktop, holder: ElementRef, ref: ElementRef, gesture: ClickGesture): Desktop {
  if (ref.element.traits?.editing !== undefined) return field.click!(desktop, ref, gesture)
  const cell = cellOf(holder.element, ref)
  if (!cell) return commitCellEdit(desktop, holder)
  const isHeader = roleKind(ref.element.role) === 'headeritem'
  if (isHeader && holder.element.traits?.grid?.sheet) return selectGridLine(desktop, holder, { row: cell.row })
  const chosen = chooseCell(desktop, holder, cell, gesture.modifiers)
  const here = refresh(chosen, holder)
  const isCell = roleKind(ref.element.role) === 'cell'
  return here && isCell && gesture.count === 2 ? beginCellEdit(chosen, here, cell) : chosen
}

/** Handles the accessibility action of a cell or row. */
export function invokeInGrid(desktop: Desktop, holder: ElementRef, ref: ElementRef): Desktop {
  const cell = cellOf(holder.element, ref)
  return cell ? chooseCell(desktop, holder, cell, []) : desktop
}

/** The cell of an element. A row stands for the cell in the column of the cursor. */
function cellOf(table: Element, ref: ElementRef) {
  const row = closest(ref, (element) => roleKind(element.role) === 'row')
  if (!row) return undefined
  const cell = row.path.length < ref.path.length ? gridCellOf(table, row.element, ref.element) : undefined
  const position = gridPositionOf(table, row.element)
  return cell ?? (position === undefined ? undefined : { row: position, column: table.traits!.grid!.column })
}

/** Sets the text of a cell. */
export function setInGrid(
  desktop: Desktop,
  holder: ElementRef,
  ref: ElementRef,
  value: string,
  clearFirst: boolean,
): Desktop {
  const row = parentOf(ref)
  const cell = row && gridCellOf(holder.element, row.element, ref.element)
  if (cell) return setCellValue(desktop, holder, cell, value, clearFirst)
  return field.setValue!(desktop, ref, value, clearFirst)
}

/** Sorts by the column of a header, if it is sortable. */
export function sortGrid(desktop: Desktop, holder: ElementRef, header: Element): Desktop {
  const { columns } = holder.element.traits!.grid!
  const column = columns.findIndex(({ field }) => header.id === `${holder.element.id}.header.${field}`)
  if (column >= 0 && holder.element.traits?.grid?.sheet) return selectGridLine(desktop, holder, { column })
  if (!columns[column]?.sortable) return desktop
  return changeRef(commitCellEdit(desktop, holder), holder, (table) => withSort(table, column))
}

/** Changes the page if an element is a page button. Returns undefined for other elements. */
export function turnPage(desktop: Desktop, button: ElementRef): Desktop | undefined {
  const holder = parentOf(button) && parentOf(parentOf(button)!)
  const page = holder && pageBehind(holder.element, button.element)
  return page === undefined ? undefined : withPage(desktop, holder!, page)
}

/**
 * Handles a key in a virtual table while a cell is edited, or while cells are selected. Returns undefined for keys that
 * select rows.
 */
export function keyInVirtualGrid(desktop: Desktop, holder: ElementRef, chord: Chord): Desktop | undefined {
  const cell = editedCell(desktop, holder)
  if (cell) return keyWhileEditing(desktop, holder, cell, chord)
  const grid = holder.element.traits!.grid!
  if (grid.selects === 'cell') return keyInSheet(desktop, holder, chord) ?? keyAtCell(desktop, holder, chord)
  if (chord.key !== 'f2' || chord.modifiers.length > 0 || grid.current < 0) return undefined
  const columns = [grid.column, ...grid.columns.keys()]
  const column = columns.find((index) => grid.columns[index]?.editable)
  return column === undefined ? undefined : beginCellEdit(desktop, holder, { row: grid.current, column })
}

/** Enter, Tab and, in a text that replaces the cell, Up and Down keep the text and move on; Escape restores it. */
function keyWhileEditing(desktop: Desktop, holder: ElementRef, cell: ElementRef, chord: Chord): Desktop | undefined {
  const held = chord.modifiers.join('+')
  const { edit, selects } = holder.element.traits!.grid!
  if (held === '' && chord.key === 'escape') return cancelCellEdit(desktop, holder)
  const isLine = held === '' && edit?.typed === true && (chord.key === 'up' || chord.key === 'down')
  if (!isLine && ((held !== '' && held !== 'shift') || (chord.key !== 'enter' && chord.key !== 'tab')))
    return field.key!(desktop, cell, chord)
  const done = commitCellEdit(desktop, holder)
  const here = refresh(done, holder)
  if (!here || !edit || selects === 'row') return done
  const by = held === 'shift' || chord.key === 'up' ? -1 : 1
  if (chord.key === 'tab') return tabTo(done, here, edit, by) ?? done
  const row = edit.row + by
  return row >= 0 && row < here.element.traits!.grid!.order.length ? stepTo(done, here, { ...edit, row }) : done
}

/** Handles typed text. Returns undefined if it selects a row. */
export function typeInVirtualGrid(desktop: Desktop, holder: ElementRef, text: string): Desktop | undefined {
  const cell = editedCell(desktop, holder)
  if (cell) return field.type!(desktop, cell, text)
  return holder.element.traits!.grid!.selects === 'cell' ? typeAtCell(desktop, holder, text) : undefined
}
