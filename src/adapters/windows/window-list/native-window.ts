import type { WindowInfo } from '../../computer.ts'

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
