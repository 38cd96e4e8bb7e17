import { Fault } from '../../../base/fault.ts'
import { decodeWideText, loadLibrary, wideText } from '../native.ts'
import type { WindowFunctions, WindowHandle } from '../native-windows.ts'

/** How long a program has to answer one message. Calls block this process meanwhile. */
export const MAX_MESSAGE_MS = 700
/** How long the messages of one reading or action may take together. */
const MAX_MESSAGES_MS = 4000
const ABORT_IF_HUNG = 2
const WM_NULL = 0
const WM_GETTEXT = 0x0d
const WM_GETTEXTLENGTH = 0x0e
const WM_SETTEXT = 0x0c
export const MAX_TEXT = 100_000
/** Most texts are read in one message. */
const MAX_SHORT_TEXT = 512

/** Messages to windows of other programs, with a time limit. A program that does not answer is a `Timeout`. */
export type WindowMessages = ReturnType<typeof createMessages>

/** A parameter of a message: a number, an address in the program, or a buffer that the system passes on. */
type Long = number | bigint

export function createMessages(user: WindowFunctions) {
  const library = loadLibrary('user32.dll')
  const types = ['intptr_t', 'uint32_t', 'intptr_t'] as const
  type Send = (hwnd: WindowHandle, m: number, w: Long, l: Long, flags: number, ms: number, out: Buffer) => number
  type SendBuffer = (
    hwnd: WindowHandle,
    m: number,
    w: Long,
    l: Buffer,
    flags: number,
    ms: number,
    out: Buffer,
  ) => number
  const sendLong = library.func<Send>('SendMessageTimeoutW', 'intptr_t', [
    ...[...types, 'intptr_t', 'uint32_t', 'uint32_t'],
    '_Out_ uint8_t *',
  ])
  const sendBuffer = library.func<SendBuffer>('SendMessageTimeoutW', 'intptr_t', [
    ...[...types, '_Inout_ uint8_t *', 'uint32_t', 'uint32_t'],
    '_Out_ uint8_t *',
  ])
  const post = library.func<(hwnd: WindowHandle, m: number, w: Long, l: Long) => boolean>('PostMessageW', 'bool', [
    ...[...types, 'intptr_t'],
  ])

  let deadlineMs = Number.POSITIVE_INFINITY

  /** The result. Undefined when the window is closed or refuses messages of this process. */
  const finish = (hwnd: WindowHandle, call: (out: Buffer, withinMs: number) => number): bigint | undefined => {
    const out = Buffer.alloc(8)
    const startMs = performance.now()
    const withinMs = Math.ceil(Math.min(MAX_MESSAGE_MS, deadlineMs - startMs))
    if (withinMs <= 0)
      throw new Fault('Timeout', `the program is slow: its answers took longer than ${MAX_MESSAGES_MS} ms`)
    if (call(out, withinMs) !== 0) return out.readBigInt64LE()
    if (user.isWindow(hwnd) && (user.isHung(hwnd) || performance.now() - startMs > withinMs * 0.9))
      throw new Fault('Timeout', 'the program did not answer')
    return undefined
  }
  const ask = (hwnd: WindowHandle, message: number, w: Long = 0, l: Long = 0): bigint | undefined =>
    finish(hwnd, (out, withinMs) => sendLong(hwnd, message, w, l, ABORT_IF_HUNG, withinMs, out))
  const send = (hwnd: WindowHandle, message: number, w: Long = 0, l: Long = 0): number =>
    Number(ask(hwnd, message, w, l) ?? 0n)
  /** Sends a buffer that the system copies to the program and back, for messages of which it knows the buffer. */
  const exchange = (hwnd: WindowHandle, message: number, w: Long, buffer: Buffer): number =>
    Number(finish(hwnd, (out, withinMs) => sendBuffer(hwnd, message, w, buffer, ABORT_IF_HUNG, withinMs, out)) ?? 0n)

  return {
    ask,
    send,
    exchange,
    post,
    /** Runs work whose messages end after `MAX_MESSAGES_MS` together. */
    limited<T>(work: () => T): T {
      deadlineMs = performance.now() + MAX_MESSAGES_MS
      try {
        return work()
      } finally {
        deadlineMs = Number.POSITIVE_INFINITY
      }
    },
    /** Throws `Timeout` when the program of a window does not answer. False when the window is closed. */
    probe: (hwnd: WindowHandle): boolean => ask(hwnd, WM_NULL) !== undefined,
    textLength: (hwnd: WindowHandle): number => send(hwnd, WM_GETTEXTLENGTH),
    /** The text of a control, at most the first 100,000 characters. */
    text(hwnd: WindowHandle): string {
      const short = Buffer.alloc(MAX_SHORT_TEXT * 2)
      const read = exchange(hwnd, WM_GETTEXT, MAX_SHORT_TEXT, short)
      if (read < MAX_SHORT_TEXT - 1) return decodeWideText(short, read)
      const units = Math.min(send(hwnd, WM_GETTEXTLENGTH), MAX_TEXT)
      const buffer = Buffer.alloc((units + 1) * 2)
      return decodeWideText(buffer, exchange(hwnd, WM_GETTEXT, units + 1, buffer))
    },
    setText: (hwnd: WindowHandle, text: string): boolean => exchange(hwnd, WM_SETTEXT, 0, wideText(text)) !== 0,
    /** The text that a message writes into a buffer of a known size. */
    textOf(hwnd: WindowHandle, message: number, w: number, units: number): string {
      if (units <= 0) return ''
      const buffer = Buffer.alloc((units + 1) * 2)
      exchange(hwnd, message, w, buffer)
      return decodeWideText(buffer)
    },
  }
}
