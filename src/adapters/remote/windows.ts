import type { Monitor } from '../../desktop/model/desktop.ts'
import { intersect, type Rect, unite } from '../../desktop/model/geometry.ts'
import type { WindowInfo } from '../computer.ts'
import type { RemoteAnswer } from './faults.ts'
import { rectOf } from './tree.ts'

/** More windows than a desktop has; each is compared with each other one. */
const MAX_WINDOWS = 1000

/** The windows of `GET /api/windows`, as they are listed. Undefined for anything else, and for far too many. */
export function toWindows({ windows }: RemoteAnswer): readonly WindowInfo[] | undefined {
  if (!Array.isArray(windows) || windows.length > MAX_WINDOWS) return undefined
  const read = windows.map((each): WindowInfo | undefined => {
    const { window_uid: uid, handle, title, process, pid, focused, ...more } = Object(each) as RemoteAnswer
    const bounds = rectOf(more.bounds)
    if (typeof uid !== 'string' || !bounds) return undefined
    return {
      uid,
      handle: typeof handle === 'string' ? handle : uid,
      title: typeof title === 'string' ? title : '',
      process: typeof process === 'string' ? process : '',
      pid: typeof pid === 'number' ? pid : 0,
      bounds,
      focused: focused === true,
      ...(typeof more.monitor_index === 'number' && { monitorIndex: more.monitor_index }),
      ...(typeof more.scale_factor === 'number' && { scaleFactor: more.scale_factor }),
      ...(typeof more.popup_of === 'string' && { popupOf: more.popup_of }),
    }
  })
  return read.every((window) => window !== undefined) ? read : undefined
}

/** The monitors of `GET /api/monitors`. Undefined for anything else. */
export function toMonitors({ monitors }: RemoteAnswer): readonly Monitor[] | undefined {
  if (!Array.isArray(monitors)) return undefined
  const read = monitors.map((each, place): Monitor | undefined => {
    const { index, primary, bounds, physical_bounds, scale_factor } = Object(each) as RemoteAnswer
    const area = rectOf(physical_bounds) ?? rectOf(bounds)
    if (!area) return undefined
    return {
      index: typeof index === 'number' ? index : place,
      primary: primary === true,
      bounds: area,
      scaleFactor: typeof scale_factor === 'number' && scale_factor > 0 ? scale_factor : 1,
    }
  })
  return read.every((monitor) => monitor !== undefined) ? read : undefined
}

/** One monitor that shows all windows, for servers that list no monitors. */
export function assumedMonitors(windows: readonly WindowInfo[]): readonly Monitor[] {
  const { width, height, x, y } = windows.map(({ bounds }) => bounds).reduce(unite, { x: 0, y: 0, width: 1, height: 1 })
  return [{ index: 0, primary: true, bounds: { x: 0, y: 0, width: x + width, height: y + height }, scaleFactor: 1 }]
}

/** The windows that overlap another one, whose place in the stack is not known from the list. */
export const overlapping = (windows: readonly WindowInfo[]): readonly WindowInfo[] =>
  windows.filter((window) => windows.some((other) => other !== window && intersect(other.bounds, window.bounds)))

/**
 * Orders windows front to back. Of two that overlap, the one is in front that shows in their common area; a popup is in front of its
 * owner. Where nothing is known, the order stays that of the list.
 * @param regions The visible parts of windows, by uid.
 */
export function stackingOrder(
  windows: readonly WindowInfo[],
  regions: ReadonlyMap<string, readonly Rect[]>,
): readonly WindowInfo[] {
  const covers = (a: WindowInfo, b: WindowInfo): boolean => {
    if (a.popupOf === b.uid) return true
    const common = intersect(a.bounds, b.bounds)
    return common !== undefined && (regions.get(a.uid) ?? []).some((region) => intersect(region, common))
  }
  const left = [...windows]
  const ordered: WindowInfo[] = []
  while (left.length > 0) {
    const front = left.findIndex((each) => !left.some((other) => other !== each && covers(other, each)))
    // Windows that cover each other in turn stay in the order of the list.
    ordered.push(...left.splice(Math.max(0, front), 1))
  }
  return ordered
}
