import { Fault } from '../../../base/fault.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../native-windows.ts'
import { isCheckable, isMultilineEdit, isPasswordEdit } from './control-classes.ts'
import type { ControlContext } from './controls/control.ts'
import {
  allowsSeveral,
  CB,
  CBN_SELCHANGE,
  CBN_SELENDOK,
  comboField,
  isChoiceOnly,
  LB,
  LBN_SELCHANGE,
  LVIS,
  LVM,
  listViewItem,
  TVE,
  TVGN,
  TVM,
} from './controls/lists.ts'
import { TCM } from './controls/tabs-and-bars.ts'
import { BM, TBM, UDM } from './controls/values.ts'
import type { NativeSource } from './native-node.ts'
import type { UiaClient, UiaElement } from './uia-client.ts'

/** Actions on controls by messages. Each returns false when the control does not offer it, and nothing was done. */

type ControlSource = Extract<NativeSource, { is: 'control' }>
type ItemSource = Extract<NativeSource, { is: 'item' }>

const WM_COMMAND = 0x111
const WM_HSCROLL = 0x114
const WM_VSCROLL = 0x115
const EM_SETSEL = 0xb1
const EM_REPLACESEL = 0xc2
const CB_FINDSTRINGEXACT = 0x158
const TBS_VERTICAL = 2
const TB_THUMBPOSITION = 4
const TB_ENDTRACK = 8
const GROUP_BOX = 7
const BUTTON_TYPE = 0x0f

/** Presses a button. It is not waited for, because it may open a dialog that runs until it is answered. */
export function pressNativeControl({ messages }: ControlContext, { hwnd, kind, style }: ControlSource): boolean {
  if (kind !== 'button' || (style & BUTTON_TYPE) === GROUP_BOX) return false
  return messages.post(hwnd, BM.click, 0, 0)
}

export const toggleControl = (context: ControlContext, source: ControlSource): boolean =>
  source.kind === 'button' && isCheckable(source.style) && pressNativeControl(context, source)

/** Presses a button of a tool bar that has neither a state nor a menu. */
export function pressToolButton({ user, messages }: ControlContext, source: ItemSource, element: Element): boolean {
  if (source.kind !== 'toolbar' || source.command === undefined) return false
  if (element.role !== 'Button' || element.selected !== undefined) return false
  return messages.post(user.parent(source.hwnd), WM_COMMAND, source.command & 0xffff, source.hwnd)
}

/** Replaces a text or number, and reads it back. */
export function setControlValue(
  context: ControlContext,
  { hwnd, kind, style }: ControlSource,
  element: Element,
  value: string,
): boolean {
  switch (kind) {
    case 'edit':
      if (element.traits?.readOnly)
        throw new Fault('PatternUnsupported', `${element.role} "${element.name}" is read-only`, {
          element_id: element.id,
        })
      return setEditText(context, hwnd, style, value)
    case 'combo': {
      const field = comboField(context, hwnd)
      if (field !== undefined) return setEditText(context, field, context.user.style(field), value)
      return isChoiceOnly(style) && selectNamedOption(context, hwnd, value)
    }
    case 'trackbar':
      return setTrackBar(context, hwnd, style, element, value)
    case 'updown': {
      if (!isNumberWithin(element, value)) return false
      context.messages.send(hwnd, UDM.setPosition, 0, Number(value))
      return (context.messages.send(hwnd, UDM.position) | 0) === Number(value)
    }
    default:
      return false
  }
}

/** Replaces the text as a person would, so that the program is notified of the change. */
function setEditText({ messages }: ControlContext, hwnd: WindowHandle, style: number, value: string): boolean {
  const text = isMultilineEdit(style) ? value.replace(/\r?\n/g, '\r\n') : value
  messages.send(hwnd, EM_SETSEL, 0, -1)
  messages.exchange(hwnd, EM_REPLACESEL, 1, Buffer.from(`${text}\0`, 'utf16le'))
  return isPasswordEdit(style) ? messages.textLength(hwnd) === text.length : messages.text(hwnd) === text
}

function setTrackBar({ user, messages }: ControlContext, hwnd: number, style: number, element: Element, value: string) {
  if (!isNumberWithin(element, value)) return false
  const position = Math.round(Number(value))
  messages.send(hwnd, TBM.setPosition, 1, position)
  const changed = style & TBS_VERTICAL ? WM_VSCROLL : WM_HSCROLL
  messages.post(user.parent(hwnd), changed, TB_THUMBPOSITION | ((position & 0xffff) << 16), hwnd)
  messages.post(user.parent(hwnd), changed, TB_ENDTRACK, hwnd)
  return messages.send(hwnd, TBM.position) === position
}

function isNumberWithin({ valueMin = -Infinity, valueMax = Infinity }: Element, value: string): boolean {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return number >= valueMin && number <= valueMax
}

function selectNamedOption(context: ControlContext, hwnd: WindowHandle, name: string): boolean {
  const index = context.messages.exchange(hwnd, CB_FINDSTRINGEXACT, -1, Buffer.from(`${name}\0`, 'utf16le')) | 0
  return index >= 0 && selectOptionAt(context, hwnd, index)
}

/** Selects an option of a combo box and notifies the program as for a choice of a person. */
function selectOptionAt(context: ControlContext, hwnd: WindowHandle, index: number): boolean {
  const { messages } = context
  messages.send(hwnd, CB.setCurrent, index)
  if (messages.send(hwnd, CB.current) !== index) return false
  notifyParent(context, hwnd, CBN_SELENDOK)
  notifyParent(context, hwnd, CBN_SELCHANGE)
  if (messages.send(hwnd, CB.isOpen) !== 0) messages.send(hwnd, CB.showList, 0)
  return true
}

const notifyParent = ({ user, messages }: ControlContext, hwnd: WindowHandle, notification: number): boolean =>
  messages.post(user.parent(hwnd), WM_COMMAND, (user.controlId(hwnd) & 0xffff) | (notification << 16), hwnd)

/** Selects an item of a control, and no other. */
export function selectItem(context: ControlContext, { hwnd, kind, item }: ItemSource): boolean {
  const { messages } = context
  if (kind === 'treeview') {
    messages.send(hwnd, TVM.select, TVGN.caret, item)
    return messages.ask(hwnd, TVM.next, TVGN.caret, 0) === BigInt(item)
  }
  return kind === 'combo' || kind === 'listbox' || kind === 'listview' || kind === 'tabs'
    ? selectItemAt(context, hwnd, kind, Number(item))
    : false
}

/** Selects the item with an index, also when it has no element. */
export function selectItemAt(
  context: ControlContext,
  hwnd: WindowHandle,
  kind: ControlSource['kind'],
  index: number,
): boolean {
  const { messages, user } = context
  switch (kind) {
    case 'combo':
      return selectOptionAt(context, hwnd, index)
    case 'listbox':
      if (allowsSeveral(user.style(hwnd))) return false
      messages.send(hwnd, LB.setCurrent, index)
      if (messages.send(hwnd, LB.current) !== index) return false
      return notifyParent(context, hwnd, LBN_SELCHANGE)
    case 'listview':
      if (index >= messages.send(hwnd, LVM.count)) return false
      setListState(context, hwnd, -1, 0, LVIS.selected)
      setListState(context, hwnd, index, LVIS.selected | LVIS.focused, LVIS.selected | LVIS.focused)
      messages.send(hwnd, LVM.ensureVisible, index)
      return (messages.send(hwnd, LVM.state, index, LVIS.selected) & LVIS.selected) !== 0
    case 'tabs':
      messages.send(hwnd, TCM.setFocus, index)
      return messages.send(hwnd, TCM.current) === index
    default:
      return false
  }
}

function setListState(context: ControlContext, hwnd: WindowHandle, index: number, state: number, mask: number): void {
  const memory = context.memoryOf(hwnd)
  if (!memory) return
  const { data } = listViewItem(memory.is64)
  data.writeUInt32LE(state, 12)
  data.writeUInt32LE(mask, 16)
  memory.write(data)
  context.messages.send(hwnd, LVM.setState, index, memory.address)
}

export function expandControl({ messages }: ControlContext, { hwnd, kind }: ControlSource, expanded: boolean): boolean {
  if (kind !== 'combo') return false
  messages.send(hwnd, CB.showList, expanded ? 1 : 0)
  return (messages.send(hwnd, CB.isOpen) !== 0) === expanded
}

export function expandItem({ messages }: ControlContext, { hwnd, kind, item }: ItemSource, expanded: boolean): boolean {
  if (kind !== 'treeview') return false
  return messages.send(hwnd, TVM.expand, expanded ? TVE.expand : TVE.collapse, item) !== 0
}

export function scrollItemIntoView({ messages }: ControlContext, { hwnd, kind, item }: ItemSource): boolean {
  switch (kind) {
    case 'listview':
      return messages.send(hwnd, LVM.ensureVisible, Number(item)) !== 0
    case 'treeview':
      messages.send(hwnd, TVM.ensureVisible, 0, item)
      return true
    case 'listbox':
      return (messages.send(hwnd, LB.setTop, Number(item)) | 0) >= 0
    default:
      return false
  }
}

export type FocusFunctions = ReturnType<typeof loadFocusFunctions>

export function loadFocusFunctions() {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  return {
    attach: user32.func<(from: number, to: number, attach: boolean) => boolean>('AttachThreadInput', 'bool', [
      ...['uint32_t', 'uint32_t'],
      'bool',
    ]),
    setFocus: user32.func<(hwnd: WindowHandle) => number>('SetFocus', 'intptr_t', ['intptr_t']),
    currentThread: kernel32.func<() => number>('GetCurrentThreadId', 'uint32_t', []),
  }
}

/** Gives a control, or the field in it, the keyboard, for which this thread shares the input of its program for a moment. */
export function focusControl(context: ControlContext, focus: FocusFunctions, control: WindowHandle): boolean {
  const { user } = context
  const hwnd = comboField(context, control) ?? control
  const { threadId } = user.threadOf(hwnd)
  const own = focus.currentThread()
  if (threadId === 0 || !focus.attach(own, threadId, true)) return false
  try {
    focus.setFocus(hwnd)
  } finally {
    focus.attach(own, threadId, false)
  }
  const now = user.guiThread(threadId)?.focus
  return now === hwnd || (now !== undefined && user.parent(now) === hwnd)
}

/** Does what a plain click does: the first of these patterns that the element has. */
export const pressProvided = (client: UiaClient, element: UiaElement): boolean =>
  client.perform(element, 'Invoke') ||
  client.perform(element, 'Toggle') ||
  client.perform(element, 'SelectionItem') ||
  client.perform(element, 'ExpandCollapse')

/** Sets a number or a text. Throws when the element is read-only. */
export function setProvidedValue(client: UiaClient, provided: UiaElement, element: Element, value: string): boolean {
  if (element.traits?.readOnly)
    throw new Fault('PatternUnsupported', `${element.role} "${element.name}" is read-only`, { element_id: element.id })
  if (element.valueNow === undefined) return client.setText(provided, value)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) && client.setNumber(provided, number)
}
