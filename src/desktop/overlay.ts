import type { Desktop } from './desktop.ts'
import type { Element } from './element.ts'
import { foldOf } from './fold.ts'
import { contains, type Point, type Rect } from './geometry.ts'
import { isMultiline, scrolledTextTo, textView } from './page.ts'
import { popupView, scrollPopupTo } from './placement.ts'
import { kindOf } from './role.ts'
import { type Bar, clickedTo, draggedTo, farthest, isScrollable, offsetOf, scrollTo, viewOf } from './scrolling.ts'
import { changeSpot, parentOf, type Spot } from './spot.ts'

/** The thin scroll bar over the right edge of what scrolls and has none of its own; the pointer and paint share it. */

const WIDTH = 10

/** The bar of an element, in an open popup that of its rows; undefined while all there is is seen. */
export function overlayOf(element: Element): Bar | undefined {
  const popup = popupView(element)
  if (popup) return barOver(popup.bounds, popup)
  if (element.children.some((child) => kindOf(child.role) === 'scrollbar')) return undefined
  if (isScrollable(element)) return barOver(viewOf(element), { offset: offsetOf(element).y, most: farthest(element) })
  return isMultiline(element) ? barOver(element.bounds, textView(element)) : undefined
}

function barOver(
  { x, y, width, height }: Rect,
  { offset, most }: { readonly offset: number; readonly most: number },
): Bar | undefined {
  if (most <= 0 || height < 2 * WIDTH) return undefined
  const bounds = { x: x + width - WIDTH - 1, y: y + 1, width: WIDTH, height: height - 2 }
  return { bounds, valueNow: offset, valueMin: 0, valueMax: most }
}

/** What has its thin bar at a point, of all that holds the spot there up to the popup it is in. */
export function overlayAt(spot: Spot, at: Point): Spot | undefined {
  const parent = parentOf(spot)
  if (parent && foldOf(parent.element, spot.element) === 'popup')
    return hasBarAt(parent.element, at) ? parent : undefined
  if (hasBarAt(spot.element, at)) return spot
  return parent && overlayAt(parent, at)
}

function hasBarAt(element: Element, at: Point): boolean {
  const { x, width } = element.traits?.popup ?? element.bounds
  // How far something scrolls is worked out at its edge only.
  if (at.x < x + width - WIDTH - 1 || at.x >= x + width) return false
  const bar = overlayOf(element)
  return bar !== undefined && contains(bar.bounds, at)
}

/** A click beside the thumb goes on by a page. */
export const clickOverlay = (desktop: Desktop, spot: Spot, at: Point): Desktop =>
  scrollOverlay(desktop, spot, (bar) => clickedTo(bar, at))

/** A drag takes the thumb along. */
export const dragOverlay = (desktop: Desktop, spot: Spot, from: Point, to: Point): Desktop =>
  scrollOverlay(desktop, spot, (bar) => draggedTo(bar, from, to))

function scrollOverlay(desktop: Desktop, spot: Spot, aim: (bar: Bar) => number | undefined): Desktop {
  const bar = overlayOf(spot.element)
  const to = bar && aim(bar)
  if (to === undefined) return desktop
  if (popupView(spot.element)) return scrollPopupTo(desktop, spot, to)
  if (isScrollable(spot.element)) return scrollTo(desktop, spot, to)
  return changeSpot(desktop, spot, (element) => scrolledTextTo(element, to))
}
