import { hitTest } from '../hit.ts'
import { type Action, type Modifier, UnreceivedInput } from '../input/action.ts'
import { formatChord, MODIFIER_ORDER, modifierOf, parseChord, parseKey } from '../input/keys.ts'
import {
  type Button,
  type Desktop,
  desktopWith,
  type Grab,
  type HeldButton,
  type HeldInput,
  windowByUid,
} from '../model/desktop.ts'
import { pathOf } from '../model/element.ts'
import type { Point } from '../model/geometry.ts'
import { widgetOf } from '../roles/widgets.ts'
import { styleMetrics } from '../style/style.ts'
import { closest, closestWhole, type ElementRef, parentOf, refOf, refresh } from '../tree/element-ref.ts'
import { closePopups } from '../widgets/popup.ts'
import { dragOverlay, grabOverlay, overlayAt } from '../widgets/scrolling.ts'
import { activateWindow } from '../windows/focus.ts'
import { edgesAt, frameButtonAt, frameOf } from '../windows/frame.ts'
import { panelAt } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { moveWindow, resizeWindow } from '../windows/windowing.ts'
import { dispatchKey } from './keyboard.ts'
import { hasPayload } from './payload.ts'
import { assertOnScreen, clickAt, focusFor, isNavigation, movePointer, takesInput } from './pointer.ts'

const NOTHING_HELD: HeldInput = { buttons: [], keys: [] }

/** The buttons and keys that are held down. */
export const heldOf = ({ held = NOTHING_HELD }: Desktop): HeldInput => held

/** The desktop with these buttons and keys held. */
const withHeld = (desktop: Desktop, held: HeldInput): Desktop =>
  desktopWith(desktop, { held: held.buttons.length === 0 && held.keys.length === 0 ? undefined : held })

/** The desktop with no button and no key held. The drag that a button would end is given up where it is. */
export const withNothingHeld = (desktop: Desktop): Desktop =>
  desktopWith(desktop, { held: undefined, lastPress: undefined })

/** The modifiers that are held down. */
export const heldModifiers = (desktop: Desktop): readonly Modifier[] =>
  desktop.held ? desktop.held.keys.flatMap((key) => modifierOf(key) ?? []) : NO_MODIFIERS

const NO_MODIFIERS: readonly Modifier[] = []

/** An action with the modifiers that are held down beside its own. */
export function withHeldModifiers(desktop: Desktop, action: Action): Action {
  const held = heldModifiers(desktop)
  if (held.length === 0) return action
  switch (action.type) {
    case 'click':
    case 'drag':
    case 'scroll':
      return { ...action, modifiers: united(held, action.modifiers) }
    case 'key':
    case 'hold':
      return { ...action, keys: chordWith(held, action.keys) }
    case 'type':
      // One character with ctrl is a shortcut, which reactions may wait for.
      return [...action.text].length === 1 ? { type: 'key', keys: chordWith(held, action.text) } : action
    case 'hover':
    case 'press':
    case 'release':
    case 'key_down':
    case 'key_up':
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text':
    case 'activate':
    case 'window':
    case 'set_clipboard':
    case 'write_file':
    case 'webmcp_call':
      return action
  }
}

const united = (some: readonly Modifier[], others: readonly Modifier[] = []): readonly Modifier[] =>
  MODIFIER_ORDER.filter((modifier) => some.includes(modifier) || others.includes(modifier))

/** The chord of a key with modifiers that are held. */
function chordWith(held: readonly Modifier[], keys: string): string {
  const { modifiers, key } = parseChord(keys)
  return formatChord({ modifiers: united(held, modifiers).filter((modifier) => modifier !== key), key })
}

/** Types a text while modifiers are held: each character is a chord with them. */
export const typeWhileHeld = (desktop: Desktop, text: string): Desktop =>
  [...text].reduce((next, character) => dispatchKey(next, chordWith(heldModifiers(desktop), character)), desktop)

/** Presses a key and holds it. Throws `UnreceivedInput` for a modifier that is down already. */
export function pressKey(desktop: Desktop, name: string): Desktop {
  const key = parseKey(name)
  const down = holdKey(desktop, key)
  return modifierOf(key) ? down : dispatchKey(down, chordWith(heldModifiers(down), key))
}

/** Holds a key without effect on the desktop. A key other than a modifier may be pressed again, as when it repeats. */
export function holdKey(desktop: Desktop, key: string): Desktop {
  const { buttons, keys } = heldOf(desktop)
  if (!keys.includes(key)) return withHeld(desktop, { buttons, keys: [...keys, key] })
  if (!modifierOf(key)) return desktop
  throw new UnreceivedInput(`the ${key} key is down already; release it with key_up`)
}

/** Releases a key. Throws `UnreceivedInput` if it is not down. */
export function releaseKey(desktop: Desktop, name: string): Desktop {
  const key = parseKey(name)
  const { buttons, keys } = heldOf(desktop)
  if (!keys.includes(key)) throw new UnreceivedInput(`the ${key} key is not down, so nothing was released`)
  return withHeld(desktop, { buttons, keys: keys.filter((each) => each !== key) })
}

/** How long a key is held before it repeats, and the time between two repeats. */
const REPEAT_DELAY_MS = 500
const REPEAT_INTERVAL_MS = 33

/** How often a key that is held for a time presses: once, and after half a second thirty times a second. */
export const repeatsIn = (ms: number): number =>
  ms > REPEAT_DELAY_MS ? 1 + Math.ceil((ms - REPEAT_DELAY_MS) / REPEAT_INTERVAL_MS) : 1

/** Presses a chord as often as it repeats while it is held. Modifiers alone do not repeat. */
export function holdKeys(desktop: Desktop, keys: string, forMs: number): Desktop {
  const isModifier = modifierOf(parseChord(keys).key) !== undefined
  const presses = isModifier ? 1 : repeatsIn(forMs)
  let next = desktop
  for (let press = 0; press < presses; press++) next = dispatchKey(next, keys)
  return next
}

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
function gestureOfRelease(
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
  if (grab && !isPayload(desktop, grab, held.at) && isSameControl(desktop, held.at, at) && grab.from === undefined) {
    if (dragTo(desktop, grab, held.at, at, modifiers) === undefined) return click
  }
  const fromTarget = grab?.element === undefined ? undefined : { window: grab.window, element: grab.element }
  return { type: 'drag', from: held.at, to: at, modifiers, durationMs: 0, ...(fromTarget && { fromTarget }) }
}

/** Whether a press at a point drags something to what accepts it, rather than a control. Something else may be there now. */
function isPayload(desktop: Desktop, { window, element }: Grab, at: Point): boolean {
  const tree = windowByUid(desktop, window)?.tree
  if (tree && element !== undefined && pathOf(tree, element)) return hasPayload(refOf(desktop, { window, element }))
  const hit = hitTest(desktop, at)
  return hit !== undefined && 'element' in hit && hasPayload(hit)
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

/**
 * The click, drag or key that a primitive action amounts to on a desktop: a release of a button clicks or ends a drag, and
 * modifiers that are held count. Other actions mean themselves. Undefined for a press, which does nothing yet.
 */
export function meaningOf(desktop: Desktop, given: Action): Action | undefined {
  const action = withHeldModifiers(desktop, given)
  switch (action.type) {
    case 'press':
    case 'key_up':
      return undefined
    case 'release':
      return gestureOfRelease(desktop, action.at, action.button, heldModifiers(desktop))
    case 'key_down': {
      const key = parseKey(action.key)
      return modifierOf(key) ? undefined : { type: 'key', keys: chordWith(heldModifiers(desktop), key) }
    }
    case 'hold':
      return { type: 'key', keys: action.keys }
    case 'click':
      if (action.target || !heldButton(desktop, action.button)) return action
      return gestureOfRelease(desktop, action.at, action.button, action.modifiers ?? [])
    case 'drag':
      if (!heldButton(desktop, action.button ?? 'left')) return action
      return gestureOfRelease(desktop, action.to, action.button ?? 'left', action.modifiers)
    case 'hover':
    case 'scroll':
    case 'type':
    case 'key':
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text':
    case 'activate':
    case 'window':
    case 'set_clipboard':
    case 'write_file':
    case 'webmcp_call':
      return action
  }
}

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
function dragTo(
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
