import { Fault } from '../../base/fault.ts'
import type { NativeWindow, WindowHandle } from './window-list/native-window.ts'

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
