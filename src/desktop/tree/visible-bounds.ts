import type { Element, Path } from '../model/element.ts'
import { centerOf, contains, intersect, isEmptyRect, type Point, type Rect, subtractAll } from '../model/geometry.ts'
import { rowsViewOf, stays } from '../widgets/scrolling/scrolling.ts'
import { popupBounds, visibilityOf } from './visibility.ts'

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

/**
 * The part of an element that its ancestors do not clip; a popup is clipped only by its own bounds. Undefined if the
 * element is hidden, folded away, empty or completely clipped.
 */
export function shownBounds(root: Element, path: Path): Rect | undefined {
  let node = root
  let clip: Rect | undefined
  for (const index of path) {
    const child = node.children[index]
    if (!child || child.traits?.hidden) return undefined
    const fold = visibilityOf(node, child)
    if (fold === 'folded') return undefined
    if (fold === 'popup') clip = popupBounds(node)
    if (fold === 'inline') {
      const room = (!stays(node, child) && rowsViewOf(node)) || node.bounds
      clip = clip ? intersect(clip, room) : room
      if (!clip) return undefined
    }
    node = child
  }
  if (isEmptyRect(node.bounds)) return undefined
  return clip ? intersect(node.bounds, clip) : node.bounds
}
