import { Fault } from '../../base/fault.ts'
import {
  changeWindow,
  type Desktop,
  isHiddenWindow,
  isOnScreen,
  type Monitor,
  type ResizeEdges,
  type Window,
  windowByUid,
} from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { intersect, type Point, type Rect, sameRect, translate } from '../model/geometry.ts'
import { styleMetrics } from '../style/style.ts'
import { windowOf } from '../tree/element-ref.ts'
import { placed } from '../tree/tree-edits.ts'
import { activateNext, activateWindow } from './focus.ts'
import { outerBounds } from './frame.ts'
import { primaryMonitor, type Screens, shellOf, workArea } from './panel.ts'
import { blockerOf } from './stacking.ts'

const MIN_WINDOW_WIDTH_PX = 160
const MIN_WINDOW_HEIGHT_PX = 80
/** The least part of a window that stays on a screen while it is moved. */
const MIN_VISIBLE_PX = 40

/** Closes a window and its dialogs. Activates its owner, otherwise the window that is now in front. */
export function closeWindow(desktop: Desktop, uid: string): Desktop {
  const window = windowOf(desktop, uid)
  const gone = familyOf(desktop, uid)
  const left = { ...desktop, windows: desktop.windows.filter((each) => !gone.has(each.uid)) }
  if (desktop.active === undefined || !gone.has(desktop.active)) return left
  const owner = window.modalTo === undefined ? undefined : windowByUid(left, window.modalTo)
  return owner && isOnScreen(owner) ? activateWindow(left, owner.uid) : activateNext(left)
}

/** Minimises a window and its dialogs. Activates the window that is now in front. */
export function minimize(desktop: Desktop, uid: string): Desktop {
  const window = windowOf(desktop, uid)
  if (window.modalTo !== undefined && windowByUid(desktop, window.modalTo)) return minimize(desktop, window.modalTo)
  const family = familyOf(desktop, uid)
  const shown = desktop.windows.filter((each) => !family.has(each.uid))
  const away = desktop.windows.filter((each) => family.has(each.uid)).map(asMinimized)
  const windows = [...shown, ...away]
  const left = windows.every((each, place) => each === desktop.windows[place]) ? desktop : { ...desktop, windows }
  return left.active !== undefined && family.has(left.active) ? activateNext(left) : left
}

/** Maximises a window to the work area of the monitor that shows most of it. Restores a maximised window. */
export function maximize(desktop: Desktop, uid: string): Desktop {
  if (windowOf(desktop, uid).state === 'maximized') return activateWindow(desktop, uid)
  return activateWindow(
    changeWindow(desktop, uid, (window) => maximizedOn(desktop, window)),
    uid,
  )
}

/** A window maximised on its monitor, with the bounds to restore. */
export function maximizedOn(desktop: Screens, window: Window): Window {
  const monitor = monitorOf(desktop, window.bounds)
  if (!monitor) return window
  const area = workArea(desktop, monitor)
  const title = window.frame === 'outside' ? styleMetrics(desktop.style).title.height : 0
  const inside = { ...area, y: area.y + title, height: area.height - title }
  return { ...withBounds(window, inside), state: 'maximized', restoreTo: window.restoreTo ?? window.bounds }
}

/** A window with its title bar inside the work area of the primary monitor, if the bars of the style would cover it. */
export function clearOfShell(desktop: Screens, window: Window): Window {
  if (!shellOf(desktop) || window.state === 'maximized') return window
  const monitor = monitorOf(desktop, window.bounds)
  if (!monitor || monitor !== primaryMonitor(desktop)) return window
  const area = workArea(desktop, monitor)
  const outer = outerBounds({ ...window, state: 'normal' }, styleMetrics(desktop.style))
  const height = Math.min(outer.height, area.height)
  const y = Math.max(area.y, Math.min(outer.y, area.y + area.height - height))
  if (y === outer.y && height === outer.height) return window
  const { bounds } = window
  return withBounds(window, { ...bounds, y: bounds.y + y - outer.y, height: bounds.height + height - outer.height })
}

/** Restores a minimised window as it was, a maximised one to its previous bounds. */
export function restore(desktop: Desktop, uid: string): Desktop {
  const window = windowOf(desktop, uid)
  if (window.state !== 'maximized') return activateWindow(desktop, uid)
  const shrunk = changeWindow(desktop, uid, (each) => {
    const { restoreTo, ...rest } = each
    return { ...withBounds(rest, restoreTo ?? each.bounds), state: 'normal' }
  })
  return activateWindow(shrunk, uid)
}

/** Maximises a window, or restores a maximised one. */
export const toggleMaximized = (desktop: Desktop, { uid, state }: Window): Desktop =>
  state === 'maximized' ? restore(desktop, uid) : maximize(desktop, uid)

/**
 * Moves a window that had the bounds `origin` when it was pressed at `from`. A maximised one is restored below the pointer
 * first. Its title stays reachable.
 */
export function moveWindow(desktop: Desktop, uid: string, origin: Rect, from: Point, to: Point): Desktop {
  const before = windowOf(desktop, uid)
  if (from.x === to.x && from.y === to.y && sameRect(before.bounds, origin)) return desktop
  const normal = before.state === 'maximized' ? restore(desktop, uid) : desktop
  return changeWindow(normal, uid, (window) => {
    const { width, height } = window.bounds
    const isSame = width === origin.width && height === origin.height
    const start = isSame ? origin : underPointer(window.bounds, origin, from.x)
    return withBounds(window, reachable(desktop, translate(start, to.x - from.x, to.y - from.y)))
  })
}

/** Bounds of that size at the top of larger ones, with the same fraction left of `across`. */
function underPointer({ width, height }: Rect, larger: Rect, across: number): Rect {
  const share = (across - larger.x) / Math.max(1, larger.width)
  return { x: across - Math.round(share * width), y: larger.y, width, height }
}

/** Moves sides of a window that had the bounds `origin`, and places its content again. */
export function resizeWindow(
  desktop: Desktop,
  uid: string,
  edges: ResizeEdges,
  origin: Rect,
  dx: number,
  dy: number,
): Desktop {
  return changeWindow(desktop, uid, (window) => {
    const { x, y, width, height } = origin
    const [left, newWidth] = stretched(x, width, edges.left, edges.right, dx, MIN_WINDOW_WIDTH_PX)
    const [top, newHeight] = stretched(y, height, edges.top, edges.bottom, dy, MIN_WINDOW_HEIGHT_PX)
    const bounds = { x: left, y: top, width: newWidth, height: newHeight }
    return sameRect(bounds, window.bounds) ? window : withBounds(window, bounds)
  })
}

/** Activates the next window, or with `direction` -1 the farthest back: alt+Tab. */
export function switchWindow(desktop: Desktop, direction: 1 | -1): Desktop {
  const candidates = desktop.windows.filter(
    (window) => !window.notification && !isHiddenWindow(window) && blockerOf(desktop, window) === undefined,
  )
  const here = candidates.findIndex((window) => window.uid === desktop.active)
  const next = direction === 1 ? candidates[here + 1] : candidates.at(-1)
  return next && next.uid !== desktop.active ? activateWindow(desktop, next.uid) : desktop
}

/** The monitor that shows most of a rectangle, otherwise the primary one. */
export function monitorOf(desktop: Pick<Desktop, 'monitors'>, rect: Rect): Monitor | undefined {
  const shown = (monitor: Monitor): number => {
    const part = intersect(monitor.bounds, rect)
    return part ? part.width * part.height : 0
  }
  const best = desktop.monitors.reduce<Monitor | undefined>(
    (most, monitor) => (shown(monitor) > (most ? shown(most) : 0) ? monitor : most),
    undefined,
  )
  return best ?? primaryMonitor(desktop)
}

/** Throws `ElementDisabled` if a window takes no input: it is busy, or waits for its dialog. */
export function assertTakesInput(desktop: Desktop, window: Window): void {
  const dialog = blockerOf(desktop, window)
  if (dialog)
    throw new Fault('ElementDisabled', `"${window.title}" takes no input while its dialog "${dialog.title}" is open`, {
      window_uid: window.uid,
      dialog_uid: dialog.uid,
    })
  if (window.busy)
    throw new Fault('ElementDisabled', `"${window.title}" is busy and takes no input now; wait for it`, {
      window_uid: window.uid,
    })
}

/** A window and all dialogs that belong to it. */
function familyOf(desktop: Desktop, uid: string): ReadonlySet<string> {
  const family = new Set([uid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const window of desktop.windows)
      if (window.modalTo !== undefined && family.has(window.modalTo)) family.add(window.uid)
  }
  return family
}

const asMinimized = (window: Window): Window =>
  window.state === 'minimized' ? window : { ...window, state: 'minimized' }

function withBounds<W extends Pick<Window, 'bounds' | 'tree'>>(window: W, bounds: Rect): W {
  return { ...window, bounds, tree: placedLike(window.tree, window.bounds, bounds) }
}

/** The root usually has the window's bounds. If not, it keeps its distance from the window's sides. */
function placedLike(root: Element, from: Rect, to: Rect): Element {
  const { x, y, width, height } = root.bounds
  return placed(root, {
    x: x + to.x - from.x,
    y: y + to.y - from.y,
    width: Math.max(0, width + to.width - from.width),
    height: Math.max(0, height + to.height - from.height),
  })
}

function stretched(at: number, size: number, low: boolean, high: boolean, by: number, least: number): [number, number] {
  const most = Math.max(0, size - least)
  if (low) return [at + Math.min(by, most), size - Math.min(by, most)]
  return high ? [at, size + Math.max(by, -most)] : [at, size]
}

/** Moves bounds back until part of the top strip is on a screen. */
function reachable(desktop: Desktop, rect: Rect): Rect {
  const strip = { ...rect, height: Math.min(rect.height, styleMetrics(desktop.style).title.height) }
  const screens = desktop.monitors.map((monitor) => workArea(desktop, monitor))
  const seen = screens.some((screen) => (intersect(screen, strip)?.width ?? 0) >= MIN_VISIBLE_PX)
  const monitor = monitorOf(desktop, rect)
  if (seen || !monitor) return rect
  const screen = workArea(desktop, monitor)
  const kept = (at: number, size: number, from: number, room: number) =>
    Math.max(from + MIN_VISIBLE_PX - size, Math.min(at, from + room - MIN_VISIBLE_PX))
  return {
    ...rect,
    x: kept(rect.x, rect.width, screen.x, screen.width),
    y: Math.max(screen.y, Math.min(rect.y, screen.y + screen.height - MIN_VISIBLE_PX)),
  }
}
