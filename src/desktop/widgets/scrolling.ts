import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { contains, type Point, type Rect } from '../model/geometry.ts'
import { type RoleKind, roleKind, rolesWhere, rolesWith } from '../model/role.ts'
import { changeRef, closest, type ElementRef, parentOf, refresh, withTraits } from '../tree/element-ref.ts'
import { isDialog } from '../tree/modal.ts'
import { moved } from '../tree/tree-edits.ts'
import { isFloating, visibilityOf } from '../tree/visibility.ts'
import { farthestColumn, gridView, isRecordRow, scrolledView } from './grid-cells.ts'
import { popupView, scrollPopupTo } from './popup-placement.ts'
import { isMultiline, scrolledTextTo, textView } from './text-view.ts'
import { realised, virtualHeight } from './virtual-rows.ts'
import type { ClickGesture, WheelAxis, WidgetBehaviour } from './widget.ts'

/** Pixels per wheel click. */
export const WHEEL_STEP = 60

const SCROLLS = rolesWith('scrolls')
/** Parts of a scrolled element that stay in place. */
const STAYS = rolesWith('fixed')

/** ScrollArea and everything else whose content may be larger than itself. */
export const scrollable: WidgetBehaviour = {
  scroll: (desktop, ref, clicks, axis) => {
    // The list in an open popup is scrolled by the popup's owner.
    if (parentOf(ref)?.element.traits?.popup) return undefined
    const by = -clicks * WHEEL_STEP
    const { x, y } = offsetOf(ref.element)
    // Content that is only too wide scrolls sideways.
    const flat = axis === 'x' || farthest(ref.element) === 0
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

/**
 * Whether an element scrolls: by its role, as a document with elements instead of text, or because its content
 * overflows.
 */
export const isScrollable = (element: Element): boolean =>
  element.traits?.overflow !== undefined ||
  SCROLLS.has(roleKind(element.role)) ||
  (roleKind(element.role) === 'document' && element.children.some((child) => visibilityOf(element, child) === 'inline'))

/** The scroll offset of an element, in pixels. */
export const offsetOf = (element: Element): Point => element.traits?.scrolled ?? { x: 0, y: 0 }

/** The viewport of a scrolled element: below its header, between its bars. */
export function viewOf(element: Element): Rect {
  const { x, y, width, height } = element.bounds
  const { overflow, grid } = element.traits ?? {}
  if (grid) return gridView(element, grid)
  if (overflow) return { x, y: y + overflow.top, width, height: Math.max(0, height - overflow.top - overflow.bottom) }
  const header = element.children.find((child) => roleKind(child.role) === 'header' && !child.traits?.hidden)
  const top = header ? Math.max(0, header.bounds.y + header.bounds.height - y) : 0
  return { x, y: y + top, width, height: Math.max(0, height - top) }
}

/**
 * The viewport that clips the content of a table, a row with frozen cells, or an overflowing element. Undefined for others,
 * whose own bounds clip it.
 */
export const rowsViewOf = (element: Element): Rect | undefined =>
  element.traits?.frozenWidth !== undefined
    ? besideFrozen(element.bounds, element.traits.frozenWidth)
    : contentViewOf(element)

const besideFrozen = ({ x, y, width, height }: Rect, frozen: number): Rect => ({
  x: x + frozen,
  y,
  width: Math.max(0, width - frozen),
  height,
})

const contentViewOf = (element: Element): Rect | undefined =>
  element.traits?.overflow || element.traits?.grid || (element.traits?.scrolled && roleKind(element.role) === 'table')
    ? viewOf(element)
    : undefined

/** Whether a child stays in place while its parent scrolls. */
export function stays(holder: Element, child: Element): boolean {
  if (STAYS.has(roleKind(child.role)) || child.traits?.pinned) return true
  if (holder.traits?.grid) return !isRecordRow(holder.id, child.id)
  if (!holder.traits?.overflow) return false
  return isFloating(child) || isDialog(child) || isEdgeBar(holder, child)
}

const BARS = rolesWhere((role) => role.container === 'bar')

/** Whether a kind is a bar that spans its window. */
export const isBar = (kind: RoleKind): boolean => BARS.has(kind)

/** Whether a child of a window is one of the bars at its top or bottom. */
export function isEdgeBar(holder: Element, child: Element): boolean {
  if (!isBar(roleKind(child.role)) || !HAS_BARS.has(roleKind(holder.role))) return false
  const shown = holder.children.filter((each) => !each.traits?.hidden && !isFloating(each) && !isDialog(each))
  const at = shown.indexOf(child)
  const areBars = (some: readonly Element[]) => some.every(({ role }) => isBar(roleKind(role)))
  return at >= 0 && (areBars(shown.slice(0, at)) || areBars(shown.slice(at + 1)))
}

const HAS_BARS = rolesWhere((role) => role.container === 'window')

/** The maximum vertical scroll offset; 0 if all content is visible. */
export function farthest(element: Element): number {
  const view = viewOf(element)
  const virtual = virtualHeight(element)
  if (virtual !== undefined) return Math.max(0, virtual - view.height)
  const bottom = bottomOf(element, Number.NEGATIVE_INFINITY) + offsetOf(element).y
  const over = Math.max(0, bottom - (view.y + view.height))
  return over > 0 ? over + (element.traits?.overflow?.end ?? 0) : 0
}

/** The maximum horizontal scroll offset; 0 for all but overflowing elements and tables with frozen columns. */
function farthestLeft(element: Element): number {
  const { overflow, grid } = element.traits ?? {}
  if (grid) return farthestColumn(element, grid)
  if (!overflow) return 0
  const right = rightOf(element) + offsetOf(element).x
  const over = Math.max(0, right - (element.bounds.x + element.bounds.width))
  return over > 0 ? over + overflow.end : 0
}

/** The right edge of the scrollable content. */
const rightOf = (element: Element): number =>
  Math.max(
    Number.NEGATIVE_INFINITY,
    ...element.children.filter((child) => scrolls(element, child)).map(({ bounds }) => bounds.x + bounds.width),
  )

/** Whether a child is shown and scrolls with its parent. */
function scrolls(element: Element, child: Element): boolean {
  const fold = visibilityOf(element, child)
  return fold !== 'folded' && fold !== 'popup' && !child.traits?.hidden && !stays(element, child)
}

/** The bottom edge of the scrollable content, including loose descendants. */
function bottomOf(element: Element, least: number): number {
  let bottom = least
  for (const child of element.children) {
    if (!scrolls(element, child)) continue
    bottom = Math.max(bottom, child.bounds.y + child.bounds.height)
    if (child.children.length > 0 && roleKind(child.role) === 'treeitem') bottom = bottomOf(child, bottom)
  }
  return bottom
}

/** Scrolls an element to offsets in pixels, clamped to its content. */
export function scrollTo(desktop: Desktop, ref: ElementRef, offset: number, left?: number): Desktop {
  if (!isScrollable(ref.element)) return desktop
  return changeRef(desktop, ref, (element) => scrolledTo(element, offset, left))
}

/** An element scrolled to offsets in pixels, clamped to its content. */
export function scrolledTo(element: Element, offset: number, left = offsetOf(element).x): Element {
  const before = offsetOf(element)
  const most = farthest(element)
  const y = within(offset, most)
  const x = left === before.x && !scrollsSideways(element) ? before.x : within(left, farthestLeft(element))
  if (y === before.y && x === before.x) return element
  const kept = withTraits(element, { scrolled: y === 0 && x === 0 ? undefined : { x, y } })
  if (virtualHeight(element) !== undefined && !element.traits?.rows?.items)
    return withBar(realised(kept, viewOf(kept)), y, most)
  const children = element.children.map((child) =>
    stays(element, child) ? child : moved(child, before.x - x, before.y - y),
  )
  return withBar({ ...kept, children }, y, most)
}

/** Whether an element may scroll sideways. */
const scrollsSideways = ({ traits }: Element): boolean =>
  traits?.overflow !== undefined || traits?.grid?.frozen?.columns !== undefined

const within = (offset: number, most: number): number => Math.round(Math.max(0, Math.min(offset, most)))

/** Updates a ScrollBar child to the scroll offset. */
function withBar(element: Element, y: number, most: number): Element {
  if (!element.children.some(isVerticalBar)) return element
  const children = element.children.map((child) =>
    isVerticalBar(child) ? withFields(child, { valueNow: y, valueMin: 0, valueMax: most }) : child,
  )
  return { ...element, children }
}

const isVerticalBar = (element: Element): boolean => roleKind(element.role) === 'scrollbar' && isUpright(element)
/** Whether a bar scrolls vertically. */
export const isUpright = ({ bounds }: Bar): boolean => bounds.height >= bounds.width

/** Scrolls all ancestors of an element until it is in view. */
export function reveal(desktop: Desktop, ref: ElementRef): Desktop {
  let next = desktop
  for (let holder = parentOf(ref); holder; holder = parentOf(holder)) {
    const here = refresh(next, holder)
    const inner = refresh(next, ref)
    if (!here || !inner || !isScrollable(here.element)) continue
    const view = viewOf(here.element)
    const { x, y } = offsetOf(here.element)
    const { bounds } = inner.element
    const { grid } = here.element.traits ?? {}
    const pane = grid ? scrolledView(here.element, grid) : view
    const isMovable = scrollsSideways(here.element) && !isFrozen(inner)
    const across = isMovable ? shortfall(pane, bounds, 'x', 'width') : 0
    const row = here.element.children[inner.path[here.path.length]!]
    const down = grid && row?.traits?.pinned ? 0 : shortfall(view, bounds)
    next = scrollTo(next, here, y + down, x + across)
  }
  return next
}

/** Whether an element is in no cell that scrolls sideways. */
function isFrozen(ref: ElementRef): boolean {
  const row = closest(ref, ({ traits }) => traits?.frozenWidth !== undefined)
  const cell = row?.element.children[ref.path[row.path.length] ?? -1]
  return row !== undefined && (cell === undefined || cell.traits?.pinned === true)
}

/** How far content must scroll up to bring a rectangle into view. Negative is down. */
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

/**
 * ScrollBar: a click beside the thumb scrolls by a page, a drag moves the thumb. It scrolls its parent, otherwise
 * changes only its own value.
 */
export const scrollbar: WidgetBehaviour = {
  click(desktop, ref, { at }: ClickGesture) {
    const to = clickedTo(ref.element, at)
    return to === undefined ? desktop : moveBar(desktop, ref, to)
  },
  grab: ({ valueNow }) => valueNow ?? 0,
  drag(desktop, ref, from, to, _modifiers, grabbed) {
    const dragged = draggedTo(ref.element, from, to, grabbed)
    return dragged === undefined ? undefined : moveBar(desktop, ref, dragged)
  },
  scroll: (desktop, ref, clicks, axis) =>
    axis === 'x' && isUpright(ref.element)
      ? undefined
      : moveBar(desktop, ref, (ref.element.valueNow ?? 0) - clicks * WHEEL_STEP),
  setValue(desktop, ref, value) {
    const number = Number(value)
    return Number.isFinite(number) && value.trim() !== '' ? moveBar(desktop, ref, number) : desktop
  },
}

const MIN_THUMB_PX = 24

/** The bounds and range of a scrollbar. */
type Bar = Pick<Element, 'bounds' | 'valueNow' | 'valueMin' | 'valueMax'>

/** The bounds of a scrollbar's thumb, in screen pixels. Undefined for a bar without a range. */
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

/** The value after a click: a page further beside the thumb. Undefined on the thumb, and without one. */
function clickedTo(bar: Bar, at: Point): number | undefined {
  const thumb = thumbOf(bar)
  if (!thumb || contains(thumb, at)) return undefined
  const [before, page] = isUpright(bar) ? [at.y < thumb.y, bar.bounds.height] : [at.x < thumb.x, bar.bounds.width]
  return (bar.valueNow ?? 0) + (before ? -page : page)
}

/** The value after a drag of a bar that had the value `origin`, by default its own. Undefined without a thumb. */
function draggedTo(bar: Bar, from: Point, to: Point, origin = bar.valueNow ?? 0): number | undefined {
  const { bounds, valueMin = 0, valueMax = 0 } = bar
  const thumb = thumbOf(bar)
  if (!thumb) return undefined
  const [by, track] = isUpright(bar)
    ? [to.y - from.y, bounds.height - thumb.height]
    : [to.x - from.x, bounds.width - thumb.width]
  return track <= 0 ? origin : origin + (by / track) * (valueMax - valueMin)
}

function moveBar(desktop: Desktop, ref: ElementRef, to: number): Desktop {
  const holder = parentOf(ref)
  if (holder && isScrollable(holder.element) && isVerticalBar(ref.element)) return scrollTo(desktop, holder, to)
  const { valueMin = 0, valueMax } = ref.element
  if (valueMax === undefined) return desktop
  const valueNow = Math.round(Math.max(valueMin, Math.min(to, valueMax)))
  return changeRef(desktop, ref, (bar) => withFields(bar, { valueNow }))
}

/** Overlay scrollbars of scrollable elements without a ScrollBar. Used by the pointer and paint. */

const WIDTH = 10

/** The overlay scrollbars of an element, or of the rows of its open popup. Empty if all content is visible. */
export function overlaysOf(element: Element): readonly Bar[] {
  const popup = popupView(element)
  if (popup) return barOver(popup.bounds, popup)
  if (element.children.some((child) => roleKind(child.role) === 'scrollbar')) return NONE
  if (isScrollable(element)) {
    const view = viewOf(element)
    const { x, y } = offsetOf(element)
    const upright = barOver(view, { offset: y, most: farthest(element) })
    const { grid } = element.traits ?? {}
    return scrollsSideways(element)
      ? [...upright, ...barUnder(grid ? scrolledView(element, grid) : view, { offset: x, most: farthestLeft(element) })]
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
  if (!isAtRight && !scrollsSideways(element)) return false
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
