import { EMPTY_RECT } from '../../../../desktop/model/geometry.ts'
import { type NativeNode, parseLabel } from '../native-node.ts'
import {
  type ControlContext,
  type ControlState,
  exchange,
  exchangeText,
  MAX_READ_ITEMS,
  type NativeControl,
  remoteRect,
  remoteText,
} from './control.ts'

export const TCM = { count: 0x1304, itemRect: 0x130a, current: 0x130b, setFocus: 0x1330, item: 0x133c } as const
const TEXT = 1

/** The tabs of a tab control. */
export function readTabs(context: ControlContext, { hwnd, key }: NativeControl): ControlState {
  const memory = context.memoryOf(hwnd)
  if (!memory) return {}
  const current = context.messages.send(hwnd, TCM.current)
  const count = Math.min(context.messages.send(hwnd, TCM.count), MAX_READ_ITEMS)
  const children = Array.from({ length: count }, (_, index): NativeNode => {
    const item = memory.is64
      ? { data: Buffer.alloc(40), text: 16, length: 24 }
      : { data: Buffer.alloc(28), text: 12, length: 16 }
    item.data.writeUInt32LE(TEXT)
    return {
      key: `${key}/${index}`,
      role: 'TabItem',
      name: parseLabel(exchangeText(context, memory, hwnd, TCM.item, index, item).text).name,
      bounds: remoteRect(context, memory, hwnd, TCM.itemRect, index) ?? EMPTY_RECT,
      selected: index === current,
      source: { is: 'item', hwnd, kind: 'tabs', item: index },
      children: [],
    }
  })
  return { children }
}

const SB = { parts: 0x406, rect: 0x40a, textLength: 0x40c, text: 0x40d } as const
const TB = { button: 0x417, count: 0x418, itemRect: 0x41d, text: 0x44b } as const
const MAX_PARTS = 256
const ENABLED = 4
const CHECKED = 1
const HIDDEN = 8
const IS_SEPARATOR = 1
const IS_CHECK = 2
const HAS_MENU = 8

/** The parts of a status bar. */
export function readStatusBar(context: ControlContext, { hwnd, key }: NativeControl): ControlState {
  const { messages } = context
  const memory = context.memoryOf(hwnd)
  if (!memory) return { name: messages.text(hwnd) }
  const count = Math.min(messages.send(hwnd, SB.parts), MAX_PARTS)
  const children = Array.from({ length: count }, (_, index): NativeNode => {
    const units = messages.send(hwnd, SB.textLength, index) & 0xffff
    return {
      key: `${key}/${index}`,
      role: 'Text',
      name: remoteText(context, memory, hwnd, SB.text, index, units).replaceAll('\t', ' ').trim(),
      bounds: remoteRect(context, memory, hwnd, SB.rect, index) ?? EMPTY_RECT,
      source: { is: 'item', hwnd, kind: 'statusbar', item: index },
      children: [],
    }
  })
  return { children, name: children[0]?.name ?? '' }
}

/** The buttons of a tool bar. */
export function readToolBar(context: ControlContext, { hwnd, key }: NativeControl): ControlState {
  const { messages } = context
  const memory = context.memoryOf(hwnd)
  if (!memory) return {}
  const count = Math.min(messages.send(hwnd, TB.count), MAX_READ_ITEMS)
  const children = Array.from({ length: count }, (_, index): NativeNode | undefined => {
    const { data } = exchange(context, memory, hwnd, TB.button, index, Buffer.alloc(memory.is64 ? 32 : 20))
    const [command, state, style] = [data.readInt32LE(4), data.readUInt8(8), data.readUInt8(9)]
    if (state & HIDDEN) return undefined
    const bounds = remoteRect(context, memory, hwnd, TB.itemRect, index) ?? EMPTY_RECT
    const source = { is: 'item', hwnd, kind: 'toolbar', item: index, command } as const
    if (style & IS_SEPARATOR)
      return { key: `${key}/${index}`, role: 'Separator', name: '', bounds, source, children: [] }
    // Without an address, the message returns the length.
    const units = messages.send(hwnd, TB.text, command)
    return {
      key: `${key}/${index}`,
      role: style & HAS_MENU ? 'SplitButton' : 'Button',
      name: parseLabel(remoteText(context, memory, hwnd, TB.text, command, units)).name,
      bounds,
      enabled: (state & ENABLED) !== 0,
      source,
      children: [],
      ...(style & IS_CHECK && { selected: (state & CHECKED) !== 0 }),
    }
  })
  return { children: children.filter((child) => child !== undefined) }
}
