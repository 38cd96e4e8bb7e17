import { type Desktop, desktopWith } from '../model/desktop.ts'
import type { Point } from '../model/geometry.ts'
import type { Button, HeldButton } from '../model/held.ts'
import { closestWhole, type ElementRef } from '../tree/element-ref.ts'
import { hitTest } from '../tree/hit.ts'
import { widgetOf } from '../widgets/widgets.ts'
import type { Action, Modifier } from './action.ts'
import { dragTo, takeHold } from './drag.ts'
import { heldOf, withHeld } from './held.ts'
import { isNavigation } from './navigation.ts'
import { assertOnScreen, clickAt, movePointer } from './pointer.ts'
import { UnreceivedInput } from './unreceived.ts'

/** Two presses within this time and distance are a double click. */
const DOUBLE_CLICK_MS = 500
/** A pointer that leaves the place of a press by more pixels drags. */
const DRAG_PX = 4
const MAX_CLICK_COUNT = 3

/** The held button of a name. */
export const heldButton = (desktop: Desktop, button: Button): HeldButton | undefined =>
  heldOf(desktop).buttons.find((each) => each.button === button)

/**
 * Presses a button and holds it: brings the window to the front and moves the focus. Throws `UnreceivedInput` if the button
 * is down already.
 */
export function pressMouseButton(desktop: Desktop, at: Point, button: Button, nowMs: number): Desktop {
  const held = holdButton(desktop, at, button, nowMs)
  if (isNavigation(button)) return held
  const { desktop: taken, grab } = takeHold(held, at, true)
  if (button !== 'left' || !grab) return taken
  const { buttons, keys } = heldOf(taken)
  return withHeld(taken, { buttons: buttons.map((each) => (each.button === button ? { ...each, grab } : each)), keys })
}

/** Holds a button without effect on the desktop. */
export function holdButton(desktop: Desktop, at: Point, button: Button, nowMs: number): Desktop {
  assertOnScreen(desktop, at)
  if (heldButton(desktop, button))
    throw new UnreceivedInput(`the ${button} button is down already; release it with mouse_up`)
  const press = { button, at: { x: at.x, y: at.y }, count: countOf(desktop, at, button, nowMs), atMs: nowMs }
  const { buttons, keys } = heldOf(desktop)
  return desktopWith(withHeld(movePointer(desktop, at), { buttons: [...buttons, press], keys }), { lastPress: press })
}

/** After the third press of a triple click, the next one counts as the first. */
function countOf({ lastPress: last }: Desktop, at: Point, button: Button, nowMs: number): number {
  const isNext = last?.button === button && isNear(last.at, at) && nowMs - last.atMs <= DOUBLE_CLICK_MS
  return isNext ? (last.count % MAX_CLICK_COUNT) + 1 : 1
}

const isNear = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) <= DRAG_PX && Math.abs(a.y - b.y) <= DRAG_PX

const isDragged = (held: HeldButton, at: Point): boolean => held.dragged === true || !isNear(held.at, at)

/** Moves the pointer while buttons are held. What the left button holds follows it, if it is not only dropped. */
export function moveWhileHeld(desktop: Desktop, at: Point, modifiers: readonly Modifier[]): Desktop {
  assertOnScreen(desktop, at)
  const { buttons, keys } = heldOf(desktop)
  const marked = buttons.map((held) =>
    isDragged(held, at) && !held.dragged ? { ...held, dragged: true as const } : held,
  )
  const isSame = marked.every((held, index) => held === buttons[index])
  const moved = isSame ? movePointer(desktop, at) : withHeld(movePointer(desktop, at), { buttons: marked, keys })
  const left = heldButton(moved, 'left')
  if (!left?.dragged || left.grab?.from === undefined) return moved
  return dragTo(moved, left.grab, left.at, at, modifiers) ?? moved
}

/**
 * What the release of a button at a point does: a click if the pointer has stayed where it was pressed, or on the same
 * control that cannot be dragged; otherwise the left button ends a drag. Undefined if it does nothing.
 */
export function gestureOfRelease(
  desktop: Desktop,
  at: Point,
  button: Button,
  modifiers: readonly Modifier[],
): Extract<Action, { type: 'click' | 'drag' }> | undefined {
  const held = heldButton(desktop, button)
  if (!held) return undefined
  const click = { type: 'click', at: held.at, button, count: held.count, modifiers } as const
  if (!isDragged(held, at)) return click
  if (button !== 'left') return undefined
  const { grab } = held
  if (grab && isSameControl(desktop, held.at, at) && grab.from === undefined) {
    if (dragTo(desktop, grab, held.at, at, modifiers) === undefined) return click
  }
  const fromTarget = grab?.element === undefined ? undefined : { window: grab.window, element: grab.element }
  return { type: 'drag', from: held.at, to: at, modifiers, durationMs: 0, ...(fromTarget && { fromTarget }) }
}

function isSameControl(desktop: Desktop, from: Point, to: Point): boolean {
  const [pressed, released] = [controlAt(desktop, from), controlAt(desktop, to)]
  return pressed !== undefined && released !== undefined && pressed.element.id === released.element.id
}

function controlAt(desktop: Desktop, at: Point): ElementRef | undefined {
  const hit = hitTest(desktop, at)
  return hit && 'element' in hit ? closestWhole(hit, (element) => widgetOf(element)?.click !== undefined) : undefined
}

/** Releases a button: clicks, or ends a drag. Throws `UnreceivedInput` if the button is not down. */
export function releaseMouseButton(
  desktop: Desktop,
  at: Point,
  button: Button,
  modifiers: readonly Modifier[],
): Desktop {
  const held = heldButton(desktop, button)
  if (!held) throw new UnreceivedInput(`the ${button} button is not down, so nothing was released`)
  const stays = desktop.pointer.x === at.x && desktop.pointer.y === at.y
  const moved = stays ? desktop : moveWhileHeld(desktop, at, modifiers)
  const gesture = gestureOfRelease(moved, at, button, modifiers)
  const up = withoutButton(moved, button)
  if (gesture?.type === 'click') return clickReleased(up, gesture)
  // What follows the pointer is there already.
  if (!gesture || !held.grab || held.grab.from !== undefined) return up
  return dragTo(up, held.grab, held.at, at, modifiers) ?? up
}

/** The desktop after a button is up, without the effect of its release. */
export function withoutButton(desktop: Desktop, button: Button): Desktop {
  const { buttons, keys } = heldOf(desktop)
  return withHeld(desktop, { buttons: buttons.filter((each) => each.button !== button), keys })
}

/** A click where nothing goes back or forward still releases the button. */
function clickReleased(desktop: Desktop, gesture: Extract<Action, { type: 'click' }>): Desktop {
  try {
    return clickAt(desktop, { ...gesture, modifiers: gesture.modifiers ?? [] })
  } catch (error) {
    if (error instanceof UnreceivedInput) return desktop
    throw error
  }
}
