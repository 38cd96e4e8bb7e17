import type { Element } from './element.ts'
import { type Rect, sameRect, translate } from './geometry.ts'

/** A subtree moved as a whole; the same one when it does not move. */
export function moved(element: Element, dx: number, dy: number): Element {
  if (dx === 0 && dy === 0) return element
  return {
    ...element,
    bounds: translate(element.bounds, dx, dy),
    children: element.children.map((child) => moved(child, dx, dy)),
  }
}

/**
 * A subtree in a new place. In each direction a child that takes more than half of its parent's room keeps its distance
 * from both sides, any other keeps its size and its distance from the nearer side.
 */
export function placed(element: Element, to: Rect): Element {
  const from = element.bounds
  if (sameRect(from, to)) return element
  if (from.width === to.width && from.height === to.height) return moved(element, to.x - from.x, to.y - from.y)
  const children = element.children.map((child) => {
    const [x, width] = along(child.bounds.x, child.bounds.width, from.x, from.width, to.x, to.width)
    const [y, height] = along(child.bounds.y, child.bounds.height, from.y, from.height, to.y, to.height)
    return placed(child, { x, y, width, height })
  })
  return { ...element, bounds: to, children }
}

function along(at: number, size: number, from: number, room: number, to: number, newRoom: number): [number, number] {
  const before = at - from
  const after = from + room - (at + size)
  if (size * 2 > room) return [to + before, Math.max(0, newRoom - before - after)]
  return before <= after ? [to + before, size] : [to + newRoom - after - size, size]
}
