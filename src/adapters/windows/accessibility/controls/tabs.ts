import { EMPTY_RECT } from '../../../../desktop/model/geometry.ts'
import { parseLabel } from '../labels.ts'
import type { NativeNode } from '../native-node.ts'
import {
  type ControlContext,
  type ControlState,
  exchangeText,
  MAX_READ_ITEMS,
  type NativeControl,
  remoteRect,
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
