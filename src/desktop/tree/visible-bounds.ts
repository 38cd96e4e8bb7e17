import type { Element, Path } from '../model/element.ts'
import { centerOf, contains, intersect, isEmptyRect, type Point, type Rect, subtractAll } from '../model/geometry.ts'
import { rowsViewOf, stays } from '../widgets/scrolling/scrolling.ts'
import { popupBounds, visibilityOf } from './visibility.ts'

/**
 * The parts of a window that are seen: on a screen and under none of the windows above. They do not overlap; around a
 * hole they are the strip above it, the one below, then left and right. No screens: nothing is known of them, and all
 * counts as on screen.
 */
export function visibleRegions(window: Rect, above: readonly Rect[], screens: readonly Rect[]): readonly Rect[] {
  if (screens.length === 0) return subtractAll(window, above)
  const regions: Rect[] = []
  for (const [position, screen] of screens.entries()) {
    const shown = intersect(window, screen)
    // Screens may overlap, as mirrored ones do; what an earlier one shows is not counted again.
    const covers = position === 0 ? above : [...above, ...screens.slice(0, position)]
    if (shown) regions.push(...subtractAll(shown, covers))
  }
  return regions
}

/** Where to click what is at `bounds`: its centre, else the centre of its largest part that is seen, if any is. */
export function clickPoint(regions: readonly Rect[], bounds: Rect): Point | undefined {
  if (isEmptyRect(bounds)) return undefined
  const center = centerOf(bounds)
  if (regions.some((region) => contains(region, center))) return center
  const parts = regions.flatMap((region) => intersect(region, bounds) ?? [])
  if (parts.length === 0) return undefined
  return centerOf(parts.reduce((largest, part) => (areaOf(part) > areaOf(largest) ? part : largest)))
}

const areaOf = ({ width, height }: Rect): number => width * height

/** Whether an element, or what encloses it, is hidden or folded away. What is scrolled out of sight is not. */
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
 * The part of an element that what encloses it lets through; a popup only by its own place. Undefined when the element is
 * hidden, folded away, empty or wholly outside.
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
