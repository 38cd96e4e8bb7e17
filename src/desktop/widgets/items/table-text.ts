import type { Desktop } from '../../model/desktop.ts'
import { type Element, walk } from '../../model/element.ts'
import { kindOf } from '../../model/role.ts'
import type { ElementRef } from '../../tree/element-ref.ts'
import { recordAt } from '../grid/grid-ids.ts'

/** Copying from tables, as lines of texts that are separated by tabs. */

/** Copies a text to the clipboard. An empty one leaves the clipboard as it is. */
export const copyText = (desktop: Desktop, text: string): Desktop =>
  text === '' || text === desktop.clipboard ? desktop : { ...desktop, clipboard: text }

/** Copies the selected rows of a table. */
export const copyRows = (desktop: Desktop, { element }: ElementRef): Desktop =>
  copyText(desktop, selectedLines(element).map(lineOf).join('\n'))

function selectedLines(table: Element): readonly (readonly string[])[] {
  const { grid } = table.traits ?? {}
  if (grid) return grid.selected.map((position) => recordAt(grid, position)!.cells)
  return [...walk(table)].filter((each) => kindOf(each.role) === 'row' && each.selected === true).map(textsOf)
}

/** The texts of the cells of a row, otherwise its name. */
const textsOf = (row: Element): readonly string[] =>
  row.children.length === 0 ? [row.name] : row.children.map(({ name, value }) => value ?? name)

const lineOf = (texts: readonly string[]): string => texts.map((text) => text.replace(/\s+/g, ' ')).join('\t')
