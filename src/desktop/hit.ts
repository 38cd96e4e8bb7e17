import type { Desktop, Window } from './desktop.ts'
import { type Element, nodeAt, type Path } from './element.ts'
import { foldOf } from './fold.ts'
import { frameOf } from './frame.ts'
import { contains, isEmpty, type Point } from './geometry.ts'
import { openPopups } from './popup.ts'
import type { Spot } from './spot.ts'

/** The title bar of a window, with its buttons. */
export interface TitleHit {
  readonly window: Window
  readonly part: 'title'
}

/** What is at a point, front to back: an element, a title bar, or nothing but the desktop. */
export function hitTest(desktop: Desktop, point: Point): Spot | TitleHit | undefined {
  for (const window of desktop.windows) {
    if (window.state === 'minimized') continue
    const hit = hitWindow(window, point)
    if (hit) return hit
  }
  return undefined
}

function hitWindow(window: Window, point: Point): Spot | TitleHit | undefined {
  for (const popup of openPopups(window).toReversed()) {
    const path = hitPopup(popup.element, popup.path, point)
    if (path) return { window, path, element: nodeAt(window.tree, path)! }
  }
  const frame = frameOf(window)
  if (frame && contains(frame.title, point)) return { window, part: 'title' }
  if (!contains(window.bounds, point)) return undefined
  const path = hitBelow(window.tree, [], point, true) ?? []
  return { window, path, element: nodeAt(window.tree, path)! }
}

/** Later siblings are above earlier ones; a loose child may lie beside its parent. */
function hitBelow(node: Element, path: Path, point: Point, clipped: boolean): Path | undefined {
  const inside = contains(node.bounds, point)
  for (let index = node.children.length - 1; index >= 0; index--) {
    const child = node.children[index]!
    const fold = foldOf(node, child)
    if (child.traits?.hidden || fold === 'folded' || fold === 'popup') continue
    if (fold === 'inline' && clipped && !inside) continue
    const found = hitBelow(child, [...path, index], point, true)
    if (found) return found
  }
  return inside && !isEmpty(node.bounds) ? path : undefined
}

function hitPopup(owner: Element, path: Path, point: Point): Path | undefined {
  for (let index = owner.children.length - 1; index >= 0; index--) {
    const child = owner.children[index]!
    if (foldOf(owner, child) !== 'popup' || child.traits?.hidden) continue
    const found = hitBelow(child, [...path, index], point, true)
    if (found) return found
  }
  return undefined
}
