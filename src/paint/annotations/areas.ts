import { holdsFloating, holdsLoose } from '../../desktop/hit.ts'
import { type Desktop, isOnScreen, stackedWindows, type Window } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path } from '../../desktop/model/element.ts'
import {
  encloses,
  intersect,
  isEmptyRect,
  type Rect,
  subtractAll,
  translate,
  unite,
} from '../../desktop/model/geometry.ts'
import { roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { projectRect, type ScreenProjection } from '../../desktop/projection.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { type ElementRef, isEnabled } from '../../desktop/tree/element-ref.ts'
import { isBehindDialog } from '../../desktop/tree/modal.ts'
import { isFloating, isOpen, popupBounds, visibilityOf } from '../../desktop/tree/visibility.ts'
import { openPaths } from '../../desktop/widgets/popup.ts'
import { rowsViewOf, stays } from '../../desktop/widgets/scrolling.ts'
import { frameOf, headerBarIndex, outerBounds } from '../../desktop/windows/frame.ts'
import { panelOf, primaryMonitor } from '../../desktop/windows/panel.ts'
import { blockerOf } from '../../desktop/windows/stacking.ts'
import { hasRoundCorners } from '../desktop-layers.ts'
import { cornerCoverage } from '../frame/frame-buffer.ts'
import { popupCard } from '../window-content.ts'

/** The visible area of an element in a picture. All rectangles are in pixels of the picture. */
export interface ElementArea {
  /** The uid of its window. */
  readonly window: string
  /** The element as the scenario has it, in pixels of the desktop. */
  readonly element: Element
  readonly path: Path
  /** The bounds of the element, which may reach beyond the picture. */
  readonly bounds: Rect
  /** The visible parts, which do not overlap; at least one. Every pixel of them hits the element or a descendant. */
  readonly parts: readonly Rect[]
  /** The number of visible pixels. */
  readonly pixels: number
  /** The smallest rectangle around the visible parts. */
  readonly box: Rect
  /** Whether a click does something: an enabled control in a window that takes input. */
  readonly clickable: boolean
}

/** The picture that areas are measured in. */
export interface AreaOptions {
  readonly projection?: ScreenProjection | undefined
  /** The whole primary monitor by default; one window alone and complete; or a part of the screen, in its pixels. */
  readonly of?: { readonly window: string } | { readonly area: Rect } | undefined
}

/**
 * The visible area of each element in a picture of a desktop, the lowest first: an element comes after its parent and after
 * all that it covers. Elements of which nothing is visible are left out.
 */
export function visibleAreas(desktop: Desktop, { projection, of }: AreaOptions = {}): readonly ElementArea[] {
  const metrics = styleMetrics(desktop.style)
  const project = (rect: Rect): Rect => (projection ? projectRect(projection, rect) : rect)
  const alone = of && 'window' in of ? stackedWindows(desktop).filter(({ uid }) => uid === of.window) : undefined
  const view = alone ? project(alone[0]?.bounds ?? NOWHERE) : of && 'area' in of ? of.area : screenOf(desktop, project)
  const found: WindowPart[] = []
  let free = alone ? alone.map(({ bounds }) => bounds) : freeOf(desktop)
  for (const window of alone ?? stackedWindows(desktop)) {
    if (!isOnScreen(window)) continue
    const { parts, left } = windowParts(window, free, metrics)
    found.push(...parts)
    free = left
  }
  return found.reverse().flatMap(({ window, element, path, rects, isInFace }) => {
    const projected = rects.map(project)
    const cut = isInFace ? withoutCorners(window, projected, metrics, projection) : projected
    const parts = cut.flatMap((rect) => {
      const part = intersect(rect, view)
      return part ? [translate(part, -view.x, -view.y)] : []
    })
    if (parts.length === 0) return []
    const bounds = translate(project(element.bounds), -view.x, -view.y)
    return {
      window: window.uid,
      element,
      path,
      bounds,
      parts,
      pixels: parts.reduce((sum, { width, height }) => sum + width * height, 0),
      box: parts.reduce(unite),
      clickable: acceptsClicks(desktop, { window, path, element }),
    }
  })
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 }

const screenOf = (desktop: Desktop, project: (rect: Rect) => Rect): Rect =>
  project(primaryMonitor(desktop)?.bounds ?? NOWHERE)

/** The monitors without the panel, as rectangles that do not overlap. */
function freeOf(desktop: Desktop): readonly Rect[] {
  const bar = panelOf(desktop)?.bounds
  const taken: Rect[] = bar ? [bar] : []
  return desktop.monitors.flatMap(({ bounds }) => {
    const free = isEmptyRect(bounds) ? [] : subtractAll(bounds, taken)
    taken.push(bounds)
    return free
  })
}

/** Kinds that take the focus by themselves or as items, but not the containers of items. */
const TAKES_FOCUS = rolesWhere(({ focus, container }) => focus !== 'never' && container !== 'items')
/** Kinds that react to clicks without taking the focus. */
const PRESSED = rolesWith('clicked')

/** Whether a click on an element does something by its role: it and all around it are enabled, and its window takes input. */
function acceptsClicks(desktop: Desktop, ref: ElementRef): boolean {
  const kind = roleKind(ref.element.role)
  // The strip of tabs takes the focus, but its tabs are clicked.
  if (kind === 'tabs' || !(TAKES_FOCUS.has(kind) || PRESSED.has(kind))) return false
  if (ref.window.busy || blockerOf(desktop, ref.window)) return false
  return isEnabled(ref) && !isBehindDialog(ref.window.tree, ref.path)
}

/** Parts of a window without the pixels that its round corners leave to what is behind it, by more than half. */
function withoutCorners(
  window: Window,
  parts: readonly Rect[],
  metrics: Metrics,
  projection: ScreenProjection | undefined,
): readonly Rect[] {
  if (!hasRoundCorners(window)) return parts
  const outer = projection ? projectRect(projection, outerBounds(window, metrics)) : outerBounds(window, metrics)
  const { window: plain } = metrics.radius
  const radius = projection ? Math.max(1, Math.round(plain * projection.ratio)) : plain
  const corners = cornersOf(outer, radius)
  if (!parts.some((part) => corners.some((corner) => intersect(corner, part)))) return parts
  const cut = cutRows(outer, radius)
  return parts.flatMap((part) =>
    subtractAll(
      part,
      cut.filter((row) => intersect(row, part)),
    ),
  )
}

function cornersOf({ x, y, width, height }: Rect, radius: number): readonly Rect[] {
  const square = { width: radius, height: radius }
  const [right, bottom] = [x + width - radius, y + height - radius]
  return [x, right].flatMap((left) => [y, bottom].map((top) => ({ x: left, y: top, ...square })))
}

/** The pixels that are cut from the corners of a rectangle, a row each. */
function cutRows({ x, y, width, height }: Rect, radius: number): readonly Rect[] {
  const coverage = cornerCoverage(radius)
  const rows: Rect[] = []
  for (let row = 0; row < radius; row++) {
    let cut = 0
    while (cut < radius && coverage[row * radius + cut]! < 128) cut++
    if (cut === 0) continue
    for (const top of [y + row, y + height - 1 - row])
      for (const left of [x, x + width - cut]) rows.push({ x: left, y: top, width: cut, height: 1 })
  }
  return rows
}

/** The parts of an element that are visible and hit, in pixels of the desktop. They do not overlap. */
interface WindowPart {
  readonly window: Window
  readonly element: Element
  readonly path: Path
  readonly rects: readonly Rect[]
  /** Whether it is in the window itself, whose corners are round, not in a popup above it. */
  readonly isInFace: boolean
}

type Rects = readonly Rect[]

/** The common part of rectangles and one rectangle. */
const within = (rects: Rects, rect: Rect): Rects =>
  rects.length === 1 && encloses(rect, rects[0]!) ? rects : rects.flatMap((each) => intersect(each, rect) ?? [])

const without = (rects: Rects, holes: Rects): Rects =>
  holes.length === 0 ? rects : rects.flatMap((rect) => subtractAll(rect, holes))

/**
 * The visible parts of a window's elements, front to back, where `free` is not covered by other windows; and what the window
 * leaves free. Elements are searched in the order of hit tests: floating toasts, open popups, title bar, content.
 */
function windowParts(
  window: Window,
  free: Rects,
  metrics: Metrics,
): { readonly parts: readonly WindowPart[]; readonly left: Rects } {
  const parts: WindowPart[] = []
  let room = free
  const emit = (element: Element, path: Path, rects: Rects, isInFace: boolean) => {
    if (rects.length > 0) parts.push({ window, element, path, rects, isInFace })
  }
  for (const path of floatingPaths(window.tree)) {
    const taken = visit(nodeAt(window.tree, path)!, path, room, (...found) => emit(...found, false))
    room = without(room, taken)
  }
  for (const path of openPaths(window.tree).toReversed())
    room = visitPopup(window.tree, path, room, (...found) => emit(...found, false))
  const frame = frameOf(window, metrics)
  const band = headerBarIndex(window)
  const covered = !frame ? [] : band < 0 ? [frame.title] : Object.values(frame.buttons)
  const content = within(without(room, covered), window.bounds)
  visit(window.tree, [], content, (element, path, rects) => {
    // A band of a title and tools is hit as a title bar, only the tools in it as elements.
    const isInBand = path[0] === band
    if (isInBand && path.length === 1) return
    emit(element, path, frame && band >= 0 && !isInBand ? without(rects, [frame.title]) : rects, true)
  })
  return { parts, left: without(room, [outerBounds(window, metrics)]) }
}

type Emit = (element: Element, path: Path, rects: Rects) => void

/**
 * Visits an element and what it contains, the front first. Its parts and those of its loose descendants are within `room`.
 * Returns the area that it takes from what is behind it.
 */
function visit(node: Element, path: Path, room: Rects, emit: Emit): Rects {
  const own = isEmptyRect(node.bounds) ? [] : within(room, node.bounds)
  const outside = visitChildren(node, path, { own, room }, emit)
  emit(node, path, own)
  return outside.length === 0 ? own : [...own, ...outside]
}

/** Visits the children that are not popups. Returns the area that loose ones take. */
function visitChildren(
  node: Element,
  path: Path,
  { own, room }: { readonly own: Rects; readonly room: Rects },
  emit: Emit,
): Rects {
  const { children } = node
  if (children.length === 0 || room.length === 0) return NONE
  const view = rowsViewOf(node)
  const inView = view && { own: within(own, view), room: within(room, view) }
  const taken: Rect[] = []
  const loose: Rect[] = []
  // Later siblings are above earlier ones.
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index]!
    const around = inView && !stays(node, child) ? inView : { own, room }
    // Of a long list, few rows are in view. Only a subtree that reaches out of its bounds may be visible elsewhere.
    const isBound = !holdsLoose(child)
    if (isBound && !around.room.some((rect) => intersect(rect, child.bounds))) continue
    if (child.traits?.hidden) continue
    const visibility = visibilityOf(node, child)
    if (visibility !== 'inline' && visibility !== 'loose') continue
    const base = visibility === 'loose' ? around.room : around.own
    if (base.length === 0) continue
    const holes = isBound ? taken.filter((rect) => intersect(rect, child.bounds)) : taken
    const covered = visit(child, [...path, index], without(base, holes), emit)
    taken.push(...covered)
    if (visibility === 'loose') loose.push(...covered)
  }
  return loose
}

const NONE: Rects = []

/** Visits the items of an open popup. Returns what it leaves of `room`, of which its card covers a part. */
function visitPopup(root: Element, path: Path, room: Rects, emit: Emit): Rects {
  const owner = nodeAt(root, path)!
  const parent = path.length > 0 ? nodeAt(root, path.slice(0, -1)) : undefined
  const isItself = parent !== undefined && visibilityOf(parent, owner) === 'popup'
  const holes: Rect[] = isItself ? [owner.bounds] : []
  if (roleKind(owner.role) === 'tooltip') {
    emit(owner, path, within(room, owner.bounds))
    return without(room, holes)
  }
  const bounds = popupBounds(owner)
  const card = popupCard(owner) ?? bounds
  if (!bounds || !card) return without(room, holes)
  let left = within(room, bounds)
  const items: Rect[] = []
  for (let index = owner.children.length - 1; index >= 0; index--) {
    const child = owner.children[index]!
    if (child.traits?.hidden || visibilityOf(owner, child) !== 'popup') continue
    const taken = visit(child, [...path, index], left, emit)
    items.push(...taken)
    left = without(left, taken)
  }
  // The edge of a menu is hit only if another element opens it. Of a context menu, only the items are.
  if (isItself) emit(owner, path, within(isOpen(parent) ? room : items, owner.bounds))
  return without(room, [...holes, card, bounds])
}

/** The paths of toasts that float over their window, the front first. */
function floatingPaths(root: Element): readonly Path[] {
  const found: Path[] = []
  const search = (node: Element, path: Path): void => {
    if (!holdsFloating(node) || node.traits?.hidden) return
    if (isFloating(node)) {
      found.push(path)
      return
    }
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]!
      if (visibilityOf(node, child) !== 'folded') search(child, [...path, index])
    }
  }
  search(root, [])
  return found
}
