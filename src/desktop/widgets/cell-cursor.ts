import { Fault } from '../../base/fault.ts'
import type { Modifier } from '../input/action.ts'
import { type Chord, characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import { type Element, nodeById, walk, withFields } from '../model/element.ts'
import type { GridCell, VirtualGrid } from '../model/grid.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, type ElementRef, refOf, refresh, targetOf, withTraits } from '../tree/element-ref.ts'
import { cellContent, changeSheet, setCellTexts } from './cell-texts.ts'
import { field } from './edit.ts'
import {
  cellIdOf,
  columnOffset,
  columnSpans,
  firstScrolled,
  gridView,
  isFrozenColumn,
  pageWith,
  recordAt,
  recordNames,
  scrolledView,
} from './grid-cells.ts'
import { withGrid } from './grid-state.ts'
import { offsetOf, scrollTo, shortfall } from './scrolling.ts'
import { type Selection, selectAt } from './selection.ts'
import { selectAll, withEditState } from './text.ts'
import { recordChoice } from './widget.ts'

/** The selection of rows and the cell cursor of a virtual table. */

/** The selection of rows. */
export const gridSelection = (grid: VirtualGrid, many: boolean): Selection => ({
  count: grid.order.length,
  names: () => recordNames(grid),
  selected: grid.selected,
  current: grid.current,
  anchor: grid.anchor,
  many,
})

/** Changes the selection of rows, shows the page of the current one and scrolls it into view. */
export function withGridSelection(desktop: Desktop, holder: ElementRef, next: Selection): Desktop {
  const { selected, current, anchor } = next
  const done = commitCellEdit(desktop, holder)
  const marked = changeRef(done, holder, (table) => {
    const grid = table.traits!.grid!
    return withGrid(table, { selected, current, anchor, page: current < 0 ? grid.page : pageWith(grid, current) })
  })
  return revealCurrent(marked, holder)
}

function revealCurrent(desktop: Desktop, holder: ElementRef): Desktop {
  const here = refresh(desktop, holder)
  const grid = here?.element.traits?.grid
  if (!here || !grid || grid.current < 0) return desktop
  const view = gridView(here.element, grid)
  const { x, y } = offsetOf(here.element)
  const below = grid.current - firstScrolled(grid)
  const bounds = { ...view, y: view.y + below * grid.rowHeight - y, height: grid.rowHeight }
  const down = below < 0 ? 0 : shortfall(view, bounds)
  const span = columnSpans(grid, view, columnOffset(here.element, grid))[grid.column]
  const isMovable = grid.selects === 'cell' && span && !isFrozenColumn(grid, grid.column)
  const across = isMovable ? shortfall(scrolledView(here.element, grid), { ...bounds, ...span }, 'x', 'width') : 0
  return scrollTo(desktop, here, y + down, grid.frozen?.columns === undefined ? undefined : x + across)
}

/** Shows a page. */
export const withPage = (desktop: Desktop, holder: ElementRef, page: number): Desktop =>
  changeRef(commitCellEdit(desktop, holder), holder, (table) => withGrid(table, { page }))

/** Handles a click on a cell: moves the cell cursor there, or selects the row. */
export function chooseCell(
  desktop: Desktop,
  holder: ElementRef,
  cell: GridCell,
  modifiers: readonly Modifier[],
): Desktop {
  const grid = holder.element.traits!.grid!
  if (grid.sheet && modifiers.includes('shift')) return extendSelection(desktop, holder, cell)
  if (grid.selects === 'cell') return goToGridCell(desktop, holder, cell)
  const many = holder.element.traits?.multiSelect ?? false
  const chosen = withGridSelection(desktop, holder, selectAt(gridSelection(grid, many), cell.row, modifiers))
  return changeRef(chosen, holder, (table) => withGrid(table, { column: cell.column }))
}

/** Moves the cell cursor. Ends the edit of another cell. */
export function goToGridCell(desktop: Desktop, holder: ElementRef, { row, column }: GridCell): Desktop {
  const done = commitCellEdit(desktop, holder)
  const gone = changeRef(done, holder, (table) => {
    const grid = table.traits!.grid!
    const sheet = grid.sheet?.corner && { ...grid.sheet, corner: undefined }
    return withGrid(table, { current: row, anchor: row, column, page: pageWith(grid, row), ...(sheet && { sheet }) })
  })
  return revealCurrent(gone, holder)
}

/** Selects the cells of a sheet between two. The first one becomes current. */
export function selectCells(desktop: Desktop, holder: ElementRef, from: GridCell, to: GridCell): Desktop {
  const gone = goToGridCell(desktop, holder, from)
  return from.row === to.row && from.column === to.column ? gone : changeSheet(gone, holder, () => ({ corner: to }))
}

/** Moves the corner of the selected cells of a sheet that is opposite to the cell cursor. */
export function extendSelection(desktop: Desktop, holder: ElementRef, corner: GridCell): Desktop {
  const grid = refresh(desktop, holder)!.element.traits!.grid!
  const from = { row: grid.current, column: grid.column }
  return from.row < 0 ? goToGridCell(desktop, holder, corner) : selectCells(desktop, holder, from, corner)
}

/** Handles a key while a table whose cells are selected has the focus. Returns undefined for keys without a meaning. */
export function keyAtCell(desktop: Desktop, holder: ElementRef, chord: Chord): Desktop | undefined {
  const grid = holder.element.traits!.grid!
  const held = chord.modifiers.join('+')
  if (grid.order.length === 0 || grid.columns.length === 0) return undefined
  const at = { row: grid.current, column: grid.column }
  if (at.row < 0) {
    const first = entryOfKey(held, chord.key, grid)
    return first && stepTo(desktop, holder, first)
  }
  if (held === 'ctrl' && chord.key === 'c') return copyText(desktop, textAt(grid, at))
  if (held === 'ctrl' && chord.key === 'v') return setIfEditable(desktop, holder, at, desktop.clipboard)
  if (held === '' && (chord.key === 'delete' || chord.key === 'backspace'))
    return setIfEditable(desktop, holder, at, '')
  if (held === '' && (chord.key === 'f2' || chord.key === 'enter')) return beginCellEdit(desktop, holder, at)
  if (chord.key === 'tab' && (held === '' || held === 'shift')) return tabTo(desktop, holder, at, held === '' ? 1 : -1)
  const target = targetOfKey(holder, grid, chord)
  if (target) return stepTo(desktop, holder, target)
  const letter = characterOf(chord)
  return letter !== undefined && isEditable(grid, at) ? beginCellEdit(desktop, holder, at, letter) : undefined
}

const textAt = (grid: VirtualGrid, { row, column }: GridCell): string => recordAt(grid, row)?.cells[column] ?? ''

const setIfEditable = (desktop: Desktop, holder: ElementRef, cell: GridCell, text: string): Desktop =>
  isEditable(holder.element.traits!.grid!, cell)
    ? setCellText(desktop, holder, cell, text.replace(/\r\n?|\n/g, ' '))
    : desktop

/** The distance in rows and columns that an arrow key moves. */
const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
}

/** The cell that a key moves to while there is no cell cursor. Undefined for other keys. */
function entryOfKey(held: string, key: string, grid: VirtualGrid): GridCell | undefined {
  if (held === 'ctrl' && key === 'end') return { row: grid.order.length - 1, column: grid.columns.length - 1 }
  return (held === '' && key in MOVES) || (held === 'ctrl' && key === 'home') ? { row: 0, column: 0 } : undefined
}

/** The cell that a key moves to. Undefined for other keys. */
function targetOfKey(holder: ElementRef, grid: VirtualGrid, { modifiers, key }: Chord): GridCell | undefined {
  const held = modifiers.join('+')
  const [lastRow, lastColumn] = [grid.order.length - 1, grid.columns.length - 1]
  const page = Math.max(1, Math.floor(gridView(holder.element, grid).height / grid.rowHeight) - 1)
  const { current: row, column } = grid
  const within = (to: GridCell): GridCell => ({
    row: Math.max(0, Math.min(lastRow, to.row)),
    column: Math.max(0, Math.min(lastColumn, to.column)),
  })
  const [rows, columns] = MOVES[key] ?? [0, 0]
  const isMove = rows !== 0 || columns !== 0
  if (held === 'ctrl') {
    if (isMove) return within({ row: row + rows * lastRow, column: column + columns * lastColumn })
    if (key === 'home') return { row: 0, column: 0 }
    return key === 'end' ? { row: lastRow, column: lastColumn } : undefined
  }
  if (held !== '') return undefined
  if (isMove) return within({ row: row + rows, column: column + columns })
  if (key === 'home') return { row, column: 0 }
  if (key === 'end') return { row, column: lastColumn }
  if (key === 'pagedown') return within({ row: row + page, column })
  return key === 'pageup' ? within({ row: row - page, column }) : undefined
}

/** The next or previous cell, around the ends of rows. Undefined beyond the last and first cell of the table. */
export function tabTo(desktop: Desktop, holder: ElementRef, from: GridCell, by: 1 | -1): Desktop | undefined {
  const grid = refresh(desktop, holder)!.element.traits!.grid!
  const index = from.row * grid.columns.length + from.column + by
  if (index < 0 || index >= grid.order.length * grid.columns.length) return undefined
  return stepTo(desktop, holder, {
    row: Math.floor(index / grid.columns.length),
    column: index % grid.columns.length,
  })
}

/** Moves the cell cursor by a key, which is recorded as a choice unless it stays where it is. */
export function stepTo(desktop: Desktop, holder: ElementRef, to: GridCell): Desktop {
  const { grid } = refresh(desktop, holder)!.element.traits!
  const gone = goToGridCell(desktop, holder, to)
  const row = recordAt(grid!, to.row)
  if (!row || (grid!.current === to.row && grid!.column === to.column)) return gone
  return recordChoice(gone, {
    ...targetOf(holder),
    element: cellIdOf(holder.element.id, row, grid!.columns[to.column]!.field),
  })
}

/** Typed text replaces the text of the current cell. Throws `PatternUnsupported` if it is read-only. */
export function typeAtCell(desktop: Desktop, holder: ElementRef, text: string): Desktop {
  const grid = holder.element.traits!.grid!
  const at = { row: grid.current, column: grid.column }
  const column = grid.columns[at.column]
  if (at.row < 0 || !column) return desktop
  if (isEditable(grid, at)) return beginCellEdit(desktop, holder, at, text)
  throw new Fault('PatternUnsupported', `the column "${column.title || column.field}" is read-only`, {
    element_id: holder.element.id,
  })
}

/** Editing of the cells of a virtual table, in place. */

/** Whether the user can change a cell. */
const isEditable = ({ columns }: VirtualGrid, { column }: GridCell): boolean => columns[column]?.editable === true

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
  const typed = replacement !== undefined
  const begun = changeRef(desktop, holder, (table) => withGrid(table, { edit: { ...cell, typed } }))
  const ref = cellRefAt(begun, holder, cell)
  if (!ref) return desktop
  const opened = changeRef(begun, ref, (element) => {
    const text = grid.sheet ? cellContent(grid, cell.row, cell.column) : (element.value ?? '')
    const edited = withTraits(grid.sheet ? withFields(element, { value: text }) : element, {
      editing: text,
      caret: { at: text.length, from: text.length },
    })
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

/** Gives a cell a text, and records the edit if it is another. */
export const setCellText = (desktop: Desktop, holder: ElementRef, cell: GridCell, text: string): Desktop =>
  setCellTexts(desktop, holder, [{ ...cell, text }])

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

/** Copying from tables, as lines of texts that are separated by tabs. */

/** Copies a text to the clipboard. An empty one leaves the clipboard as it is. */
const copyText = (desktop: Desktop, text: string): Desktop =>
  text === '' || text === desktop.clipboard ? desktop : { ...desktop, clipboard: text }

/** Copies the selected rows of a table. */
export const copyRows = (desktop: Desktop, { element }: ElementRef): Desktop =>
  copyText(desktop, selectedLines(element).map(lineOf).join('\n'))

function selectedLines(table: Element): readonly (readonly string[])[] {
  const { grid } = table.traits ?? {}
  if (grid) return grid.selected.map((position) => recordAt(grid, position)!.cells)
  return [...walk(table)].filter((each) => roleKind(each.role) === 'row' && each.selected === true).map(textsOf)
}

/** The texts of the cells of a row, otherwise its name. */
const textsOf = (row: Element): readonly string[] =>
  row.children.length === 0 ? [row.name] : row.children.map(({ name, value }) => value ?? name)

const lineOf = (texts: readonly string[]): string => texts.map((text) => text.replace(/\s+/g, ' ')).join('\t')
