import type { Desktop } from '../../model/desktop.ts'
import { type Element, withFields } from '../../model/element.ts'
import { contains, type Point, type Rect } from '../../model/geometry.ts'
import { type Kind, kindOf, kindsThatAre, kindsWhere } from '../../model/role.ts'
import { changeRef, type ElementRef, parentOf, refresh, withTraits } from '../../tree/element-ref.ts'
import { isDialog } from '../../tree/modal.ts'
import { moved } from '../../tree/reposition.ts'
import { isFloating, visibilityOf } from '../../tree/visibility.ts'
import { realised, virtualHeight } from '../items/virtual-rows.ts'
import type { ClickGesture, WidgetBehaviour } from '../widget.ts'

/** How far one click of the wheel goes, in pixels. */
export const WHEEL_STEP = 60

const SCROLLS = kindsThatAre('scrolls')
/** Parts of a scrolled element that stay where they are. */
const STAYS = kindsThatAre('fixed')

/** ScrollArea and everything else whose content may be larger than itself. */
export const scrollable: WidgetBehaviour = {
  scroll: (desktop, ref, clicks) => {
    // The list in an open popup is scrolled by what it came up from.
    if (parentOf(ref)?.element.traits?.popup) return undefined
    const by = -clicks * WHEEL_STEP
    const { x, y } = offsetOf(ref.element)
    // What only reaches too far to the right is scrolled that way.
    const flat = farthest(ref.element) === 0
    const next = flat ? scrollTo(desktop, ref, y, x + by) : scrollTo(desktop, ref, y + by)
    return next === desktop ? undefined : next
  },
  key(desktop, ref, { modifiers, key }) {
    if (modifiers.length > 0 || !isScrollable(ref.element)) return undefined
    const here = offsetOf(ref.element).y
    const page = viewOf(ref.element).height - WHEEL_STEP
    const steps: Readonly<Record<string, number>> = {
      down: here + WHEEL_STEP,
      up: here - WHEEL_STEP,
      pagedown: here + page,
      pageup: here - page,
      home: 0,
      end: Number.MAX_SAFE_INTEGER,
    }
    const to = steps[key]
    return to === undefined ? undefined : scrollTo(desktop, ref, to)
  },
}

/** Also a document that holds elements rather than text, a page of the web, and what holds more than it has room for. */
export const isScrollable = (element: Element): boolean =>
  element.traits?.overflow !== undefined ||
  SCROLLS.has(kindOf(element.role)) ||
  (kindOf(element.role) === 'document' && element.children.some((child) => visibilityOf(element, child) === 'inline'))

/** How far the content of an element has been moved up and to the left, in pixels. */
export const offsetOf = (element: Element): Point => element.traits?.scrolled ?? { x: 0, y: 0 }

/** The part of a scrolled element in which its content is seen: below its header, between its bars. */
export function viewOf(element: Element): Rect {
  const { x, y, width, height } = element.bounds
  const { overflow } = element.traits ?? {}
  if (overflow) return { x, y: y + overflow.top, width, height: Math.max(0, height - overflow.top - overflow.bottom) }
  const header = element.children.find((child) => kindOf(child.role) === 'header' && !child.traits?.hidden)
  const top = header ? Math.max(0, header.bounds.y + header.bounds.height - y) : 0
  return { x, y: y + top, width, height: Math.max(0, height - top) }
}

/** Where the content of a scrolled table, or of what overflows, is seen; undefined for all else: it may be anywhere in it. */
export const rowsViewOf = (element: Element): Rect | undefined =>
  element.traits?.overflow || (element.traits?.scrolled && kindOf(element.role) === 'table')
    ? viewOf(element)
    : undefined

/** Whether a child stays where it is when what holds it is scrolled. */
export function stays(holder: Element, child: Element): boolean {
  if (STAYS.has(kindOf(child.role))) return true
  if (!holder.traits?.overflow) return false
  return isFloating(child) || isDialog(child) || isEdgeBar(holder, child)
}

const BARS = kindsWhere((role) => role.container === 'bar')

/** Whether a kind is a bar that reaches from side to side of its window. */
export const isBar = (kind: Kind): boolean => BARS.has(kind)

/** Whether a child of a window is one of the bars at its top or bottom. */
export function isEdgeBar(holder: Element, child: Element): boolean {
  if (!isBar(kindOf(child.role)) || !HAS_BARS.has(kindOf(holder.role))) return false
  const shown = holder.children.filter((each) => !each.traits?.hidden && !isFloating(each) && !isDialog(each))
  const at = shown.indexOf(child)
  const areBars = (some: readonly Element[]) => some.every(({ role }) => isBar(kindOf(role)))
  return at >= 0 && (areBars(shown.slice(0, at)) || areBars(shown.slice(at + 1)))
}

const HAS_BARS = kindsWhere((role) => role.container === 'window')

/** The farthest that the content of an element can be moved up; 0 when all of it is seen. */
export function farthest(element: Element): number {
  const view = viewOf(element)
  const virtual = virtualHeight(element)
  if (virtual !== undefined) return Math.max(0, virtual - view.height)
  const bottom = bottomOf(element, Number.NEGATIVE_INFINITY) + offsetOf(element).y
  const over = Math.max(0, bottom - (view.y + view.height))
  return over > 0 ? over + (element.traits?.overflow?.end ?? 0) : 0
}

/** The farthest that the content of an element can be moved to the left; 0 for all but what overflows. */
export function farthestLeft(element: Element): number {
  const { overflow } = element.traits ?? {}
  if (!overflow) return 0
  const right = rightOf(element) + offsetOf(element).x
  const over = Math.max(0, right - (element.bounds.x + element.bounds.width))
  return over > 0 ? over + overflow.end : 0
}

/** The rightmost edge of what scrolls in an element. */
const rightOf = (element: Element): number =>
  Math.max(
    Number.NEGATIVE_INFINITY,
    ...element.children.filter((child) => scrolls(element, child)).map(({ bounds }) => bounds.x + bounds.width),
  )

/** Whether a child is shown in an element, and moves when that is scrolled. */
function scrolls(element: Element, child: Element): boolean {
  const fold = visibilityOf(element, child)
  return fold !== 'folded' && fold !== 'popup' && !child.traits?.hidden && !stays(element, child)
}

/** The lowest edge of what scrolls in an element, with what stands loosely below it. */
function bottomOf(element: Element, least: number): number {
  let bottom = least
  for (const child of element.children) {
    if (!scrolls(element, child)) continue
    bottom = Math.max(bottom, child.bounds.y + child.bounds.height)
    if (child.children.length > 0 && kindOf(child.role) === 'treeitem') bottom = bottomOf(child, bottom)
  }
  return bottom
}

/** Moves the content so that `offset` pixels of it are above the view and `left` beside it, as far as there is content. */
export function scrollTo(desktop: Desktop, ref: ElementRef, offset: number, left?: number): Desktop {
  if (!isScrollable(ref.element)) return desktop
  return changeRef(desktop, ref, (element) => scrolledTo(element, offset, left))
}

/** An element with `offset` pixels of its content above the view and `left` beside it, as far as there is content. */
export function scrolledTo(element: Element, offset: number, left = offsetOf(element).x): Element {
  const before = offsetOf(element)
  const most = farthest(element)
  const y = within(offset, most)
  const x = left === before.x && !element.traits?.overflow ? before.x : within(left, farthestLeft(element))
  if (y === before.y && x === before.x) return element
  const kept = withTraits(element, { scrolled: y === 0 && x === 0 ? undefined : { x, y } })
  if (virtualHeight(element) !== undefined) return withBar(realised(kept, viewOf(kept)), y, most)
  const children = element.children.map((child) =>
    stays(element, child) ? child : moved(child, before.x - x, before.y - y),
  )
  return withBar({ ...kept, children }, y, most)
}

const within = (offset: number, most: number): number => Math.round(Math.max(0, Math.min(offset, most)))

/** A scroll bar among the children shows how far its element is scrolled. */
function withBar(element: Element, y: number, most: number): Element {
  if (!element.children.some(isVerticalBar)) return element
  const children = element.children.map((child) =>
    isVerticalBar(child) ? withFields(child, { valueNow: y, valueMin: 0, valueMax: most }) : child,
  )
  return { ...element, children }
}

const isVerticalBar = (element: Element): boolean => kindOf(element.role) === 'scrollbar' && isUpright(element)
/** Whether a bar scrolls up and down. */
export const isUpright = ({ bounds }: Bar): boolean => bounds.height >= bounds.width

/** Scrolls everything that holds an element until the element is in view. */
export function reveal(desktop: Desktop, ref: ElementRef): Desktop {
  let next = desktop
  for (let holder = parentOf(ref); holder; holder = parentOf(holder)) {
    const here = refresh(next, holder)
    const inner = refresh(next, ref)
    if (!here || !inner || !isScrollable(here.element)) continue
    const view = viewOf(here.element)
    const { x, y } = offsetOf(here.element)
    const { bounds } = inner.element
    const across = here.element.traits?.overflow ? shortfall(view, bounds, 'x', 'width') : 0
    next = scrollTo(next, here, y + shortfall(view, bounds), x + across)
  }
  return next
}

/** How far content must move up for a rectangle to be in view; negative is down. */
export function shortfall(
  view: Rect,
  bounds: Rect,
  from: 'x' | 'y' = 'y',
  size: 'width' | 'height' = 'height',
): number {
  const before = bounds[from] - view[from]
  if (before < 0) return before
  const over = before + bounds[size] - view[size]
  return over > 0 ? Math.min(over, before) : 0
}

/** Windows, panes and groups whose content does not fit. */
export const overflowing: WidgetBehaviour = { scroll: scrollable.scroll! }

/** ScrollBar: beside the thumb it goes by pages, the thumb is dragged; it moves what it is part of, else only its value. */
export const scrollbar: WidgetBehaviour = {
  click(desktop, ref, { at }: ClickGesture) {
    const to = clickedTo(ref.element, at)
    return to === undefined ? desktop : moveBar(desktop, ref, to)
  },
  drag(desktop, ref, from, to) {
    const dragged = draggedTo(ref.element, from, to)
    return dragged === undefined ? undefined : moveBar(desktop, ref, dragged)
  },
  scroll: (desktop, ref, clicks) => moveBar(desktop, ref, (ref.element.valueNow ?? 0) - clicks * WHEEL_STEP),
  setValue(desktop, ref, value) {
    const number = Number(value)
    return Number.isFinite(number) && value.trim() !== '' ? moveBar(desktop, ref, number) : desktop
  },
}

const MIN_THUMB_PX = 24

/** A groove with a thumb. */
export type Bar = Pick<Element, 'bounds' | 'valueNow' | 'valueMin' | 'valueMax'>

/** Where the thumb of a scroll bar is, in screen pixels; undefined when the bar says nothing of its range. */
export function thumbOf(bar: Bar): Rect | undefined {
  const { bounds, valueNow = 0, valueMin = 0, valueMax } = bar
  if (valueMax === undefined || valueMax <= valueMin) return undefined
  const vertical = isUpright(bar)
  const length = vertical ? bounds.height : bounds.width
  const size = Math.round(Math.max(MIN_THUMB_PX, (length * length) / (length + valueMax - valueMin)))
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

function moveBar(desktop: Desktop, ref: ElementRef, to: number): Desktop {
  const holder = parentOf(ref)
  if (holder && isScrollable(holder.element) && isVerticalBar(ref.element)) return scrollTo(desktop, holder, to)
  const { valueMin = 0, valueMax } = ref.element
  if (valueMax === undefined) return desktop
  const valueNow = Math.round(Math.max(valueMin, Math.min(to, valueMax)))
  return changeRef(desktop, ref, (bar) => withFields(bar, { valueNow }))
}
