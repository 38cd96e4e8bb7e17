import { Fault } from '../../base/fault.ts'
import { type Chord, characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { kindOf, kindsWhere } from '../model/role.ts'
import { changeSpot, refresh, type Spot } from '../tree/spot.ts'
import { comboOf, withTyped } from './combo.ts'
import { isMultiline, offsetAt, paintedLines, scrolledBy, withCaretShown } from './page.ts'
import { isScrollable, scrollable } from './scrolling.ts'
import {
  caretAt,
  type Editing,
  editingOf,
  insert,
  move,
  moveInLine,
  moveLines,
  remove,
  selectAll,
  selectedText,
  selectLine,
  selectWord,
  travel,
  withEditing,
} from './text.ts'
import type { Gesture, Widget } from './widget.ts'

const LINE_HEIGHT = 20

/** Text fields of one line (Edit) and of many (Document, or an Edit that is `isMultiline`). */
export const field: Widget = {
  click: (desktop, spot, gesture) =>
    changeField(desktop, spot, (element) => withEditing(element, clicked(element, gesture))),
  key: pressInField,
  type: (desktop, spot, text) => changeField(desktop, writable(spot), (element) => typed(element, text)),
  setValue: (desktop, spot, value, clearFirst) =>
    changeField(desktop, writable(spot), (element) => {
      const start = clearFirst ? selectAll(editingOf(element)) : editingOf(element)
      return withEditing(element, insert(start, fitting(element, value), element.traits?.maxLength))
    }),
  drag: (desktop, spot, from, to) =>
    changeField(desktop, spot, (element) => {
      const begun = caretAt(editingOf(element), offsetAt(element, from), false)
      return withEditing(element, caretAt(begun, offsetAt(element, to), true))
    }),
  scroll(desktop, spot, clicks) {
    if (isScrollable(spot.element)) return scrollable.scroll!(desktop, spot, clicks)
    const scrolled = isMultiline(spot.element) ? scrolledBy(spot.element, clicks) : undefined
    return scrolled && changeSpot(desktop, spot, () => scrolled)
  },
}

/** What changes in a field of several lines is scrolled into view, and what is typed in a combo box is its value. */
function changeField(desktop: Desktop, spot: Spot, change: (element: Element) => Element): Desktop {
  const done = changeSpot(desktop, spot, (element) => {
    const changed = change(element)
    return changed === element || !isMultiline(element) ? changed : withCaretShown(changed)
  })
  const owner = comboOf(spot)
  const [here, combo] = owner && done !== desktop ? [refresh(done, spot), refresh(done, owner)] : []
  return here && combo ? withTyped(done, combo, here.element.value ?? '') : done
}

const FIELDS = kindsWhere(({ text }) => text !== 'none')

export const isField = (element: Element): boolean => FIELDS.has(kindOf(element.role))

/** Throws `PatternUnsupported` for a field that is read-only. */
function writable(spot: Spot): Spot {
  if (!spot.element.traits?.readOnly) return spot
  throw new Fault('PatternUnsupported', `"${spot.element.name}" is read-only`, { element_id: spot.element.id })
}

function typed(element: Element, text: string): Element {
  return withEditing(element, insert(editingOf(element), fitting(element, text), element.traits?.maxLength))
}

/** Line ends become line feeds; a field of one line has none. */
function fitting(element: Element, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  return isMultiline(element) ? lines : lines.replace(/\n/g, ' ')
}

function pressInField(desktop: Desktop, spot: Spot, chord: Chord): Desktop | undefined {
  const shift = chord.modifiers.includes('shift')
  const plain = chord.modifiers.filter((modifier) => modifier !== 'shift').join('+')
  const character = characterOf(chord)
  if (character !== undefined) return spot.element.traits?.readOnly ? desktop : insertAt(desktop, spot, character)
  if (plain === '') return pressPlain(desktop, spot, chord.key, shift)
  if (plain === 'ctrl' || plain === 'meta') return pressCommand(desktop, spot, chord.key.toLowerCase(), shift)
  return undefined
}

function pressPlain(desktop: Desktop, spot: Spot, key: string, shift: boolean): Desktop | undefined {
  const lines = isMultiline(spot.element)
  const goLines = (by: number) =>
    lines ? caret(desktop, spot, (editing) => moveLines(editing, paintedLines(spot.element), by, shift)) : undefined
  const goInLine = (direction: 1 | -1) =>
    caret(desktop, spot, (editing) =>
      lines
        ? moveInLine(editing, paintedLines(spot.element), direction, shift)
        : move(editing, direction, 'all', shift),
    )
  const page = Math.max(1, Math.floor(spot.element.bounds.height / LINE_HEIGHT) - 1)
  switch (key) {
    case 'enter':
      return lines && !spot.element.traits?.readOnly ? insertAt(desktop, spot, '\n') : undefined
    case 'backspace':
      return edited(desktop, spot, (editing) => remove(editing, -1, 'character'))
    case 'delete':
      return shift ? cut(desktop, spot) : edited(desktop, spot, (editing) => remove(editing, 1, 'character'))
    case 'insert':
      return shift ? paste(desktop, spot) : undefined
    case 'left':
      return caret(desktop, spot, (editing) => move(editing, -1, 'character', shift))
    case 'right':
      return caret(desktop, spot, (editing) => move(editing, 1, 'character', shift))
    case 'home':
      return goInLine(-1)
    case 'end':
      return goInLine(1)
    case 'up':
      return goLines(-1)
    case 'down':
      return goLines(1)
    case 'pageup':
      return goLines(-page)
    case 'pagedown':
      return goLines(page)
    default:
      return undefined
  }
}

/** Chords with ctrl, or with meta as on macOS. */
function pressCommand(desktop: Desktop, spot: Spot, key: string, shift: boolean): Desktop | undefined {
  switch (key) {
    case 'a':
      return caret(desktop, spot, selectAll)
    case 'c':
    case 'insert':
      return copy(desktop, spot)
    case 'x':
      return cut(desktop, spot)
    case 'v':
      return paste(desktop, spot)
    case 'z':
      return history(desktop, spot, shift ? 'redo' : 'undo')
    case 'y':
      return history(desktop, spot, 'redo')
    case 'backspace':
      return edited(desktop, spot, (editing) => remove(editing, -1, 'word'))
    case 'delete':
      return edited(desktop, spot, (editing) => remove(editing, 1, 'word'))
    case 'left':
      return caret(desktop, spot, (editing) => move(editing, -1, 'word', shift))
    case 'right':
      return caret(desktop, spot, (editing) => move(editing, 1, 'word', shift))
    case 'home':
      return caret(desktop, spot, (editing) => move(editing, -1, 'all', shift))
    case 'end':
      return caret(desktop, spot, (editing) => move(editing, 1, 'all', shift))
    default:
      return undefined
  }
}

const caret = (desktop: Desktop, spot: Spot, change: (editing: Editing) => Editing): Desktop =>
  changeField(desktop, spot, (element) => withEditing(element, change(editingOf(element))))

/** A key that would change a read-only field does nothing. */
const edited = (desktop: Desktop, spot: Spot, change: (editing: Editing) => Editing): Desktop =>
  spot.element.traits?.readOnly ? desktop : caret(desktop, spot, change)

const insertAt = (desktop: Desktop, spot: Spot, text: string): Desktop =>
  changeField(desktop, spot, (element) => typed(element, text))

const history = (desktop: Desktop, spot: Spot, direction: 'undo' | 'redo'): Desktop =>
  spot.element.traits?.readOnly ? desktop : changeField(desktop, spot, (element) => travel(element, direction))

/** What is selected goes to the clipboard; nothing of a secret field does. */
function copy(desktop: Desktop, { element }: Spot): Desktop {
  const text = element.traits?.secret ? '' : selectedText(editingOf(element))
  return text === '' || text === desktop.clipboard ? desktop : { ...desktop, clipboard: text }
}

function cut(desktop: Desktop, spot: Spot): Desktop {
  const empty = selectedText(editingOf(spot.element)) === ''
  if (empty || spot.element.traits?.secret) return desktop
  return edited(copy(desktop, spot), spot, (editing) => remove(editing, 1, 'character'))
}

const paste = (desktop: Desktop, spot: Spot): Desktop =>
  desktop.clipboard === '' || spot.element.traits?.readOnly ? desktop : insertAt(desktop, spot, desktop.clipboard)

function clicked(element: Element, { at, count, modifiers }: Gesture): Editing {
  const editing = editingOf(element)
  const offset = offsetAt(element, at)
  if (count >= 3) return isMultiline(element) ? selectLine(editing, offset) : selectAll(editing)
  if (count === 2) return selectWord(editing, offset)
  return caretAt(editing, offset, modifiers.includes('shift'))
}
