import type { Element } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'

/** Digits with a sign, separators, a currency or a per cent sign. */
const NUMBER = /^[\s+\-−$€£]*\d[\d.,\s]*\s*[%€]?$/

/** The alignment of a text in its cell: numbers right. */
export const alignmentOf = (content: string): 'left' | 'right' => (NUMBER.test(content) ? 'right' : 'left')

/** The text of a cell. */
export const contentOf = ({ name, value }: Element): string => value ?? name

/** Only this many rows decide the alignment of a header. */
const MAX_ROWS = 20

/** In the header of a spreadsheet and in the header of its rows: that of the current cell. */
export const CURRENT_COLUMN = 'c'

/**
 * For each column of a table `r` if its cells are numbers, otherwise `l`; in a spreadsheet `c` for that of the current
 * cell. Undefined without a header.
 */
export function columnsOf(table: Element): string | undefined {
  const header = table.children.find((child) => kindOf(child.role) === 'header')
  if (!header) return undefined
  if (table.traits?.look === 'spreadsheet') return currentColumn(header, table.children)
  const rows = table.children.filter((child) => kindOf(child.role) === 'row').slice(0, MAX_ROWS)
  return header.children.map((_, column) => (isNumeric(rows, column) ? 'r' : 'l')).join('')
}

function currentColumn(header: Element, rows: readonly Element[]): string {
  const current = rows.find(hasCurrentCell)?.children.findIndex(({ selected }) => selected === true)
  return header.children.map((_, column) => (column === current ? CURRENT_COLUMN : 'l')).join('')
}

const hasCurrentCell = ({ children }: Element): boolean => children.some(({ selected }) => selected === true)

/** For the header of a row in a spreadsheet: whether the row is selected, or has the current cell. */
export const rowColumns = (row: Element): string =>
  row.selected === true || hasCurrentCell(row) ? CURRENT_COLUMN : 'l'

function isNumeric(rows: readonly Element[], column: number): boolean {
  const contents = rows.flatMap(({ children }) => (children[column] ? [contentOf(children[column])] : []))
  const written = contents.filter((content) => content !== '')
  return written.length > 0 && written.every((content) => alignmentOf(content) === 'right')
}
