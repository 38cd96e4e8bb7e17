import {
  cellNamed,
  contentAfterShift,
  isFormula,
  type LineShift,
  movedContent,
} from '../../desktop/model/formula-text.ts'
import { changeData, valueAt } from '../data/data-change.ts'
import type { RunData } from '../data/run-data.ts'
import type { LiveScope } from '../data/scope.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import type { Workbook } from './workbook.ts'

/**
 * The data with references that follow their cells after records of a sheet were inserted or removed. Data that would become too
 * large keep their references.
 */
export function withShiftedReferences(
  workbook: Workbook,
  scope: LiveScope,
  before: RunData,
  after: RunData,
  variable: string,
): RunData {
  const [were, are] = [listAt(before, variable), listAt(after, variable)]
  if (were.length === are.length) return after
  return withReferences(workbook, scope, after, variable, shiftsBetween(were, are))
}

/** The data with references that follow lines of the sheets of a variable. */
function withReferences(
  workbook: Workbook,
  scope: LiveScope,
  after: RunData,
  variable: string,
  shifts: readonly Shift[],
): RunData {
  const moved = workbook.sheets.filter((sheet) => sheet.variable === variable)
  let data = after
  for (const { name, variable: own, fields } of workbook.sheets) {
    const follow = (content: string) =>
      moved.reduce(
        (text, sheet) =>
          shifts.reduce((now, shift) => contentAfterShift(now, name, { ...shift, sheet: sheet.name }), text),
        content,
      )
    const list = listAt(data, own)
    const next = list.map((record) => withContents(record, fields, follow))
    if (next.every((record, index) => record === list[index])) continue
    const result = changeData(scope, data, { var: own, to: next })
    if ('data' in result) data = result.data
  }
  return data
}

/**
 * The data with an empty column before the one with a letter, or without that column. Contents and looks behind it move by one
 * column, and references follow. The number of columns stays, so nothing is inserted while the last one has contents.
 */
export function withColumn(
  workbook: Workbook,
  scope: LiveScope,
  data: RunData,
  { variable, letter, isNew }: { readonly variable: string; readonly letter: string; readonly isNew: boolean },
): { readonly data: RunData } | { readonly message: string } {
  const sheet = workbook.sheets.find((each) => each.variable === variable)
  if (!sheet) return { message: `${variable} is not the rows of a sheet` }
  const { fields, looks } = sheet
  const start = cellNamed(`${letter.trim()}1`)?.column ?? -1
  const last = fields.length - 1
  if (start < 0 || start > last) return { message: `the sheet has no column ${JSON.stringify(letter)}` }
  const records = listAt(data, variable) as readonly DataRecord[]
  if (isNew && records.some((record) => (record[fields[last]!] ?? '') !== ''))
    return { message: 'the last column has contents, which would be lost' }
  /** The field whose content comes into a field. Undefined for an empty one. */
  const sourceOf = (index: number) => (index < start ? fields[index] : fields[isNew ? index - 1 : index + 1])
  const next = records.map((record) => {
    const contents = fields.map((field, index) => {
      const source = isNew && index === start ? undefined : sourceOf(index)
      return [field, source === undefined ? '' : record[source]!] as const
    })
    return { ...record, ...Object.fromEntries(contents) }
  })
  const result = changeData(scope, data, { var: variable, to: next })
  if ('message' in result) return result
  const styled = looks === undefined ? result : withLooks(scope, result.data, looks, { fields, start, isNew })
  if ('message' in styled) return styled
  const shift = { axis: 'column', start, removed: isNew ? 0 : 1, inserted: isNew ? 1 : 0 } as const
  return { data: withReferences(workbook, scope, styled.data, variable, [shift]) }
}

type DataRecord = Readonly<Record<string, DataValue>>

/** Moves the looks of cells with their columns. Those of a removed column go. */
function withLooks(
  scope: LiveScope,
  data: RunData,
  looks: string,
  { fields, start, isNew }: { readonly fields: readonly string[]; readonly start: number; readonly isNew: boolean },
) {
  const moved = (listAt(data, looks) as readonly DataRecord[]).flatMap((look) => {
    const cell = String(look.id)
    const dot = cell.lastIndexOf('.')
    const index = fields.indexOf(cell.slice(dot + 1))
    if (index < start) return [look]
    const field = !isNew && index === start ? undefined : fields[isNew ? index + 1 : index - 1]
    return field === undefined ? [] : [{ ...look, id: `${cell.slice(0, dot)}.${field}` }]
  })
  return changeData(scope, data, { var: looks, to: moved })
}

/** The data with the formulas of records that were sorted, which moved as copied cells do. */
export function withSortedReferences(
  workbook: Workbook,
  scope: LiveScope,
  before: RunData,
  after: RunData,
  variable: string,
): RunData {
  const fields = workbook.sheets.find((sheet) => sheet.variable === variable)?.fields
  if (!fields) return after
  const places = new Map(listAt(before, variable).map((record, index) => [record, index]))
  const list = listAt(after, variable)
  const next = list.map((record, index) =>
    withContents(record, fields, (content) => movedContent(content, index - (places.get(record) ?? index), 0)),
  )
  if (next.every((record, index) => record === list[index])) return after
  const result = changeData(scope, after, { var: variable, to: next })
  return 'data' in result ? result.data : after
}

type Shift = Omit<LineShift, 'sheet'>

/** The runs of records that are gone, the last one first, and then those that are new. */
function shiftsBetween(were: readonly DataValue[], are: readonly DataValue[]): readonly Shift[] {
  const [before, after] = [new Set(were), new Set(are)]
  const gone = runsOf(were, (record) => !after.has(record)).map(({ start, count }) => ({
    start,
    removed: count,
    inserted: 0,
  }))
  const come = runsOf(are, (record) => !before.has(record)).map(({ start, count }) => ({
    start,
    removed: 0,
    inserted: count,
  }))
  return [...gone.reverse(), ...come]
}

/** Where records next to each other fit a condition. */
function runsOf(list: readonly DataValue[], fits: (record: DataValue) => boolean) {
  const runs: { start: number; count: number }[] = []
  for (const [index, record] of list.entries()) {
    const last = runs.at(-1)
    if (!fits(record)) continue
    if (last && last.start + last.count === index) last.count++
    else runs.push({ start: index, count: 1 })
  }
  return runs
}

const NONE: readonly DataValue[] = []

function listAt(data: RunData, variable: string): readonly DataValue[] {
  const value = valueAt(data, variable)
  return value !== null && isList(value) ? value : NONE
}

/** A record with other formulas; the same one if none of them changes. */
function withContents(record: DataValue, fields: readonly string[], change: (content: string) => string): DataValue {
  if (typeof record !== 'object' || record === null || isList(record)) return record
  const changes = fields.flatMap((field): readonly [string, string][] => {
    const content = record[field]
    const next = typeof content === 'string' && isFormula(content) ? change(content) : content
    return typeof next === 'string' && next !== content ? [[field, next]] : []
  })
  return changes.length === 0 ? record : { ...record, ...Object.fromEntries(changes) }
}
