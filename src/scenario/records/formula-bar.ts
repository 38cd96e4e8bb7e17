import type { Action } from '../../desktop/input/action.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import { type CellEdit, type Desktop, desktopWith, windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, nodeById } from '../../desktop/model/element.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { refOf, refresh } from '../../desktop/tree/element-ref.ts'
import { goToGridCell, setCellText } from '../../desktop/widgets/cell-cursor.ts'
import { currentCellOf } from '../../desktop/widgets/grid-cells.ts'
import { focusElement } from '../../desktop/windows/focus.ts'
import type { FormulaBar } from '../live/live-program.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { AuthoredElement } from '../schema/element.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { windowsInStates, windowsToOpen } from '../visit.ts'
import { isSheetTable } from './sheet-rows.ts'

/** The formula bars of a scenario: fields with `sheet`. */
export function formulaBarsOf(
  scenario: AuthoredScenario,
  report?: (problem: UnlocatedProblem) => void,
): readonly FormulaBar[] {
  const windows = [
    ...windowsInStates(scenario).map((each) => ({ ...each, state: String(each.path[1]) })),
    ...windowsToOpen(scenario).map((each) => ({ ...each, state: undefined })),
  ]
  return windows.flatMap(({ window, uid, path, state }) => {
    const tables: AuthoredElement[] = []
    const fields: { readonly field: AuthoredElement; readonly at: KeyPath }[] = []
    const visit = (element: AuthoredElement, at: KeyPath): void => {
      if (isSheetTable(element)) tables.push(element)
      else if (element.sheet !== undefined && roleKind(element.role ?? '') === 'edit')
        fields.push({ field: element, at })
      element.children?.forEach((child, index) => {
        visit(child, [...at, 'children', index])
      })
    }
    if (window.tree) visit(window.tree, [...path, 'tree'])
    return fields.flatMap(({ field: { id, sheet, value, bind }, at }): readonly FormulaBar[] => {
      const table = tables.find((each) => each.sheet?.toLowerCase() === sheet!.toLowerCase())
      const problem = (message: string, key: string) => report?.({ path: [...at, key], message, key: true })
      if (id === undefined) report?.({ path: at, message: 'a field that edits the cells of a sheet needs an id' })
      if (!table) problem(`the window has no table that is the sheet ${sheet}`, 'sheet')
      else if (table.id === undefined) problem(`the table of the sheet ${sheet} needs an id`, 'sheet')
      if (value !== undefined || bind !== undefined)
        problem('the field shows the current cell of the sheet; leave it out', value === undefined ? 'bind' : 'value')
      return id === undefined || table?.id === undefined ? [] : [{ state, window: uid, element: id, table: table.id }]
    })
  })
}

/** The desktop after an action in which a formula bar was left, with the edits of cells that this made. */
export interface BarEdits {
  readonly desktop: Desktop
  readonly edits: readonly CellEdit[]
}

/**
 * Ends edits in formula bars: Enter writes the text into the cell and goes to the one below, leaving the field writes it, Escape
 * discards it.
 */
export function endBarEdits(bars: readonly FormulaBar[], before: Desktop, after: Desktop, action: Action): BarEdits {
  return bars.reduce<BarEdits>(
    (done, bar) => {
      const next = endBarEdit(bar, before, done.desktop, action)
      return { desktop: next.desktop, edits: [...done.edits, ...next.edits] }
    },
    { desktop: after, edits: [] },
  )
}

function endBarEdit({ window, element, table }: FormulaBar, before: Desktop, after: Desktop, action: Action): BarEdits {
  const nothing = { desktop: after, edits: [] }
  const [was, is] = [windowByUid(before, window), windowByUid(after, window)]
  const [sheet, field] = [was && nodeById(was.tree, table), is && nodeById(is.tree, element)]
  const grid = sheet?.traits?.grid
  if (!was || !is || !grid || !field) return nothing
  const isFocused = before.active === window && was.focus === element
  const isSet = (action.type === 'set_value' || action.type === 'clear_text') && action.target.element === element
  const key = action.type === 'key' && isFocused ? parseChord(action.keys) : undefined
  const pressed = key?.modifiers.length === 0 ? key.key : ''
  const hasLeft = isFocused && (after.active !== window || is.focus !== element)
  if (pressed !== 'enter' && pressed !== 'escape' && !hasLeft && !isSet) return nothing
  const text = pressed === 'escape' ? contentOf(sheet) : (field.value ?? '')
  const cell = { row: grid.current, column: grid.column }
  const isChanged = text !== contentOf(sheet) && grid.columns[cell.column]?.editable === true && cell.row >= 0
  const written = isChanged
    ? inTable(after, window, table, (desktop, ref) => setCellText(desktop, ref, cell, text))
    : after
  const edits = written.cellEdits ?? []
  const clean = written.cellEdits ? desktopWith(written, { cellEdits: undefined }) : written
  if (pressed !== 'enter' && pressed !== 'escape') return { desktop: clean, edits }
  const row = pressed === 'enter' ? Math.min(cell.row + 1, grid.order.length - 1) : cell.row
  const gone = inTable(clean, window, table, (desktop, ref) => goToGridCell(desktop, ref, { ...cell, row }))
  return { desktop: focusElement(gone, { window, element: table }), edits }
}

type TableRef = NonNullable<ReturnType<typeof refOf>>

function inTable(
  desktop: Desktop,
  window: string,
  element: string,
  change: (desktop: Desktop, ref: TableRef) => Desktop,
): Desktop {
  const shown = windowByUid(desktop, window)
  if (!shown || !nodeById(shown.tree, element)) return desktop
  const ref = refOf(desktop, { window, element })
  return change(desktop, refresh(desktop, ref) ?? ref)
}

const contentOf = (table: Element): string => currentCellOf(table)?.content ?? ''

/** What a formula bar shows after an action. Undefined if it stays as it is, as while its text is edited. */
export function textOfBar({ window, element, table }: FormulaBar, before: Desktop, after: Desktop): string | undefined {
  const shown = windowByUid(after, window)
  const [sheet, field] = [shown && nodeById(shown.tree, table), shown && nodeById(shown.tree, element)]
  if (!shown || !sheet || !field) return undefined
  const content = contentOf(sheet)
  if ((field.value ?? '') === content) return undefined
  const earlier = windowByUid(before, window)
  const was = earlier && nodeById(earlier.tree, table)
  const isEdited = after.active === window && shown.focus === element && was && contentOf(was) === content
  return isEdited ? undefined : content
}
