import type { Desktop } from '../../model/desktop.ts'
import type { Element } from '../../model/element.ts'
import { contains, type Point } from '../../model/geometry.ts'
import { kindOf } from '../../model/role.ts'
import { changeRef, closest, type ElementRef, isEnabled, parentOf, refresh } from '../../tree/element-ref.ts'
import { hitTest } from '../../tree/hit.ts'
import { placed } from '../../tree/reposition.ts'
import { viewOf } from '../scrolling/scrolling.ts'
import type { DropTarget } from '../widget.ts'

/** Where in a list a dragged item is dropped: before the item of this index, the dragged one not counted. */
interface DropPlace {
  readonly list: ElementRef
  readonly before: number
}

/** The place of a drop at a point: in the list of the item, or another of its window. Undefined if they do not accept it. */
function dropPlaceAt(desktop: Desktop, item: ElementRef, at: Point): DropPlace | undefined {
  const from = parentOf(item)
  const hit = hitTest(desktop, at)
  const list = hit && 'element' in hit ? closest(hit, isOrdered) : undefined
  if (!from || !isOrdered(from.element) || !list || list.window.uid !== item.window.uid || !isEnabled(list))
    return undefined
  const others = othersIn(list.element, item)
  return { list, before: others.filter(({ bounds }) => bounds.y + bounds.height / 2 < at.y).length }
}

const othersIn = (list: Element, item: ElementRef): readonly Element[] =>
  itemsOf(list).filter(({ id }) => id !== item.element.id)

/**
 * Moves a dragged item to the drop position in its list, or in another of the window. Returns undefined if they do not
 * accept it.
 */
export function dropInList(desktop: Desktop, item: ElementRef, at: Point): Desktop | undefined {
  const place = dropPlaceAt(desktop, item, at)
  if (!place) return undefined
  if (contains(item.element.bounds, at)) return desktop
  const taken = changeRef(desktop, parentOf(item)!, (list) => stacked(list, othersIn(list, item)))
  const here = refresh(taken, place.list)
  if (!here) return undefined
  const items = othersIn(place.list.element, item)
  return changeRef(taken, here, (list) => stacked(list, items.toSpliced(place.before, 0, item.element)))
}

/** The list that takes a dragged item at a point, with the line between the items where it would be. */
export function listDropAt(desktop: Desktop, item: ElementRef, at: Point): DropTarget | undefined {
  const place = dropPlaceAt(desktop, item, at)
  if (!place || contains(item.element.bounds, at)) return undefined
  const items = othersIn(place.list.element, item)
  const { x, width, y } = viewOf(place.list.element)
  const [after, next] = [items[place.before - 1]?.bounds, items[place.before]?.bounds]
  const top = after ? after.y + after.height : (next?.y ?? y)
  return { ref: place.list, line: { x, y: top, width, height: 0 } }
}

/** Whether items of a list can be reordered. */
const isOrdered = (element: Element): boolean => element.traits?.reorder === true

const itemsOf = (list: Element): readonly Element[] => list.children.filter(({ role }) => kindOf(role) === 'listitem')

/** Stacks the items of a list, starting at its first one. Other children stay. */
function stacked(list: Element, items: readonly Element[]): Element {
  const { x, width, y: top } = viewOf(list)
  const first = itemsOf(list)[0]?.bounds
  let y = first?.y ?? top
  const rows = items.map((item) => {
    const row = placed(item, { x: first?.x ?? x, y, width: first?.width ?? width, height: item.bounds.height })
    y += row.bounds.height
    return row
  })
  return { ...list, children: [...rows, ...list.children.filter(({ role }) => kindOf(role) !== 'listitem')] }
}
