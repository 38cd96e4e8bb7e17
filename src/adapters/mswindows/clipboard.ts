import { Fault } from '../../base/fault.ts'
import { decodeWideText, loadLibrary, wideText } from './native.ts'
import { MAX_RESPONSE_MS, type Responds, type WindowHandle } from './native-windows.ts'

/** The text of the clipboard, with `\n` at the ends of lines. */
export interface WindowsClipboard {
  /** Empty when the clipboard has no text. */
  read(): Promise<string>
  write(text: string): Promise<void>
}

const UNICODE_TEXT = 13
const MOVEABLE = 2
/** The parent of windows that are never shown. */
const MESSAGE_ONLY = -3
const MAX_OPENING_MS = 1000
const POLL_MS = 10
const MAX_CLIPBOARD_BYTES = 8 * 1024 * 1024

/** Loads the functions. `pause` throws when all input is stopped. */
export function loadClipboard(responds: Responds, pause: (ms: number) => Promise<void>): WindowsClipboard {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  type Create = (
    ex: number,
    className: Buffer,
    title: Buffer,
    style: number,
    x: number,
    y: number,
    width: number,
    height: number,
    parent: number,
    menu: number,
    program: number,
    more: number,
  ) => WindowHandle
  const createWindow = user32.func<Create>('CreateWindowExW', handle, [
    ...['uint32_t', 'uint8_t *', 'uint8_t *', 'uint32_t'],
    ...['int', 'int', 'int', 'int'],
    ...[handle, handle, handle, handle],
  ])
  const destroyWindow = user32.func<(hwnd: WindowHandle) => boolean>('DestroyWindow', 'bool', [handle])
  const open = user32.func<(hwnd: WindowHandle) => boolean>('OpenClipboard', 'bool', [handle])
  const close = user32.func<() => boolean>('CloseClipboard', 'bool', [])
  const empty = user32.func<() => boolean>('EmptyClipboard', 'bool', [])
  const owner = user32.func<() => WindowHandle>('GetClipboardOwner', handle, [])
  const isAvailable = user32.func<(format: number) => boolean>('IsClipboardFormatAvailable', 'bool', ['uint32_t'])
  const getData = user32.func<(format: number) => number>('GetClipboardData', handle, ['uint32_t'])
  const setData = user32.func<(format: number, memory: number) => number>('SetClipboardData', handle, [
    'uint32_t',
    handle,
  ])
  const allocate = kernel32.func<(flags: number, bytes: number) => number>('GlobalAlloc', handle, [
    'uint32_t',
    'size_t',
  ])
  const free = kernel32.func<(memory: number) => number>('GlobalFree', handle, [handle])
  const lock = kernel32.func<(memory: number) => number>('GlobalLock', 'uintptr_t', [handle])
  const unlock = kernel32.func<(memory: number) => boolean>('GlobalUnlock', 'bool', [handle])
  const sizeOf = kernel32.func<(memory: number) => number>('GlobalSize', 'size_t', [handle])
  const copyIn = kernel32.func<(to: number, from: Buffer, bytes: number) => void>('RtlMoveMemory', 'void', [
    'uintptr_t',
    'uint8_t *',
    'size_t',
  ])
  const copyOut = kernel32.func<(to: Buffer, from: number, bytes: number) => void>('RtlMoveMemory', 'void', [
    '_Out_ uint8_t *',
    'uintptr_t',
    'size_t',
  ])

  /** Runs work while the clipboard is open. Another program may have it open for a moment. */
  const whileOpen = async <T>(hwnd: WindowHandle, work: () => T): Promise<T> => {
    const deadline = Date.now() + MAX_OPENING_MS
    while (!open(hwnd)) {
      if (Date.now() > deadline)
        throw new Fault('Timeout', `another program has kept the clipboard open for ${MAX_OPENING_MS} ms`)
      await pause(POLL_MS)
    }
    try {
      return work()
    } finally {
      close()
    }
  }
  /** The program that copied provides the text only when it is read, and is told when the clipboard is emptied. */
  const requireOwner = async (): Promise<void> => {
    const from = owner()
    if (from !== 0 && !(await responds(from, MAX_RESPONSE_MS)) && owner() === from)
      throw new Fault('Timeout', 'the program that copied to the clipboard does not answer')
  }
  return {
    async read() {
      if (!isAvailable(UNICODE_TEXT)) return ''
      await requireOwner()
      const data = await whileOpen(0, () => {
        const memory = getData(UNICODE_TEXT)
        if (memory === 0) return Buffer.alloc(0)
        const bytes = sizeOf(memory)
        if (bytes > MAX_CLIPBOARD_BYTES)
          throw new Fault(
            'TooLarge',
            `the clipboard has ${bytes} bytes of text, and ${MAX_CLIPBOARD_BYTES} are the limit`,
          )
        const copy = Buffer.alloc(bytes)
        const address = lock(memory)
        if (address !== 0) copyOut(copy, address, bytes)
        unlock(memory)
        return copy
      })
      return decodeWideText(data).replaceAll('\r\n', '\n')
    },
    async write(text) {
      await requireOwner()
      const data = wideText(text.replace(/\r?\n/g, '\r\n'))
      // Windows wants an owner. Once that is gone, no program waits for it, and the text stays.
      const own = createWindow(0, wideText('STATIC'), wideText(''), 0, 0, 0, 0, 0, MESSAGE_ONLY, 0, 0, 0)
      try {
        const isSet = await whileOpen(own, () => {
          empty()
          if (text === '') return true
          const memory = allocate(MOVEABLE, data.length)
          const address = memory === 0 ? 0 : lock(memory)
          if (address === 0) return false
          copyIn(address, data, data.length)
          unlock(memory)
          if (setData(UNICODE_TEXT, memory) !== 0) return true
          free(memory)
          return false
        })
        if (!isSet) throw new Fault('PlatformUnsupported', 'Windows did not accept the text for the clipboard')
      } finally {
        destroyWindow(own)
      }
    },
  }
}
