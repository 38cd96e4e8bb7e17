import { setTimeout as sleep } from 'node:timers/promises'
import type { Button } from '../../../desktop/input/action.ts'
import type { Point, Rect } from '../../../desktop/model/geometry.ts'
import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../native-windows.ts'

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

/** A key of Windows: its number, and whether it is one of those that a second block of keys has too. */
export interface VirtualKey {
  readonly code: number
  /** Arrows, navigation keys and the like of the second block, which share scan codes with the number pad. */
  readonly extended?: true
}

const extended = (code: number): VirtualKey => ({ code, extended: true })
const key = (code: number): VirtualKey => ({ code })

/** The keys by the names that `parseChord` returns. Characters depend on the keyboard layout and are not here. */
export const VIRTUAL_KEYS: ReadonlyMap<string, VirtualKey> = new Map([
  ['ctrl', key(0x11)],
  ['shift', key(0x10)],
  ['alt', key(0x12)],
  ['meta', extended(0x5b)],
  ['enter', key(0x0d)],
  ['tab', key(0x09)],
  ['escape', key(0x1b)],
  ['backspace', key(0x08)],
  ['space', key(0x20)],
  ['delete', extended(0x2e)],
  ['insert', extended(0x2d)],
  ['home', extended(0x24)],
  ['end', extended(0x23)],
  ['pageup', extended(0x21)],
  ['pagedown', extended(0x22)],
  ['left', extended(0x25)],
  ['up', extended(0x26)],
  ['right', extended(0x27)],
  ['down', extended(0x28)],
  ['menu', extended(0x5d)],
  ['printscreen', extended(0x2c)],
  ['pause', key(0x13)],
  ['capslock', key(0x14)],
  ['numlock', extended(0x90)],
  ['scrolllock', key(0x91)],
  ['volumemute', extended(0xad)],
  ['volumedown', extended(0xae)],
  ['volumeup', extended(0xaf)],
  ['playpause', extended(0xb3)],
  ['browserback', extended(0xa6)],
  ['browserforward', extended(0xa7)],
  ['browserrefresh', extended(0xa8)],
  ['help', key(0x2f)],
  ...Array.from({ length: 24 }, (_, index) => [`f${index + 1}`, key(0x70 + index)] as const),
])

/** The keys that change what other keys do. */
export const MODIFIER_KEYS = ['ctrl', 'shift', 'alt', 'meta'] as const

/** The functions of Windows about mouse and keyboard, as plain functions with plain values. */
export type InputFunctions = ReturnType<typeof loadInputFunctions>

/** A key of a keyboard layout with the modifiers that its character needs. */
export interface LayoutKey {
  readonly code: number
  readonly shift: boolean
  /** Whether it needs ctrl and alt, as characters of the third level do. */
  readonly altGr: boolean
}

/** Whether a program has taken its input, still has some (or never paints), or does not process messages. */
export type Drained = 'taken' | 'pending' | 'hangs'

const SWAPPED_BUTTONS = 23
const SCREEN_X = 76
const SCREEN_Y = 77
const SCREEN_WIDTH = 78
const SCREEN_HEIGHT = 79
const KEY_TO_SCAN_CODE = 0
const NOT_ON_LAYOUT = -1
const NULL_MESSAGE = 0
const ABORT_IF_HUNG = 2
/** The first pixel of a window, as a `RECT`. */
const FIRST_PIXEL = Int32Array.of(0, 0, 1, 1)

/** Loads the functions. */
export function loadInputFunctions() {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  const sendInput = user32.func<(count: number, events: Buffer, bytes: number) => number>('SendInput', 'uint32_t', [
    'uint32_t',
    'uint8_t *',
    'int',
  ])
  const getPointer = user32.func<(point: Buffer) => boolean>('GetCursorPos', 'bool', ['_Out_ uint8_t *'])
  const windowFromPoint = user32.func<(point: bigint) => number>('WindowFromPoint', handle, ['int64_t'])
  const keyState = user32.func<(code: number) => number>('GetAsyncKeyState', 'int16_t', ['int'])
  const metric = user32.func<(which: number) => number>('GetSystemMetrics', 'int', ['int'])
  const scanCode = user32.func<(code: number, kind: number) => number>('MapVirtualKeyW', 'uint32_t', [
    'uint32_t',
    'uint32_t',
  ])
  const layoutOf = user32.func<(thread: number) => number>('GetKeyboardLayout', handle, ['uint32_t'])
  const scanCharacter = user32.func<(unit: number, layout: number) => number>('VkKeyScanExW', 'int16_t', [
    'uint16_t',
    handle,
  ])
  const lastInput = user32.func<(info: Buffer) => boolean>('GetLastInputInfo', 'bool', ['_Inout_ uint8_t *'])
  const ticks = kernel32.func<() => number>('GetTickCount', 'uint32_t', [])
  const sendMessage = user32.funcAsync<
    (hwnd: number, message: number, w: number, l: number, flags: number, ms: number, out: Buffer) => Promise<number>
  >('SendMessageTimeoutW', handle, [handle, 'uint32_t', handle, handle, 'uint32_t', 'uint32_t', '_Out_ uint8_t *'])

  const invalidate = user32.func<(hwnd: number, area: Int32Array, erases: boolean) => boolean>(
    'InvalidateRect',
    'bool',
    [handle, 'int32_t *', 'bool'],
  )
  const isOutOfDate = user32.func<(hwnd: number, area: null, erases: boolean) => boolean>('GetUpdateRect', 'bool', [
    handle,
    'int32_t *',
    'bool',
  ])

  const responds = async (hwnd: WindowHandle, withinMs: number): Promise<boolean> =>
    (await sendMessage(hwnd, NULL_MESSAGE, 0, 0, ABORT_IF_HUNG, withinMs, Buffer.alloc(8))) !== 0

  return {
    /** Sends events without gaps. Returns how many were accepted. */
    send: (events: readonly InputEvent[]): number => sendInput(events.length, encodeEvents(events), INPUT_BYTES),
    /** The innermost window at a point of the screen. 0 when there is none. */
    windowAt: ({ x, y }: Point): WindowHandle => windowFromPoint((BigInt(y) << 32n) | (BigInt(x) & 0xffff_ffffn)),
    setPointer: user32.func<(x: number, y: number) => boolean>('SetCursorPos', 'bool', ['int', 'int']),
    pointer(): Point {
      const point = Buffer.alloc(8)
      getPointer(point)
      return { x: point.readInt32LE(0), y: point.readInt32LE(4) }
    },
    isDown: (code: number): boolean => keyState(code) < 0,
    hasSwappedButtons: (): boolean => metric(SWAPPED_BUTTONS) !== 0,
    /** The rectangle around all monitors. */
    screen: (): Rect => ({
      x: metric(SCREEN_X),
      y: metric(SCREEN_Y),
      width: metric(SCREEN_WIDTH),
      height: metric(SCREEN_HEIGHT),
    }),
    scanCode: (code: number): number => scanCode(code, KEY_TO_SCAN_CODE),
    /** The key of a character on the keyboard layout of a thread. Undefined when the layout does not have it. */
    keyOf(character: string, threadId: number): LayoutKey | undefined {
      if (character.length !== 1) return undefined
      const found = scanCharacter(character.charCodeAt(0), layoutOf(threadId))
      if (found === NOT_ON_LAYOUT) return undefined
      return { code: found & 0xff, shift: (found & 0x100) !== 0, altGr: (found & 0x600) === 0x600 }
    },
    doubleClickMs: user32.func<() => number>('GetDoubleClickTime', 'uint32_t', []),
    /** Milliseconds since the last input of anybody. */
    idleMs(): number {
      const info = Buffer.alloc(8)
      info.writeUInt32LE(8)
      return lastInput(info) ? (ticks() - info.readUInt32LE(4)) >>> 0 : 0
    },
    /** Whether the program of a window processes messages, for at most `withinMs` milliseconds. */
    responds: (hwnd: WindowHandle, withinMs: number): Promise<boolean> => responds(hwnd, withinMs),
    /**
     * Waits until the program of a window has taken its input, for at most `withinMs` milliseconds. Programs paint only when no
     * input is left, so the first pixel of the window is declared out of date, and the program must have painted it.
     */
    async drain(hwnd: WindowHandle, withinMs: number): Promise<Drained> {
      const deadline = Date.now() + withinMs
      if (!(await responds(hwnd, withinMs))) return 'hangs'
      invalidate(hwnd, FIRST_PIXEL, false)
      while (isOutOfDate(hwnd, null, false)) {
        if (Date.now() > deadline) return 'pending'
        await sleep(1)
      }
      return 'taken'
    },
  }
}
