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

/** For each column of a table `r` if its cells are numbers, otherwise `l`. Undefined without a header. */
export function columnsOf(table: Element): string | undefined {
  const header = table.children.find((child) => kindOf(child.role) === 'header')
  if (!header) return undefined
  const rows = table.children.filter((child) => kindOf(child.role) === 'row').slice(0, MAX_ROWS)
  return header.children.map((_, column) => (isNumeric(rows, column) ? 'r' : 'l')).join('')
}

function isNumeric(rows: readonly Element[], column: number): boolean {
  const contents = rows.flatMap(({ children }) => (children[column] ? [contentOf(children[column])] : []))
  const written = contents.filter((content) => content !== '')
  return written.length > 0 && written.every((content) => alignmentOf(content) === 'right')
}
