import { didYouMean } from '../../base/strings.ts'
import { isFormula } from '../../desktop/model/formula-text.ts'
import { valueAt } from '../data/data-change.ts'
import { type LiveScope, typeAt } from '../data/scope.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { type Formula, parseFormula } from '../sheets/formula.ts'
import { SHEET_FUNCTIONS } from '../sheets/functions.ts'
import { createWorkbook, type SheetDefinition, type Workbook } from '../sheets/workbook.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { allWindows } from '../visit.ts'
import { type AuthoredSheet, isSheetTable, nameOfCell } from './sheet-rows.ts'

/** Finds the mistakes in tables that are sheets, and in the formulas that they start with. */
export function checkSheets(scenario: AuthoredScenario, scope: LiveScope): readonly UnlocatedProblem[] {
  const problems: UnlocatedProblem[] = []
  const report: Report = (path, message, key = false) => problems.push({ path, message, key })
  const found = sheetsIn(scenario, report)
  for (const { table, path } of found) checkTable(table, path, scope, report)
  const definitions = [...new Map(found.map(({ table }) => [table.sheet.toLowerCase(), sheetOf(table)])).values()]
  if (definitions.length > 0 && problems.length === 0) checkFormulas(createWorkbook(definitions), scope, report)
  return problems
}

type Report = (path: KeyPath, message: string, key?: boolean) => void

/** The sheet that a table is. */
const sheetOf = ({ sheet, rows, looks, columns = [] }: AuthoredSheet): SheetDefinition => ({
  name: sheet,
  variable: rows,
  fields: columns.map(({ field }) => field),
  looks,
})

/** The sheets of a scenario, in the order of the file. Undefined if no table is one. */
export function workbookOf(scenario: AuthoredScenario): Workbook | undefined {
  const sheets = new Map<string, SheetDefinition>()
  for (const { table } of sheetsIn(scenario)) {
    const name = table.sheet.toLowerCase()
    if (!sheets.has(name)) sheets.set(name, sheetOf(table))
  }
  return sheets.size === 0 ? undefined : createWorkbook([...sheets.values()])
}

interface FoundSheet {
  readonly table: AuthoredSheet
  readonly path: KeyPath
}

function sheetsIn(scenario: AuthoredScenario, report?: Report): readonly FoundSheet[] {
  const found: FoundSheet[] = []
  const visit = (element: AuthoredElement, path: KeyPath): void => {
    if (isSheetTable(element)) {
      const other = found.find(({ table }) => table.sheet.toLowerCase() === element.sheet.toLowerCase())
      if (other && !isSameSheet(sheetOf(other.table), sheetOf(element)))
        report?.([...path, 'sheet'], `another table with other rows or columns is the sheet ${element.sheet}`)
      found.push({ table: element, path })
    }
    element.children?.forEach((child, index) => {
      visit(child, [...path, 'children', index])
    })
  }
  for (const { window, path } of allWindows(scenario)) if (window.tree) visit(window.tree, [...path, 'tree'])
  return found
}

const isSameSheet = (a: SheetDefinition, b: SheetDefinition): boolean =>
  a.variable === b.variable && a.fields.join(' ') === b.fields.join(' ')

/** Keys that would show other cells than those that references mean. */
const OTHER_ORDER = ['filter', 'sort_by', 'page_size', 'unread_where'] as const

const SHEET_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]*$/u

function checkTable(table: AuthoredSheet, path: KeyPath, scope: LiveScope, report: Report): void {
  if (!SHEET_NAME.test(table.sheet))
    report(
      [...path, 'sheet'],
      `${JSON.stringify(table.sheet)} is not a name of a sheet; expected letters, digits, spaces and _ . -`,
    )
  for (const key of OTHER_ORDER)
    if (table[key] !== undefined)
      report([...path, key], `references to cells of a sheet count its records in their order; leave out ${key}`, true)
  if (table.looks !== undefined) checkLooks(table.looks, [...path, 'looks'], scope, report)
  if (table.key === undefined) report(path, 'a sheet needs key, the field that identifies its records')
  const type = typeAt(scope.vars, table.rows)
  const items = type?.kind === 'list' ? type.items : undefined
  table.columns?.forEach(({ field, formula, role, sortable, total, editable }, index) => {
    const at = [...path, 'columns', index]
    if (formula !== undefined)
      report([...at, 'formula'], 'a column of a sheet has formulas in its cells; leave it out', true)
    if (role !== undefined) report([...at, 'role'], 'the cells of a sheet are texts; leave it out', true)
    if (sortable !== undefined)
      report([...at, 'sortable'], 'references count records in their order; leave it out', true)
    if (total !== undefined) report([...at, 'total'], 'write the total of a sheet as a formula in a record', true)
    const kind = items?.kind === 'record' ? items.fields[field]?.kind : undefined
    if (editable && kind !== undefined && kind !== 'string' && kind !== 'any')
      report(
        [...at, 'editable'],
        `${field} holds no texts, and formulas are texts; write its values as texts, such as "12"`,
      )
  })
}

/** The fields of the records of `looks`, with their types. */
const LOOK_FIELDS = { id: 'string', bold: 'bool', format: 'string' } as const

function checkLooks(variable: string, path: KeyPath, scope: LiveScope, report: Report): void {
  const type = typeAt(scope.vars, variable)
  const fields = type?.kind === 'list' && type.items.kind === 'record' ? type.items.fields : undefined
  const wrong = Object.entries(LOOK_FIELDS).find(([field, kind]) => fields?.[field]?.kind !== kind)
  const isColourWrong = ['fill', 'ink'].some((field) => (fields?.[field]?.kind ?? 'string') !== 'string')
  if (wrong || isColourWrong)
    report(
      path,
      `${variable} does not hold records with the texts id and format, and bold, which is true or false; such as [{id: 1.a, bold: true, format: ""}]`,
    )
}

/** Checks the formulas that the variables hold at the start. */
function checkFormulas(workbook: Workbook, scope: LiveScope, report: Report): void {
  const lists = workbook.sheets.map(({ variable }) => {
    const value = valueAt(scope.initial, variable)
    return value !== null && isList(value) ? value : []
  })
  let isRead = true
  for (const [sheet, { name, variable, fields }] of workbook.sheets.entries())
    for (const [row, record] of lists[sheet]!.entries())
      for (const [column, field] of fields.entries()) {
        const content = contentOf(record, field)
        const wrong = content === undefined ? undefined : problemOf(content, workbook)
        if (wrong === undefined) continue
        isRead = false
        report(
          ['vars', ...variable.split('.'), row, field],
          `in the formula of ${nameOfCell(name, column, row)}: ${wrong}`,
        )
      }
  if (isRead) checkCircles(workbook, lists, report)
}

const contentOf = (record: DataValue, field: string): string | undefined => {
  const value = typeof record === 'object' && record !== null && !isList(record) ? record[field] : undefined
  return typeof value === 'string' && isFormula(value) ? value : undefined
}

/** What is wrong with a formula, with the column of the text where it is. */
function problemOf(content: string, workbook: Workbook): string | undefined {
  const formula = parseFormula(content)
  if ('message' in formula) return `${formula.message}, at character ${formula.start + 1} of ${content}`
  return unknownIn(formula, workbook)
}

function unknownIn({ calls, unknown, areas }: Formula, workbook: Workbook): string | undefined {
  for (const call of calls)
    if (!SHEET_FUNCTIONS.has(call.replace(/^_XLFN\./, '')))
      return `there is no function ${call}${didYouMean(call, [...SHEET_FUNCTIONS.keys()])}`
  const [name] = unknown
  if (name) return `${name.name} is not a cell; expected a reference such as B2, or a text in quotes`
  const sheet = areas.find((area) => area.sheet !== undefined && workbook.indexOf(area.sheet) === undefined)?.sheet
  if (sheet === undefined) return undefined
  const names = workbook.sheets.map((each) => each.name)
  return `there is no sheet ${sheet}${didYouMean(sheet, names) || `; the sheets are ${names.join(', ')}`}`
}

function checkCircles(workbook: Workbook, lists: readonly (readonly DataValue[])[], report: Report): void {
  const { order } = workbook.calculate(lists, { nowMs: 0, seed: 0 })
  for (const { blocked, sheet, row, column } of order) {
    if (!blocked) continue
    const { name, variable, fields } = workbook.sheets[sheet]!
    const why =
      blocked.code === '#NUM!'
        ? 'reads too many cells, or is one too many'
        : 'reads itself, directly or through other cells'
    const cell = nameOfCell(name, column, row)
    report(['vars', ...variable.split('.'), row, fields[column]!], `the formula of ${cell} ${why}`)
    return
  }
}
