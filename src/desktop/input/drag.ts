import { type Desktop, type Grab, windowByUid } from '../model/desktop.ts'
import { pathOf } from '../model/element.ts'
import type { Point } from '../model/geometry.ts'
import { styleMetrics } from '../style/style.ts'
import { closest, type ElementRef, parentOf, refOf, refresh } from '../tree/element-ref.ts'
import { hitTest } from '../tree/hit.ts'
import { closePopups } from '../widgets/popups/popup.ts'
import { dragOverlay, grabOverlay, overlayAt } from '../widgets/scrolling.ts'
import { widgetOf } from '../widgets/widgets.ts'
import { edgesAt, frameButtonAt, frameOf } from '../windows/frame.ts'
import { panelAt } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { moveWindow, resizeWindow } from '../windows/windowing.ts'
import type { Modifier } from './action.ts'
import { activateWindow } from './focus.ts'
import { focusFor, movePointer, takesInput } from './pointer.ts'

interface Taken {
  readonly desktop: Desktop
  /** Undefined where nothing can be dragged. */
  readonly grab: Grab | undefined
}

/**
 * Presses a button at a point: brings the window there to the front, focuses the element, and returns what a drag moves.
 * With `keepsPopup`, an open popup at the point stays, so that the release can click it.
 */
export function takeHold(desktop: Desktop, at: Point, keepsPopup: boolean): Taken {
  const isOnPanel = panelAt(desktop, at) !== undefined
  const pressed = isOnPanel ? undefined : hitTest(desktop, at)
  const ref = pressed && 'element' in pressed ? pressed : undefined
  const shut = closePopups(desktop, ref && (overlayAt(ref, at) ?? (keepsPopup ? ref : undefined)))
  const hit = isOnPanel ? undefined : hitTest(shut, at)
  if (!hit) return { desktop: shut, grab: undefined }
  const { window } = hit
  const front = activateWindow(shut, window.uid)
  if (blockerOf(shut, window) || window.busy) return { desktop: front, grab: undefined }
  const metrics = styleMetrics(shut.style)
  const edges = edgesAt(window, at, metrics)
  if (edges) return { desktop: front, grab: { window: window.uid, edges, from: window.bounds } }
  if (!('element' in hit)) {
    const frame = frameOf(window, metrics)
    const isOnButton = frame && frameButtonAt(frame, at) !== undefined
    return { desktop: front, grab: isOnButton ? undefined : { window: window.uid, from: window.bounds } }
  }
  return takeElement(front, hit, at)
}

function takeElement(desktop: Desktop, ref: ElementRef, at: Point): Taken {
  const here = refresh(desktop, ref)
  if (!here || !takesInput(here)) return { desktop, grab: undefined }
  const focused = focusFor(desktop, here)
  const bar = overlayAt(here, at)
  const onBar = bar && refresh(focused, bar)
  const window = ref.window.uid
  if (onBar)
    return {
      desktop: focused,
      grab: { window, element: onBar.element.id, overlay: true, from: grabOverlay(onBar, at) },
    }
  const holder = holderOf(here)
  const from = holder && widgetOf(holder.element)?.grab?.(holder.element, at)
  return { desktop: focused, grab: { window, element: here.element.id, ...(from !== undefined && { from }) } }
}

/** The nearest control that can be dragged. */
const holderOf = (ref: ElementRef): ElementRef | undefined =>
  closest(ref, (element) => widgetOf(element)?.drag !== undefined)

/** Drags what a press at `from` took hold of. Returns undefined if it cannot be dragged there. */
export function dragTo(
  desktop: Desktop,
  grab: Grab,
  from: Point,
  to: Point,
  modifiers: readonly Modifier[],
): Desktop | undefined {
  const window = windowByUid(desktop, grab.window)
  if (!window || window.busy || blockerOf(desktop, window)) return desktop
  if (typeof grab.from === 'object')
    return grab.edges
      ? resizeWindow(desktop, grab.window, grab.edges, grab.from, to.x - from.x, to.y - from.y)
      : moveWindow(desktop, grab.window, grab.from, from, to)
  if (grab.element === undefined || !pathOf(window.tree, grab.element)) return desktop
  const ref = refOf(desktop, { window: grab.window, element: grab.element })
  if (!takesInput(ref)) return desktop
  if (grab.overlay) return dragOverlay(desktop, ref, from, to, grab.from ?? 0)
  const holder = holderOf(ref)
  for (let up: ElementRef | undefined = ref; up; up = parentOf(up)) {
    const grabbed = up.path.length === holder?.path.length ? grab.from : undefined
    const done = widgetOf(up.element)?.drag?.(desktop, up, from, to, modifiers, grabbed)
    if (done) return done
  }
  return undefined
}

/** Presses at one point, passes others and releases at the last. What follows the pointer follows it through all of them. */
export function dragThrough(
  desktop: Desktop,
  from: Point,
  through: readonly Point[],
  to: Point,
  modifiers: readonly Modifier[],
): Desktop {
  const { desktop: taken, grab } = takeHold(desktop, from, false)
  if (!grab) return taken
  const passed = grab.from === undefined ? [] : through
  const moved = passed.reduce((next, at) => dragTo(movePointer(next, at), grab, from, at, modifiers) ?? next, taken)
  return dragTo(movePointer(moved, to), grab, from, to, modifiers) ?? moved
}
