import { changeAt, type Element, nodeAt, nodeById, type Path, withFields } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
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
    successorOf(parent.children, gone, children) ?? (kindOf(parent.role) === 'treeitem' ? parent : undefined)
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
  const kind = kindOf(gone.role)
  const fits = (each: Element) => ids.has(each.id) && kindOf(each.role) === kind && each.enabled && !each.traits?.hidden
  const place = siblings.indexOf(gone)
  return siblings.slice(place + 1).find(fits) ?? siblings.slice(0, place).findLast(fits)
}

/** In a row of cells, the current cell stays in its column. */
function partFor(gone: Element, successor: Element | undefined, current: string): Element | undefined {
  if (kindOf(gone.role) !== 'row') return successor
  return successor?.children[gone.children.findIndex(({ id }) => id === current)] ?? successor
}
