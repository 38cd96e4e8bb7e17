import { hitTest } from '../hit.ts'
import { UnreceivedInput } from '../input/action.ts'
import { parseChord } from '../input/keys.ts'
import { shortcutIn } from '../input/shortcut.ts'
import { type Button, type Desktop, desktopWith, stackedWindows, type Window } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { contains, type Point } from '../model/geometry.ts'
import { roleKind, rolesWhere } from '../model/role.ts'
import { hoverInMenu, isTickedItem, openContextMenu } from '../roles/menu.ts'
import { widgetAt, widgetOf } from '../roles/widgets.ts'
import { styleMetrics } from '../style/style.ts'
import {
  changeRef,
  closest,
  closestWhole,
  type ElementRef,
  isEnabled,
  parentOf,
  refresh,
  targetOf,
} from '../tree/element-ref.ts'
import { isBehindDialog } from '../tree/modal.ts'
import { moved } from '../tree/tree-edits.ts'
import { withCurrentItem } from '../widgets/item-selection.ts'
import { closePopup, closePopups, openPopups } from '../widgets/popup.ts'
import { clickOverlay, overlayAt, wheelOverlay } from '../widgets/scrolling.ts'
import { type ClickGesture, recordPressOnce, type WheelAxis } from '../widgets/widget.ts'
import { activateWindow, focusableAt, focusElement } from '../windows/focus.ts'
import { canMaximize, frameButtonAt, frameOf } from '../windows/frame.ts'
import { type PanelButton, panelAt, workArea } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { closeWindow, minimize, monitorOf, toggleMaximized } from '../windows/windowing.ts'

/** Throws `UnreceivedInput` for a point on no monitor. */
export function assertOnScreen(desktop: Desktop, point: Point): void {
  if (desktop.monitors.some((monitor) => contains(monitor.bounds, point))) return
  throw new UnreceivedInput(`the point ${point.x},${point.y} is on no monitor, so nothing is there to receive it`, {
    x: point.x,
    y: point.y,
    monitors: desktop.monitors.map((monitor) => monitor.bounds),
  })
}

export const movePointer = (desktop: Desktop, { x, y }: Point): Desktop =>
  desktop.pointer.x === x && desktop.pointer.y === y ? desktop : desktopWith(desktop, { pointer: { x, y } })

/** Clicks at a point: on the panel, a title bar, an element or the empty desktop. */
export function clickAt(desktop: Desktop, gesture: ClickGesture): Desktop {
  if (isNavigation(gesture.button)) return goThroughHistory(desktop, gesture.at, gesture.button)
  const onPanel = panelAt(desktop, gesture.at)
  if (onPanel) return clickPanel(closePopups(desktop), onPanel)
  const hit = hitTest(desktop, gesture.at)
  if (!hit) return closePopups(desktop)
  if (blockerOf(desktop, hit.window)) return activateWindow(closePopups(desktop), hit.window.uid)
  if (!('element' in hit)) return clickFrame(closePopups(desktop), hit.window, gesture)
  const bar = gesture.button === 'left' ? overlayAt(hit, gesture.at) : undefined
  return clickElement(desktop, bar ?? hit, gesture, bar)
}

/**
 * Clicks an element: brings its window to the front, focuses it if it takes the focus, then runs its behaviour or that
 * of the overlay scrollbar above it.
 */
export function clickElement(desktop: Desktop, ref: ElementRef, gesture: ClickGesture, bar?: ElementRef): Desktop {
  const raised = activateWindow(closePopups(desktop, ref), ref.window.uid)
  if (ref.window.busy) return raised
  const here = refresh(raised, ref)
  if (!here || !takesInput(here)) return raised
  const focused = focusFor(raised, here)
  if (gesture.button !== 'left' && gesture.button !== 'right') return focused
  if (gesture.button === 'right') return clickRight(focused, here, gesture)
  const onBar = bar && refresh(focused, bar)
  if (onBar) return clickOverlay(focused, onBar, gesture.at)
  const worker = closestWhole(here, (element) => widgetOf(element)?.click !== undefined)
  const now = worker && refresh(focused, worker)
  if (!now) return focused
  return widgetAt(now)!.click!(focused, now, gesture)
}

/** Focuses an element, or the ancestor that takes the focus. Items of a menu are never focused. */
export function focusFor(desktop: Desktop, ref: ElementRef): Desktop {
  const focusable = focusableAt(isTickedItem(ref) ? parentOf(ref)! : ref)
  return focusable ? focusElement(desktop, targetOf(focusable)) : desktop
}

export const takesInput = (ref: ElementRef): boolean => isEnabled(ref) && !isBehindDialog(ref.window.tree, ref.path)

const CHOSEN = rolesWhere((role) => role.item !== 'none')

/** Selects the item below a right click, or makes it the current one of several that are selected, and opens the context menu. */
function clickRight(desktop: Desktop, ref: ElementRef, gesture: ClickGesture): Desktop {
  const item = closest(ref, (element) => CHOSEN.has(roleKind(element.role)))
  // The cells of a table whose rows are selected have no mark of their own.
  const isMarked = item?.element.selected !== undefined
  const marked = item && !isMarked ? (closest(item, ({ role }) => roleKind(role) === 'row') ?? item) : item
  const choose = item && widgetOf(item.element)?.click
  const plain: ClickGesture = { ...gesture, button: 'left', count: 1, modifiers: [] }
  let chosen = desktop
  if (marked?.element.selected === true) chosen = withCurrentItem(desktop, refresh(desktop, marked)!)
  else if (item && choose) chosen = choose(desktop, refresh(desktop, item)!, plain)
  const here = refresh(chosen, ref)
  return (here && openContextMenu(chosen, here, gesture.at)) ?? chosen
}

/** The button of the active window minimises it, that of any other activates it. */
function clickPanel(desktop: Desktop, on: PanelButton | 'panel'): Desktop {
  if (on === 'panel') return desktop
  return on.isActive ? minimize(desktop, on.window) : activateWindow(desktop, on.window)
}

function clickFrame(desktop: Desktop, window: Window, { at, button, count }: ClickGesture): Desktop {
  const metrics = styleMetrics(desktop.style)
  const frame = frameOf(window, metrics)
  if (!frame || button !== 'left') return activateWindow(desktop, window.uid)
  const pressed = frameButtonAt(frame, at)
  if (pressed === 'minimize') return minimize(desktop, window.uid)
  if (window.busy) return activateWindow(desktop, window.uid)
  if (pressed === 'close') return closeWindow(desktop, window.uid)
  if (pressed === 'maximize' || (count === 2 && canMaximize(window, metrics))) return toggleMaximized(desktop, window)
  return activateWindow(desktop, window.uid)
}

/** Turns the wheel at a point: the nearest control there that scrolls on an axis, in any window. Positive is up and left. */
export function scrollAt(desktop: Desktop, at: Point, clicks: number, axis: WheelAxis): Desktop {
  const hit = hitTest(desktop, at)
  if (!hit || !('element' in hit) || hit.window.busy || blockerOf(desktop, hit.window)) return desktop
  if (isBehindDialog(hit.window.tree, hit.path)) return desktop
  return wheelOverlay(desktop, hit, at, clicks, axis) ?? scrollElement(desktop, hit, clicks, axis)
}

export function scrollElement(desktop: Desktop, ref: ElementRef, clicks: number, axis: WheelAxis): Desktop {
  for (let up: ElementRef | undefined = ref; up; up = parentOf(up)) {
    const done = widgetOf(up.element)?.scroll?.(desktop, up, clicks, axis)
    if (done) return done
  }
  return desktop
}

/** How long the pointer rests before a tooltip shows. */
export const DWELL_MS = 500

/** Rests the pointer at a point: hides other tooltips, and shows that of the element there if it rests long enough. */
export function hoverAt(desktop: Desktop, at: Point, forMs: number): Desktop {
  const hit = panelAt(desktop, at) ? undefined : hitTest(desktop, at)
  const ref = hit && 'element' in hit && !hit.window.busy ? hit : undefined
  const owner = ref && closest(ref, (element) => element.children.some(isTooltip))
  const shut = closeTooltips(ref ? hoverInMenu(desktop, ref) : desktop, owner)
  const here = owner && refresh(shut, owner)
  if (!here || forMs < DWELL_MS) return shut
  return changeRef(shut, here, (element) => ({
    ...element,
    children: element.children.map((child) => (isTooltip(child) ? showTooltip(desktop, child, at) : child)),
  }))
}

const isTooltip = (element: Element): boolean => roleKind(element.role) === 'tooltip'

/** Places a tooltip below and right of the pointer, moved left or up at the edges of the screen. */
function showTooltip(desktop: Desktop, tooltip: Element, { x, y }: Point): Element {
  const { bounds } = tooltip
  const monitor = monitorOf(desktop, { x, y, width: 1, height: 1 })
  const area = monitor && workArea(desktop, monitor)
  const left = area ? Math.max(area.x, Math.min(x + 12, area.x + area.width - bounds.width)) : x + 12
  const isLow = area !== undefined && y + 20 + bounds.height > area.y + area.height
  const top = isLow ? y - 8 - bounds.height : y + 20
  return withFields(moved(tooltip, left - bounds.x, top - bounds.y), { expanded: true })
}

function closeTooltips(desktop: Desktop, except: ElementRef | undefined): Desktop {
  let next = desktop
  for (const window of stackedWindows(desktop))
    for (const popup of openPopups(window)) {
      const kept = except && window.uid === except.window.uid && parentOf(popup)?.element.id === except.element.id
      if (isTooltip(popup.element) && !kept) next = closePopup(next, popup)
    }
  return next
}

/** The buttons of a mouse that go back and forward in a history. */
export type NavigationButton = Extract<Button, 'back' | 'forward'>

export const isNavigation = (button: Button): button is NavigationButton => button === 'back' || button === 'forward'

/** The keys that do the same: a control with one of them as its shortcut, or a reaction to one, has the history. */
export const NAVIGATION_KEYS: Readonly<Record<NavigationButton, readonly string[]>> = {
  back: ['browserback', 'alt+left'],
  forward: ['browserforward', 'alt+right'],
}

/** Presses the control with the shortcut for back or forward in the window at a point. Throws `UnreceivedInput` without one. */
function goThroughHistory(desktop: Desktop, at: Point, button: NavigationButton): Desktop {
  const ref = historyControl(desktop, at, button)
  const invoke = ref && widgetAt(ref)?.invoke
  if (!ref || !invoke)
    throw new UnreceivedInput(`nothing at ${at.x},${at.y} goes ${button} in a history, so nothing received the button`)
  return recordPressOnce(desktop, invoke(desktop, ref), targetOf(ref))
}

function historyControl(desktop: Desktop, at: Point, button: NavigationButton): ElementRef | undefined {
  const window = hitTest(desktop, at)?.window
  if (!window || window.busy || blockerOf(desktop, window)) return undefined
  for (const keys of NAVIGATION_KEYS[button]) {
    const ref = shortcutIn(window, parseChord(keys))
    if (ref) return ref
  }
  return undefined
}
