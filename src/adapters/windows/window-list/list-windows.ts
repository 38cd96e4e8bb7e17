import type { Rect } from '../../../desktop/model/geometry.ts'
import { type NativeWindow, type WindowHandle, windowsUid } from './native-window.ts'
import type { WindowFunctions } from './user32.ts'

/** Windows that paint the desktop behind all others. */
const BACKGROUND: ReadonlySet<string> = new Set(['Progman', 'WorkerW'])
/** The bar of the desktop. */
const SHELL: ReadonlySet<string> = new Set(['Shell_TrayWnd', 'Shell_SecondaryTrayWnd', 'NotifyIconOverflowWindow'])
/** Windows that show a part of another one: a menu, the list of a combo box, a tooltip. */
export const POPUP_CLASSES: ReadonlySet<string> = new Set(['#32768', 'ComboLBox', 'tooltips_class32'])

/** The visible windows front to back, without minimised ones. Calls no program. */
export function listNativeWindows(user: WindowFunctions): readonly NativeWindow[] {
  const foreground = user.foreground()
  const processes = new Map<number, string>()
  return user.topLevel().flatMap((hwnd) => {
    if (!user.isVisible(hwnd) || user.isMinimized(hwnd) || user.isCloaked(hwnd)) return []
    const window = describeNativeWindow(user, hwnd, foreground, processes)
    return window && !BACKGROUND.has(window.className) && hasArea(window.bounds) ? [window] : []
  })
}

/** A top-level window, also a minimised or hidden one. Undefined when it is closed. */
export function describeNativeWindow(
  user: WindowFunctions,
  hwnd: WindowHandle,
  foreground: WindowHandle,
  processes: Map<number, string> = new Map(),
): NativeWindow | undefined {
  const { threadId, pid } = user.threadOf(hwnd)
  const bounds = user.frame(hwnd)
  if (threadId === 0 || !bounds) return undefined
  const process = processes.get(pid) ?? user.processName(pid)
  processes.set(pid, process)
  const className = user.className(hwnd)
  const owner = user.ownerOf(hwnd)
  const popupOf = POPUP_CLASSES.has(className) ? windowOfPopup(user, hwnd, threadId, owner) : undefined
  return {
    uid: windowsUid(pid, hwnd),
    handle: String(hwnd),
    hwnd,
    title: user.title(hwnd),
    process,
    pid,
    threadId,
    className,
    bounds,
    focused: hwnd === foreground,
    minimized: user.isMinimized(hwnd),
    maximized: user.isMaximized(hwnd),
    enabled: user.isEnabled(hwnd),
    hung: user.isHung(hwnd),
    ...(owner !== 0 && { owner }),
    ...(popupOf !== undefined && { popupOf }),
    ...(SHELL.has(className) && { shell: true as const }),
  }
}

/** The uid of the window that a popup belongs to: its owner, else the window whose menu is open or that is active. */
function windowOfPopup(
  user: WindowFunctions,
  hwnd: WindowHandle,
  threadId: number,
  owner: WindowHandle,
): string | undefined {
  const thread = user.guiThread(threadId)
  const candidates = [owner, thread?.menuOwner ?? 0, thread?.active ?? 0]
  const found = candidates
    .map((each) => (each === 0 ? 0 : user.rootOf(each)))
    .find((each) => each !== 0 && each !== hwnd)
  return found === undefined ? undefined : windowsUid(user.threadOf(found).pid, found)
}

const hasArea = ({ width, height }: Rect): boolean => width > 0 && height > 0
