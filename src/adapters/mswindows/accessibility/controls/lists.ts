import { EMPTY_RECT, type Rect } from '../../../../desktop/model/geometry.ts'
import { rectIn, type WindowHandle } from '../../native-windows.ts'
import { controlKind, isReport } from '../control-classes.ts'
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
const LIST_BOX_OWNER_DRAWN = 0x30
const LIST_BOX_HAS_STRINGS = 0x40
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
  const hasTexts = (style & LIST_BOX_OWNER_DRAWN) === 0 || (style & LIST_BOX_HAS_STRINGS) !== 0
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
const COMBO_BOX_OWNER_DRAWN = 0x30
const COMBO_BOX_HAS_STRINGS = 0x200
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
  const hasTexts = (style & COMBO_BOX_OWNER_DRAWN) === 0 || (style & COMBO_BOX_HAS_STRINGS) !== 0
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
const LIST_VIEW_CHECK_BOXES = 0x04
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
  const hasChecks = (messages.send(hwnd, LVM.extendedStyle) & LIST_VIEW_CHECK_BOXES) !== 0
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
