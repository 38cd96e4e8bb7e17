import { EMPTY_RECT, type Rect } from '../../../../desktop/model/geometry.ts'
import type { WindowHandle } from '../../window-list/native-window.ts'
import type { NativeNode } from '../native-node.ts'
import type { RemoteMemory } from '../remote-memory.ts'
import {
  type ControlContext,
  type ControlState,
  exchangeText,
  MAX_READ_ITEMS,
  type NativeControl,
  remoteRect,
  type TextStructure,
} from './control.ts'

export const TVM = {
  expand: 0x1102,
  itemRect: 0x1104,
  next: 0x110a,
  select: 0x110b,
  ensureVisible: 0x1114,
  item: 0x113e,
} as const
export const TVE = { collapse: 1, expand: 2 } as const
export const TVGN = { root: 0, next: 1, child: 4, caret: 9 } as const

const CHECK_BOXES = 0x100
const MASK = { text: 1, state: 8, handle: 0x10, children: 0x40 } as const
const STATE = { selected: 2, expanded: 0x20, image: 0xf000 } as const
const MAX_TREE_ITEMS = MAX_READ_ITEMS * 5

/** The items of a tree view, without those below closed items. */
export function readTreeView(context: ControlContext, { hwnd, key, style }: NativeControl): ControlState {
  const memory = context.memoryOf(hwnd)
  if (!memory) return {}
  const hasChecks = (style & CHECK_BOXES) !== 0
  let count = 0
  const itemsFrom = (first: bigint): NativeNode[] => {
    const items: NativeNode[] = []
    for (
      let handle = first;
      handle !== 0n && count < MAX_TREE_ITEMS;
      handle = nextItem(context, hwnd, TVGN.next, handle)
    ) {
      count++
      items.push(readItem(handle))
    }
    return items
  }
  const readItem = (handle: bigint): NativeNode => {
    const { text, state, hasChildren } = describeItem(context, memory, hwnd, handle)
    const expanded = (state & STATE.expanded) !== 0
    return {
      key: `${key}/${handle.toString(16)}`,
      role: 'TreeItem',
      name: text,
      bounds: boundsOf(context, memory, hwnd, handle) ?? EMPTY_RECT,
      selected: (state & STATE.selected) !== 0,
      source: { is: 'item', hwnd, kind: 'treeview', item: handle },
      children: expanded && hasChildren ? itemsFrom(nextItem(context, hwnd, TVGN.child, handle)) : [],
      ...(hasChildren && { expanded }),
      ...(hasChecks && { value: (state & STATE.image) >> 12 === 2 ? 'checked' : 'unchecked' }),
    }
  }
  return { children: itemsFrom(nextItem(context, hwnd, TVGN.root, 0n)) }
}

/** The handle of a neighbour of an item. 0 when it has none. */
export const nextItem = ({ messages }: ControlContext, hwnd: WindowHandle, which: number, from: bigint): bigint =>
  messages.ask(hwnd, TVM.next, which, from) ?? 0n

/** What a tree view says about an item. */
export function describeItem(context: ControlContext, memory: RemoteMemory, hwnd: WindowHandle, handle: bigint) {
  const item = treeItem(memory.is64)
  item.data.writeUInt32LE(MASK.text | MASK.state | MASK.handle | MASK.children, 0)
  writePointer(item.data, memory.is64, handle)
  item.data.writeUInt32LE(0xffff, item.state + 4)
  const { text, data } = exchangeText(context, memory, hwnd, TVM.item, 0, item)
  return { text, state: data.readUInt32LE(item.state), hasChildren: data.readInt32LE(item.children) !== 0 }
}

/** The rectangle of the text of an item. Undefined when it is scrolled out of view. */
function boundsOf(context: ControlContext, memory: RemoteMemory, hwnd: WindowHandle, handle: bigint): Rect | undefined {
  const rect = Buffer.alloc(16)
  if (memory.is64) rect.writeBigUInt64LE(handle)
  else rect.writeUInt32LE(Number(handle))
  return remoteRect(context, memory, hwnd, TVM.itemRect, 1, rect)
}

const writePointer = (data: Buffer, is64: boolean, handle: bigint): void => {
  if (is64) data.writeBigUInt64LE(handle, 8)
  else data.writeUInt32LE(Number(handle), 4)
}

/** The structure `TVITEMW`. */
function treeItem(is64: boolean): TextStructure & { readonly state: number; readonly children: number } {
  return is64
    ? { data: Buffer.alloc(56), state: 16, text: 24, length: 32, children: 44 }
    : { data: Buffer.alloc(40), state: 8, text: 16, length: 20, children: 32 }
}
