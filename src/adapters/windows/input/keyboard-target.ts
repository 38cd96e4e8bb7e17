import { Fault } from '../../../base/fault.ts'
import { keyboardTaken } from '../../refusals.ts'
import { assertReachable, type DesktopAccess } from '../desktop-access.ts'
import { hwndOf, type WindowHandle } from '../window-list/native-window.ts'
import type { WindowFunctions } from '../window-list/user32.ts'

/** The window that gets keys. */
export interface KeyboardTarget {
  /** 0 when no window has the keyboard. */
  readonly hwnd: WindowHandle
  readonly threadId: number
  /** The control in it that has the keyboard now, or the window itself. */
  control(): WindowHandle
  /** Throws `WindowOccluded` when another window has got the keyboard meanwhile. `typed` characters were sent. */
  check(typed: number): void
}

/** The desktop and its bar take keys, but no text. */
const NO_TEXT: ReadonlySet<string> = new Set(['Progman', 'WorkerW', 'Shell_TrayWnd', '#32769', ''])

/**
 * Finds the window that gets keys. Text needs a window of a program; if the uid `into` is given, it must be that window. Throws
 * `WindowGone`, `WindowOccluded`, and `PlatformUnsupported` for a program that runs as administrator.
 */
export function findKeyboardTarget(
  windows: Pick<WindowFunctions, 'foreground' | 'className' | 'threadOf' | 'processName' | 'guiThread'>,
  access: DesktopAccess,
  into: string | undefined,
  isText: boolean,
): KeyboardTarget {
  const hwnd = windows.foreground()
  if (into !== undefined && hwndOf(into) !== hwnd) throw keyboardTaken(0)
  if (isText && (hwnd === 0 || NO_TEXT.has(windows.className(hwnd))))
    throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
  const { threadId, pid } = hwnd === 0 ? { threadId: 0, pid: 0 } : windows.threadOf(hwnd)
  if (hwnd !== 0) assertReachable(access, { pid, process: windows.processName(pid) })
  return {
    hwnd,
    threadId,
    control: () => keyboardControl(windows, hwnd),
    check(typed) {
      if (windows.foreground() !== hwnd) throw keyboardTaken(typed)
    },
  }
}

/** The control that has the keyboard in the thread of a window, or the window itself. */
export const keyboardControl = (
  windows: Pick<WindowFunctions, 'threadOf' | 'guiThread'>,
  hwnd: WindowHandle,
): WindowHandle => (hwnd === 0 ? 0 : windows.guiThread(windows.threadOf(hwnd).threadId)?.focus || hwnd)
