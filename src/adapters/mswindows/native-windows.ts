import type { TypeObject } from 'koffi'
import koffi from 'koffi'
import { Fault } from '../../base/fault.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { WindowInfo } from '../computer.ts'
import { decodeWideText, loadLibrary } from './native.ts'

/** The number of a window handle. */
export type WindowHandle = number

/** A top-level window of the desktop. Its `handle` is the window handle in decimal. */
export interface NativeWindow extends WindowInfo {
  readonly hwnd: WindowHandle
  readonly threadId: number
  readonly className: string
  /** The window that owns it, as of dialogs and popups. */
  readonly owner?: WindowHandle
  readonly minimized: boolean
  readonly maximized: boolean
  readonly enabled: boolean
  /** The system considers its program as not responding. */
  readonly hung: boolean
}

/** The uid of a window: `win:<process id>:<window handle>`, both in decimal. */
export const windowsUid = (pid: number, hwnd: WindowHandle): string => `win:${pid}:${hwnd}`

/** The window handle in a uid. Undefined for the uid of something else. */
export function hwndOf(uid: string): WindowHandle | undefined {
  const match = /^win:\d+:(\d+)$/.exec(uid)
  return match ? Number(match[1]) : undefined
}

/** How long a program has to answer before anything is read from it or sent to it. */
export const MAX_RESPONSE_MS = 700

/** Asks the program of a window for an answer, for at most a number of milliseconds, while this process goes on. */
export type Responds = (hwnd: WindowHandle, withinMs: number) => Promise<boolean>

/** Throws `Timeout` when the program of a window does not answer. Returns for a closed window, which cannot hang. */
export async function requireResponse(
  responds: Responds,
  isWindow: (hwnd: WindowHandle) => boolean,
  { hwnd, uid, title }: Pick<NativeWindow, 'hwnd' | 'uid' | 'title'>,
): Promise<void> {
  if ((await responds(hwnd, MAX_RESPONSE_MS)) || !isWindow(hwnd)) return
  throw new Fault('Timeout', `the program of ${JSON.stringify(title)} does not answer`, {
    window_uid: uid,
  })
}

/** The functions of Windows about windows, as plain functions with plain values. */
export type WindowFunctions = ReturnType<typeof loadWindowFunctions>

const MAX_TITLE = 1024
const MAX_CLASS_NAME = 256
const MAX_PATH = 1024
const RECT_BYTES = 16
/** The size of `GUITHREADINFO` in a 64-bit process. */
const GUI_THREAD_INFO_BYTES = 72
const EXTENDED_FRAME_BOUNDS = 9
const CLOAKED = 14
const QUERY_LIMITED_INFORMATION = 0x1000
const GA_ROOT = 2
const GW_NEXT = 2
const GW_OWNER = 4
const GW_CHILD = 5
const GWL_STYLE = -16
const GWL_EXSTYLE = -20
const PER_MONITOR_AWARE_V2 = -4

/** What a thread shows and which of its windows has the keyboard. */
export interface GuiThread {
  readonly active: WindowHandle
  readonly focus: WindowHandle
  readonly menuOwner: WindowHandle
  readonly capture: WindowHandle
  readonly inMenu: boolean
}

/** The type of a callback, which koffi knows by name for the whole process. */
let enumCallback: TypeObject | undefined

/** Loads the functions. From then on all coordinates of this process are pixels of the screen. */
export function loadWindowFunctions() {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  const dwm = tryLoad('dwmapi.dll')
  const handle = 'intptr_t'
  type Ask = (hwnd: WindowHandle) => boolean
  const ask = (name: string) => user32.func<Ask>(name, 'bool', [handle])

  const setAwareness = tryFunction(() =>
    user32.func<(value: number) => boolean>('SetProcessDpiAwarenessContext', 'bool', [handle]),
  )
  setAwareness?.(PER_MONITOR_AWARE_V2)

  enumCallback ??= koffi.proto('bool BacklotEnumWindows(intptr_t, intptr_t)')
  const callback = enumCallback
  const enumWindows = user32.func<(call: unknown, l: number) => boolean>('EnumWindows', 'bool', [
    koffi.pointer(callback),
    handle,
  ])
  const getWindow = user32.func<(hwnd: WindowHandle, which: number) => WindowHandle>('GetWindow', handle, [
    handle,
    'uint32_t',
  ])
  const getLong = user32.func<(hwnd: WindowHandle, index: number) => number>('GetWindowLongW', 'uint32_t', [
    handle,
    'int32_t',
  ])
  const getRect = user32.func<(hwnd: WindowHandle, rect: Buffer) => boolean>('GetWindowRect', 'bool', [
    handle,
    '_Out_ uint8_t *',
  ])
  const getClientRect = user32.func<(hwnd: WindowHandle, rect: Buffer) => boolean>('GetClientRect', 'bool', [
    handle,
    '_Out_ uint8_t *',
  ])
  const clientToScreen = user32.func<(hwnd: WindowHandle, point: Buffer) => boolean>('ClientToScreen', 'bool', [
    handle,
    '_Inout_ uint8_t *',
  ])
  const getText = user32.func<(hwnd: WindowHandle, text: Buffer, max: number) => number>('GetWindowTextW', 'int', [
    handle,
    '_Out_ uint8_t *',
    'int',
  ])
  const getClass = user32.func<(hwnd: WindowHandle, text: Buffer, max: number) => number>('GetClassNameW', 'int', [
    handle,
    '_Out_ uint8_t *',
    'int',
  ])
  const getThread = user32.func<(hwnd: WindowHandle, pid: Buffer) => number>('GetWindowThreadProcessId', 'uint32_t', [
    handle,
    '_Out_ uint8_t *',
  ])
  const getGuiThread = user32.func<(thread: number, info: Buffer) => boolean>('GetGUIThreadInfo', 'bool', [
    'uint32_t',
    '_Inout_ uint8_t *',
  ])
  const getAncestor = user32.func<(hwnd: WindowHandle, which: number) => WindowHandle>('GetAncestor', handle, [
    handle,
    'uint32_t',
  ])
  const dwmAttribute = dwm?.func<(hwnd: WindowHandle, which: number, out: Buffer, bytes: number) => number>(
    'DwmGetWindowAttribute',
    'int32_t',
    [handle, 'uint32_t', '_Out_ uint8_t *', 'uint32_t'],
  )
  const openProcess = kernel32.func<(access: number, inherit: boolean, pid: number) => number>('OpenProcess', handle, [
    'uint32_t',
    'bool',
    'uint32_t',
  ])
  const closeHandle = kernel32.func<(process: number) => boolean>('CloseHandle', 'bool', [handle])
  const imageName = kernel32.func<(process: number, flags: number, path: Buffer, length: Buffer) => boolean>(
    'QueryFullProcessImageNameW',
    'bool',
    [handle, 'uint32_t', '_Out_ uint8_t *', '_Inout_ uint8_t *'],
  )

  return {
    isWindow: ask('IsWindow'),
    isVisible: ask('IsWindowVisible'),
    isEnabled: ask('IsWindowEnabled'),
    isMinimized: ask('IsIconic'),
    isMaximized: ask('IsZoomed'),
    isHung: ask('IsHungAppWindow'),
    isUnicode: ask('IsWindowUnicode'),
    foreground: user32.func<() => WindowHandle>('GetForegroundWindow', handle, []),
    parent: user32.func<(hwnd: WindowHandle) => WindowHandle>('GetParent', handle, [handle]),
    rootOf: (hwnd: WindowHandle): WindowHandle => getAncestor(hwnd, GA_ROOT),
    ownerOf: (hwnd: WindowHandle): WindowHandle => getWindow(hwnd, GW_OWNER),
    style: (hwnd: WindowHandle): number => getLong(hwnd, GWL_STYLE),
    extendedStyle: (hwnd: WindowHandle): number => getLong(hwnd, GWL_EXSTYLE),
    controlId: user32.func<(hwnd: WindowHandle) => number>('GetDlgCtrlID', 'int32_t', [handle]),
    /** All top-level windows front to back. */
    topLevel(): readonly WindowHandle[] {
      const found: WindowHandle[] = []
      const each = koffi.register((hwnd: WindowHandle) => found.push(hwnd) > 0, koffi.pointer(callback))
      try {
        enumWindows(each, 0)
      } finally {
        koffi.unregister(each)
      }
      return found
    },
    /** The child windows of a window front to back, which is the order of the Tab key. */
    children(hwnd: WindowHandle): readonly WindowHandle[] {
      const found = new Set<WindowHandle>()
      for (let child = getWindow(hwnd, GW_CHILD); child !== 0 && !found.has(child); child = getWindow(child, GW_NEXT))
        found.add(child)
      return [...found]
    },
    /** The title of a window, without a call to its program. */
    title(hwnd: WindowHandle): string {
      const text = Buffer.alloc(MAX_TITLE * 2)
      return decodeWideText(text, getText(hwnd, text, MAX_TITLE))
    },
    className(hwnd: WindowHandle): string {
      const text = Buffer.alloc(MAX_CLASS_NAME * 2)
      return decodeWideText(text, getClass(hwnd, text, MAX_CLASS_NAME))
    },
    threadOf(hwnd: WindowHandle): { readonly threadId: number; readonly pid: number } {
      const pid = Buffer.alloc(4)
      return { threadId: getThread(hwnd, pid), pid: pid.readUInt32LE() }
    },
    bounds(hwnd: WindowHandle): Rect | undefined {
      const rect = Buffer.alloc(RECT_BYTES)
      return getRect(hwnd, rect) ? rectIn(rect) : undefined
    },
    /** The bounds that are visible: without the shadow and the invisible border of a window. */
    frame(hwnd: WindowHandle): Rect | undefined {
      const rect = Buffer.alloc(RECT_BYTES)
      if (dwmAttribute?.(hwnd, EXTENDED_FRAME_BOUNDS, rect, RECT_BYTES) === 0) return rectIn(rect)
      return getRect(hwnd, rect) ? rectIn(rect) : undefined
    },
    /** The area inside the frame, on the screen. */
    clientArea(hwnd: WindowHandle): Rect | undefined {
      const [rect, origin] = [Buffer.alloc(RECT_BYTES), Buffer.alloc(8)]
      if (!getClientRect(hwnd, rect) || !clientToScreen(hwnd, origin)) return undefined
      return { ...rectIn(rect), x: origin.readInt32LE(0), y: origin.readInt32LE(4) }
    },
    /** Whether the system hides a window, as those of other virtual desktops. */
    isCloaked(hwnd: WindowHandle): boolean {
      const flags = Buffer.alloc(4)
      return dwmAttribute?.(hwnd, CLOAKED, flags, 4) === 0 && flags.readUInt32LE() !== 0
    },
    /** What a thread has; that of the foreground window for 0. */
    guiThread(threadId: number): GuiThread | undefined {
      const info = Buffer.alloc(GUI_THREAD_INFO_BYTES)
      info.writeUInt32LE(GUI_THREAD_INFO_BYTES)
      if (!getGuiThread(threadId, info)) return undefined
      const at = (offset: number): WindowHandle => Number(info.readBigUInt64LE(offset))
      return {
        inMenu: (info.readUInt32LE(4) & (GUI_IN_MENU | GUI_POPUP_MENU)) !== 0,
        active: at(8),
        focus: at(16),
        capture: at(24),
        menuOwner: at(32),
      }
    },
    /** The file name of a program, such as `notepad.exe`. Empty when the system does not tell it. */
    processName(pid: number): string {
      const process = openProcess(QUERY_LIMITED_INFORMATION, false, pid)
      if (process === 0) return ''
      const [path, length] = [Buffer.alloc(MAX_PATH * 2), Buffer.alloc(4)]
      length.writeUInt32LE(MAX_PATH)
      const isKnown = imageName(process, 0, path, length)
      closeHandle(process)
      return isKnown ? decodeWideText(path, length.readUInt32LE()).replace(/^.*[\\/]/, '') : ''
    },
  }
}

const GUI_IN_MENU = 4
const GUI_POPUP_MENU = 0x10

/** The rectangle in a buffer: left, top, right and bottom. */
export function rectIn(buffer: Buffer, offset = 0): Rect {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => buffer.readInt32LE(offset + at)) as [
    number,
    number,
    number,
    number,
  ]
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
}

const tryLoad = (file: string) => tryFunction(() => loadLibrary(file))

function tryFunction<T>(load: () => T): T | undefined {
  try {
    return load()
  } catch {
    return undefined
  }
}

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
