import { EMPTY_RECT } from '../../../../desktop/model/geometry.ts'
import type { NativeNode } from '../native-node.ts'
import {
  type ControlContext,
  type ControlState,
  exchangeText,
  MAX_READ_ITEMS,
  type NativeControl,
  remoteRect,
} from './control.ts'

export const HDM = { count: 0x1200, itemRect: 0x1207, item: 0x120b } as const
const TEXT = 2

/** The columns of a header. */
export function readHeader(context: ControlContext, { hwnd, key }: NativeControl): ControlState {
  const memory = context.memoryOf(hwnd)
  if (!memory) return {}
  const count = Math.min(context.messages.send(hwnd, HDM.count), MAX_READ_ITEMS)
  const children = Array.from({ length: count }, (_, index): NativeNode => {
    const item = memory.is64
      ? { data: Buffer.alloc(72), text: 8, length: 24 }
      : { data: Buffer.alloc(48), text: 8, length: 16 }
    item.data.writeUInt32LE(TEXT)
    return {
      key: `${key}/${index}`,
      role: 'HeaderItem',
      name: exchangeText(context, memory, hwnd, HDM.item, index, item).text,
      bounds: remoteRect(context, memory, hwnd, HDM.itemRect, index) ?? EMPTY_RECT,
      source: { is: 'item', hwnd, kind: 'header', item: index },
      children: [],
    }
  })
  return { children }
}
