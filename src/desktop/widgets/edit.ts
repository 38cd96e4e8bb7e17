import { Fault } from '../../base/fault.ts'
import { type Chord, characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { roleKind, rolesWhere } from '../model/role.ts'
import type { EditCommand } from '../model/traits.ts'
import { changeRef, type ElementRef, refresh } from '../tree/element-ref.ts'
import { comboOf, withTyped } from './combo.ts'
import { isScrollable, scrollable } from './scrolling.ts'
import {
  caretAt,
  type EditState,
  editStateOf,
  insert,
  move,
  moveInLine,
  moveLines,
  remove,
  selectAll,
  selectedText,
  selectLine,
  selectWord,
  undoOrRedo,
  withEditState,
} from './text.ts'
import {
  isMultiline,
  lineDirection,
  offsetAt,
  paintedLines,
  scrolledAcrossBy,
  scrolledBy,
  withCaretShown,
} from './text-view.ts'
import type { ClickGesture, WidgetBehaviour } from './widget.ts'

const LINE_HEIGHT = 20

/** Single-line (Edit) and multi-line text fields (Document, or an Edit that is `isMultiline`). */
export const field: WidgetBehaviour = {
  click: (desktop, ref, gesture) =>
    changeField(desktop, ref, (element) => withEditState(element, clicked(element, gesture))),
  key: pressInField,
  type: (desktop, ref, text) => changeField(desktop, writable(ref), (element) => typed(element, text)),
  setValue: (desktop, ref, value, clearFirst) =>
    changeField(desktop, writable(ref), (element) => {
      const start = clearFirst ? selectAll(editStateOf(element)) : editStateOf(element)
      return withEditState(element, insert(start, fitting(element, value), element.traits?.maxLength))
    }),
  grab: (element, at) => offsetAt(element, at),
  drag: (desktop, ref, from, to, _modifiers, grabbed) =>
    changeField(desktop, ref, (element) => {
      const begun = caretAt(editStateOf(element), grabbed ?? offsetAt(element, from), false)
      return withEditState(element, caretAt(begun, offsetAt(element, to), true))
    }),
  scroll(desktop, ref, clicks, axis) {
    if (isScrollable(ref.element)) return scrollable.scroll!(desktop, ref, clicks, axis)
    const scroll = axis === 'x' ? scrolledAcrossBy : scrolledBy
    const scrolled = isMultiline(ref.element) ? scroll(ref.element, clicks) : undefined
    return scrolled && changeRef(desktop, ref, () => scrolled)
  },
}

/** Scrolls the caret of a multi-line field into view. Text typed in a combo box becomes its value. */
function changeField(desktop: Desktop, ref: ElementRef, change: (element: Element) => Element): Desktop {
  const done = changeRef(desktop, ref, (element) => {
    const changed = change(element)
    return changed === element || !isMultiline(element) ? changed : withCaretShown(changed)
  })
  const owner = comboOf(ref)
  const [here, combo] = owner && done !== desktop ? [refresh(done, ref), refresh(done, owner)] : []
  return here && combo ? withTyped(done, combo, here.element.value ?? '') : done
}

const FIELDS = rolesWhere(({ text }) => text !== 'none')

export const isField = (element: Element): boolean => FIELDS.has(roleKind(element.role))

/** The field. Throws `PatternUnsupported` if it is read-only. */
function writable(ref: ElementRef): ElementRef {
  if (!ref.element.traits?.readOnly) return ref
  throw new Fault('PatternUnsupported', `"${ref.element.name}" is read-only`, { element_id: ref.element.id })
}

function typed(element: Element, text: string): Element {
  return withEditState(element, insert(editStateOf(element), fitting(element, text), element.traits?.maxLength))
}

/** Converts line ends to line feeds, and removes them for a single-line field. */
function fitting(element: Element, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  return isMultiline(element) ? lines : lines.replace(/\n/g, ' ')
}

function pressInField(desktop: Desktop, ref: ElementRef, chord: Chord): Desktop | undefined {
  const shift = chord.modifiers.includes('shift')
  const plain = chord.modifiers.filter((modifier) => modifier !== 'shift').join('+')
  const character = characterOf(chord)
  if (character !== undefined) return ref.element.traits?.readOnly ? desktop : insertAt(desktop, ref, character)
  if (plain === '') return pressPlain(desktop, ref, chord.key, shift)
  if (plain === 'ctrl' || plain === 'meta') return pressCommand(desktop, ref, chord.key.toLowerCase(), shift)
  return undefined
}

/** The direction of a move towards a side of the screen: in a paragraph from right to left, Left goes on. */
function sideways(ref: ElementRef, { text, at }: EditState, side: 1 | -1): 1 | -1 {
  return lineDirection(ref.element, text, { from: at, to: at }) === 'rtl' ? (-side as 1 | -1) : side
}

function pressPlain(desktop: Desktop, ref: ElementRef, key: string, shift: boolean): Desktop | undefined {
  const lines = isMultiline(ref.element)
  const goLines = (by: number) =>
    lines ? caret(desktop, ref, (editing) => moveLines(editing, paintedLines(ref.element), by, shift)) : undefined
  const goInLine = (direction: 1 | -1) =>
    caret(desktop, ref, (editing) =>
      lines ? moveInLine(editing, paintedLines(ref.element), direction, shift) : move(editing, direction, 'all', shift),
    )
  const page = Math.max(1, Math.floor(ref.element.bounds.height / LINE_HEIGHT) - 1)
  switch (key) {
    case 'enter':
      return lines && !ref.element.traits?.readOnly ? insertAt(desktop, ref, '\n') : undefined
    case 'backspace':
      return edited(desktop, ref, (editing) => remove(editing, -1, 'character'))
    case 'delete':
      return shift ? cut(desktop, ref) : edited(desktop, ref, (editing) => remove(editing, 1, 'character'))
    case 'insert':
      return shift ? paste(desktop, ref) : undefined
    case 'left':
      return caret(desktop, ref, (editing) => move(editing, sideways(ref, editing, -1), 'character', shift))
    case 'right':
      return caret(desktop, ref, (editing) => move(editing, sideways(ref, editing, 1), 'character', shift))
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
function pressCommand(desktop: Desktop, ref: ElementRef, key: string, shift: boolean): Desktop | undefined {
  switch (key) {
    case 'a':
      return caret(desktop, ref, selectAll)
    case 'c':
    case 'insert':
      return copy(desktop, ref)
    case 'x':
      return cut(desktop, ref)
    case 'v':
      return paste(desktop, ref)
    case 'z':
      return history(desktop, ref, shift ? 'redo' : 'undo')
    case 'y':
      return history(desktop, ref, 'redo')
    case 'backspace':
      return edited(desktop, ref, (editing) => remove(editing, -1, 'word'))
    case 'delete':
      return edited(desktop, ref, (editing) => remove(editing, 1, 'word'))
    case 'left':
      return caret(desktop, ref, (editing) => move(editing, sideways(ref, editing, -1), 'word', shift))
    case 'right':
      return caret(desktop, ref, (editing) => move(editing, sideways(ref, editing, 1), 'word', shift))
    case 'home':
      return caret(desktop, ref, (editing) => move(editing, -1, 'all', shift))
    case 'end':
      return caret(desktop, ref, (editing) => move(editing, 1, 'all', shift))
    default:
      return undefined
  }
}

const caret = (desktop: Desktop, ref: ElementRef, change: (editing: EditState) => EditState): Desktop =>
  changeField(desktop, ref, (element) => withEditState(element, change(editStateOf(element))))

/** A key that would change a read-only field does nothing. */
const edited = (desktop: Desktop, ref: ElementRef, change: (editing: EditState) => EditState): Desktop =>
  ref.element.traits?.readOnly ? desktop : caret(desktop, ref, change)

const insertAt = (desktop: Desktop, ref: ElementRef, text: string): Desktop =>
  changeField(desktop, ref, (element) => typed(element, text))

const history = (desktop: Desktop, ref: ElementRef, direction: 'undo' | 'redo'): Desktop =>
  ref.element.traits?.readOnly ? desktop : changeField(desktop, ref, (element) => undoOrRedo(element, direction))

/** Whether a command of a menu would do something with a field. */
export function canRunTextCommand(field: Element, command: EditCommand, clipboard: string): boolean {
  const { history, readOnly, secret } = field.traits ?? {}
  const hasSelection = !secret && selectedText(editStateOf(field)) !== ''
  switch (command) {
    case 'undo':
    case 'redo':
      return !readOnly && history !== undefined && history[command].length > 0
    case 'cut':
      return !readOnly && hasSelection
    case 'copy':
      return hasSelection
    case 'paste':
      return !readOnly && clipboard !== ''
    case 'select-all':
      return field.value !== null && field.value !== ''
  }
}

/** Runs a command of a menu on a field. */
export function runTextCommand(desktop: Desktop, ref: ElementRef, command: EditCommand): Desktop {
  switch (command) {
    case 'undo':
    case 'redo':
      return history(desktop, ref, command)
    case 'cut':
      return cut(desktop, ref)
    case 'copy':
      return copy(desktop, ref)
    case 'paste':
      return paste(desktop, ref)
    case 'select-all':
      return caret(desktop, ref, selectAll)
  }
}

/** Copies the selection to the clipboard, except from a secret field. */
function copy(desktop: Desktop, { element }: ElementRef): Desktop {
  const text = element.traits?.secret ? '' : selectedText(editStateOf(element))
  return text === '' || text === desktop.clipboard ? desktop : { ...desktop, clipboard: text }
}

function cut(desktop: Desktop, ref: ElementRef): Desktop {
  const empty = selectedText(editStateOf(ref.element)) === ''
  if (empty || ref.element.traits?.secret) return desktop
  return edited(copy(desktop, ref), ref, (editing) => remove(editing, 1, 'character'))
}

const paste = (desktop: Desktop, ref: ElementRef): Desktop =>
  desktop.clipboard === '' || ref.element.traits?.readOnly ? desktop : insertAt(desktop, ref, desktop.clipboard)

function clicked(element: Element, { at, count, modifiers }: ClickGesture): EditState {
  const editing = editStateOf(element)
  const offset = offsetAt(element, at)
  if (count >= 3) return isMultiline(element) ? selectLine(editing, offset) : selectAll(editing)
  if (count === 2) return selectWord(editing, offset)
  return caretAt(editing, offset, modifiers.includes('shift'))
}
