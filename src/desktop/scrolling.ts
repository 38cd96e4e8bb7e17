import type { Desktop } from './desktop.ts'
import { type Element, withFields } from './element.ts'
import { foldOf } from './fold.ts'
import { contains, type Point, type Rect } from './geometry.ts'
import { moved } from './placing.ts'
import { type Kind, kindOf } from './role.ts'
import { realised, virtualHeight } from './rows.ts'
import { changeSpot, parentOf, refresh, type Spot, withTraits } from './spot.ts'
import type { Gesture, Widget } from './widget.ts'

/** How far one click of the wheel goes, in pixels. */
const WHEEL_STEP = 60

const SCROLLS: ReadonlySet<Kind> = new Set<Kind>(['list', 'tree', 'table', 'scrollarea'])
/** Parts of a scrolled element that stay where they are. */
const STAYS: ReadonlySet<Kind> = new Set<Kind>(['scrollbar', 'header'])

/** ScrollArea and everything else whose content may be larger than itself. */
export const scrollable: Widget = {
  scroll: (desktop, spot, clicks) => {
    // The list in an open popup is scrolled by what it came up from.
    if (parentOf(spot)?.element.traits?.popup) return undefined
    const by = -clicks * WHEEL_STEP
    const next = scrollTo(desktop, spot, offsetOf(spot.element).y + by)
    return next === desktop ? undefined : next
  },
  key(desktop, spot, { modifiers, key }) {
    if (modifiers.length > 0 || !isScrollable(spot.element)) return undefined
    const here = offsetOf(spot.element).y
    const page = viewOf(spot.element).height - WHEEL_STEP
    const steps: Readonly<Record<string, number>> = {
      down: here + WHEEL_STEP,
      up: here - WHEEL_STEP,
      pagedown: here + page,
      pageup: here - page,
      home: 0,
      end: Number.MAX_SAFE_INTEGER,
    }
    const to = steps[key]
    return to === undefined ? undefined : scrollTo(desktop, spot, to)
  },
}

/** Also a document that holds elements rather than text: a page of the web. */
export const isScrollable = (element: Element): boolean =>
  SCROLLS.has(kindOf(element.role)) ||
  (kindOf(element.role) === 'document' && element.children.some((child) => foldOf(element, child) === 'inline'))

/** How far the content of an element has been moved up and to the left, in pixels. */
export const offsetOf = (element: Element): Point => element.traits?.scrolled ?? { x: 0, y: 0 }

/** The part of a scrolled element in which its content is seen: below its header. */
export function viewOf(element: Element): Rect {
  const { x, y, width, height } = element.bounds
  const header = element.children.find((child) => kindOf(child.role) === 'header' && !child.traits?.hidden)
  const top = header ? Math.max(0, header.bounds.y + header.bounds.height - y) : 0
  return { x, y: y + top, width, height: Math.max(0, height - top) }
}

/** Where the rows of a scrolled table are seen; undefined for all else, whose children may be anywhere in it. */
export const rowsViewOf = (element: Element): Rect | undefined =>
  element.traits?.scrolled && kindOf(element.role) === 'table' ? viewOf(element) : undefined

/** Whether a child stays where it is when what holds it is scrolled. */
export const stays = ({ role }: Element): boolean => STAYS.has(kindOf(role))

/** The farthest that the content of an element can be moved up; 0 when all of it is seen. */
export function farthest(element: Element): number {
  const view = viewOf(element)
  const virtual = virtualHeight(element)
  if (virtual !== undefined) return Math.max(0, virtual - view.height)
  const bottom = bottomOf(element, Number.NEGATIVE_INFINITY) + offsetOf(element).y
  return Math.max(0, bottom - (view.y + view.height))
}

/** The lowest edge of what scrolls in an element, with what stands loosely below it. */
function bottomOf(element: Element, least: number): number {
  let bottom = least
  for (const child of element.children) {
    const fold = foldOf(element, child)
    if (fold === 'folded' || fold === 'popup' || child.traits?.hidden || stays(child)) continue
    bottom = Math.max(bottom, child.bounds.y + child.bounds.height)
    if (child.children.length > 0 && kindOf(child.role) === 'treeitem') bottom = bottomOf(child, bottom)
  }
  return bottom
}

/** Moves the content so that `offset` pixels of it are above the view, as far as there is content. */
export function scrollTo(desktop: Desktop, spot: Spot, offset: number): Desktop {
  if (!isScrollable(spot.element)) return desktop
  return changeSpot(desktop, spot, (element) => scrolledTo(element, offset))
}

/** An element with `offset` pixels of its content above the view, as far as there is content. */
export function scrolledTo(element: Element, offset: number): Element {
  const before = offsetOf(element)
  const most = farthest(element)
  const y = Math.round(Math.max(0, Math.min(offset, most)))
  if (y === before.y) return element
  const by = before.y - y
  const kept = withTraits(element, { scrolled: y === 0 && before.x === 0 ? undefined : { x: before.x, y } })
  if (virtualHeight(element) !== undefined) return withBar(realised(kept, viewOf(kept)), y, most)
  const children = element.children.map((child) => (stays(child) ? child : moved(child, 0, by)))
  return withBar({ ...kept, children }, y, most)
}

/** A scroll bar among the children shows how far its element is scrolled. */
function withBar(element: Element, y: number, most: number): Element {
  if (!element.children.some(isVerticalBar)) return element
  const children = element.children.map((child) =>
    isVerticalBar(child) ? withFields(child, { valueNow: y, valueMin: 0, valueMax: most }) : child,
  )
  return { ...element, children }
}

const isVerticalBar = (element: Element): boolean => kindOf(element.role) === 'scrollbar' && isUpright(element)
const isUpright = ({ bounds }: Bar): boolean => bounds.height >= bounds.width

/** Scrolls everything that holds a spot until the spot is in view. */
export function reveal(desktop: Desktop, spot: Spot): Desktop {
  let next = desktop
  for (let holder = parentOf(spot); holder; holder = parentOf(holder)) {
    const here = refresh(next, holder)
    const inner = refresh(next, spot)
    if (!here || !inner || !isScrollable(here.element)) continue
    next = scrollTo(next, here, offsetOf(here.element).y + shortfall(viewOf(here.element), inner.element.bounds))
  }
  return next
}

/** How far content must move up for a rectangle to be in view; negative is down. */
export function shortfall(view: Rect, { y, height }: Rect): number {
  if (y < view.y) return y - view.y
  const over = y + height - (view.y + view.height)
  return over > 0 ? Math.min(over, y - view.y) : 0
}

/** ScrollBar: beside the thumb it goes by pages, the thumb is dragged; it moves what it is part of, else only its value. */
export const scrollbar: Widget = {
  click(desktop, spot, { at }: Gesture) {
    const to = clickedTo(spot.element, at)
    return to === undefined ? desktop : moveBar(desktop, spot, to)
  },
  drag(desktop, spot, from, to) {
    const dragged = draggedTo(spot.element, from, to)
    return dragged === undefined ? undefined : moveBar(desktop, spot, dragged)
  },
  scroll: (desktop, spot, clicks) => moveBar(desktop, spot, (spot.element.valueNow ?? 0) - clicks * WHEEL_STEP),
  setValue(desktop, spot, value) {
    const number = Number(value)
    return Number.isFinite(number) && value.trim() !== '' ? moveBar(desktop, spot, number) : desktop
  },
}

const THUMB_LEAST = 24

/** A groove with a thumb. */
export type Bar = Pick<Element, 'bounds' | 'valueNow' | 'valueMin' | 'valueMax'>

/** Where the thumb of a scroll bar is, in screen pixels; undefined when the bar says nothing of its range. */
export function thumbOf(bar: Bar): Rect | undefined {
  const { bounds, valueNow = 0, valueMin = 0, valueMax } = bar
  if (valueMax === undefined || valueMax <= valueMin) return undefined
  const vertical = isUpright(bar)
  const length = vertical ? bounds.height : bounds.width
  const size = Math.round(Math.max(THUMB_LEAST, (length * length) / (length + valueMax - valueMin)))
  const at = Math.round(((length - size) * (valueNow - valueMin)) / (valueMax - valueMin))
  return vertical
    ? { ...bounds, y: bounds.y + at, height: Math.min(size, length) }
    : { ...bounds, x: bounds.x + at, width: Math.min(size, length) }
}

/** Where a click takes a bar: a page on beside the thumb; undefined where there is none, and on it. */
export function clickedTo(bar: Bar, at: Point): number | undefined {
  const thumb = thumbOf(bar)
  if (!thumb || contains(thumb, at)) return undefined
  const [before, page] = isUpright(bar) ? [at.y < thumb.y, bar.bounds.height] : [at.x < thumb.x, bar.bounds.width]
  return (bar.valueNow ?? 0) + (before ? -page : page)
}

/** Where a drag takes a bar; undefined where there is no thumb. */
export function draggedTo(bar: Bar, from: Point, to: Point): number | undefined {
  const { bounds, valueNow = 0, valueMin = 0, valueMax = 0 } = bar
  const thumb = thumbOf(bar)
  if (!thumb) return undefined
  const [by, track] = isUpright(bar)
    ? [to.y - from.y, bounds.height - thumb.height]
    : [to.x - from.x, bounds.width - thumb.width]
  return track <= 0 ? valueNow : valueNow + (by / track) * (valueMax - valueMin)
}

function moveBar(desktop: Desktop, spot: Spot, to: number): Desktop {
  const holder = parentOf(spot)
  if (holder && isScrollable(holder.element) && isVerticalBar(spot.element)) return scrollTo(desktop, holder, to)
  const { valueMin = 0, valueMax } = spot.element
  if (valueMax === undefined) return desktop
  const valueNow = Math.round(Math.max(valueMin, Math.min(to, valueMax)))
  return changeSpot(desktop, spot, (bar) => withFields(bar, { valueNow }))
}
