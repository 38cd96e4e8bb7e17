import { EMPTY_RECT } from '../../../../desktop/model/geometry.ts'
import type { WindowHandle } from '../../window-list/native-window.ts'
import { rectIn } from '../../window-list/user32.ts'
import { controlKind } from '../control-classes.ts'
import type { NativeNode } from '../native-node.ts'
import { type ControlContext, type ControlState, itemRange, type NativeControl, toScreen } from './control.ts'
import { LB } from './list-box.ts'

export const CB = {
  count: 0x146,
  current: 0x147,
  text: 0x148,
  textLength: 0x149,
  setCurrent: 0x14e,
  showList: 0x14f,
  isOpen: 0x157,
  info: 0x164,
} as const
export const CBN_SELCHANGE = 1
export const CBN_SELENDOK = 9

const TYPE = 3
const SIMPLE = 1
const DROP_DOWN_LIST = 3
/** Options that the program draws itself have no text, unless it says so. */
const OWNER_DRAWN = 0x30
const HAS_STRINGS = 0x200
/** The size of `COMBOBOXINFO` in a 64-bit process. */
const INFO_BYTES = 64
const LIST_OFFSET = 56

/** Whether only an option can be chosen, and nothing typed. */
export const isChoiceOnly = (style: number): boolean => (style & TYPE) === DROP_DOWN_LIST

/** The field of a combo box, in which its text is typed. */
export const comboField = ({ user }: ControlContext, hwnd: WindowHandle): WindowHandle | undefined =>
  user.children(hwnd).find((child) => controlKind(user.className(child)) === 'edit')

/** The value of a combo box, and its options, which are hidden while it is closed. */
export function readComboBox(context: ControlContext, { hwnd, style, key }: NativeControl): ControlState {
  const { messages } = context
  const count = messages.send(hwnd, CB.count)
  const current = messages.send(hwnd, CB.current)
  const isSimple = (style & TYPE) === SIMPLE
  const open = isSimple || messages.send(hwnd, CB.isOpen) !== 0
  const list = open ? listOf(context, hwnd) : 0
  const top = list ? messages.send(list, LB.top) : current
  const { from, to, cut } = itemRange(count, top, 20)
  const hasTexts = (style & OWNER_DRAWN) === 0 || (style & HAS_STRINGS) !== 0
  const children: NativeNode[] = []
  for (let index = from; index < to; index++) {
    const rect = Buffer.alloc(16)
    const isPlaced = list !== 0 && messages.exchange(list, LB.itemRect, index, rect) >= 0
    children.push({
      key: `${key}/${index}`,
      role: 'ListItem',
      name: hasTexts ? messages.textOf(hwnd, CB.text, index, messages.send(hwnd, CB.textLength, index)) : '',
      bounds: isPlaced ? toScreen(context, list, rectIn(rect)) : EMPTY_RECT,
      selected: index === current,
      source: { is: 'item', hwnd, kind: 'combo', item: index },
      children: [],
      ...(!open && { traits: { hidden: true } }),
    })
  }
  return {
    children,
    value: messages.text(hwnd),
    ...(!isSimple && { expanded: open }),
    ...(cut && { traits: { childCount: count } }),
  }
}

function listOf({ messages }: ControlContext, hwnd: number): number {
  const info = Buffer.alloc(INFO_BYTES)
  info.writeUInt32LE(INFO_BYTES)
  return messages.exchange(hwnd, CB.info, 0, info) === 0 ? 0 : Number(info.readBigUInt64LE(LIST_OFFSET))
}
