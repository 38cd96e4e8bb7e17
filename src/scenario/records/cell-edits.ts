import type { CellEdit, Desktop } from '../../desktop/model/desktop.ts'
import { fieldOf, valueAt } from '../data/data-change.ts'
import type { RunData } from '../data/run-data.ts'
import type { LiveContext, LiveScope } from '../data/scope.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { editRecord, type RecordsBinding } from '../live/live-program.ts'
import { recordWithKey } from './record-entries.ts'

/** Data after edits of cells, and why some of the edits were refused. */
export interface EditedData {
  readonly data: RunData
  readonly refused: readonly string[]
}

/** Writes the edits of cells to the records that the cells show. */
export function writeCellEdits(
  elements: readonly RecordsBinding[],
  scope: LiveScope,
  data: RunData,
  edits: readonly CellEdit[],
): EditedData {
  let current = data
  const refused: string[] = []
  for (const edit of edits) {
    const on = elementShowing(elements, edit.window, edit.element)
    const record = on && recordOf(on, current, edit.key)
    if (!on?.key || !record) continue
    const result = editRecord(scope, current, {
      variable: on.variable,
      keyField: on.key,
      key: fieldOf(record, on.key),
      field: edit.field,
      text: edit.text,
    })
    if ('message' in result) refused.push(result.message)
    else current = result.data
  }
  return { data: current, refused }
}

/** The desktop in which the edited tables show their records, also where an edit was refused. */
export function withEditedTables(
  elements: readonly RecordsBinding[],
  desktop: Desktop,
  edits: readonly CellEdit[],
  context: LiveContext,
): Desktop {
  return edits.reduce((next, edit) => {
    const on = elementShowing(elements, edit.window, edit.element)
    return on ? on.refresh(next, recordsOf(context.data, on.variable), context) : next
  }, desktop)
}

/** The record of the row or cell with an id; undefined for other elements. */
export function recordOfTarget(
  elements: readonly RecordsBinding[],
  data: RunData,
  window: string,
  id: string,
): DataValue | undefined {
  const on = elements.find((each) => each.window === window && id.startsWith(`${each.element}.row-`))
  const rest = on && id.slice(`${on.element}.row-`.length)
  if (!on || rest === undefined) return undefined
  // Behind the key are the column of a cell, and of a control its own part. A key may have dots too.
  for (let end = rest.length; end > 0; end = rest.lastIndexOf('.', end - 1)) {
    const record = recordOf(on, data, rest.slice(0, end))
    if (record) return record
  }
  return undefined
}

const elementShowing = (
  elements: readonly RecordsBinding[],
  window: string,
  element: string,
): RecordsBinding | undefined => elements.find((each) => each.window === window && each.element === element)

const recordOf = (on: RecordsBinding, data: RunData, key: string): DataValue | undefined =>
  recordWithKey(recordsOf(data, on.variable), on.key, key)

/** The records of a variable; none if it holds something else. */
export function recordsOf(data: RunData, variable: string): readonly DataValue[] {
  const value = valueAt(data, variable)
  return value !== null && isList(value) ? value : []
}
