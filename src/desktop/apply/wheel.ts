import { type Element, nodeAt, type Path } from '../model/element.ts'
import { intersect, isEmptyRect, type Point, type Rect } from '../model/geometry.ts'
import { isShown } from '../tree/element-ref.ts'
import { shownBounds } from '../visible-bounds.ts'
import {
  farthest,
  isScrollable,
  isUpright,
  overlaysOf,
  rowsViewOf,
  shortfall,
  stays,
  viewOf,
  WHEEL_STEP,
} from '../widgets/scrolling.ts'

/** Wheel clicks at a point; positive scrolls up. */
export interface WheelEvent extends Point {
  readonly clicks: number
}

/**
 * The wheel event that scrolls an element further into view. Returns undefined if none does.
 * @param mirrored Whether the screen runs from right to left, so that the wheel scrolls the other way sideways.
 */
export function scrollByWheel(tree: Element, path: Path, mirrored = false): WheelEvent | undefined {
  let { bounds } = nodeAt(tree, path)!
  if (isEmptyRect(bounds) || !isShown(tree, path)) return undefined
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const to = path.slice(0, depth)
    const holder = nodeAt(tree, to)!
    const view = isScrollable(holder) ? viewAround(holder, path.slice(depth)) : undefined
    if (!view) continue
    if (intersect(view, bounds)) continue
    const shown = shownBounds(tree, to)
    const seen = shown && intersect(shown, view)
    if (!seen) bounds = holder.bounds
    else
      return (
        upOrDown(holder, seen, shortfall(view, bounds)) ??
        sideways(holder, { seen, shown }, acrossIn(view, bounds) * (mirrored ? -1 : 1))
      )
  }
  return undefined
}

/** The part of a view in which an element in it scrolls. Undefined if it stays in place. */
function viewAround(holder: Element, path: Path): Rect | undefined {
  const child = nodeAt(holder, path.slice(0, 1))!
  const cell = child.children[path[1] ?? -1]
  const isScrolledCell = child.traits?.frozenWidth !== undefined && cell !== undefined && !cell.traits?.pinned
  if (stays(holder, child)) return isScrolledCell ? rowsViewOf(child) : undefined
  const view = viewOf(holder)
  return isScrolledCell ? intersect(view, { ...rowsViewOf(child)!, y: view.y, height: view.height }) : view
}

const acrossIn = (view: Rect, bounds: Rect): number => shortfall(view, bounds, 'x', 'width')

/** Points this near to the edge of a view rarely hit a control that handles the wheel itself. */
const EDGE_INSET_PX = 4

function upOrDown(holder: Element, seen: Rect, by: number): WheelEvent | undefined {
  if (by === 0 || farthest(holder) === 0) return undefined
  return { x: seen.x + EDGE_INSET_PX, y: seen.y + (seen.height >> 1), clicks: clicksFor(by) }
}

/** At the scrollbar below the content, or anywhere in content that scrolls only sideways. */
function sideways(
  holder: Element,
  { seen, shown }: { readonly seen: Rect; readonly shown: Rect },
  by: number,
): WheelEvent | undefined {
  if (by === 0) return undefined
  if (farthest(holder) === 0)
    return { x: seen.x + EDGE_INSET_PX, y: seen.y + (seen.height >> 1), clicks: clicksFor(by) }
  const bar = overlaysOf(holder).find((each) => !isUpright(each))
  const at = bar && intersect(bar.bounds, shown)
  return at && { x: at.x + EDGE_INSET_PX, y: at.y + (at.height >> 1), clicks: clicksFor(by) }
}

const clicksFor = (by: number): number => -Math.sign(by) * Math.ceil(Math.abs(by) / WHEEL_STEP)
