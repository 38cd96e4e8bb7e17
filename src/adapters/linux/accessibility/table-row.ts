import { unite } from '../../../desktop/model/geometry.ts'
import type { ObjectRef } from '../dbus/bus.ts'
import type { AccessibleNode } from './accessible-node.ts'
import { NO_DETAILS } from './node-details.ts'
import { ROLE } from './roles.ts'
import type { VisibleCells } from './viewport.ts'

/** Combines the cells of a row into a row node. Returns undefined without cells. */
export function toTableRow(
  { bus, path }: ObjectRef,
  { columns }: VisibleCells,
  row: number,
  cells: readonly AccessibleNode[],
): AccessibleNode | undefined {
  const [first] = cells
  if (!first) return undefined
  const places = cells.flatMap(({ extents }) => extents ?? [])
  return {
    ref: { bus, path: `${path}#${row}` },
    role: ROLE.tableRow,
    name: '',
    description: '',
    states: first.states,
    patterns: NO_PATTERNS,
    ...NO_DETAILS,
    extents: places.length > 0 ? places.reduce(unite) : undefined,
    children: cells,
    ...(cells.length < columns ? { childCount: columns } : {}),
    index: row,
    actionNode: first,
  }
}

const NO_PATTERNS: ReadonlySet<string> = new Set()
