import { type Desktop, isHiddenWindow, isOnScreen, stackedWindows, type Window } from '../desktop/model/desktop.ts'
import { projectRect, type ScreenProjection } from '../desktop/projection.ts'
import { monitorOf } from '../desktop/windows/windowing.ts'
import type { WindowInfo } from './computer.ts'

/** Whether two desktops have the same list of windows. Changes inside windows do not matter. */
export function hasSameWindowList(a: Desktop, b: Desktop): boolean {
  const [before, after] = [stackedWindows(a), stackedWindows(b)]
  if (before === after) return a.active === b.active && a.monitors === b.monitors
  if (a.active !== b.active || a.monitors !== b.monitors || before.length !== after.length) return false
  for (let at = 0; at < before.length; at++) if (!hasSameWindowInfo(before[at]!, after[at]!)) return false
  return true
}

const hasSameWindowInfo = (a: Window, b: Window): boolean =>
  a === b ||
  (a.uid === b.uid &&
    a.handle === b.handle &&
    a.title === b.title &&
    a.process === b.process &&
    a.pid === b.pid &&
    a.bounds === b.bounds &&
    isHiddenWindow(a) === isHiddenWindow(b) &&
    a.state === b.state)

/** The windows that are on the screen, or others, in its pixels. */
export const projectedWindows = (
  desktop: Desktop,
  projection: ScreenProjection,
  isListed = isOnScreen,
): readonly WindowInfo[] =>
  listWindows(desktop, isListed).map((window) => ({
    ...window,
    bounds: projectRect(projection, window.bounds),
    ...(window.scaleFactor !== undefined && { scaleFactor: window.scaleFactor * projection.scale }),
  }))

/** The windows that are on the screen, or others, front to back. */
export const listWindows = (desktop: Desktop, isListed = isOnScreen): readonly WindowInfo[] =>
  stackedWindows(desktop)
    .filter(isListed)
    .map(({ uid, handle, title, process, pid, bounds, shell }) => {
      const monitor = monitorOf(desktop, bounds)
      return {
        uid,
        handle,
        title,
        process,
        pid,
        bounds,
        focused: uid === desktop.active,
        ...(shell && { shell: true as const }),
        ...(monitor && { monitorIndex: monitor.index, scaleFactor: monitor.scaleFactor }),
      }
    })
