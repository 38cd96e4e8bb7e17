import type { Element } from '../../model/element.ts'
import { kindOf } from '../../model/role.ts'
import { recordAt } from './grid-ids.ts'

/** The letter of a column of a spreadsheet: A, B, … Z, AA, AB. */
export const columnLetter = (index: number): string =>
  (index < 26 ? '' : columnLetter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** The name of the current cell of a table, such as B3, and its text. While it is edited, its text from before. */
export function currentCellOf(table: Element): { readonly name: string; readonly text: string } | undefined {
  const { grid, current } = table.traits ?? {}
  if (grid) {
    const record = grid.selects === 'cell' ? recordAt(grid, grid.current) : undefined
    return record && { name: nameOf(grid.column, grid.current), text: record.cells[grid.column] ?? '' }
  }
  const rows = table.children.filter((child) => kindOf(child.role) === 'row')
  for (const [row, { children }] of rows.entries()) {
    const cells = children.filter((child) => kindOf(child.role) === 'cell')
    const column = cells.findIndex(({ id }) => id === current)
    const cell = cells[column]
    if (cell) return { name: nameOf(column, row), text: cell.traits?.editing ?? cell.value ?? cell.name }
  }
  return undefined
}

const nameOf = (column: number, row: number): string => `${columnLetter(column)}${row + 1}`
