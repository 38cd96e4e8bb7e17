import { hitTest } from '../hit.ts'
import { type Desktop, type HeldButton, type Window, windowByUid } from '../model/desktop.ts'
import { type Path, pathOf } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { widgetOf } from '../roles/widgets.ts'
import type { WindowButton } from '../style/metrics.ts'
import { styleMetrics } from '../style/style.ts'
import { closestWhole, type ElementRef, refOf } from '../tree/element-ref.ts'
import { overlayAt } from '../widgets/scrolling.ts'
import { frameButtonAt, frameOf } from '../windows/frame.ts'
import { panelAt } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { heldButton } from './held.ts'
import { hasPayload, payloadDropAt } from './payload.ts'
import { takesInput } from './pointer.ts'

/** What the pointer does in one window, derived from its position and the held left button. Never part of the tree. */
export interface PointerEffect {
  /** The uid of the window. */
  readonly window: string
  /** The control that a click would act on. Absent while the button is held over another one. */
  readonly hovered?: Path
  /** The control on which the button went down, while the pointer is on it or drags it. */
  readonly pressed?: Path
  /** The element whose overlay scroll bar is below the pointer or dragged. */
  readonly bar?: Path
  /** What takes the dragged element if the button is released. */
  readonly drop?: Drop
  /** The button of the title bar. */
  readonly button?: { readonly name: WindowButton; readonly isPressed: boolean }
}

/** An element that takes a dragged one. */
export interface Drop {
  readonly path: Path
  /** Where in a list the dragged item would be: a line without height. Absent for a drop into the element. */
  readonly line?: Rect
  /** It takes other things, and not the dragged one. */
  readonly isRefused?: true
}

/** What the pointer does on a desktop. Undefined where it does nothing. */
export function pointerEffectOf(desktop: Desktop): PointerEffect | undefined {
  const held = heldButton(desktop, 'left')
  return held ? heldState(desktop, held) : restingState(desktop)
}

/** The window and the element or title bar at the pointer, if they take input. */
function pointedAt(desktop: Desktop) {
  const { pointer } = desktop
  if (panelAt(desktop, pointer)) return undefined
  const hit = hitTest(desktop, pointer)
  if (!hit || blockerOf(desktop, hit.window)) return undefined
  if ('element' in hit) return hit.window.busy || !takesInput(hit) ? undefined : hit
  return hit
}

function restingState(desktop: Desktop): PointerEffect | undefined {
  const hit = pointedAt(desktop)
  if (!hit) return undefined
  const window = hit.window.uid
  if (!('element' in hit)) {
    const name = titleButtonAt(desktop, hit.window)
    return name && { window, button: { name, isPressed: false } }
  }
  const bar = overlayAt(hit, desktop.pointer)
  if (bar) return { window, bar: bar.path }
  const control = controlOf(hit)
  return control && { window, hovered: control.path }
}

function heldState(desktop: Desktop, held: HeldButton): PointerEffect | undefined {
  const { grab } = held
  if (!grab) return heldOnTitle(desktop, held)
  const owner = windowByUid(desktop, grab.window)
  const path = owner && grab.element !== undefined ? pathOf(owner.tree, grab.element) : undefined
  if (!owner || !path || grab.element === undefined) return undefined
  const window = owner.uid
  const ref = refOf(desktop, { window, element: grab.element })
  if (grab.overlay) return { window, bar: ref.path }
  const control = controlOf(ref)
  if (held.dragged && hasPayload(ref)) return dropState(desktop, ref, held)
  if (grab.from !== undefined) return control && { window, pressed: control.path }
  const hit = pointedAt(desktop)
  const below = hit && 'element' in hit ? controlOf(hit) : undefined
  if (control && below?.window.uid === window && below.element.id === control.element.id)
    return { window, hovered: control.path, pressed: control.path }
  return held.dragged ? dropState(desktop, ref, held) : undefined
}

function dropState(desktop: Desktop, dragged: ElementRef, { at }: HeldButton): PointerEffect | undefined {
  const payload = payloadDropAt(desktop, dragged, at, desktop.pointer)
  if (payload) {
    const { target: taker, isAccepted, line } = payload
    if (!taker) return undefined
    const how = isAccepted ? line && { line } : ({ isRefused: true } as const)
    return { window: taker.window.uid, drop: { path: taker.path, ...how } }
  }
  const item = closestWhole(dragged, (element) => widgetOf(element)?.dropTarget !== undefined)
  const target = item && widgetOf(item.element)!.dropTarget!(desktop, item, desktop.pointer)
  if (!target) return undefined
  const { ref, line } = target
  return { window: ref.window.uid, drop: { path: ref.path, ...(line && { line }) } }
}

/** A button of a title bar is pressed while the pointer is on it. */
function heldOnTitle(desktop: Desktop, held: HeldButton): PointerEffect | undefined {
  const hit = pointedAt(desktop)
  if (!hit || 'element' in hit) return undefined
  const name = titleButtonAt(desktop, hit.window)
  const began = titleButtonAt(desktop, hit.window, held.at)
  return name && name === began ? { window: hit.window.uid, button: { name, isPressed: true } } : undefined
}

/** A busy window can only be minimised. */
function titleButtonAt(desktop: Desktop, window: Window, at = desktop.pointer): WindowButton | undefined {
  const frame = frameOf(window, styleMetrics(desktop.style))
  const name = frame && frameButtonAt(frame, at)
  return window.busy && name !== 'minimize' ? undefined : name
}

/** The control that a click on an element acts on. */
const controlOf = (ref: ElementRef): ElementRef | undefined =>
  closestWhole(ref, (element) => widgetOf(element)?.click !== undefined)
