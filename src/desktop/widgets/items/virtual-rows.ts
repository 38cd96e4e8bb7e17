import type { Element } from '../../model/element.ts'
import type { Rect } from '../../model/geometry.ts'
import type { VirtualRows } from '../../model/traits.ts'
import { rowsHeight } from '../grid/geometry.ts'
import { realisedGrid } from '../grid/realise.ts'

export const DEFAULT_ROW_HEIGHT = 28

/** The total height of the rows, of a table those of its page. Undefined for an element whose items are all in the tree. */
export function virtualHeight(element: Element): number | undefined {
  const { rows, grid } = element.traits ?? {}
  if (grid) return rowsHeight(grid)
  return rows && rows.names.length * rows.height
}

/** Creates elements for exactly the rows in view. Other children stay. */
export function realised(element: Element, view: Rect): Element {
  const { rows, grid } = element.traits ?? {}
  if (grid) return realisedGrid(element, grid)
  if (!rows) return element
  const offset = element.traits?.scrolled?.y ?? 0
  const first = Math.max(0, Math.floor(offset / rows.height))
  const last = Math.min(rows.names.length, Math.ceil((offset + view.height) / rows.height))
  const held = new Map(element.children.map((child) => [child.id, child]))
  const others = element.children.filter((child) => positionOfRow(element, child) === undefined)
  const items: Element[] = []
  for (let position = first; position < last; position++) {
    const bounds = { x: view.x, y: view.y + position * rows.height - offset, width: view.width, height: rows.height }
    const fresh = rowAt(element, rows, position, bounds)
    const before = held.get(fresh.id)
    items.push(before && sameRow(before, fresh) ? before : fresh)
  }
  return { ...element, children: [...others, ...items] }
}

/** The index of the row of an element. Undefined if it is not a row. */
export function positionOfRow(list: Element, item: Element): number | undefined {
  const prefix = `${list.id}.row-`
  if (!list.traits?.rows || !item.id.startsWith(prefix)) return undefined
  return Number(item.id.slice(prefix.length))
}

const rowAt = (list: Element, rows: VirtualRows, position: number, bounds: Rect): Element => ({
  id: `${list.id}.row-${position}`,
  role: 'ListItem',
  name: rows.names[position]!,
  value: null,
  bounds,
  enabled: true,
  focused: false,
  keyboardShortcut: null,
  description: null,
  selected: rows.selected.includes(position),
  children: [],
})

const sameRow = (a: Element, b: Element): boolean =>
  a.name === b.name && a.selected === b.selected && a.bounds.y === b.bounds.y && a.bounds.width === b.bounds.width
