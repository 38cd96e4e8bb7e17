import type { Button } from '../../../desktop/input/action.ts'
import type { Point, Rect } from '../../../desktop/model/geometry.ts'
import type { VirtualKey } from './virtual-keys.ts'

/** One event of mouse or keyboard, in the terms of `SendInput`. */
export type InputEvent =
  | { readonly kind: 'mouse'; readonly flags: number; readonly x?: number; readonly y?: number; readonly data?: number }
  | { readonly kind: 'key'; readonly flags: number; readonly key?: number; readonly scan?: number }

const MOVE = 0x0001
const WHEEL = 0x0800
const WHEEL_ACROSS = 0x1000
const WHOLE_DESKTOP = 0x4000
const ABSOLUTE = 0x8000
const WHEEL_CLICK = 120
const KEY_EXTENDED = 0x0001
const KEY_UP = 0x0002
const KEY_CHARACTER = 0x0004

/** The flags that press a button, with the number of an additional one. Those of releasing are twice as large. */
const BUTTON_FLAGS: Readonly<Record<Button, readonly [press: number, data: number]>> = {
  left: [0x0002, 0],
  right: [0x0008, 0],
  middle: [0x0020, 0],
  back: [0x0080, 1],
  forward: [0x0080, 2],
}

/** Moves the pointer to a pixel of the rectangle around all monitors. */
export const moveEvent = ({ x, y }: Point, screen: Rect): InputEvent => ({
  kind: 'mouse',
  flags: MOVE | ABSOLUTE | WHOLE_DESKTOP,
  x: unitsOf(x - screen.x, screen.width),
  y: unitsOf(y - screen.y, screen.height),
})

/** A pixel in units of which the whole extent has 65,536. Windows rounds down when it converts them back. */
const unitsOf = (pixel: number, extent: number): number => Math.ceil((pixel * 0x1_0000) / extent)

/** Presses or releases a button. With `swapped`, the primary button of the mouse is the right one. */
export function buttonEvent(button: Button, isDown: boolean, swapped: boolean): InputEvent {
  const other = button === 'left' ? 'right' : button === 'right' ? 'left' : button
  const [press, data] = BUTTON_FLAGS[swapped ? other : button]
  return { kind: 'mouse', flags: isDown ? press : press * 2, data }
}

/** Turns the wheel by whole clicks. Positive ones scroll up. */
export const wheelEvent = (clicks: number): InputEvent => ({ kind: 'mouse', flags: WHEEL, data: clicks * WHEEL_CLICK })

/** Turns the wheel sideways by whole clicks. Positive ones scroll to the right. */
export const wheelAcrossEvent = (clicks: number): InputEvent => ({
  kind: 'mouse',
  flags: WHEEL_ACROSS,
  data: clicks * WHEEL_CLICK,
})

/** An event that does nothing. The program that sent the last input may bring windows to the foreground. */
export const emptyEvent: InputEvent = { kind: 'mouse', flags: 0 }

/** Presses or releases a key. */
export const keyEvent = ({ code, extended }: VirtualKey, scan: number, isDown: boolean): InputEvent => ({
  kind: 'key',
  flags: (extended ? KEY_EXTENDED : 0) | (isDown ? 0 : KEY_UP),
  key: code,
  scan,
})

/** Types a UTF-16 unit, whatever the keyboard layout. */
export const characterEvents = (unit: number): readonly InputEvent[] => [
  { kind: 'key', flags: KEY_CHARACTER, scan: unit },
  { kind: 'key', flags: KEY_CHARACTER | KEY_UP, scan: unit },
]

/** The size of `INPUT` in a 64-bit process. */
export const INPUT_BYTES = 40

/** The events as an array of `INPUT`. */
export function encodeEvents(events: readonly InputEvent[]): Buffer {
  const bytes = Buffer.alloc(events.length * INPUT_BYTES)
  for (const [index, event] of events.entries()) {
    const at = index * INPUT_BYTES
    if (event.kind === 'mouse') {
      bytes.writeInt32LE(event.x ?? 0, at + 8)
      bytes.writeInt32LE(event.y ?? 0, at + 12)
      bytes.writeInt32LE(event.data ?? 0, at + 16)
      bytes.writeUInt32LE(event.flags, at + 20)
    } else {
      bytes.writeUInt32LE(1, at)
      bytes.writeUInt16LE(event.key ?? 0, at + 8)
      bytes.writeUInt16LE(event.scan ?? 0, at + 10)
      bytes.writeUInt32LE(event.flags, at + 12)
    }
  }
  return bytes
}
