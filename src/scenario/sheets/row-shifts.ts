import { contentAfterShift, isFormula, movedContent, type RowShift } from '../../desktop/model/formula-text.ts'
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
  const shifts = shiftsBetween(were, are)
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

type Shift = Omit<RowShift, 'sheet'>

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
