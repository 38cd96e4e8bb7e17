import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path } from '../../desktop/model/element.ts'
import { encloses, intersect, isEmptyRect, type Rect, subtractAll } from '../../desktop/model/geometry.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { holdsFloating, holdsLoose } from '../../desktop/tree/hit.ts'
import { isFloating, isOpen, popupBounds, visibilityOf } from '../../desktop/tree/visibility.ts'
import { openPaths } from '../../desktop/widgets/popups/popup.ts'
import { rowsViewOf, stays } from '../../desktop/widgets/scrolling.ts'
import { frameOf, headerBarIndex, outerBounds } from '../../desktop/windows/frame.ts'
import { popupCard } from '../desktop/window-content.ts'

/** The parts of an element that are visible and hit, in pixels of the desktop. They do not overlap. */
export interface WindowPart {
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
export function windowParts(
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
  if (kindOf(owner.role) === 'tooltip') {
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
