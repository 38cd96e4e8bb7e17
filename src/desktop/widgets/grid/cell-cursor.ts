import { Fault } from '../../../base/fault.ts'
import type { Modifier } from '../../input/action.ts'
import { type Chord, characterOf } from '../../input/keys.ts'
import type { Desktop } from '../../model/desktop.ts'
import type { GridCell, VirtualGrid } from '../../model/grid.ts'
import { changeRef, type ElementRef, refresh, targetOf } from '../../tree/element-ref.ts'
import { recordChoice } from '../action-effect.ts'
import { type Selection, selectAt } from '../items/selection.ts'
import { copyText } from '../items/table-text.ts'
import { offsetOf, scrollTo, shortfall } from '../scrolling/scrolling.ts'
import { beginCellEdit, commitCellEdit, isEditable, setCellText } from './cell-edit.ts'
import { gridView, pageRange, pageWith } from './geometry.ts'
import { cellIdOf, recordAt, recordNames } from './grid-ids.ts'
import { withGrid } from './grid-state.ts'

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
  const offset = offsetOf(here.element).y
  const y = view.y + (grid.current - pageRange(grid)[0]) * grid.rowHeight - offset
  return scrollTo(desktop, here, offset + shortfall(view, { ...view, y, height: grid.rowHeight }))
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
  if (grid.selects === 'cell') return goToGridCell(desktop, holder, cell)
  const many = holder.element.traits?.multiSelect ?? false
  const chosen = withGridSelection(desktop, holder, selectAt(gridSelection(grid, many), cell.row, modifiers))
  return changeRef(chosen, holder, (table) => withGrid(table, { column: cell.column }))
}

/** Moves the cell cursor. Ends the edit of another cell. */
export function goToGridCell(desktop: Desktop, holder: ElementRef, { row, column }: GridCell): Desktop {
  const done = commitCellEdit(desktop, holder)
  const gone = changeRef(done, holder, (table) =>
    withGrid(table, { current: row, anchor: row, column, page: pageWith(table.traits!.grid!, row) }),
  )
  return revealCurrent(gone, holder)
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
