import type { Desktop } from '../../model/desktop.ts'
import type { Element } from '../../model/element.ts'
import { contains, type Point } from '../../model/geometry.ts'
import { kindOf } from '../../model/role.ts'
import { changeRef, closest, type ElementRef, isEnabled, parentOf, refresh } from '../../tree/element-ref.ts'
import { hitTest } from '../../tree/hit.ts'
import { placed } from '../../tree/reposition.ts'
import { viewOf } from '../scrolling/scrolling.ts'

/**
 * Moves a dragged item to the drop position in its list, or in another of the window. Returns undefined if they do not
 * accept it.
 */
export function dropInList(desktop: Desktop, item: ElementRef, at: Point): Desktop | undefined {
  const from = parentOf(item)
  const hit = hitTest(desktop, at)
  const to = hit && 'element' in hit ? closest(hit, isOrdered) : undefined
  if (!from || !isOrdered(from.element) || !to || to.window.uid !== item.window.uid || !isEnabled(to)) return undefined
  if (contains(item.element.bounds, at)) return desktop
  const taken = changeRef(desktop, from, (list) =>
    stacked(
      list,
      itemsOf(list).filter(({ id }) => id !== item.element.id),
    ),
  )
  const here = refresh(taken, to)
  if (!here) return undefined
  return changeRef(taken, here, (list) => {
    const items = itemsOf(to.element).filter(({ id }) => id !== item.element.id)
    const before = items.filter(({ bounds }) => bounds.y + bounds.height / 2 < at.y).length
    return stacked(list, itemsOf(list).toSpliced(before, 0, item.element))
  })
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
