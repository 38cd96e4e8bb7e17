import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import type { Point, Rect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import { styleMetrics } from '../style/style.ts'
import { changeRef, closest, type ElementRef, parentOf, refresh, targetOf } from '../tree/element-ref.ts'
import { placed } from '../tree/tree-edits.ts'
import { chooseItem, itemsOf, selectionIn, withChoice } from '../widgets/item-selection.ts'
import { offsetOf, scrollTo } from '../widgets/scrolling.ts'
import { selectAt } from '../widgets/selection.ts'
import { recordChoice, type WidgetBehaviour } from '../widgets/widget.ts'
import { list } from './list.ts'

/** The arrow before an item's name. */
const ARROW_WIDTH = 20
const ROW_HEIGHT = 28

/** Tree: a list of the items that are not folded away. Right and Left open, close and move between levels. */
export const tree: WidgetBehaviour = {
  ...list,
  key(desktop, ref, chord) {
    const side = chord.modifiers.length === 0 && (chord.key === 'left' || chord.key === 'right')
    const item = side ? itemsOf(ref)[selectionIn(ref).current] : undefined
    if (item) return chord.key === 'right' ? goIn(desktop, ref, item) : goOut(desktop, ref, item)
    return list.key!(desktop, ref, chord)
  },
}

/**
 * TreeItem: a click selects it, a double click also opens or closes it. A click on its arrow only opens or closes it.
 */
export const treeItem: WidgetBehaviour = {
  click(desktop, ref, { at, count, modifiers }) {
    if (isOnArrow(ref.element, at) && hasItems(ref.element)) return toggle(desktop, ref)
    const holder = treeOf(ref)
    const chosen = holder ? chooseItem(desktop, holder, ref.element, modifiers) : desktop
    return count === 2 && hasItems(ref.element) ? toggle(chosen, refresh(chosen, ref)!) : chosen
  },
  invoke(desktop, ref) {
    if (hasItems(ref.element)) return toggle(desktop, ref)
    const holder = treeOf(ref)
    return holder ? chooseItem(desktop, holder, ref.element, []) : desktop
  },
}

/** Expander: a click, Enter and Space expand and collapse it. */
export const expander: WidgetBehaviour = {
  click: toggleExpanded,
  invoke: toggleExpanded,
  key: (desktop, ref, { modifiers, key }) =>
    modifiers.length === 0 && (key === 'enter' || key === 'space') ? toggleExpanded(desktop, ref) : undefined,
}

function toggleExpanded(desktop: Desktop, ref: ElementRef): Desktop {
  return changeRef(desktop, ref, (element) => ({ ...element, expanded: element.expanded !== true }))
}

const isItem = (element: Element): boolean => roleKind(element.role) === 'treeitem'
const hasItems = (element: Element): boolean => element.children.some(isItem)

const treeOf = (ref: ElementRef): ElementRef | undefined => {
  const parent = parentOf(ref)
  return parent && closest(parent, (element) => roleKind(element.role) === 'tree')
}

const isOnArrow = ({ bounds }: Element, { x }: Point): boolean => x >= bounds.x && x < bounds.x + ARROW_WIDTH

const toggle = (desktop: Desktop, ref: ElementRef): Desktop => expand(desktop, ref, ref.element.expanded !== true)

/** Opens or closes an item, and stacks all rows of the tree again. */
function expand(desktop: Desktop, ref: ElementRef, expanded: boolean): Desktop {
  const changed = changeRef(desktop, ref, (element) => withFields(element, { expanded }))
  const holder = treeOf(ref)
  const here = holder && refresh(changed, holder)
  if (!here || changed === desktop) return changed
  const { treeIndent } = styleMetrics(desktop.style)
  const arranged = changeRef(changed, here, (root) => arrangedRows(root, treeIndent))
  const after = refresh(arranged, here)!
  return keepInside(scrollTo(arranged, after, offsetOf(after.element).y), after)
}

/** A closed item takes over the selection and the current item from its descendants. */
function keepInside(desktop: Desktop, holder: ElementRef): Desktop {
  const here = refresh(desktop, holder)
  if (!here) return desktop
  const { current } = here.element.traits ?? {}
  const items = itemsOf(here)
  if (current === undefined || items.some(({ element }) => element.id === current)) return desktop
  const around = items.findLast(({ element }) => closestHolds(element, current))
  return around ? chooseItem(desktop, here, around.element, []) : desktop
}

const closestHolds = (element: Element, id: string): boolean =>
  element.children.some((child) => child.id === id || closestHolds(child, id))

/** The first row stays in place. Each further row follows at its own height, indented by its level. */
function arrangedRows(root: Element, indent: number): Element {
  const first = root.children.find(isItem)
  if (!first) return root
  let y = first.bounds.y
  const right = first.bounds.x + first.bounds.width
  return withRows(root, 0)

  function withRows(node: Element, level: number): Element {
    const children = node.children.map((child) => {
      if (!isItem(child)) return child
      const x = first!.bounds.x + level * indent
      const height = child.bounds.height || ROW_HEIGHT
      const bounds: Rect = { x, y, width: Math.max(0, right - x), height }
      y += height
      const row = sizedRow(child, bounds)
      return child.expanded === true ? withRows(row, level + 1) : row
    })
    return children.every((child, index) => child === node.children[index]) ? node : { ...node, children }
  }
}

/** Places a row and its parts, but not the rows inside it. */
function sizedRow(row: Element, bounds: Rect): Element {
  const { children } = placed({ ...row, children: row.children.filter((child) => !isItem(child)) }, bounds)
  const parts = new Map(children.map((child) => [child.id, child]))
  return { ...row, bounds, children: row.children.map((child) => parts.get(child.id) ?? child) }
}

function goIn(desktop: Desktop, holder: ElementRef, item: ElementRef): Desktop {
  if (!hasItems(item.element)) return desktop
  if (item.element.expanded !== true) return recordChoice(expand(desktop, item, true), targetOf(item))
  const selection = selectionIn(holder)
  return withChoice(desktop, holder, selectAt(selection, selection.current + 1, []))
}

function goOut(desktop: Desktop, holder: ElementRef, item: ElementRef): Desktop {
  if (item.element.expanded === true && hasItems(item.element))
    return recordChoice(expand(desktop, item, false), targetOf(item))
  const parent = parentOf(item)
  if (!parent || !isItem(parent.element)) return desktop
  return recordChoice(chooseItem(desktop, holder, parent.element, []), targetOf(parent))
}
