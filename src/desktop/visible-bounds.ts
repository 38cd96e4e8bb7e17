import type { Element, Path } from './model/element.ts'
import { centerOf, contains, intersect, isEmptyRect, type Point, type Rect, subtractAll } from './model/geometry.ts'
import { popupBounds, visibilityOf } from './tree/visibility.ts'
import { rowsViewOf, stays } from './widgets/scrolling.ts'

/**
 * The visible parts of a window: on a screen and below no other window. They do not overlap. Around a covered part they
 * are the strip above it, the one below, then left and right. Without known screens, everything counts as on screen.
 */
export function visibleRegions(window: Rect, above: readonly Rect[], screens: readonly Rect[]): readonly Rect[] {
  if (screens.length === 0) return subtractAll(window, above)
  const regions: Rect[] = []
  for (const [position, screen] of screens.entries()) {
    const shown = intersect(window, screen)
    // Screens may overlap, as mirrored ones do. Each part is counted once.
    const covers = position === 0 ? above : [...above, ...screens.slice(0, position)]
    if (shown) regions.push(...subtractAll(shown, covers))
  }
  return regions
}

/**
 * The point to click in `bounds`: its centre, otherwise the centre of its largest visible part. Undefined if none is
 * visible.
 */
export function clickPoint(regions: readonly Rect[], bounds: Rect): Point | undefined {
  if (isEmptyRect(bounds)) return undefined
  const center = centerOf(bounds)
  if (regions.some((region) => contains(region, center))) return center
  const parts = regions.flatMap((region) => intersect(region, bounds) ?? [])
  if (parts.length === 0) return undefined
  return centerOf(parts.reduce((largest, part) => (areaOf(part) > areaOf(largest) ? part : largest)))
}

const areaOf = ({ width, height }: Rect): number => width * height

/** Whether an element or an ancestor is hidden or folded away. Elements that are scrolled out of view are not. */
export function isConcealed(root: Element, path: Path): boolean {
  let node = root
  for (const index of path) {
    const child = node.children[index]
    if (!child || !isRevealed(node, child)) return true
    node = child
  }
  return root.traits?.hidden === true
}

/** The ids of all elements of a tree that are neither hidden nor folded away. */
export function revealedIds(root: Element): ReadonlySet<string> {
  const ids = new Set<string>()
  const look = (node: Element) => {
    ids.add(node.id)
    for (const child of node.children) if (isRevealed(node, child)) look(child)
  }
  if (!root.traits?.hidden) look(root)
  return ids
}

const isRevealed = (parent: Element, child: Element): boolean =>
  !child.traits?.hidden && visibilityOf(parent, child) !== 'folded'

/** What clips an element. Without a rectangle, nothing does. */
export interface Clip {
  readonly to: Rect | undefined
}

export const UNCLIPPED: Clip = { to: undefined }

/**
 * Returns a function for the children of an element that is clipped: what clips a child, which a popup's own bounds
 * replace. Undefined if the child is hidden or folded away, or if nothing of its parent is left.
 */
export function childClipper(parent: Element, { to }: Clip): (child: Element) => Clip | undefined {
  let popup: Clip | undefined
  let view: { readonly rows: Rect | undefined } | undefined
  return (child) => {
    if (child.traits?.hidden) return undefined
    const visibility = visibilityOf(parent, child)
    if (visibility === 'folded') return undefined
    if (visibility === 'popup') {
      popup ??= { to: popupBounds(parent) }
      return popup
    }
    if (visibility === 'loose') return { to }
    view ??= { rows: rowsViewOf(parent) }
    const room = (!stays(parent, child) && view.rows) || parent.bounds
    const left = to ? intersect(to, room) : room
    return left && { to: left }
  }
}

/**
 * The part of an element that its ancestors do not clip; a popup is clipped only by its own bounds. Undefined if the
 * element is hidden, folded away, empty or completely clipped.
 */
export function shownBounds(root: Element, path: Path): Rect | undefined {
  let node = root
  let clip: Clip | undefined = UNCLIPPED
  for (const index of path) {
    const child = node.children[index]
    clip = child && childClipper(node, clip)(child)
    if (!child || !clip) return undefined
    node = child
  }
  return clippedBounds(node, clip)
}

/** The part of an element that its clip leaves. Undefined if that is nothing. */
export function clippedBounds({ bounds }: Element, { to }: Clip): Rect | undefined {
  if (isEmptyRect(bounds)) return undefined
  return to ? intersect(bounds, to) : bounds
}
