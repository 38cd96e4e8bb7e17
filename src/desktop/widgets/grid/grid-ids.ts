import type { Element } from '../../model/element.ts'
import type { GridCell, GridRow, VirtualGrid } from '../../model/grid.ts'
import { rowsShown } from './geometry.ts'

/** The ids of the parts of a virtual table: those of records contain their keys. */

export const rowIdOf = (table: string, row: GridRow): string => `${table}.row-${row.key}`
export const cellIdOf = (table: string, row: GridRow, field: string): string => `${rowIdOf(table, row)}.${field}`

/** Whether an element is a part that the table creates, other than children that the author gave it. */
export const isGridPart = (table: string, { id }: Element): boolean =>
  isRecordRow(table, id) || ['header', 'totals', 'pages'].some((part) => id === `${table}.${part}`)

export const isRecordRow = (table: string, id: string): boolean => id.startsWith(`${table}.row-`)

/** The record at a position. */
export const recordAt = ({ rows, order }: VirtualGrid, position: number): GridRow | undefined => rows[order[position]!]

/** The position of the record with the id of a row. Undefined for other elements. */
export function gridPositionOf(table: Element, { id }: Element): number | undefined {
  const { grid } = table.traits ?? {}
  if (!grid || !isRecordRow(table.id, id)) return undefined
  const key = id.slice(`${table.id}.row-`.length)
  const [first, last] = rowsShown(table, grid)
  for (let position = first; position < last; position++) if (recordAt(grid, position)?.key === key) return position
  return positionOfKey(grid, key)
}

/** The cell with an id that is in the tree. */
export function gridCellOf(table: Element, row: Element, cell: Element): GridCell | undefined {
  const { grid } = table.traits ?? {}
  const position = gridPositionOf(table, row)
  if (!grid || position === undefined) return undefined
  const column = grid.columns.findIndex(({ field }) => cell.id === `${row.id}.${field}`)
  return column < 0 ? undefined : { row: position, column }
}

/** The position of the record with a key. Undefined if there is none. */
export function positionOfKey(grid: VirtualGrid, key: string): number | undefined {
  return positionsOf(grid).get(key)
}

/** What is known about rows in an order. */
interface Known {
  readonly order: readonly number[]
  positions?: ReadonlyMap<string, number>
  names?: readonly string[]
}

const known = new WeakMap<readonly GridRow[], Known>()

function knownOf({ rows, order }: VirtualGrid): Known {
  const held = known.get(rows)
  const found = held?.order === order ? held : { order }
  known.set(rows, found)
  return found
}

/** The positions of the records by their keys. Computed once for rows and an order. */
function positionsOf(grid: VirtualGrid): ReadonlyMap<string, number> {
  const found = knownOf(grid)
  found.positions ??= new Map(grid.order.map((index, position) => [grid.rows[index]!.key, position]))
  return found.positions
}

/** Finds where the records at positions are after a change; -1 for records that are gone. */
export function movedPositions(before: VirtualGrid, after: VirtualGrid): (position: number) => number {
  return (position) => {
    const key = recordAt(before, position)?.key
    if (key === undefined) return -1
    return recordAt(after, position)?.key === key ? position : (positionOfKey(after, key) ?? -1)
  }
}

/** The names of the records in the order in which they are shown. Computed once for rows and an order. */
export function recordNames(grid: VirtualGrid): readonly string[] {
  const found = knownOf(grid)
  found.names ??= grid.order.map((index) => nameOfRecord(grid.rows[index]!))
  return found.names
}

/** The name of a row: its texts. */
export const nameOfRecord = ({ cells }: GridRow): string => cells.filter((text) => text !== '').join(', ')
