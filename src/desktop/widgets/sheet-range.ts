import type { Modifier } from '../input/action.ts'
import { type Chord, formatChord } from '../input/keys.ts'
import type { CopiedCells, Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { continuedContents, type FillStep } from '../model/fill-series.ts'
import { movedContent } from '../model/formula-text.ts'
import type { Point, Rect } from '../model/geometry.ts'
import { type CellRange, type GridCell, rangeOf, type VirtualGrid } from '../model/grid.ts'
import { type ElementRef, refresh } from '../tree/element-ref.ts'
import { commitCellEdit, extendSelection, goToGridCell, selectCells, stepTo } from './cell-cursor.ts'
import { type CellText, cellContent, repeatStep, setCellTexts, withCopiedCells } from './cell-texts.ts'
import { columnOffset, columnSpans, frozenRows, gridView, pageRange, recordAt } from './grid-cells.ts'
import { offsetOf } from './scrolling.ts'

/** The selected cells of a sheet: selecting, copying, pasting, filling, clearing, undo and redo. */

/** Handles a key while cells of a sheet are selected. Returns undefined for keys that mean the same in every table. */
export function keyInSheet(desktop: Desktop, holder: ElementRef, chord: Chord): Desktop | undefined {
  const grid = holder.element.traits!.grid!
  if (!grid.sheet || grid.order.length === 0 || grid.columns.length === 0) return undefined
  const keys = formatChord(chord)
  if (keys === 'ctrl+a') return selectCells(desktop, holder, { row: 0, column: 0 }, lastCell(grid))
  if (keys === 'ctrl+z') return undone(desktop, holder, 'undo')
  if (keys === 'ctrl+y' || keys === 'ctrl+shift+z') return undone(desktop, holder, 'redo')
  const range = rangeOf(grid)
  if (!range) return undefined
  switch (keys) {
    case 'ctrl+c':
    case 'ctrl+insert':
      return copyRange(desktop, grid, range)
    case 'ctrl+x':
      return cleared(copyRange(desktop, grid, range, true), holder, range)
    case 'ctrl+v':
    case 'shift+insert':
      return pasted(desktop, holder, range)
    case 'delete':
    case 'backspace':
      return cleared(desktop, holder, range)
    case 'ctrl+d':
      return filledFromEdge(desktop, holder, range, { rows: 1, columns: 0 })
    case 'ctrl+r':
      return filledFromEdge(desktop, holder, range, { rows: 0, columns: 1 })
    case 'enter':
    case 'shift+enter':
      return movedBy(desktop, holder, keys === 'enter' ? 1 : -1)
    default:
      return extendedBy(desktop, holder, grid, chord)
  }
}

const lastCell = ({ order, columns }: VirtualGrid): GridCell => ({ row: order.length - 1, column: columns.length - 1 })

/** Enter moves down and shift+Enter up, as long as there are rows. */
function movedBy(desktop: Desktop, holder: ElementRef, by: 1 | -1): Desktop {
  const { current, column, order } = holder.element.traits!.grid!
  const row = current + by
  return row >= 0 && row < order.length ? stepTo(desktop, holder, { row, column }) : desktop
}

const ARROWS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
}

/** shift and an arrow, Home or End move the other corner of the selection, with ctrl to the edge. */
function extendedBy(
  desktop: Desktop,
  holder: ElementRef,
  grid: VirtualGrid,
  { modifiers, key }: Chord,
): Desktop | undefined {
  if (!modifiers.includes('shift') || modifiers.some((each) => each !== 'shift' && each !== 'ctrl')) return undefined
  const from = grid.sheet?.corner ?? { row: grid.current, column: grid.column }
  const last = lastCell(grid)
  const isFar = modifiers.includes('ctrl')
  const to = key === 'home' ? { ...from, column: 0 } : key === 'end' ? { ...from, column: last.column } : undefined
  const move = ARROWS[key]
  if (!move && !to) return undefined
  const [rows, columns] = move ?? [0, 0]
  const stepped = to ?? {
    row: from.row + rows * (isFar ? last.row : 1),
    column: from.column + columns * (isFar ? last.column : 1),
  }
  return extendSelection(desktop, holder, within(stepped, last))
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))
const within = ({ row, column }: GridCell, last: GridCell): GridCell => ({
  row: clamp(row, last.row),
  column: clamp(column, last.column),
})

function undone(desktop: Desktop, holder: ElementRef, kind: 'undo' | 'redo'): Desktop {
  const done = repeatStep(desktop, holder, kind)
  const here = done && refresh(done.desktop, holder)
  if (!done || !here) return desktop
  return goToGridCell(done.desktop, here, within(done.step, lastCell(here.element.traits!.grid!)))
}

/** The cells of a range by rows. */
function cellsIn({ top, left, bottom, right }: CellRange): readonly GridCell[] {
  const cells: GridCell[] = []
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) cells.push({ row, column })
  return cells
}

/** Gives cells texts, except in columns that the user cannot change. */
const written = (desktop: Desktop, holder: ElementRef, texts: readonly CellText[]): Desktop => {
  const { columns } = holder.element.traits!.grid!
  return setCellTexts(
    desktop,
    holder,
    texts.filter(({ column }) => columns[column]?.editable),
  )
}

const cleared = (desktop: Desktop, holder: ElementRef, range: CellRange): Desktop =>
  written(
    desktop,
    holder,
    cellsIn(range).map((cell) => ({ ...cell, text: '' })),
  )

/** Copies what cells show as texts between tabs in lines, and what was typed into them for sheets. */
function copyRange(desktop: Desktop, grid: VirtualGrid, range: CellRange, isCut = false): Desktop {
  const { top, left, bottom, right } = range
  const rows = Array.from({ length: bottom - top + 1 }, (_, index) => recordAt(grid, top + index)!)
  const line = (texts: readonly string[]) => texts.slice(left, right + 1).map((text) => text.replace(/\s+/g, ' '))
  const text = rows.map(({ cells }) => line(cells).join('\t')).join('\n')
  const contents = rows.map((row) => (row.contents ?? row.cells).slice(left, right + 1))
  return withCopiedCells(desktop, { text, contents, row: top, column: left, isCut })
}

/** Pastes at the start of the selection. One cell fills the whole selection. */
function pasted(desktop: Desktop, holder: ElementRef, range: CellRange): Desktop {
  const { clipboard, copiedCells } = desktop
  if (clipboard === '') return desktop
  const last = lastCell(holder.element.traits!.grid!)
  const copied = copiedCells?.text === clipboard ? copiedCells : plainCells(clipboard)
  const [height, width] = [copied.contents.length, copied.contents[0]?.length ?? 0]
  const isOne = height === 1 && width === 1
  const size = isOne
    ? { rows: range.bottom - range.top, columns: range.right - range.left }
    : { rows: height - 1, columns: width - 1 }
  const to = within({ row: range.top + size.rows, column: range.left + size.columns }, last)
  const target: CellRange = { top: range.top, left: range.left, bottom: to.row, right: to.column }
  const texts = cellsIn(target).map(({ row, column }): CellText => {
    const [down, right] = [(row - range.top) % height, (column - range.left) % width]
    const content = copied.contents[down]?.[right] ?? ''
    const text = copied.isCut ? content : movedContent(content, row - copied.row - down, column - copied.column - right)
    return { row, column, text }
  })
  const done = written(desktop, holder, texts)
  const here = refresh(done, holder)
  return here ? selectCells(done, here, { row: target.top, column: target.left }, to) : done
}

/** A text from elsewhere: lines of texts between tabs. */
function plainCells(text: string): CopiedCells {
  const lines = text.replace(/\n$/, '').split('\n')
  return { text, contents: lines.map((line) => line.split('\t')), row: 0, column: 0, isCut: true }
}

/** ctrl+D and ctrl+R: copies the first row or column over the others; from before the selection if it is one only. */
function filledFromEdge(desktop: Desktop, holder: ElementRef, range: CellRange, step: FillStep): Desktop {
  const grid = holder.element.traits!.grid!
  const isDown = step.rows !== 0
  const isOne = isDown ? range.top === range.bottom : range.left === range.right
  const source = (isDown ? range.top : range.left) - (isOne ? 1 : 0)
  if (source < 0) return desktop
  const texts = cellsIn(range).map(({ row, column }): CellText => {
    const text = isDown
      ? movedContent(cellContent(grid, source, column), row - source, 0)
      : movedContent(cellContent(grid, row, source), 0, column - source)
    return { row, column, text }
  })
  return written(desktop, holder, texts)
}

/** The cell at a point, or the nearest one. */
export function cellAtPoint(table: Element, { x, y }: Point): GridCell | undefined {
  const { grid } = table.traits ?? {}
  if (!grid || grid.order.length === 0 || grid.columns.length === 0) return undefined
  const view = gridView(table, grid)
  const above = frozenRows(grid) * grid.rowHeight
  const top = { ...view, y: view.y - above, height: view.height + above }
  const at = clampTo(y, top)
  const scrolled = at < view.y ? 0 : offsetOf(table).y
  const row = pageRange(grid)[0] + Math.floor((at - top.y + scrolled) / grid.rowHeight)
  const spans = columnSpans(grid, view, columnOffset(table, grid))
  const column = spans.findIndex((span) => x < span.x + span.width)
  return within({ row, column: column < 0 ? spans.length - 1 : column }, lastCell(grid))
}

const clampTo = (y: number, view: Rect): number => Math.max(view.y, Math.min(view.y + view.height - 1, y))

/** How far from the end of a selection the handle is taken hold of, in pixels. */
const HANDLE_PX = 8

/** Whether a point is on the handle at the end of the selected cells, by the cell that it is in. */
export function isOnHandle({ bounds, traits }: Element, { x, y }: Point): boolean {
  const range = traits?.range ?? ''
  if (!range.includes('b') || !range.includes('r')) return false
  return x >= bounds.x + bounds.width - HANDLE_PX && y >= bounds.y + bounds.height - HANDLE_PX
}

/** Selects the cells from the point of a press to another. */
export function dragSelection(desktop: Desktop, holder: ElementRef, from: Point, to: Point): Desktop | undefined {
  const [start, end] = [cellAtPoint(holder.element, from), cellAtPoint(holder.element, to)]
  return start && end && selectCells(commitCellEdit(desktop, holder), holder, start, end)
}

/** Fills from the selected cells to a point, in the direction in which it is further away. */
export function dragHandle(
  desktop: Desktop,
  holder: ElementRef,
  to: Point,
  modifiers: readonly Modifier[],
): Desktop | undefined {
  const grid = holder.element.traits!.grid!
  const [range, end] = [rangeOf(grid), cellAtPoint(holder.element, to)]
  if (!range || !end) return undefined
  const rows = end.row > range.bottom ? end.row - range.bottom : Math.min(0, end.row - range.top)
  const columns = end.column > range.right ? end.column - range.right : Math.min(0, end.column - range.left)
  if (rows === 0 && columns === 0) return desktop
  const isVertical = Math.abs(rows) >= Math.abs(columns)
  const by = isVertical ? rows : columns
  const direction = by < 0 ? -1 : 1
  const step: FillStep = isVertical ? { rows: direction, columns: 0 } : { rows: 0, columns: direction }
  const texts: CellText[] = []
  const [firstLine, lastLine] = isVertical ? [range.left, range.right] : [range.top, range.bottom]
  const [low, high] = isVertical ? [range.top, range.bottom] : [range.left, range.right]
  for (let line = firstLine; line <= lastLine; line++) {
    const at = (place: number): GridCell => (isVertical ? { row: place, column: line } : { row: line, column: place })
    const places = Array.from({ length: high - low + 1 }, (_, index) => (direction > 0 ? low + index : high - index))
    const sources = places.map((place) => cellContent(grid, at(place).row, at(place).column))
    const edge = direction > 0 ? high : low
    for (const [index, text] of continuedContents(sources, Math.abs(by), step, modifiers.includes('ctrl')).entries())
      texts.push({ ...at(edge + direction * (index + 1)), text })
  }
  const done = written(desktop, holder, texts)
  const here = refresh(done, holder)
  if (!here) return done
  const start = { row: Math.min(range.top, end.row), column: Math.min(range.left, end.column) }
  const finish = { row: Math.max(range.bottom, end.row), column: Math.max(range.right, end.column) }
  const [a, b] = isVertical
    ? [
        { ...start, column: range.left },
        { ...finish, column: range.right },
      ]
    : [
        { ...start, row: range.top },
        { ...finish, row: range.bottom },
      ]
  return selectCells(done, here, a, b)
}

/** Selects a whole column, or a whole row. */
export function selectGridLine(
  desktop: Desktop,
  holder: ElementRef,
  line: { readonly row: number } | { readonly column: number },
): Desktop {
  const last = lastCell(holder.element.traits!.grid!)
  if (last.row < 0) return desktop
  return 'row' in line
    ? selectCells(desktop, holder, { row: line.row, column: 0 }, { row: line.row, column: last.column })
    : selectCells(desktop, holder, { row: 0, column: line.column }, { row: last.row, column: line.column })
}
