import { EMPTY_RECT, type Rect } from '../../../../desktop/model/geometry.ts'
import type { WindowHandle } from '../../window-list/native-window.ts'
import { rectIn } from '../../window-list/user32.ts'
import type { NativeNode } from '../native-node.ts'
import {
  type ControlContext,
  type ControlState,
  itemRange,
  MAX_READ_ITEMS,
  type NativeControl,
  toScreen,
} from './control.ts'

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
const VARIABLE_HEIGHT = 0x20
const COLUMNS = 0x200
/** Items that the program draws itself have no text, unless it says so. */
const OWNER_DRAWN = 0x30
const HAS_STRINGS = 0x40
/** The notification that the selection changed, which a program expects after a selection that it did not make. */
export const LBN_SELCHANGE = 1

export const allowsSeveral = (style: number): boolean => (style & (MULTIPLE | EXTENDED)) !== 0

/** The items of a list box. */
export function readListBox(context: ControlContext, { hwnd, style, key, bounds }: NativeControl): ControlState {
  const { messages } = context
  const count = messages.send(hwnd, LB.count)
  const top = messages.send(hwnd, LB.top)
  const rows = count > MAX_READ_ITEMS ? rowsInView(context, hwnd, top, bounds.height) : count
  const { from, to, cut } = itemRange(count, top, rows)
  const boundsAt = itemBounds(context, hwnd, style, from)
  const several = allowsSeveral(style)
  const chosen = several ? -1 : messages.send(hwnd, LB.current) | 0
  const hasTexts = (style & OWNER_DRAWN) === 0 || (style & HAS_STRINGS) !== 0
  const children: NativeNode[] = []
  for (let index = from; index < to; index++) {
    const isChosen = several ? messages.send(hwnd, LB.isSelected, index) > 0 : index === chosen
    children.push({
      key: `${key}/${index}`,
      role: 'ListItem',
      name: hasTexts ? messages.textOf(hwnd, LB.text, index, messages.send(hwnd, LB.textLength, index)) : '',
      bounds: boundsAt(index),
      selected: isChosen,
      source: { is: 'item', hwnd, kind: 'listbox', item: index },
      children: [],
    })
  }
  const traits = { ...(several && { multiSelect: true }), ...(cut && { childCount: count }) }
  return { children, ...(Object.keys(traits).length > 0 && { traits }) }
}

/** The bounds of items by their index. Items of equal height in one column need one message for all. */
function itemBounds(context: ControlContext, hwnd: WindowHandle, style: number, from: number): (index: number) => Rect {
  const ask = (index: number): Rect => {
    const rect = Buffer.alloc(16)
    const isPlaced = context.messages.exchange(hwnd, LB.itemRect, index, rect) >= 0
    return isPlaced ? toScreen(context, hwnd, rectIn(rect)) : EMPTY_RECT
  }
  if (style & (VARIABLE_HEIGHT | COLUMNS)) return ask
  const first = ask(from)
  return (index) => ({ ...first, y: first.y + (index - from) * first.height })
}

function rowsInView({ messages }: ControlContext, hwnd: WindowHandle, top: number, height: number): number {
  const rect = Buffer.alloc(16)
  if (messages.exchange(hwnd, LB.itemRect, Math.max(0, top), rect) < 0) return 0
  return Math.ceil(height / Math.max(1, rectIn(rect).height))
}
