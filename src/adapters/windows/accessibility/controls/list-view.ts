import { EMPTY_RECT, type Rect } from '../../../../desktop/model/geometry.ts'
import type { WindowHandle } from '../../native-windows.ts'
import { isReport } from '../control-classes.ts'
import type { NativeNode } from '../native-node.ts'
import type { RemoteMemory } from '../remote-memory.ts'
import {
  type ControlContext,
  type ControlState,
  exchangeText,
  itemRange,
  MAX_READ_ITEMS,
  type NativeControl,
  remoteRect,
  type TextStructure,
} from './control.ts'

export const LVM = {
  count: 0x1004,
  nextItem: 0x100c,
  itemRect: 0x100e,
  ensureVisible: 0x1013,
  header: 0x101f,
  top: 0x1027,
  countInView: 0x1028,
  setState: 0x102b,
  state: 0x102c,
  extendedStyle: 0x1037,
  subItemRect: 0x1038,
  itemText: 0x1073,
  isGrouped: 0x10af,
} as const
export const LVIS = { focused: 1, selected: 2, checked: 0xf000 } as const

const SINGLE_SELECTION = 0x04
const CHECK_BOXES = 0x04
const MAX_COLUMNS = 60
/** Rectangles of the whole item, and of its label. */
const WHOLE = 0
const LABEL = 2

/** The items of a list view. In its report view they are rows with cells. */
export function readListView(context: ControlContext, control: NativeControl): ControlState {
  const { messages } = context
  const { hwnd, style } = control
  const memory = context.memoryOf(hwnd)
  const count = messages.send(hwnd, LVM.count)
  if (!memory) return { traits: { childCount: count } }
  const { from, to, cut } = itemRange(count, messages.send(hwnd, LVM.top), messages.send(hwnd, LVM.countInView) + 1)
  const hasChecks = (messages.send(hwnd, LVM.extendedStyle) & CHECK_BOXES) !== 0
  const header = messages.send(hwnd, LVM.header)
  const columns = isReport(style) && header !== 0 ? Math.min(messages.send(header, HDM.count), MAX_COLUMNS) : 0
  const boundsAt = rowBounds(context, hwnd, memory, {
    from,
    columns,
    isGrouped: messages.send(hwnd, LVM.isGrouped) !== 0,
  })
  const children: NativeNode[] = []
  for (let index = from; index < to; index++)
    children.push(readItem(context, control, memory, { index, columns, hasChecks, ...boundsAt(index) }))
  const traits = {
    ...((style & SINGLE_SELECTION) === 0 && { multiSelect: true }),
    ...(cut && { childCount: count }),
  }
  return { children, ...(Object.keys(traits).length > 0 && { traits }) }
}

function readItem(
  context: ControlContext,
  { hwnd, key }: NativeControl,
  memory: RemoteMemory,
  {
    index,
    columns,
    hasChecks,
    row,
    cells: cellBounds,
  }: { readonly index: number; readonly columns: number; readonly hasChecks: boolean } & RowBounds,
): NativeNode {
  const state = context.messages.send(hwnd, LVM.state, index, LVIS.selected | LVIS.focused | LVIS.checked)
  const texts = Array.from({ length: Math.max(1, columns) }, (_, column) =>
    textOf(context, memory, hwnd, index, column),
  )
  const source = { is: 'item', hwnd, kind: 'listview', item: index } as const
  const cells = Array.from({ length: columns }, (_, column): NativeNode => {
    return {
      key: `${key}/${index}/${column}`,
      role: 'Cell',
      name: texts[column]!,
      bounds: cellBounds[column] ?? EMPTY_RECT,
      source,
      children: [],
    }
  })
  return {
    key: `${key}/${index}`,
    role: columns > 0 ? 'DataItem' : 'ListItem',
    name: texts[0]!,
    bounds: row,
    selected: (state & LVIS.selected) !== 0,
    source,
    children: cells,
    ...(hasChecks && { value: (state & LVIS.checked) >> 12 === 2 ? 'checked' : 'unchecked' }),
  }
}

/** Where a row and its cells are. */
interface RowBounds {
  readonly row: Rect
  readonly cells: readonly Rect[]
}

/** The bounds of rows by their index. Rows of a table have equal heights, so that the program is asked about the first only. */
function rowBounds(
  context: ControlContext,
  hwnd: WindowHandle,
  memory: RemoteMemory,
  { from, columns, isGrouped }: { readonly from: number; readonly columns: number; readonly isGrouped: boolean },
): (index: number) => RowBounds {
  const rowAt = (index: number) =>
    remoteRect(context, memory, hwnd, LVM.itemRect, index, rectOf(WHOLE, 0)) ?? EMPTY_RECT
  const ask = (index: number): RowBounds => ({
    row: rowAt(index),
    cells: Array.from({ length: columns }, (_, column) => cellBounds(context, memory, hwnd, index, column)),
  })
  if (columns === 0 || isGrouped) return ask
  const first = ask(from)
  return (index) => {
    const down = (rect: Rect): Rect => ({ ...rect, y: rect.y + (index - from) * first.row.height })
    return { row: down(first.row), cells: first.cells.map(down) }
  }
}

/** The first cell has the rectangle of the label, because that of its column is the one of the whole row. */
function cellBounds(
  context: ControlContext,
  memory: RemoteMemory,
  hwnd: WindowHandle,
  index: number,
  column: number,
): Rect {
  const rect =
    column === 0
      ? remoteRect(context, memory, hwnd, LVM.itemRect, index, rectOf(LABEL, 0))
      : remoteRect(context, memory, hwnd, LVM.subItemRect, index, rectOf(WHOLE, column))
  return rect ?? EMPTY_RECT
}

/** A rectangle that says which part of which column is wanted. */
function rectOf(part: number, column: number): Buffer {
  const data = Buffer.alloc(16)
  data.writeInt32LE(part, 0)
  data.writeInt32LE(column, 4)
  return data
}

function textOf(context: ControlContext, memory: RemoteMemory, hwnd: WindowHandle, index: number, column: number) {
  const item = listViewItem(memory.is64)
  item.data.writeInt32LE(column, 8)
  return exchangeText(context, memory, hwnd, LVM.itemText, index, item).text
}

/** The structure `LVITEMW`. */
export function listViewItem(is64: boolean): TextStructure {
  return is64 ? { data: Buffer.alloc(88), text: 24, length: 32 } : { data: Buffer.alloc(60), text: 20, length: 24 }
}

const HDM = { count: 0x1200, itemRect: 0x1207, item: 0x120b } as const
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
