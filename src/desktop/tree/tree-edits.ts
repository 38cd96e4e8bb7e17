import { changeAt, type Element, nodeAt, nodeById, type Path, withFields } from '../model/element.ts'
import { type Rect, sameRect, translate } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import type { HomePosition } from '../model/traits.ts'
import { withTraits } from './element-ref.ts'

/**
 * Removes an element from a tree. In lists and grids whose current item was in it, the item that takes its index
 * becomes current.
 */
export function without(root: Element, path: Path): Element {
  const above = path.slice(0, -1)
  const parent = nodeAt(root, above)!
  const gone = path.length === 0 ? undefined : parent.children[path[path.length - 1]!]
  if (!gone) return root
  const children = parent.children.filter((child) => child !== gone)
  const taken = changeAt(root, above, (element) => withFields(element, { children }))
  const successor =
    successorOf(parent.children, gone, children) ?? (roleKind(parent.role) === 'treeitem' ? parent : undefined)
  for (let depth = above.length; depth >= 0; depth--) {
    const holder = path.slice(0, depth)
    const current = nodeAt(root, holder)!.traits?.current
    if (current !== undefined && nodeById(gone, current))
      return changeAt(taken, holder, (element) => withCurrent(element, partFor(gone, successor, current)))
  }
  return taken
}

/** Replaces the children of a list. If the current item is removed, the item that takes its index becomes current. */
export function withItems(list: Element, children: readonly Element[]): Element {
  const current = list.traits?.current
  const changed = withFields(list, { children })
  const gone = current === undefined ? undefined : list.children.find(({ id }) => id === current)
  if (!gone || children.some(({ id }) => id === current)) return changed
  return withCurrent(changed, successorOf(list.children, gone, children))
}

const withCurrent = (holder: Element, item: Element | undefined): Element =>
  withTraits(holder, { current: item?.id, anchor: item?.id })

/** The successor of a removed item: the next remaining selectable one, otherwise the one before. */
function successorOf(siblings: readonly Element[], gone: Element, staying: readonly Element[]): Element | undefined {
  const ids = new Set(staying.map(({ id }) => id))
  const kind = roleKind(gone.role)
  const fits = (each: Element) =>
    ids.has(each.id) && roleKind(each.role) === kind && each.enabled && !each.traits?.hidden
  const place = siblings.indexOf(gone)
  return siblings.slice(place + 1).find(fits) ?? siblings.slice(0, place).findLast(fits)
}

/** In a row of cells, the current cell stays in its column. */
function partFor(gone: Element, successor: Element | undefined, current: string): Element | undefined {
  if (roleKind(gone.role) !== 'row') return successor
  return successor?.children[gone.children.findIndex(({ id }) => id === current)] ?? successor
}

/** Moves a subtree together with its popups. Returns the same one if the distance is 0. */
export function moved(element: Element, dx: number, dy: number): Element {
  if (dx === 0 && dy === 0) return element
  return {
    ...withPopupMoved(element, dx, dy),
    bounds: translate(element.bounds, dx, dy),
    children: element.children.map((child) => moved(child, dx, dy)),
  }
}

/** Moves only the popup of an element. */
export function withPopupMoved(element: Element, dx: number, dy: number): Element {
  const popup = element.traits?.popup
  return popup ? withTraits(element, { popup: translate(popup, dx, dy) }) : element
}

/**
 * Places a subtree in new bounds. On each axis, a child larger than half of its parent keeps its distance from both
 * sides. Any other keeps its size and its distance from the nearer side.
 */
export function placed(element: Element, to: Rect): Element {
  const from = element.bounds
  if (sameRect(from, to)) return element
  if (from.width === to.width && from.height === to.height) return moved(element, to.x - from.x, to.y - from.y)
  return { ...element, bounds: to, children: element.children.map((child) => placedIn(child, from, to)) }
}

/**
 * Places a child in its parent's new bounds. It stores its previous position if its bounds do not determine the way
 * back.
 */
function placedIn(child: Element, from: Rect, to: Rect): Element {
  const { bounds } = child
  const { home } = child.traits ?? {}
  const x = settled({ at: bounds.x - from.x, size: bounds.width, room: from.width }, home?.x, to.width)
  const y = settled({ at: bounds.y - from.y, size: bounds.height, room: from.height }, home?.y, to.height)
  const next = placed(child, { x: to.x + x.stand.at, y: to.y + y.stand.at, width: x.stand.size, height: y.stand.size })
  // The position of a laid out child is decided by the layout.
  if (child.place || (!home && !x.home && !y.home)) return next
  const kept = { ...(x.home && { x: x.home }), ...(y.home && { y: y.home }) }
  return withTraits(next, { home: x.home || y.home ? kept : undefined })
}

/** The position in a parent of another size, and the home position if the new one does not determine it. */
function settled(
  now: HomePosition,
  home: HomePosition | undefined,
  room: number,
): { readonly stand: HomePosition; readonly home: HomePosition | undefined } {
  // If something else moved it since then, its current position is its home.
  const origin = home && sameStand(along(home, now.room), now) ? home : now
  const stand = along(origin, room)
  return { stand, home: sameStand(along(stand, origin.room), origin) ? undefined : origin }
}

function along({ at, size, room }: HomePosition, to: number): HomePosition {
  const after = room - (at + size)
  if (size * 2 > room) return { at, size: Math.max(0, to - at - after), room: to }
  return { at: at <= after ? at : to - after - size, size, room: to }
}

const sameStand = (a: HomePosition, b: HomePosition): boolean => a.at === b.at && a.size === b.size && a.room === b.room
