import type { Modifier } from '../input/action.ts'
import { type Chord, characterOf, formatChord } from '../input/keys.ts'
import { changeWindow, type Desktop, type Window, windowWith } from '../model/desktop.ts'
import { type Element, nodeById, type Path, withFields } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import {
  changeRef,
  closest,
  type ElementRef,
  parentOf,
  refOf,
  refresh,
  targetOf,
  withTraits,
} from '../tree/element-ref.ts'
import { moved } from '../tree/tree-edits.ts'
import { subtreePredicate } from '../tree/visibility.ts'
import { commitCellEdit, copyRows, editedIdOf } from '../widgets/cell-cursor.ts'
import { field } from '../widgets/edit.ts'
import { compareTexts } from '../widgets/grid-state.ts'
import {
  clickInGrid,
  invokeInGrid,
  keyInVirtualGrid,
  setInGrid,
  sortGrid,
  typeInVirtualGrid,
  virtualGridOf,
} from '../widgets/grid-table.ts'
import { chooseItem } from '../widgets/item-selection.ts'
import { reveal } from '../widgets/scrolling.ts'
import { dragHandle, dragSelection, isOnHandle } from '../widgets/sheet-range.ts'
import { selectAll, withEditState } from '../widgets/text.ts'
import { recordChoice, type WidgetBehaviour } from '../widgets/widget.ts'
import { list } from './list.ts'

/**
 * Table: rows are selected, as in a list. In a grid (DataGrid, Grid, Spreadsheet), cells are selected and edited in
 * place: the focus stays with the grid, `traits.current` is the id of the cell, `traits.editing` on the cell keeps its
 * previous text.
 */
export const table: WidgetBehaviour = {
  ...list,
  click: (desktop, ref) =>
    ref.element.traits?.grid
      ? commitCellEdit(desktop, ref)
      : changeRef(desktop, ref, (element) => editedOnlyAt(element, undefined)),
  key(desktop, ref, chord) {
    if (ref.element.traits?.grid) return keyInVirtualGrid(desktop, ref, chord) ?? keyInRows(desktop, ref, chord)
    return isGrid(ref.element) ? keyInGrid(desktop, ref, chord) : keyInRows(desktop, ref, chord)
  },
  type(desktop, ref, text) {
    if (ref.element.traits?.grid) return typeInVirtualGrid(desktop, ref, text) ?? list.type!(desktop, ref, text)
    if (!isGrid(ref.element)) return list.type!(desktop, ref, text)
    const cell = currentCell(ref)
    return cell ? typeInCell(desktop, cell, text) : desktop
  },
}

/** Keys in a table whose rows are selected. */
function keyInRows(desktop: Desktop, ref: ElementRef, chord: Chord): Desktop | undefined {
  const isCopy = formatChord(chord) === 'ctrl+c' || formatChord(chord) === 'ctrl+insert'
  if (ref.element.traits?.grid?.selects === 'cell') return undefined
  return isCopy ? copyRows(desktop, ref) : list.key!(desktop, ref, chord)
}

/** A row: selected in its table. */
export const row: WidgetBehaviour = {
  click(desktop, ref, gesture) {
    const holder = virtualGridOf(ref)
    return holder ? clickInGrid(desktop, holder, ref, gesture) : chooseRow(desktop, ref, gesture.modifiers)
  },
  invoke(desktop, ref) {
    const holder = virtualGridOf(ref)
    return holder ? invokeInGrid(desktop, holder, ref) : chooseRow(desktop, ref, [])
  },
}

/**
 * A cell: in a grid a click makes it current and a double click edits it; in a table its row is selected. While it is
 * edited, the pointer acts as in a field.
 */
export const cell: WidgetBehaviour = {
  click(desktop, ref, gesture) {
    const holder = virtualGridOf(ref)
    if (holder) return clickInGrid(desktop, holder, ref, gesture)
    const grid = gridOf(ref)
    if (!grid) return chooseRow(desktop, ref, gesture.modifiers)
    const gone = goToCell(desktop, grid, ref)
    const here = refresh(gone, ref)
    if (here && isEdited(here.element)) return field.click!(gone, here, gesture)
    return here && gesture.count === 2 ? beginEditing(gone, here) : gone
  },
  grab(element, at) {
    if (isEdited(element)) return field.grab!(element, at)
    return element.traits?.range === undefined || isOnHandle(element, at) ? undefined : 0
  },
  drag(desktop, ref, from, to, modifiers, grabbed) {
    if (isEdited(ref.element)) return field.drag!(desktop, ref, from, to, modifiers, grabbed)
    const holder = ref.element.traits?.range === undefined ? undefined : virtualGridOf(ref)
    if (!holder) return undefined
    if (grabbed !== undefined) return dragSelection(desktop, holder, from, to)
    return isOnHandle(ref.element, from) ? dragHandle(desktop, holder, to, modifiers) : undefined
  },
  invoke(desktop, ref) {
    const holder = virtualGridOf(ref)
    if (holder) return invokeInGrid(desktop, holder, ref)
    const grid = gridOf(ref)
    return grid ? goToCell(desktop, grid, ref) : chooseRow(desktop, ref, [])
  },
  setValue(desktop, ref, value, clearFirst) {
    const holder = virtualGridOf(ref)
    return holder ? setInGrid(desktop, holder, ref, value, clearFirst) : setCell(desktop, ref, value, clearFirst)
  },
}

/** HeaderItem: sorts the rows of its table by its column, a second time in reverse. A row header selects its row. */
export const headerItem: WidgetBehaviour = {
  click(desktop, ref, gesture) {
    const holder = virtualGridOf(ref)
    if (!holder) return sortBy(desktop, ref)
    const isOfRow = roleKind(parentOf(ref)!.element.role) === 'row'
    return isOfRow ? clickInGrid(desktop, holder, ref, gesture) : sortGrid(desktop, holder, ref.element)
  },
  invoke(desktop, ref) {
    const holder = virtualGridOf(ref)
    if (!holder) return sortBy(desktop, ref)
    const isOfRow = roleKind(parentOf(ref)!.element.role) === 'row'
    return isOfRow ? invokeInGrid(desktop, holder, ref) : sortGrid(desktop, holder, ref.element)
  },
}

const isGrid = (element: Element): boolean => /grid|sheet/i.test(element.role)
const isRow = (element: Element): boolean => roleKind(element.role) === 'row'
const isEdited = (element: Element): boolean => element.traits?.editing !== undefined

const holdsEdited = subtreePredicate('special', isEdited)

/** Ends the edits of all cells except the current cell of each window. */
export function withEditsDone(desktop: Desktop): Desktop {
  let next = desktop
  for (const window of desktop.windows) {
    if (!holdsEdited(window.tree)) continue
    const holder = window.focus === undefined ? undefined : nodeById(window.tree, window.focus)
    const kept = holder && (editedIdOf(holder) ?? holder.traits?.current)
    for (const grid of editedGrids(window)) if (editedIdOf(grid.element) !== kept) next = commitCellEdit(next, grid)
    next = changeWindow(next, window.uid, (each) => windowWith(each, { tree: editedOnlyAt(each.tree, kept) }))
  }
  return next
}

/** The virtual tables of a window in which a cell is edited. */
function editedGrids(window: Window): readonly ElementRef[] {
  const found: ElementRef[] = []
  const visit = (element: Element, path: Path) => {
    if (!holdsEdited(element)) return
    if (element.traits?.grid?.edit) found.push({ window, path, element })
    element.children.forEach((child, index) => {
      visit(child, [...path, index])
    })
  }
  visit(window.tree, [])
  return found
}

/** Ends the edits in a subtree except that of one cell. The others keep the typed text. */
function editedOnlyAt(node: Element, kept: string | undefined): Element {
  if (!holdsEdited(node)) return node
  if (isEdited(node) && node.id !== kept) return committed(node)
  const children = node.children.map((child) => editedOnlyAt(child, kept))
  return children.every((child, index) => child === node.children[index]) ? node : withFields(node, { children })
}

function gridOf(ref: ElementRef): ElementRef | undefined {
  const holder = closest(ref, (element) => roleKind(element.role) === 'table')
  return holder && isGrid(holder.element) ? holder : undefined
}

function chooseRow(desktop: Desktop, ref: ElementRef, modifiers: readonly Modifier[]): Desktop {
  const line = closest(ref, isRow)
  const holder = line && closest(line, (element) => ['table', 'list', 'tree'].includes(roleKind(element.role)))
  return holder && line ? chooseItem(desktop, holder, line.element, modifiers) : desktop
}

/** The rows of a grid, each with its cells. */
const rowsOf = (grid: Element): readonly Element[] =>
  grid.children.filter((child) => isRow(child) && child.enabled && !child.traits?.hidden)

/** The current cell. */
function currentCell(grid: ElementRef): ElementRef | undefined {
  const id = grid.element.traits?.current
  for (const [place, line] of grid.element.children.entries()) {
    const inside = isRow(line) ? line.children.findIndex((each) => each.id === id) : -1
    const element = line.children[inside]
    if (element) return { window: grid.window, path: [...grid.path, place, inside], element }
  }
  return undefined
}

/** Makes a cell current and the only selected one. Ends the edit of the previous cell. */
function goToCell(desktop: Desktop, grid: ElementRef, to: ElementRef): Desktop {
  const gone = changeRef(desktop, grid, (element) => {
    const children = element.children.map((line) => (isRow(line) ? withCells(line, to.element.id) : line))
    const changed = children.some((line, index) => line !== element.children[index])
    const next = changed ? { ...element, children } : element
    return next.traits?.current === to.element.id ? next : withTraits(next, { current: to.element.id })
  })
  return reveal(gone, to)
}

function withCells(line: Element, id: string): Element {
  const children = line.children.map((each) => {
    const done = each.id !== id && isEdited(each) ? committed(each) : each
    return (done.selected === true) === (each.id === id) ? done : withFields(done, { selected: each.id === id })
  })
  return children.some((each, index) => each !== line.children[index]) ? { ...line, children } : line
}

/** The text of a cell: its value, otherwise its name. */
const textOf = (element: Element): string => element.value ?? element.name

/** Sets the text of a cell, as if it had been edited. */
function setCell(desktop: Desktop, ref: ElementRef, value: string, clearFirst: boolean): Desktop {
  const begun = beginEditing(desktop, ref)
  const set = field.setValue!(begun, refresh(begun, ref)!, value, clearFirst)
  return changeRef(set, ref, committed)
}

function beginEditing(desktop: Desktop, ref: ElementRef): Desktop {
  if (ref.element.traits?.readOnly || isEdited(ref.element)) return desktop
  return changeRef(desktop, ref, (element) => {
    const before = textOf(element)
    return withTraits(
      { ...element, value: before },
      { editing: before, caret: { at: before.length, from: before.length } },
    )
  })
}

/** Keeps the text. If the name of the cell was its text, updates the name. */
function committed(element: Element): Element {
  const { editing } = element.traits ?? {}
  const name = element.name !== '' && element.name === editing ? (element.value ?? '') : element.name
  return withTraits({ ...element, name }, { editing: undefined, caret: undefined, history: undefined })
}

const cancelled = (element: Element): Element => committed({ ...element, value: element.traits?.editing ?? '' })

function typeInCell(desktop: Desktop, ref: ElementRef, text: string): Desktop {
  if (isEdited(ref.element)) return field.type!(desktop, ref, text)
  const begun = beginEditing(desktop, ref)
  const here = refresh(begun, ref)
  if (!here) return begun
  const cleared = changeRef(begun, here, (element) =>
    withEditState(element, selectAll({ text: element.value ?? '', at: 0, from: 0 })),
  )
  return field.type!(cleared, refresh(cleared, here)!, text)
}

function keyInGrid(desktop: Desktop, grid: ElementRef, chord: Chord): Desktop | undefined {
  const ref = currentCell(grid)
  const lines = rowsOf(grid.element)
  if (!ref) return isArrow(chord) ? goTo(desktop, grid, lines[0]?.children[0]) : undefined
  const held = chord.modifiers.join('+')
  if (isEdited(ref.element)) return keyWhileEditing(desktop, grid, ref, chord)
  if (held === 'ctrl' && chord.key === 'c') return { ...desktop, clipboard: textOf(ref.element) }
  if (held === 'ctrl' && chord.key === 'v')
    return ref.element.traits?.readOnly ? desktop : setCell(desktop, ref, desktop.clipboard, true)
  if (held === 'shift' && chord.key === 'tab') return step(desktop, grid, ref, 0, -1)
  if (held === '' && (chord.key === 'delete' || chord.key === 'backspace'))
    return ref.element.traits?.readOnly ? desktop : setCell(desktop, ref, '', true)
  if (held === '' && (chord.key === 'f2' || chord.key === 'enter')) return beginEditing(desktop, ref)
  if (held === '' && chord.key === 'tab') return step(desktop, grid, ref, 0, 1)
  const by = held === '' ? ARROWS[chord.key] : undefined
  if (by) return step(desktop, grid, ref, ...by) ?? desktop
  const letter = characterOf(chord)
  return letter && !ref.element.traits?.readOnly ? typeInCell(desktop, ref, letter) : undefined
}

/** Enter and Tab end editing and move on, Escape reverts. Other keys edit the text or are not handled. */
function keyWhileEditing(desktop: Desktop, grid: ElementRef, ref: ElementRef, chord: Chord): Desktop | undefined {
  const held = chord.modifiers.join('+')
  if (held === '' && chord.key === 'escape') return changeRef(desktop, ref, cancelled)
  if ((held === '' || held === 'shift') && (chord.key === 'enter' || chord.key === 'tab')) {
    const done = changeRef(desktop, ref, committed)
    const here = refresh(done, grid)!
    const by = held === 'shift' ? -1 : 1
    return (chord.key === 'enter' ? step(done, here, ref, by, 0) : step(done, here, ref, 0, by)) ?? done
  }
  return field.key!(desktop, ref, chord)
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
}
const isArrow = ({ modifiers, key }: Chord): boolean => modifiers.length === 0 && key in ARROWS

/** The cell at a distance in rows and cells. Undefined beyond the edge. */
function step(desktop: Desktop, grid: ElementRef, from: ElementRef, rows: number, cells: number): Desktop | undefined {
  const lines = rowsOf(grid.element)
  const line = lines.findIndex((each) => each.children.some(({ id }) => id === from.element.id))
  const place = lines[line]?.children.findIndex(({ id }) => id === from.element.id) ?? -1
  const next = lines[line + rows]?.children[place + cells] ?? (rows === 0 ? wrapped(lines, line, cells) : undefined)
  return goTo(desktop, grid, next)
}

/** The last cell of a row is followed by the first of the next. */
const wrapped = (lines: readonly Element[], line: number, by: number): Element | undefined =>
  by > 0 ? lines[line + 1]?.children[0] : lines[line - 1]?.children.at(-1)

function goTo(desktop: Desktop, grid: ElementRef, to: Element | undefined): Desktop | undefined {
  const cell = to && refOf(desktop, { window: grid.window.uid, element: to.id })
  return cell && recordChoice(goToCell(desktop, grid, cell), targetOf(cell))
}

function sortBy(desktop: Desktop, ref: ElementRef): Desktop {
  const holder = closest(ref, (element) => roleKind(element.role) === 'table')
  const header = parentOf(ref)
  if (!holder || !header) return desktop
  const headers = header.element.children.filter((child) => roleKind(child.role) === 'headeritem')
  const column = headers.findIndex(({ id }) => id === ref.element.id)
  const sorted = ref.element.traits?.sorted === 'ascending' ? 'descending' : 'ascending'
  const marked = headers.reduce(
    (next, each) =>
      changeRef(next, refOf(next, { window: ref.window.uid, element: each.id }), (element) => {
        const mark = each.id === ref.element.id ? sorted : undefined
        return element.traits?.sorted === mark ? element : withTraits(element, { sorted: mark })
      }),
    desktop,
  )
  return changeRef(marked, holder, (element) =>
    sortedRows(editedOnlyAt(element, undefined), column, sorted === 'ascending' ? 1 : -1),
  )
}

/** The rows in sorted order, each with the bounds of the row that was at its index. */
function sortedRows(holder: Element, column: number, direction: 1 | -1): Element {
  const rows = holder.children.filter(isRow)
  const text = (line: Element): string => (line.children[column] ? textOf(line.children[column]) : line.name)
  const order = rows.toSorted((a, b) => direction * compareTexts(text(a), text(b)))
  const placesInOrder = order.map((line, index) => moved(line, 0, rows[index]!.bounds.y - line.bounds.y))
  let next = 0
  const children = holder.children.map((child) => (isRow(child) ? placesInOrder[next++]! : child))
  return children.every((child, index) => child === holder.children[index]) ? holder : { ...holder, children }
}
