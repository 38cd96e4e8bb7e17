import type { Element } from '../../model/element.ts'
import type { GridCell, GridRow, VirtualGrid } from '../../model/grid.ts'

/** The ids of the parts of a virtual table: those of records contain their keys. */

export const rowIdOf = (table: string, row: GridRow): string => `${table}.row-${row.key}`
export const cellIdOf = (table: string, row: GridRow, field: string): string => `${rowIdOf(table, row)}.${field}`

/** Whether an element is a part that the table creates, other than children that the author gave it. */
export const isGridPart = (table: string, { id }: Element): boolean =>
  isRecordRow(table, id) || ['header', 'totals', 'pages'].some((part) => id === `${table}.${part}`)

export const isRecordRow = (table: string, id: string): boolean => id.startsWith(`${table}.row-`)

/** The record at a position. */
export const recordAt = ({ rows, order }: VirtualGrid, position: number): GridRow | undefined => rows[order[position]!]

/** The position of the record with the id of a row or cell that is in the tree. Undefined for other elements. */
export function gridPositionOf(table: Element, { id }: Element): number | undefined {
  const { grid } = table.traits ?? {}
  if (!grid || !isRecordRow(table.id, id)) return undefined
  const position = positionsOf(grid).get(id.slice(`${table.id}.row-`.length))
  return position
}

/** The cell with an id that is in the tree. */
export function gridCellOf(table: Element, row: Element, cell: Element): GridCell | undefined {
  const { grid } = table.traits ?? {}
  const position = gridPositionOf(table, row)
  if (!grid || position === undefined) return undefined
  const column = grid.columns.findIndex(({ field }) => cell.id === `${row.id}.${field}`)
  return column < 0 ? undefined : { row: position, column }
}

const positions = new WeakMap<readonly number[], ReadonlyMap<string, number>>()

/** The positions of the records by their keys. Computed once for an order. */
export function positionsOf({ rows, order }: VirtualGrid): ReadonlyMap<string, number> {
  const known = positions.get(order)
  if (known) return known
  const found = new Map(order.map((index, position) => [rows[index]!.key, position]))
  positions.set(order, found)
  return found
}

const names = new WeakMap<readonly number[], readonly string[]>()

/** The names of the records in the order in which they are shown. Computed once for an order. */
export function recordNames({ rows, order }: VirtualGrid): readonly string[] {
  const known = names.get(order)
  if (known) return known
  const found = order.map((index) => nameOfRecord(rows[index]!))
  names.set(order, found)
  return found
}

/** The name of a row: its texts. */
export const nameOfRecord = ({ cells }: GridRow): string => cells.filter((text) => text !== '').join(', ')
