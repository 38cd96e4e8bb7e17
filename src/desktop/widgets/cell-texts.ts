import type { Desktop } from '../model/desktop.ts'
import { desktopWith } from '../model/desktop.ts'
import { normalisedFormula } from '../model/formula-text.ts'
import type { GridRow, GridSheet, SheetChange, VirtualGrid } from '../model/grid.ts'
import { changeRef, type ElementRef, refresh, targetOf } from '../tree/element-ref.ts'
import { positionOfKey, recordAt } from './grid-cells.ts'
import { withGrid } from './grid-state.ts'
import { recordCellEdit } from './widget.ts'

/** The texts that the user gives cells of a virtual table, and in a sheet their undo and redo. */

/** A new text of a cell. */
export interface CellText {
  readonly row: number
  readonly column: number
  readonly text: string
}

/** The rows that a table was given, for rows in which the user edited cells. */
const given = new WeakMap<readonly GridRow[], readonly GridRow[]>()

/** The rows that a table was given, before the user edited cells in them. */
export const rowsBeforeEdits = (rows: readonly GridRow[]): readonly GridRow[] => given.get(rows) ?? rows

/** What editing a cell begins with: what was typed into it, otherwise the text that it shows. */
export function cellContent(grid: VirtualGrid, row: number, column: number): string {
  const record = recordAt(grid, row)
  return record?.contents?.[column] ?? record?.cells[column] ?? ''
}

/** Gives cells texts, and records each edit that changes one. In a sheet all of them together can be undone. */
export function setCellTexts(desktop: Desktop, holder: ElementRef, texts: readonly CellText[]): Desktop {
  const here = refresh(desktop, holder)
  const grid = here?.element.traits?.grid
  if (!here || !grid) return desktop
  const changed = changesOf(grid, texts)
  if (changed.length === 0) return desktop
  const done = withTexts(desktop, here, changed)
  if (!grid.sheet) return done
  const cells = changed.map(({ row, column, text }) => ({
    key: recordAt(grid, row)!.key,
    column,
    before: cellContent(grid, row, column),
    after: text,
  }))
  const step: SheetChange = { cells, row: grid.current, column: grid.column }
  return changeSheet(done, here, ({ undo }) => ({ undo: keptSteps([...undo, step]), redo: [] }))
}

/** The edits that change a cell of a row that is there. */
const changesOf = (grid: VirtualGrid, texts: readonly CellText[]): readonly CellText[] =>
  texts
    .map((each) => (grid.sheet ? { ...each, text: normalisedFormula(each.text) } : each))
    .filter(({ row, column, text }) => recordAt(grid, row) && cellContent(grid, row, column) !== text)

function withTexts(desktop: Desktop, here: ElementRef, texts: readonly CellText[]): Desktop {
  const grid = here.element.traits!.grid!
  const rows = [...grid.rows]
  for (const { row: position, column, text } of texts) {
    const index = grid.order[position]!
    const record = rows[index]!
    rows[index] = {
      key: record.key,
      cells: record.cells.with(column, text),
      values: record.values.with(column, text),
      ...(record.contents && { contents: record.contents.with(column, text) }),
      ...(record.isUnread && { isUnread: true }),
      ...(record.bold && { bold: record.bold }),
      ...(record.colours && { colours: record.colours }),
      ...(record.name !== undefined && { name: record.name }),
    }
  }
  given.set(rows, rowsBeforeEdits(grid.rows))
  const changed = changeRef(desktop, here, (table) => withGrid(table, { rows }))
  return texts.reduce(
    (next, { row, column, text }) =>
      recordCellEdit(next, {
        ...targetOf(here),
        key: recordAt(grid, row)!.key,
        field: grid.columns[column]!.field,
        text,
      }),
    changed,
  )
}

/** Changes what a table has because it is a sheet. */
export const changeSheet = (
  desktop: Desktop,
  holder: ElementRef,
  change: (sheet: GridSheet) => Partial<GridSheet>,
): Desktop =>
  changeRef(desktop, holder, (table) => {
    const { sheet } = table.traits!.grid!
    return sheet ? withGrid(table, { sheet: { ...sheet, ...change(sheet) } }) : table
  })

/** The most steps that can be undone, and cells in them. */
const MAX_STEPS = 100
const MAX_CELLS = 20_000

/** The latest steps within the limits. */
function keptSteps(steps: readonly SheetChange[]): readonly SheetChange[] {
  let cells = 0
  let from = steps.length
  while (from > 0 && steps.length - from < MAX_STEPS && cells + steps[from - 1]!.cells.length <= MAX_CELLS)
    cells += steps[--from]!.cells.length
  return steps.slice(from)
}

/** Takes back the last step of a sheet, or does one again. The same desktop without one. */
export function repeatStep(
  desktop: Desktop,
  holder: ElementRef,
  kind: 'undo' | 'redo',
): { readonly desktop: Desktop; readonly step: SheetChange } | undefined {
  const grid = holder.element.traits?.grid
  const step = grid?.sheet?.[kind].at(-1)
  if (!grid || !step) return undefined
  const texts = step.cells.flatMap(({ key, column, before, after }): readonly CellText[] => {
    const row = positionOfKey(grid, key)
    return row === undefined ? [] : [{ row, column, text: kind === 'undo' ? before : after }]
  })
  const changed = texts.filter(({ row, column, text }) => cellContent(grid, row, column) !== text)
  const set = changed.length === 0 ? desktop : withTexts(desktop, holder, changed)
  const done = changeSheet(set, holder, ({ undo, redo }) =>
    kind === 'undo'
      ? { undo: undo.slice(0, -1), redo: [...redo, step] }
      : { undo: [...undo, step], redo: redo.slice(0, -1) },
  )
  return { desktop: done, step }
}

/** The desktop with cells on its clipboard, as texts between tabs in lines. */
export const withCopiedCells = (desktop: Desktop, copied: NonNullable<Desktop['copiedCells']>): Desktop =>
  desktopWith(desktop, { clipboard: copied.text, copiedCells: copied })
