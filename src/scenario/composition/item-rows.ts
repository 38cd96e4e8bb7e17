import { type Element, memoize, nodeById, withFields } from '../../desktop/model/element.ts'
import type { RowItems, VirtualRows } from '../../desktop/model/traits.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { farthest, offsetOf, scrolledTo, viewOf } from '../../desktop/widgets/scrolling.ts'
import {
  positionOfKeyIn,
  positionOfRow,
  realised,
  rowsInView,
  virtualRowId,
  withVirtualRows,
} from '../../desktop/widgets/virtual-rows.ts'
import { boundsOfItem, layOutItem } from '../layout/layout.ts'
import type { ElementTemplate } from '../live/live-program.ts'
import { liveFieldValue } from './build-instance.ts'
import { instanceOf } from './instance.ts'
import { type ItemKeys, itemsOfRepeat, type KeyedItem, type RepeatItems } from './items.ts'
import { type Around, hasRoom, inputValue, isSameList, lazily, type RefreshWork } from './refresh-work.ts'

/**
 * Lists with `item_height`: of their items only those in view are in the tree, and those that would lose something if they were
 * not.
 */

const NO_ROWS: Omit<VirtualRows, 'height'> = { names: [], keys: [], selected: [], current: -1, anchor: -1 }

/**
 * A list with these items. The selection stays with the keys, and the first item in view stays in its place unless the items are in
 * another order.
 * @param earlier The list in the window that was left before, if it is made again.
 */
function withItemRows(
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
function positionsInTree(list: Element, focus: string | undefined): readonly number[] {
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

/** How the items of a list are made. */
interface ItemsInView {
  /** What stands before the key in their ids. */
  readonly prefix: string
  readonly around: Around
  /** The instance of an item, unless its condition leaves it out. */
  readonly make: (item: KeyedItem, id: string) => readonly Element[]
}

/** A list with the items that are in view, and those that would lose something. */
export function withItemsInView(
  list: Element,
  template: ElementTemplate,
  { prefix, make, around }: ItemsInView,
  work: RefreshWork,
): Element {
  const repeat = template.repeat!
  const found = itemsOfRepeat(repeat, template, around, work)
  for (const [text, unique] of found.clashes)
    work.notes.push(`two elements would have the id ${prefix}${text}; the second is ${prefix}${unique}`)
  const earlier = list.traits?.rows ? undefined : work.earlier && nodeById(work.earlier.tree, list.id)
  const items = rowItems(list.traits?.rows?.items, prefix, found, template, around, work)
  const next = withItemRows(list, found.keys!, { height: repeat.itemHeight!, items }, earlier)
  const { needsLayout } = work.adoption
  const children = positionsInTree(next, work.focus).flatMap((position) => {
    if (!hasRoom(work)) return []
    work.adoption.needsLayout = false
    const made = make(found.items[position]!, `${prefix}${found.keys!.texts[position]}`)
    const isNew = work.adoption.needsLayout
    return made.map((item) => {
      // The list decides the place of its items, whatever the layout of the window is.
      const placed = item.place === undefined ? item : withFields(item, { place: undefined })
      if (work.isSearch && isNew) return withFields(placed, { bounds: boundsOfItem(next, position, work.metrics) })
      return layOutItem(placed, next, position, work.metrics, isNew)
    })
  })
  work.adoption.needsLayout = needsLayout
  const isSame =
    children.length === next.children.length && children.every((child, index) => child === next.children[index])
  return realised(isSame ? next : withFields(next, { children }), next.bounds)
}

/** The names of the items of a list, and what they depended on when they were made. */
const rowSources = new WeakMap<RowItems, { readonly items: RepeatItems; readonly inputs: readonly unknown[] }>()

function rowItems(
  last: RowItems | undefined,
  prefix: string,
  items: RepeatItems,
  template: ElementTemplate,
  around: Around,
  work: RefreshWork,
): RowItems {
  const { as } = template.repeat!
  const inputs = template.inputs.filter((name) => name !== as).map((name) => inputValue(name, around, work))
  const source = last && rowSources.get(last)
  if (last?.prefix === prefix && source?.items === items && isSameList(source.inputs, inputs)) return last
  const field = template.fields.find(({ key }) => key === 'name')
  const nameOf = ({ value, index }: KeyedItem): string => {
    const values = { ...around.locals, [as]: value, [`${as}_index`]: index }
    const name = field
      ? liveFieldValue(field, work.context, { types: template.locals, values }, work)
      : template.fixed.name
    return typeof name === 'string' ? name : ''
  }
  const made: RowItems = { prefix, names: lazily(() => items.items.map(nameOf)) }
  rowSources.set(made, { items, inputs })
  return made
}
