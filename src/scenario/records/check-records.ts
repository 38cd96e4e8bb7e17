import { didYouMean } from '../../base/strings.ts'
import { misspeltRole, roleKind } from '../../desktop/model/role.ts'
import { nameOfType } from '../data/run-data.ts'
import { type LiveScope, typeAt, unknownVariable } from '../data/scope.ts'
import type { DataType } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { isProblem } from '../expression/expression.ts'
import { SCREEN_FUNCTION_NAMES } from '../expression/functions.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import { type AuthoredElement, type TableColumn, tableFields } from '../schema/element.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { allWindows, forEachEffect } from '../visit.ts'
import { cellFormat } from './record-row.ts'
import { isTable, showsRecords } from './records-grid.ts'
import { expressionsIn } from './records-rows.ts'

/** Finds the mistakes in tables and lists that show records. */
export function checkRecords(scenario: AuthoredScenario, scope: LiveScope): readonly UnlocatedProblem[] {
  const problems: UnlocatedProblem[] = []
  const report: Report = (path, message, key = false) => problems.push({ path, message, key })
  for (const { window, path } of allWindows(scenario))
    if (window.tree) checkElement(window.tree, [...path, 'tree'], scope, report)
  forEachEffect(scenario, (effect, path) => {
    if (!('append' in effect) || !Array.isArray(effect.append)) return
    effect.append.forEach((element: AuthoredElement, index: number) => {
      refuseAppended(element, [...path, 'append', index], report)
    })
  })
  return problems
}

type Report = (path: KeyPath, message: string, key?: boolean) => void

/** Keys that only elements with records have. */
const KEYS = Object.keys(tableFields) as (keyof typeof tableFields)[]
const TABLE_KEYS: ReadonlySet<string> = new Set([
  'columns',
  'frozen',
  'looks',
  'page_size',
  'row_headers',
  'select',
  'sheet',
  'unread_where',
])

function checkElement(element: AuthoredElement, path: KeyPath, scope: LiveScope, report: Report): void {
  const misspelt = showsRecords(element) ? misspeltRole(element.role) : undefined
  if (misspelt !== undefined) report([...path, 'role'], misspelt)
  else if (showsRecords(element)) checkShown(element, path, scope, report)
  else
    for (const key of KEYS)
      if (element[key] !== undefined && !(key === 'sheet' && roleKind(element.role ?? '') === 'edit'))
        report([...path, key], `${key} needs rows with the name of a variable, such as rows: orders`, true)
  element.children?.forEach((child, index) => {
    checkElement(child, [...path, 'children', index], scope, report)
  })
}

/** An element that an effect appends is built later, without the data. */
function refuseAppended(element: AuthoredElement, path: KeyPath, report: Report): void {
  if (showsRecords(element))
    report([...path, 'rows'], 'an appended element cannot show records; write it in the window with hidden: true')
  element.children?.forEach((child, index) => {
    refuseAppended(child, [...path, 'children', index], report)
  })
}

function checkShown(
  element: AuthoredElement & { rows: string },
  path: KeyPath,
  scope: LiveScope,
  report: Report,
): void {
  const type = typeAt(scope.vars, element.rows)
  const row = scope.rowOf(element.rows)
  if (!type) {
    report([...path, 'rows'], unknownVariable(element.rows, scope.vars, scope))
    return
  }
  if (!row) {
    report([...path, 'rows'], `${element.rows} does not hold a list of records, such as [{id: 1}, {id: 2}]`)
    return
  }
  const fields = row.row?.kind === 'record' ? row.row.fields : undefined
  if (isTable(element)) checkTable(element, path, fields, report)
  else checkList(element, path, report)
  checkField(element.key, [...path, 'key'], fields, report)
  checkField(element.sort_by, [...path, 'sort_by'], fields, report, formulasOf(element))
  const place = { scope, row, fields, report }
  refuseScreen(element.filter, [...path, 'filter'], place)
  refuseScreen(element.unread_where, [...path, 'unread_where'], place)
  for (const text of expressionsIn(element.label)) refuseScreen(text, [...path, 'label'], place)
  element.columns?.forEach((column, index) => {
    checkColumn(column, [...path, 'columns', index], place)
  })
}

type Fields = Readonly<Record<string, DataType>> | undefined

function checkTable(element: AuthoredElement, path: KeyPath, fields: Fields, report: Report): void {
  if (!element.columns)
    report(path, `a table that shows records needs columns, such as [{field: ${Object.keys(fields ?? {})[0] ?? 'id'}}]`)
  if (element.label !== undefined) report([...path, 'label'], 'label is for lists; a table has columns', true)
  if (element.key === undefined && element.columns?.some(({ editable }) => editable))
    report(path, 'a table with an editable column needs key, the field that identifies its records')
  const written = element.columns?.findIndex(({ role, formula }) => isWritten(role) && formula === undefined) ?? -1
  if (element.key === undefined && written >= 0)
    report(
      [...path, 'columns', written, 'role'],
      `the user changes records by a ${element.columns![written]!.role}; the table needs key, the field that identifies them`,
    )
  const { columns = 0 } = element.frozen ?? {}
  if (element.columns && columns >= element.columns.length)
    report(
      [...path, 'frozen', 'columns'],
      `the table has ${element.columns.length} columns, and one of them has to scroll`,
    )
  const seen = new Set<string>()
  element.columns?.forEach(({ field }, index) => {
    if (seen.has(field)) report([...path, 'columns', index, 'field'], `another column of this table is ${field}`)
    seen.add(field)
  })
}

/** Whether the user changes a record by a control. */
const isWritten = (role: TableColumn['role']): boolean => role === 'CheckBox' || role === 'ComboBox'

/** The types of values that controls show; others show any text. */
const SHOWN_BY: Partial<Record<NonNullable<TableColumn['role']>, readonly [kinds: readonly string[], words: string]>> =
  {
    CheckBox: [['bool'], 'true or false'],
    ComboBox: [['string'], 'texts'],
    ProgressBar: [['int', 'double'], 'numbers from 0 to 100'],
  }

function checkControl(column: TableColumn, path: KeyPath, { fields, scope, row, report }: ColumnPlace): void {
  const { field, formula, role, options, icon, editable } = column
  if (options !== undefined && role !== 'ComboBox') report([...path, 'options'], 'only a ComboBox has options', true)
  if (icon !== undefined && role !== 'Button' && role !== 'Image')
    report([...path, 'icon'], 'only a Button or an Image has an icon', true)
  if (role === 'ComboBox' && options === undefined)
    report([...path, 'role'], 'a ComboBox needs options, such as options: [open, shipped]')
  if (role !== undefined && editable) report([...path, 'editable'], `a ${role} has no text to edit; leave it out`, true)
  const [kinds, words] = (role && SHOWN_BY[role]) ?? []
  const expression = formula === undefined ? undefined : scope.compile(formula, row)
  const type = expression ? (isProblem(expression) ? undefined : expression.type) : fields?.[field]
  if (kinds && type && type.kind !== 'any' && !kinds.includes(type.kind))
    report([...path, 'role'], `a ${role} shows ${words}, and ${field} holds ${nameOfType(type)}`)
}

function checkList(element: AuthoredElement, path: KeyPath, report: Report): void {
  if (element.label === undefined)
    report(path, 'a list that shows records needs a label, such as label: "{{ row.name }}"')
  for (const key of KEYS)
    if (TABLE_KEYS.has(key) && element[key] !== undefined)
      report([...path, key], `${key} is for tables; write role: Table`, true)
}

const formulasOf = ({ columns }: AuthoredElement): readonly string[] =>
  (columns ?? []).flatMap(({ field, formula }) => (formula === undefined ? [] : [field]))

function checkField(
  field: string | undefined,
  path: KeyPath,
  fields: Fields,
  report: Report,
  others: readonly string[] = [],
): void {
  if (field === undefined || !fields || Object.hasOwn(fields, field) || others.includes(field)) return
  const names = Object.keys(fields)
  const hint = didYouMean(field, names) || `; they have ${names.join(', ')}`
  report(path, `the records have no field ${JSON.stringify(field)}${hint}`)
}

interface ColumnPlace {
  readonly scope: LiveScope
  readonly row: NameTypes
  readonly fields: Fields
  readonly report: Report
}

function checkColumn(column: TableColumn, path: KeyPath, place: ColumnPlace): void {
  const { fields, report } = place
  const { field, formula, format, editable } = column
  if (formula === undefined) checkField(field, [...path, 'field'], fields, report)
  else if (editable) report([...path, 'editable'], 'a column with a formula is read-only', true)
  refuseScreen(formula, [...path, 'formula'], place)
  checkControl(column, path, place)
  if (!cellFormat(format))
    report(
      [...path, 'format'],
      `${JSON.stringify(format)} is not a format; expected one such as 0, 0.00, #,##0.00, 0% or d MMM yyyy`,
    )
  const type = formula === undefined ? fields?.[field] : undefined
  const isNumeric = !type || ['int', 'double', 'any'].includes(type.kind)
  if (column.total !== undefined && column.total !== 'count' && !isNumeric)
    report([...path, 'total'], `${field} does not hold numbers; only count totals other values`)
  const isPlain = !type || (type.kind !== 'list' && type.kind !== 'record')
  if (editable && !isPlain)
    report([...path, 'editable'], `${field} holds a ${type?.kind}, which no cell can edit`, true)
}

/** Rows are computed when data change; the screen changes at other times. */
function refuseScreen(text: string | undefined, path: KeyPath, { scope, row, report }: ColumnPlace): void {
  const expression = text === undefined ? undefined : scope.compile(text, row)
  if (!expression || isProblem(expression)) return
  const read = [...expression.calls].find((name) => SCREEN_FUNCTION_NAMES.has(name))
  if (read !== undefined)
    report(path, `${read} reads the screen, and rows depend on variables only; bind the field to a variable`)
}
