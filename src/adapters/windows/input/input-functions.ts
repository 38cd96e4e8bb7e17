import { setTimeout as sleep } from 'node:timers/promises'
import type { Point, Rect } from '../../../desktop/model/geometry.ts'
import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../window-list/native-window.ts'
import { encodeEvents, INPUT_BYTES, type InputEvent } from './input-events.ts'

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
