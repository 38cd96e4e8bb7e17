import { type Element, memoize, nodeById } from '../../desktop/model/element.ts'
import type { RowItems, VirtualRows } from '../../desktop/model/traits.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { farthest, offsetOf, scrolledTo, viewOf } from '../../desktop/widgets/scrolling.ts'
import {
  positionOfKeyIn,
  positionOfRow,
  rowsInView,
  virtualRowId,
  withVirtualRows,
} from '../../desktop/widgets/virtual-rows.ts'
import { instanceOf } from './instance.ts'

/**
 * Lists with `item_height`: of their items only those in view are in the tree, and those that would lose something if they were
 * not.
 */

/** The keys of all items of a list, in their order. */
export interface ItemKeys {
  /** As they are in ids; all of them differ. */
  readonly texts: readonly string[]
  /** As `bind` of the list has them. */
  readonly values: readonly string[]
}

const NO_ROWS: Omit<VirtualRows, 'height'> = { names: [], keys: [], selected: [], current: -1, anchor: -1 }

/**
 * A list with these items. The selection stays with the keys, and the first item in view stays in its place unless the items are in
 * another order.
 * @param earlier The list in the window that was left before, if it is made again.
 */
export function withItemRows(
  list: Element,
  { texts, values }: ItemKeys,
  { height, items }: { readonly height: number; readonly items: RowItems },
  earlier: Element | undefined,
): Element {
  const was = list.traits?.rows
  if (was?.keys === texts && was.items === items && was.height === height) return list
  const before = was ?? earlier?.traits?.rows ?? { ...NO_ROWS, height }
  const listed = withVirtualRows(withTraits(list, { rows: before }), values, texts)
  const next = withTraits(listed, { rows: { ...listed.traits!.rows!, height, items } })
  return scrolledTo(next, was ? keptOffset(list, was, next) : firstOffset(next, earlier))
}

function firstOffset(list: Element, earlier: Element | undefined): number {
  if (earlier?.traits?.rows) return offsetOf(earlier).y
  return list.traits?.follow ? farthest(list) : offsetOf(list).y
}

function keptOffset(before: Element, was: VirtualRows, after: Element): number {
  const offset = offsetOf(before).y
  if (before.traits?.follow && offset >= farthest(before)) return farthest(after)
  const { rows } = after.traits!
  if (offset === 0 || !rows || was.keys === rows.keys || !was.keys) return offset
  const [first, last] = rowsInView(before, was, viewOf(before).height)
  const stayed: { readonly at: number; readonly now: number }[] = []
  for (let at = first; at < last; at++) {
    const key = was.keys[at]!
    const now = rows.keys?.[at] === key ? at : positionOfKeyIn(rows, key)
    if (now !== undefined) stayed.push({ at, now })
  }
  const isInOrder = stayed.every(({ now }, index) => index === 0 || now > stayed[index - 1]!.now)
  const [anchor] = stayed
  return anchor && isInOrder ? offset + (anchor.now - anchor.at) * rows.height : offset
}

/** The indexes of the items that have to be in the tree, in their order. */
export function positionsInTree(list: Element, focus: string | undefined): readonly number[] {
  const rows = list.traits?.rows
  if (!rows) return []
  const [first, last] = rowsInView(list, rows, viewOf(list).height)
  const positions: number[] = []
  for (let position = first; position < last; position++) positions.push(position)
  const isOut = (position: number) => position >= 0 && (position < first || position >= last)
  const held = list.children.flatMap((child) => {
    const position = positionOfRow(list, child) ?? -1
    return isOut(position) && isHeld(child, focus) ? [position] : []
  })
  return held.length === 0 ? positions : [...new Set([...positions, ...held])].sort((a, b) => a - b)
}

/** Whether an item has the focus, or something that the user changed and the data do not have. */
const isHeld = (item: Element, focus: string | undefined): boolean =>
  isChanged(item, true) || (focus !== undefined && nodeById(item, focus) !== undefined)

function isChanged(element: Element, isItem: boolean): boolean {
  const built = instanceOf(element)?.source.built
  if (!built) return false
  return (
    element.value !== built.value ||
    element.valueNow !== built.valueNow ||
    element.expanded !== built.expanded ||
    // The list selects its items.
    (!isItem && element.selected !== built.selected) ||
    element.children.some((child) => isChanged(child, false))
  )
}

/** Whether an item that is in view is not in the tree. */
export const lacksItems: (element: Element) => boolean = memoize(
  (element): boolean => isIncomplete(element) || element.children.some(lacksItems),
)

/** Whether other items should be in the tree than are. */
export const hasOtherItems: (element: Element) => boolean = memoize(
  (element): boolean =>
    (element.traits?.rows?.items !== undefined &&
      (element.children.length !== viewed(element).length || isIncomplete(element))) ||
    element.children.some(hasOtherItems),
)

function isIncomplete(element: Element): boolean {
  if (!element.traits?.rows?.items) return false
  const ids = new Set(element.children.map(({ id }) => id))
  return viewed(element).some((id) => !ids.has(id))
}

/** The ids of the items in view. */
function viewed(list: Element): readonly string[] {
  const rows = list.traits!.rows!
  const [first, last] = rowsInView(list, rows, viewOf(list).height)
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => virtualRowId(list.id, rows, first + index))
}
