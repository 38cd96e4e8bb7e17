import { type Desktop, isOnScreen, stackedWindows, type Window } from './model/desktop.ts'
import { type Element, nodeAt, type Path } from './model/element.ts'
import { contains, isEmptyRect, type Point } from './model/geometry.ts'
import { roleKind, rolesWith } from './model/role.ts'
import type { Metrics } from './style/metrics.ts'
import { type DesktopStyle, styleMetrics } from './style/style.ts'
import type { ElementRef } from './tree/element-ref.ts'
import { isFloating, popupBounds, subtreePredicate, type Visibility, visibilityOf } from './tree/visibility.ts'
import { openPaths } from './widgets/popup.ts'
import { rowsViewOf, stays } from './widgets/scrolling.ts'
import { frameButtonAt, frameOf, headerBarIndex, titleBarOf } from './windows/frame.ts'

/** The title bar of a window, with its buttons. */
export interface TitleHit {
  readonly window: Window
  readonly part: 'title'
}

/** The front element or title bar at a point. Undefined over the empty desktop. */
export function hitTest(desktop: Desktop, { x, y }: Point): ElementRef | TitleHit | undefined {
  const { style } = desktop
  const windows = stackedWindows(desktop)
  if (latest?.windows !== windows || latest.style !== style || latest.x !== x || latest.y !== y)
    latest = { windows, style, x, y, hit: lookUp(windows, { x, y }, styleMetrics(style)) }
  return latest.hit
}

/** One click tests the same point several times. */
let latest:
  | {
      readonly windows: readonly Window[]
      readonly style: DesktopStyle | undefined
      readonly x: number
      readonly y: number
      readonly hit: ElementRef | TitleHit | undefined
    }
  | undefined

function lookUp(windows: readonly Window[], point: Point, metrics: Metrics): ElementRef | TitleHit | undefined {
  for (const window of windows) {
    if (!isOnScreen(window)) continue
    const hit = hitWindow(window, point, metrics)
    if (hit) return hit
  }
  return undefined
}

function hitWindow(window: Window, point: Point, metrics: Metrics): ElementRef | TitleHit | undefined {
  const refAt = (path: Path): ElementRef => ({ window, path, element: nodeAt(window.tree, path)! })
  const above = hitPopups(window.tree, point)
  if (above) return refAt(above)
  const title = titleBarOf(window, metrics)
  if (title && contains(title, point)) {
    const tool = hitTool(window, point, metrics)
    return tool ? refAt(tool) : { window, part: 'title' }
  }
  if (!contains(window.bounds, point)) return undefined
  return refAt(hitBelow(window.tree, [], point) ?? [])
}

/** The path of the tool at a point in a band with the title of its window. The band itself is a title bar. */
function hitTool(window: Window, point: Point, metrics: Metrics): Path | undefined {
  const index = headerBarIndex(window)
  if (index < 0 || frameButtonAt(frameOf(window, metrics)!, point)) return undefined
  const path = hitBelow(window.tree.children[index]!, [index], point)
  return path && path.length > 1 ? path : undefined
}

/** The path of the element of a tree at a point, popups first. Undefined if there is none. */
export const hitTree = (root: Element, point: Point): Path | undefined =>
  hitPopups(root, point) ?? hitBelow(root, [], point)

function hitPopups(root: Element, point: Point): Path | undefined {
  if (holdsFloating(root)) {
    const floating = hitFloating(root, [], point)
    if (floating) return floating
  }
  for (const path of openPaths(root).toReversed()) {
    const found = hitPopup(nodeAt(root, path)!, path, point)
    if (found) return found
  }
  return undefined
}

/** Whether a tree holds a toast that floats over its window. */
export const holdsFloating = subtreePredicate('special', isFloating)

/** The path of the element at a point in toasts that float over a window, the latest first. */
function hitFloating(node: Element, path: Path, point: Point): Path | undefined {
  if (!holdsFloating(node) || node.traits?.hidden) return undefined
  if (isFloating(node)) return hitBelow(node, path, point)
  for (let index = node.children.length - 1; index >= 0; index--) {
    const child = node.children[index]!
    if (visibilityOf(node, child) === 'folded') continue
    const found = hitFloating(child, [...path, index], point)
    if (found) return found
  }
  return undefined
}

function hitPopup(owner: Element, path: Path, point: Point): Path | undefined {
  if (roleKind(owner.role) === 'tooltip') return undefined
  const bounds = popupBounds(owner)
  if (!bounds || !contains(bounds, point)) return undefined
  return hitChildren(owner, path, point, (fold) => fold === 'popup')
}

/** The deepest element at a point. Undefined if neither the node nor a loose descendant is there. */
function hitBelow(node: Element, path: Path, point: Point): Path | undefined {
  const inside = contains(node.bounds, point)
  const below = hitChildren(node, path, point, (fold) => fold === 'loose' || (fold === 'inline' && inside))
  return below ?? (inside && !isEmptyRect(node.bounds) ? path : undefined)
}

/** Elements whose children may lie outside them. Any other subtree is skipped if the point is outside it. */
export const holdsLoose = subtreePredicate(
  'special',
  (node) => node.children.length > 0 && REACHES_OUT.has(roleKind(node.role)),
)
const REACHES_OUT = rolesWith('looseParts')

/** Later siblings are above earlier ones. */
function hitChildren(node: Element, path: Path, point: Point, fits: (fold: Visibility) => boolean): Path | undefined {
  const view = rowsViewOf(node)
  const underHeader = view !== undefined && !contains(view, point)
  for (let index = node.children.length - 1; index >= 0; index--) {
    const child = node.children[index]!
    if (underHeader && !stays(node, child)) continue
    if (!contains(child.bounds, point) && !holdsLoose(child)) continue
    if (child.traits?.hidden || !fits(visibilityOf(node, child))) continue
    const found = hitBelow(child, [...path, index], point)
    if (found) return found
  }
  return undefined
}
