import type { Modifier } from '../input/action.ts'
import type { Chord } from '../input/keys.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import { type Element, nodeAt, type Path, withFields } from '../model/element.ts'
import { roleKind, rolesWhere } from '../model/role.ts'
import { changeRef, closest, type ElementRef, refresh, targetOf, withTraits } from '../tree/element-ref.ts'
import { visibilityOf } from '../tree/visibility.ts'
import { gridSelection, withGridSelection } from './cell-cursor.ts'
import { gridPositionOf, recordAt, rowIdOf } from './grid-cells.ts'
import { offsetOf, reveal, scrollTo, shortfall, viewOf } from './scrolling.ts'
import { findTyped, type Selection, selectAt, selectByKey } from './selection.ts'
import { positionOfRow, realised, virtualRowId } from './virtual-rows.ts'
import { recordChoice } from './widget.ts'

/**
 * Selection in lists, trees and tables. The items are in the tree, where `selected` marks them, or are the rows of a
 * virtual list.
 */

const ITEMS = rolesWhere((role) => role.item === 'row')
const ITEM_HEIGHT = 28

/** The selectable items of a list, tree or table, in screen order. */
export function itemsOf(holder: ElementRef): readonly ElementRef[] {
  if (latest?.window !== holder.window || latest.element !== holder.element)
    latest = { window: holder.window, element: holder.element, items: findItems(holder) }
  return latest.items
}

/** One click reads the items of the same list several times. */
let latest: { readonly window: Window; readonly element: Element; readonly items: readonly ElementRef[] } | undefined

function findItems(holder: ElementRef): readonly ElementRef[] {
  const found: Path[] = []
  collect(holder.element, holder.path)
  return found.map((path) => ({ window: holder.window, path, element: nodeAt(holder.window.tree, path)! }))

  function collect(node: Element, path: Path): void {
    node.children.forEach((child, index) => {
      if (visibilityOf(node, child) === 'folded' || child.traits?.hidden) return
      const isItem = ITEMS.has(roleKind(child.role))
      if (isItem && child.enabled) found.push([...path, index])
      if (!isItem || roleKind(child.role) === 'treeitem') collect(child, [...path, index])
    })
  }
}

/** The name of an item, otherwise the text of its first cell. */
const nameOfItem = (item: Element): string => item.name || item.children[0]?.value || item.children[0]?.name || ''

/** The current selection in a container. */
export function selectionIn(holder: ElementRef): Selection {
  const { rows, grid, multiSelect = false, current, anchor } = holder.element.traits ?? {}
  if (grid) return gridSelection(grid, multiSelect)
  if (rows) {
    const { names, items, selected, current, anchor } = rows
    return { count: names.length, names: items?.names ?? (() => names), selected, current, anchor, many: multiSelect }
  }
  const items = itemsOf(holder)
  const ids = items.map(({ element }) => element.id)
  const selected = items.flatMap(({ element }, index) => (element.selected === true ? [index] : []))
  const here = current === undefined ? -1 : ids.indexOf(current)
  return {
    count: items.length,
    names: () => items.map(({ element }) => nameOfItem(element)),
    selected,
    current: here >= 0 ? here : (selected[0] ?? -1),
    anchor: anchor === undefined ? (selected[0] ?? -1) : ids.indexOf(anchor),
    many: multiSelect,
  }
}

/** Changes the selection in a container and scrolls the current item into view. */
export function withSelection(desktop: Desktop, holder: ElementRef, next: Selection): Desktop {
  if (holder.element.traits?.grid) return withGridSelection(desktop, holder, next)
  if (holder.element.traits?.rows) return withRows(desktop, holder, next)
  const items = itemsOf(holder)
  const chosen = new Set(next.selected.map((index) => items[index]!.element.id))
  const marked = changeRef(desktop, holder, (element) => {
    const current = items[next.current]?.element.id
    const anchor = items[next.anchor]?.element.id
    const same = element.traits?.current === current && element.traits?.anchor === anchor
    return withMarks(same ? element : withTraits(element, { current, anchor }), chosen)
  })
  const current = items[next.current]
  return current ? reveal(marked, current) : marked
}

/** Marks exactly the named items as selected. Items without a mark stay without one. */
function withMarks(node: Element, chosen: ReadonlySet<string>): Element {
  let changed = false
  const children = node.children.map((child) => {
    const below = child.children.length > 0 ? withMarks(child, chosen) : child
    const isChosen = chosen.has(child.id)
    const marks = ITEMS.has(roleKind(child.role)) && (child.selected === true) !== isChosen
    const next = marks ? withFields(below, { selected: isChosen }) : below
    changed ||= next !== child
    return next
  })
  return changed ? { ...node, children } : node
}

function withRows(desktop: Desktop, holder: ElementRef, next: Selection): Desktop {
  const { height } = holder.element.traits!.rows!
  const marked = changeRef(desktop, holder, (element) => {
    const { selected, current, anchor } = next
    const rows = { ...element.traits!.rows!, selected, current, anchor }
    return realised(withTraits(element, { rows }), viewOf(element))
  })
  const here = refresh(marked, holder)
  if (!here || next.current < 0) return marked
  const view = viewOf(here.element)
  const offset = offsetOf(here.element).y
  const row = { ...view, y: view.y + next.current * height - offset, height }
  return scrollTo(marked, here, offset + shortfall(view, row))
}

/** Makes an item the current one of its container, and leaves the selection as it is. */
export function withCurrentItem(desktop: Desktop, item: ElementRef): Desktop {
  const holder = closest(
    item,
    ({ role, traits }) => traits?.grid !== undefined || traits?.rows !== undefined || HOLDERS.has(roleKind(role)),
  )
  if (!holder) return desktop
  const { element } = holder
  const index =
    (element.traits?.grid ? gridPositionOf(element, item.element) : positionOfRow(element, item.element)) ??
    itemsOf(holder).findIndex((each) => each.element.id === item.element.id)
  const selection = selectionIn(holder)
  return index < 0 || index === selection.current
    ? desktop
    : withSelection(desktop, holder, { ...selection, current: index })
}

const HOLDERS: ReadonlySet<string> = new Set(['list', 'tree', 'table'])

/** Handles a click on an item. */
export function chooseItem(
  desktop: Desktop,
  holder: ElementRef,
  item: Element,
  modifiers: readonly Modifier[],
): Desktop {
  const index =
    positionOfRow(holder.element, item) ?? itemsOf(holder).findIndex(({ element }) => element.id === item.id)
  return withSelection(desktop, holder, selectAt(selectionIn(holder), index, modifiers))
}

/** Handles a key while the container has the focus. Returns undefined for keys without a meaning. */
export function keyInHolder(desktop: Desktop, holder: ElementRef, chord: Chord): Desktop | undefined {
  const { rows, grid } = holder.element.traits ?? {}
  const height = rows?.height ?? grid?.rowHeight ?? itemsOf(holder)[0]?.element.bounds.height ?? ITEM_HEIGHT
  const page = Math.max(1, Math.floor(viewOf(holder.element).height / Math.max(1, height)) - 1)
  const next = selectByKey(selectionIn(holder), chord, page)
  return next && withChoice(desktop, holder, next)
}

/** Selects the item that begins with the typed text. Returns the same desktop if there is none. */
export function typeInHolder(desktop: Desktop, holder: ElementRef, text: string): Desktop {
  const selection = selectionIn(holder)
  const index = findTyped(selection.names(), text, selection.current)
  return index < 0 ? desktop : withChoice(desktop, holder, selectAt(selection, index, []))
}

/** Like `withSelection`, and records the chosen item, unless only the current item changed. */
export function withChoice(desktop: Desktop, holder: ElementRef, next: Selection): Desktop {
  const before = selectionIn(holder).selected
  const chosen = withSelection(desktop, holder, next)
  if (next.selected.length === before.length && next.selected.every((index, at) => index === before[at])) return chosen
  const item = idOfItem(holder, next.current)
  return item === undefined ? chosen : recordChoice(chosen, { ...targetOf(holder), element: item })
}

/** The id of the item or row at an index. Undefined if there is none. */
export function idOfItem(holder: ElementRef, index: number): string | undefined {
  if (index < 0) return undefined
  const { grid } = holder.element.traits ?? {}
  const record = grid && recordAt(grid, index)
  if (record) return rowIdOf(holder.element.id, record)
  const { rows } = holder.element.traits ?? {}
  return rows ? virtualRowId(holder.element.id, rows, index) : itemsOf(holder)[index]?.element.id
}
