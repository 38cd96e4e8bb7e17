import type { Desktop } from '../../model/desktop.ts'
import type { Element } from '../../model/element.ts'
import { contains, type Point, type Rect } from '../../model/geometry.ts'
import { kindOf } from '../../model/role.ts'
import { changeRef, type ElementRef, parentOf } from '../../tree/element-ref.ts'
import { isFloating, visibilityOf } from '../../tree/visibility.ts'
import { popupView, scrollPopupTo } from '../popups/popup-placement.ts'
import { isMultiline, scrolledTextTo, textView } from '../text/text-view.ts'
import type { WheelAxis } from '../widget.ts'
import {
  type Bar,
  clickedTo,
  draggedTo,
  farthest,
  farthestLeft,
  isScrollable,
  isUpright,
  offsetOf,
  scrollTo,
  viewOf,
  WHEEL_STEP,
} from './scrolling.ts'

/** Overlay scrollbars of scrollable elements without a ScrollBar. Used by the pointer and paint. */

const WIDTH = 10

/** The overlay scrollbars of an element, or of the rows of its open popup. Empty if all content is visible. */
export function overlaysOf(element: Element): readonly Bar[] {
  const popup = popupView(element)
  if (popup) return barOver(popup.bounds, popup)
  if (element.children.some((child) => kindOf(child.role) === 'scrollbar')) return NONE
  if (isScrollable(element)) {
    const view = viewOf(element)
    const { x, y } = offsetOf(element)
    const upright = barOver(view, { offset: y, most: farthest(element) })
    return element.traits?.overflow
      ? [...upright, ...barUnder(view, { offset: x, most: farthestLeft(element) })]
      : upright
  }
  return isMultiline(element) ? barOver(element.bounds, textView(element)) : NONE
}

const NONE: readonly Bar[] = []

interface Extent {
  readonly offset: number
  readonly most: number
}

/** A bar over the right edge of a view. */
function barOver({ x, y, width, height }: Rect, { offset, most }: Extent): readonly Bar[] {
  if (most <= 0 || height < 2 * WIDTH) return NONE
  const bounds = { x: x + width - WIDTH - 1, y: y + 1, width: WIDTH, height: height - 2 }
  return [{ bounds, valueNow: offset, valueMin: 0, valueMax: most }]
}

/** A bar over the bottom edge of a view, which leaves the corner free. */
function barUnder({ x, y, width, height }: Rect, { offset, most }: Extent): readonly Bar[] {
  if (most <= 0 || width < 3 * WIDTH) return NONE
  const bounds = { x: x + 1, y: y + height - WIDTH - 1, width: width - 2 - WIDTH, height: WIDTH }
  return [{ bounds, valueNow: offset, valueMin: 0, valueMax: most }]
}

/** The element whose overlay scrollbar is at a point: the element there or an ancestor, up to the popup it is in. */
export function overlayAt(ref: ElementRef, at: Point): ElementRef | undefined {
  const parent = parentOf(ref)
  if (isFloating(ref.element)) return undefined
  if (parent && visibilityOf(parent.element, ref.element) === 'popup')
    return hasBarAt(parent.element, at) ? parent : undefined
  if (hasBarAt(ref.element, at)) return ref
  return parent && overlayAt(parent, at)
}

function hasBarAt(element: Element, at: Point): boolean {
  const { x, width } = element.traits?.popup ?? element.bounds
  // The scroll range is computed only at the edge.
  const isAtRight = at.x >= x + width - WIDTH - 1 && at.x < x + width
  if (!isAtRight && !element.traits?.overflow) return false
  return barAt(element, at) !== undefined
}

/** A click beside the thumb scrolls by a page. */
export const clickOverlay = (desktop: Desktop, ref: ElementRef, at: Point): Desktop =>
  scrollOverlay(desktop, ref, at, (bar) => clickedTo(bar, at))

/** The scroll offset that a press on a bar takes hold of. */
export const grabOverlay = ({ element }: ElementRef, at: Point): number => barAt(element, at)?.valueNow ?? 0

/** A drag moves the thumb, which was at the offset `origin`. */
export const dragOverlay = (desktop: Desktop, ref: ElementRef, from: Point, to: Point, origin: number): Desktop =>
  scrollOverlay(desktop, ref, from, (bar) => draggedTo(bar, from, to, origin))

/** The wheel over a bar at the bottom edge scrolls sideways. Returns undefined elsewhere. */
export function wheelOverlay(
  desktop: Desktop,
  ref: ElementRef,
  at: Point,
  clicks: number,
  axis: WheelAxis,
): Desktop | undefined {
  const owner = axis === 'y' ? overlayAt(ref, at) : undefined
  const bar = owner && barAt(owner.element, at)
  if (!owner || !bar || isUpright(bar)) return undefined
  return scrollOverlay(desktop, owner, at, ({ valueNow = 0 }) => valueNow - clicks * WHEEL_STEP)
}

const barAt = (element: Element, at: Point): Bar | undefined =>
  overlaysOf(element).find((bar) => contains(bar.bounds, at))

function scrollOverlay(desktop: Desktop, ref: ElementRef, at: Point, aim: (bar: Bar) => number | undefined): Desktop {
  const bar = barAt(ref.element, at)
  const to = bar && aim(bar)
  if (to === undefined) return desktop
  if (!isUpright(bar!)) return scrollTo(desktop, ref, offsetOf(ref.element).y, to)
  if (popupView(ref.element)) return scrollPopupTo(desktop, ref, to)
  if (isScrollable(ref.element)) return scrollTo(desktop, ref, to)
  return changeRef(desktop, ref, (element) => scrolledTextTo(element, to))
}
