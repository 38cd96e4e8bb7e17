import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import { type Desktop, isHiddenWindow, type Monitor, windowByUid } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import type { Point, Rect } from '../desktop/model/geometry.ts'
import { projectMonitors, projectPointOn, projectRect, projectTree, unprojectAction } from '../desktop/projection.ts'
import type { Personality } from '../scenario/personalities/personality.ts'
import { asSeenOn, asWritten, popupTree, popupWindow, popupWindows } from '../scenario/personalities/platform-view.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ScreenshotTarget, WindowInfo } from './computer.ts'
import { hasSameWindowList, listWindows, projectedWindows } from './window-list.ts'

/**
 * How callers see a desktop and act on it: in the pixels of the projection of its scenario, and with the accessibility tree of
 * its personality. Without these, the desktop itself.
 */
type View = Pick<Scenario, 'projection' | 'personality'>

/** The monitors as callers see them. */
export const viewMonitors = ({ monitors }: Desktop, { projection }: View): readonly Monitor[] =>
  projection ? projectMonitors(projection, monitors) : monitors

/** The pointer in the pixels that callers see. */
export const viewPointer = (desktop: Desktop, { projection }: View): Point =>
  projection ? projectPointOn(projection, desktop, desktop.pointer) : desktop.pointer

/** The windows as callers see them, front to back. */
export function viewWindows(desktop: Desktop, view: View): readonly WindowInfo[] {
  const { projection } = view
  const windows = projection ? projectedWindows(desktop, projection) : listWindows(desktop)
  return view.personality ? windows.flatMap((window) => [...viewPopups(desktop, view, window), window]) : windows
}

/** The windows that the author hides, which no list has. */
export const viewHiddenWindows = (desktop: Desktop, { projection }: View): readonly WindowInfo[] =>
  projection ? projectedWindows(desktop, projection, isHiddenWindow) : listWindows(desktop, isHiddenWindow)

/** The open menus and lists of a window that are windows of their own. */
function viewPopups(desktop: Desktop, view: View, owner: WindowInfo): readonly WindowInfo[] {
  const { personality } = view
  const window = windowByUid(desktop, owner.uid)
  if (!personality || !window) return []
  return popupWindows(personality, window).map(({ uid, bounds }, index) => ({
    ...owner,
    uid,
    handle: `${owner.handle}.${index + 1}`,
    bounds: onScreen(view, bounds),
    focused: false,
    popupOf: owner.uid,
  }))
}

/** Whether two desktops with the same view have the same list of windows. */
export const hasSameWindows = (a: Desktop, b: Desktop, { personality }: View): boolean =>
  a === b || ((!personality || personality.popups === 'inside') && hasSameWindowList(a, b))

/** Returns a tree as faults show it. `treeIn` finds the same tree in another desktop. */
type Observe = (tree: Element, treeIn: (desktop: Desktop) => Element | undefined) => Element

/** The tree of a window as callers see it, or as the scenario has it. Undefined without one. */
export function viewTree(
  desktop: Desktop,
  view: View,
  uid: string,
  asWritten?: boolean,
  observe?: Observe,
): Element | undefined {
  const { personality, projection } = view
  const window = windowByUid(desktop, uid)
  if (window?.state === 'minimized') return undefined
  const own = window && (observe ? observe(window.tree, (other) => windowByUid(other, uid)?.tree) : window.tree)
  const tree = personality && !asWritten ? seenTree(personality, desktop, uid, own, observe) : own
  return tree && projection ? projectTree(projection, tree) : tree
}

function seenTree(
  personality: Personality,
  desktop: Desktop,
  uid: string,
  own: Element | undefined,
  observe: Observe | undefined,
): Element | undefined {
  if (own) return asSeenOn(personality, own)
  const popup = popupWindow(personality, desktop, uid)
  if (!popup) return undefined
  const seen = observe?.(popup.menu, (other) => popupWindow(personality, other, uid)?.menu)
  return popupTree(personality, popup, seen)
}

/** The bounds of an open menu or list that is a window of its own. Undefined for other windows. */
function viewPopupBounds(desktop: Desktop, view: View, uid: string): Rect | undefined {
  const popup = view.personality && popupWindow(view.personality, desktop, uid)
  return popup && onScreen(view, popup.bounds)
}

/** The window or the part of the screen that a picture shows; undefined for the screen. Throws `WindowGone`. */
export function picturedView(
  desktop: Desktop,
  view: View,
  of: ScreenshotTarget,
): { readonly window: string } | { readonly area: Rect } | undefined {
  if ('area' in of) return { area: of.area }
  if (!('window' in of)) return undefined
  const popup = viewPopupBounds(desktop, view, of.window)
  if (popup) return { area: popup }
  const window = windowByUid(desktop, of.window)
  if (window && window.state !== 'minimized') return { window: of.window }
  throw new Fault('WindowGone', `there is no visible window "${of.window}"`, { window_uid: of.window })
}

const onScreen = ({ projection }: View, bounds: Rect): Rect => (projection ? projectRect(projection, bounds) : bounds)

/** The action on the desktop that an action on its view is. Throws `PatternUnsupported` for one that the view does not offer. */
export function actionOnDesktop(desktop: Desktop, { projection, personality }: View, action: Action): Action {
  const here = projection ? unprojectAction(projection, desktop, action) : action
  return personality ? asWritten(personality, desktop, here) : here
}
