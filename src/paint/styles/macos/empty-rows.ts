import type { Element } from '../../../desktop/model/element.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import { rowsViewOf } from '../../../desktop/widgets/scrolling.ts'
import { box, type Mark } from '../../frame/mark.ts'
import { inset } from '../../widgets/widget.ts'
import type { Theme } from '../tokens.ts'

/** Between the sides of a list or table and the back of its rows. */
export const ROW_INSET_PX = 5

/** The stripes of a table below its last row, down to its end or its totals. */
export function emptyRows(table: Element, theme: Theme): readonly Mark[] {
  // A hidden row keeps its place, so that stripes do not move with it.
  const shown = table.children.filter(({ bounds }) => bounds.width > 0)
  const isRow = ({ role, traits }: Element) => kindOf(role) === 'row' && !traits?.summary
  const [head, ...others] = shown
  if (!head || kindOf(head.role) !== 'header' || others.some(({ bounds }) => bounds.width !== head.bounds.width))
    return []
  const rows = others.filter(isRow)
  const last = rows.at(-1) ?? head
  const height = rows.at(-1)?.bounds.height ?? theme.metrics.row.table
  const from = last.bounds.y + last.bounds.height
  const foot = others.filter((child) => !isRow(child)).map(({ bounds }) => bounds.y)
  const end = Math.min(table.bounds.y + table.bounds.height - 1, ...foot)
  const { grid, scrolled } = table.traits ?? {}
  const before = grid
    ? Math.round((from - rowsViewOf(table)!.y + (scrolled?.y ?? 0)) / grid.rowHeight)
    : table.children.indexOf(last)
  const stripes: Mark[] = []
  for (let y = from, index = before; y < end; y += height, index++) {
    const area = inset({ ...table.bounds, y, height: Math.min(height - 1, end - y) }, ROW_INSET_PX, 1)
    if (index % 2 === 0 && area.height > 0)
      stripes.push(box(area, { fill: theme.stripe, radius: theme.metrics.radius.row }))
  }
  return stripes
}
