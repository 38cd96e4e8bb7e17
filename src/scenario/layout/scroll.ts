import { type Element, memoize, withFields } from '../../desktop/model/element.ts'
import { farthest, isScrollable, offsetOf, scrolledTo, stays, viewOf } from '../../desktop/widgets/scrolling.ts'

/** Whether an element, or one below it, is scrolled by a layout: at its end, or so that the item in view stays. */
const keepsScroll = memoize(
  (element: Element): boolean =>
    element.traits?.follow !== undefined || isAnchored(element) || element.children.some(keepsScroll),
)

const isAnchored = (element: Element): boolean =>
  offsetOf(element).y > 0 && element.children.some(({ traits }) => traits?.instance !== undefined)

/** A laid out element, scrolled so that it shows what it showed. `before` is the element with the bounds that it had. */
export function withScrollKept(before: Element, after: Element): Element {
  if (before === after || !keepsScroll(after)) return after
  const earlier = new Map(before.children.map((child) => [child.id, child]))
  const children = after.children.map((child) => withScrollKept(earlier.get(child.id) ?? child, child))
  const isSame = children.every((child, index) => child === after.children[index])
  const next = isSame ? after : withFields(after, { children })
  return isScrollable(next) ? scrolledTo(next, keptOffset(before, next)) : next
}

function keptOffset(before: Element, after: Element): number {
  if (after.traits?.follow && offsetOf(before).y >= farthest(before)) return farthest(after)
  const offset = offsetOf(after).y
  if (!isAnchored(after) || after.traits?.rows) return offset
  const top = viewOf(before).y
  const known = before.children.filter(
    (child) => child.bounds.height > 0 && !child.traits?.hidden && !stays(before, child),
  )
  const anchor = known.find(({ bounds }) => bounds.y + bounds.height > top)
  const now = anchor && after.children.find(({ id }) => id === anchor.id)
  // Sorting does not scroll.
  const isInOrder = known.every(({ bounds }, index) => index === 0 || bounds.y >= known[index - 1]!.bounds.y)
  return anchor && now && isInOrder ? offset + (now.bounds.y - viewOf(after).y) - (anchor.bounds.y - top) : offset
}
