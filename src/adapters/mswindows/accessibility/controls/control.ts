import type { Rect } from '../../../../desktop/model/geometry.ts'
import { rectIn, type WindowFunctions, type WindowHandle } from '../../native-windows.ts'
import type { ControlKind } from '../control-classes.ts'
import type { WindowMessages } from '../messages.ts'
import type { NativeNode } from '../native-node.ts'
import type { RemoteMemory } from '../remote-memory.ts'

/** What readers of controls work with. */
export interface ControlContext {
  readonly user: WindowFunctions
  readonly messages: WindowMessages
  /** A block of memory in the program of a window. Undefined when the system refuses it. */
  memoryOf(hwnd: WindowHandle): RemoteMemory | undefined
}

/** A control that a reader describes. */
export interface NativeControl {
  readonly hwnd: WindowHandle
  readonly kind: ControlKind
  readonly style: number
  readonly bounds: Rect
  readonly key: string
  readonly enabled: boolean
}

/** What a reader adds to the node of a control. */
export type ControlState = Partial<Omit<NativeNode, 'key' | 'source' | 'bounds'>>

/** Of a control with more items, only those in view are read. */
export const MAX_READ_ITEMS = 200
const MAX_ITEM_TEXT = 1024

/** A rectangle inside the client area of a control as one of the screen. */
export function toScreen({ user }: ControlContext, hwnd: WindowHandle, rect: Rect): Rect {
  const area = user.clientArea(hwnd)
  return area ? { ...rect, x: rect.x + area.x, y: rect.y + area.y } : rect
}

/** The indexes of the items that are read: all, or those in view. */
export function itemRange(
  count: number,
  top: number,
  inView: number,
): { readonly from: number; readonly to: number; readonly cut: boolean } {
  if (count <= MAX_READ_ITEMS) return { from: 0, to: count, cut: false }
  const from = Math.max(0, Math.min(top, count - 1))
  return { from, to: Math.min(count, from + Math.max(1, Math.min(inView, MAX_READ_ITEMS))), cut: true }
}

/** Sends a structure through the memory of a program and returns it as the program left it. */
export function exchange(
  { messages }: ControlContext,
  memory: RemoteMemory,
  hwnd: WindowHandle,
  message: number,
  w: number,
  data: Buffer,
): { readonly result: number; readonly data: Buffer } {
  memory.write(data)
  const result = messages.send(hwnd, message, w, memory.address)
  return { result, data: memory.read(data.length) }
}

/** The rectangle that a message writes, on the screen. Undefined when the program has none. */
export function remoteRect(
  context: ControlContext,
  memory: RemoteMemory,
  hwnd: WindowHandle,
  message: number,
  w: number,
  given: Buffer = Buffer.alloc(16),
): Rect | undefined {
  const { result, data } = exchange(context, memory, hwnd, message, w, given)
  return result === 0 ? undefined : toScreen(context, hwnd, rectIn(data))
}

/** Where a structure ends in the memory, and a text begins that it points to. */
const TEXT_OFFSET = 256

/** A structure with a pointer to a text buffer, in the layout of a program of 32 or 64 bits. */
export interface TextStructure {
  readonly data: Buffer
  /** The offsets of the pointer to the text and of its length in characters. */
  readonly text: number
  readonly length: number
}

/** Sends a structure whose text the program fills in. */
export function exchangeText(
  context: ControlContext,
  memory: RemoteMemory,
  hwnd: WindowHandle,
  message: number,
  w: number,
  { data, text, length }: TextStructure,
): { readonly result: number; readonly data: Buffer; readonly text: string } {
  const at = memory.address + BigInt(TEXT_OFFSET)
  if (memory.is64) data.writeBigUInt64LE(at, text)
  else data.writeUInt32LE(Number(at), text)
  data.writeInt32LE(MAX_ITEM_TEXT, length)
  memory.write(Buffer.alloc(2), TEXT_OFFSET)
  const done = exchange(context, memory, hwnd, message, w, data)
  // The program may point to a text of its own instead.
  const address = memory.is64 ? done.data.readBigUInt64LE(text) : BigInt(done.data.readUInt32LE(text))
  const bytes = address > 0xffffn ? memory.read(MAX_ITEM_TEXT * 2, Number(address - memory.address)) : Buffer.alloc(0)
  const end = bytes.toString('utf16le')
  return { ...done, text: end.includes('\0') ? end.slice(0, end.indexOf('\0')) : end }
}

/** The text that a message writes to an address that it takes. */
export function remoteText(
  { messages }: ControlContext,
  memory: RemoteMemory,
  hwnd: WindowHandle,
  message: number,
  w: number,
  units: number,
): string {
  if (units <= 0) return ''
  const length = Math.min(units, MAX_ITEM_TEXT)
  memory.write(Buffer.alloc(2))
  messages.send(hwnd, message, w, memory.address)
  const text = memory.read((length + 1) * 2).toString('utf16le', 0, length * 2)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
