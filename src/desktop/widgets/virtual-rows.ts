import { controlPart, type Element, withFields } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import type { VirtualRows } from '../model/traits.ts'
import { withTraits } from '../tree/element-ref.ts'
import { rowsHeight } from './grid-cells.ts'
import { realisedGrid } from './realise.ts'

export const DEFAULT_ROW_HEIGHT = 28

/** The total height of the rows, of a table those of its page. Undefined for an element whose items are all in the tree. */
export function virtualHeight(element: Element): number | undefined {
  const { rows, grid } = element.traits ?? {}
  if (grid) return rowsHeight(grid)
  return rows && rows.names.length * rows.height
}

/** Creates elements for exactly the rows in view. Other children stay. Rows that a scenario makes are only marked. */
export function realised(element: Element, view: Rect): Element {
  const { rows, grid } = element.traits ?? {}
  if (grid) return realisedGrid(element, grid)
  if (!rows) return element
  if (rows.items) return withMarkedItems(element, rows)
  const offset = element.traits?.scrolled?.y ?? 0
  const [first, last] = rowsInView(element, rows, view.height)
  const held = new Map(element.children.map((child) => [child.id, child]))
  const others = element.children.filter((child) => positionOfRow(element, child) === undefined)
  const items: Element[] = []
  for (let position = first; position < last; position++) {
    const y = view.y + position * rows.height - offset
    const id = virtualRowId(element.id, rows, position)
    const selected = rows.selected.includes(position)
    const before = held.get(id)
    items.push(
      before && isRowAt(before, rows.names[position]!, selected, view, y)
        ? before
        : controlPart(
            id,
            'ListItem',
            rows.names[position]!,
            { x: view.x, y, width: view.width, height: rows.height },
            { selected },
          ),
    )
  }
  return withFields(element, { children: [...others, ...items] })
}

/** Marks those of the items in the tree as selected that are. Others stay without a mark. */
function withMarkedItems(list: Element, rows: VirtualRows): Element {
  const children = list.children.map((child) => {
    const position = roleKind(child.role) === 'listitem' ? positionOfRow(list, child) : undefined
    if (position === undefined) return child
    const selected = rows.selected.includes(position)
    return (child.selected === true) === selected ? child : withFields(child, { selected })
  })
  return children.every((child, index) => child === list.children[index]) ? list : withFields(list, { children })
}

/** The indexes of the rows in view: from the first up to but without the last. */
export function rowsInView(
  list: Element,
  { names, height }: VirtualRows,
  viewHeight = list.bounds.height,
): readonly [first: number, last: number] {
  const offset = list.traits?.scrolled?.y ?? 0
  return [Math.max(0, Math.floor(offset / height)), Math.min(names.length, Math.ceil((offset + viewHeight) / height))]
}

const isRowAt = (row: Element, name: string, selected: boolean, view: Rect, y: number): boolean =>
  row.name === name && row.selected === selected && row.bounds.y === y && row.bounds.width === view.width

/** The index of the row of an element. Undefined if it is not a row. */
export function positionOfRow(list: Element, item: Element): number | undefined {
  const { rows } = list.traits ?? {}
  const prefix = rowPrefix(list)
  if (!rows || !item.id.startsWith(prefix)) return undefined
  const key = item.id.slice(prefix.length)
  if (!rows.keys) return Number(key)
  const [first, last] = rowsInView(list, rows)
  for (let position = first; position < last; position++) if (rows.keys[position] === key) return position
  return positionOfKeyIn(rows, key) ?? -1
}

/** What the ids of the rows of a list start with, before the key. */
export const rowPrefix = ({ id, traits }: Element): string => traits?.rows?.items?.prefix ?? `${id}.row-`

/** The index of the row with a key, the last part of its id. Undefined if there is none. */
export function positionOfKeyIn({ keys, names, items }: VirtualRows, key: string): number | undefined {
  // An item may have a number in its id because another list has one with its key.
  if (keys) return positionsOf(keys).get(key) ?? (items && positionsOf(keys).get(key.replace(/~\d+$/, '')))
  const position = Number(key)
  return Number.isInteger(position) && position >= 0 && position < names.length ? position : undefined
}

const positions = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** The positions of keys. Computed once for a list of them. */
function positionsOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const known = positions.get(keys) ?? new Map(keys.map((key, position) => [key, position]))
  positions.set(keys, known)
  return known
}

/** The id of a row. */
export const virtualRowId = (list: string, { keys, items }: VirtualRows, position: number): string =>
  `${items?.prefix ?? `${list}.row-`}${keys?.[position] ?? position}`

/** A virtual list with other rows. The selection stays with the keys. */
export function withVirtualRows(list: Element, names: readonly string[], keys: readonly string[]): Element {
  const before = list.traits!.rows!
  const moved = (position: number): number => {
    const key = before.keys?.[position]
    if (key === undefined) return -1
    return keys[position] === key ? position : (positionsOf(keys).get(key) ?? -1)
  }
  const stayed = moved(before.current)
  const rows: VirtualRows = {
    ...before,
    names,
    keys,
    selected: before.selected
      .map(moved)
      .filter((position) => position >= 0)
      .sort((a, b) => a - b),
    current: stayed >= 0 ? stayed : Math.min(before.current, names.length - 1),
    anchor: moved(before.anchor),
  }
  return withTraits(list, { rows })
}
