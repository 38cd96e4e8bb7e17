import { Fault } from '../../base/fault.ts'
import { emptyEvent, type InputFunctions } from './input/input-events.ts'
import { loadLibrary } from './native.ts'
import {
  MAX_RESPONSE_MS,
  type NativeWindow,
  requireResponse,
  type WindowFunctions,
  type WindowHandle,
} from './native-windows.ts'

/** Changes windows. Each change is checked, because Windows reports refusals by doing nothing. */
export interface WindowManagement {
  /** Brings a window to the foreground, or the dialog that it waits for. */
  activate(window: NativeWindow): Promise<void>
  change(window: NativeWindow, to: 'close' | 'minimize' | 'maximize' | 'restore'): Promise<void>
}

const MINIMIZE = 6
const MAXIMIZE = 3
const RESTORE = 9
const CLOSE_MESSAGE = 0x10
const HAS_MINIMIZE = 0x2_0000
const HAS_MAXIMIZE = 0x1_0000
const MAX_CHANGE_MS = 1000
const POLL_MS = 10

/** Loads the functions. */
export function loadWindowManagement(
  user: WindowFunctions,
  input: InputFunctions,
  pause: (ms: number) => Promise<void>,
): WindowManagement {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  type Ask = (hwnd: WindowHandle) => boolean
  const setForeground = user32.func<Ask>('SetForegroundWindow', 'bool', [handle])
  const bringToTop = user32.func<Ask>('BringWindowToTop', 'bool', [handle])
  const show = user32.func<(hwnd: WindowHandle, how: number) => boolean>('ShowWindowAsync', 'bool', [handle, 'int'])
  const lastPopup = user32.func<(hwnd: WindowHandle) => WindowHandle>('GetLastActivePopup', handle, [handle])
  const attach = user32.func<(from: number, to: number, on: boolean) => boolean>('AttachThreadInput', 'bool', [
    'uint32_t',
    'uint32_t',
    'bool',
  ])
  const currentThread = kernel32.func<() => number>('GetCurrentThreadId', 'uint32_t', [])
  const post = user32.func<(hwnd: WindowHandle, message: number, w: number, l: number) => boolean>(
    'PostMessageW',
    'bool',
    [handle, 'uint32_t', handle, handle],
  )
  const becomes = async (holds: () => boolean, withinMs = MAX_CHANGE_MS): Promise<boolean> => {
    const deadline = Date.now() + withinMs
    while (!holds()) {
      if (Date.now() > deadline) return false
      await pause(POLL_MS)
    }
    return true
  }
  const answers = (window: NativeWindow) => requireResponse(input.responds, user.isWindow, window)
  /** Ways to the foreground, the least intrusive first. */
  const WAYS: readonly ((hwnd: WindowHandle) => unknown)[] = [
    setForeground,
    (hwnd) => {
      // The program that sent the last input may change the foreground.
      input.send([emptyEvent])
      setForeground(hwnd)
    },
    async (hwnd) => {
      const front = user.foreground()
      const [own, other] = [currentThread(), user.threadOf(front).threadId]
      // Windows waits for both programs while they share their input.
      if (other === 0 || other === own || !(await input.responds(front, MAX_RESPONSE_MS))) return
      attach(own, other, true)
      bringToTop(hwnd)
      setForeground(hwnd)
      attach(own, other, false)
    },
  ]
  const activate = async (window: NativeWindow): Promise<void> => {
    await answers(window)
    if (user.isMinimized(window.hwnd)) {
      show(window.hwnd, RESTORE)
      await becomes(() => !user.isMinimized(window.hwnd))
    }
    // A window that waits for a dialog cannot have the keyboard; its dialog gets it.
    const hwnd = user.isEnabled(window.hwnd) ? window.hwnd : lastPopup(window.hwnd)
    const isThere = () => user.foreground() === hwnd
    if (isThere()) return
    for (const go of WAYS) {
      await go(hwnd)
      if (await becomes(isThere, MAX_CHANGE_MS / WAYS.length)) return
    }
    throw new Fault('WindowOccluded', `Windows did not bring "${window.title}" to the foreground; click it`, {
      window_uid: window.uid,
    })
  }
  /** Shows a window in another way and checks that it took effect. */
  const showAs = async (window: NativeWindow, how: number, isDone: () => boolean, done: string, isOffered = true) => {
    await answers(window)
    if (isOffered) show(window.hwnd, how)
    if (!isOffered || !(await becomes(isDone)))
      throw new Fault('PatternUnsupported', `the window "${window.title}" cannot be ${done}`, {
        window_uid: window.uid,
      })
  }
  return {
    activate,
    async change(window, to) {
      const { hwnd } = window
      const offers = (style: number) => (user.style(hwnd) & style) !== 0
      if (to === 'close') {
        await answers(window)
        post(hwnd, CLOSE_MESSAGE, 0, 0)
      } else if (to === 'minimize')
        await showAs(window, MINIMIZE, () => user.isMinimized(hwnd), 'minimised', offers(HAS_MINIMIZE))
      else if (to === 'maximize')
        await showAs(window, MAXIMIZE, () => user.isMaximized(hwnd), 'maximised', offers(HAS_MAXIMIZE))
      else {
        await showAs(window, RESTORE, () => !user.isMinimized(hwnd) && !user.isMaximized(hwnd), 'restored')
        await activate(window)
      }
    },
  }
}
