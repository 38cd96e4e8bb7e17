import { EMPTY_RECT } from '../../../../desktop/model/geometry.ts'
import type { WindowHandle } from '../../window-list/native-window.ts'
import { rectIn } from '../../window-list/user32.ts'
import type { NativeNode } from '../native-node.ts'
import { type ControlContext, type ControlState, itemRange, type NativeControl, toScreen } from './control.ts'

export const LB = {
  setSelected: 0x185,
  setCurrent: 0x186,
  isSelected: 0x187,
  current: 0x188,
  text: 0x189,
  textLength: 0x18a,
  count: 0x18b,
  top: 0x18e,
  setTop: 0x197,
  itemRect: 0x198,
} as const

const MULTIPLE = 0x08
const EXTENDED = 0x800
/** The notification that the selection changed, which a program expects after a selection that it did not make. */
export const LBN_SELCHANGE = 1

export const allowsSeveral = (style: number): boolean => (style & (MULTIPLE | EXTENDED)) !== 0

/** The items of a list box. */
export function readListBox(context: ControlContext, { hwnd, style, key, bounds }: NativeControl): ControlState {
  const { messages } = context
  const count = messages.send(hwnd, LB.count)
  const top = messages.send(hwnd, LB.top)
  const rows = rowsInView(context, hwnd, top, bounds.height)
  const { from, to, cut } = itemRange(count, top, rows)
  const children: NativeNode[] = []
  for (let index = from; index < to; index++) {
    const rect = Buffer.alloc(16)
    const isPlaced = messages.exchange(hwnd, LB.itemRect, index, rect) >= 0
    children.push({
      key: `${key}/${index}`,
      role: 'ListItem',
      name: messages.textOf(hwnd, LB.text, index, messages.send(hwnd, LB.textLength, index)),
      bounds: isPlaced ? toScreen(context, hwnd, rectIn(rect)) : EMPTY_RECT,
      selected: messages.send(hwnd, LB.isSelected, index) > 0,
      source: { is: 'item', hwnd, kind: 'listbox', item: index },
      children: [],
    })
  }
  const traits = { ...(allowsSeveral(style) && { multiSelect: true }), ...(cut && { childCount: count }) }
  return { children, ...(Object.keys(traits).length > 0 && { traits }) }
}

function rowsInView({ messages }: ControlContext, hwnd: WindowHandle, top: number, height: number): number {
  const rect = Buffer.alloc(16)
  if (messages.exchange(hwnd, LB.itemRect, Math.max(0, top), rect) < 0) return 0
  return Math.ceil(height / Math.max(1, rectIn(rect).height))
}
