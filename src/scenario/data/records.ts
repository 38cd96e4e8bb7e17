import type { Desktop } from '../../desktop/model/desktop.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { changeData, type DataResult } from './data-change.ts'
import type { LiveContext } from './evaluate.ts'
import type { RunData } from './run-data.ts'
import { type LiveScope, recordsType, typeAt } from './scope.ts'
import { parseTyped } from './typed-text.ts'

/**
 * A table or list that shows the records of a variable. The run calls `refresh` when the scenario starts, when a state is
 * entered, and after an input in which one of `names` changed; never otherwise, so its cost is per change and not per step.
 */
export interface RecordsBinding {
  /** The state that has the element; undefined for windows of all states. */
  readonly state: string | undefined
  /** The uid of its window, and its id. */
  readonly window: string
  readonly element: string
  /** The variable, such as `orders`. */
  readonly variable: string
  /** The field that identifies its records. Without one they are known by their index. */
  readonly key: string | undefined
  /** The names whose changes matter: the variable, and those that its filter and its columns mention. */
  readonly names: ReadonlySet<string>
  /** The desktop in which the element shows these records. An element that is not there is skipped. */
  refresh(desktop: Desktop, records: readonly DataValue[], context: LiveContext): Desktop
}

/** A cell that the user edited: the record with this key takes a new value in a field. */
export interface RecordEdit {
  readonly variable: string
  /** The field that identifies records, and its value in this record. */
  readonly keyField: string
  readonly key: DataValue
  readonly field: string
  /** As typed; it is read as a value of the type of the field. */
  readonly text: string
}

/** Writes an edited cell to the data. The message says why the text is refused, such as letters in a number. */
export function editRecord(scope: LiveScope, data: RunData, edit: RecordEdit): DataResult {
  const { variable, keyField, key, field, text } = edit
  const record = recordsType(typeAt(scope.vars, variable))
  const type = record?.kind === 'record' ? record.fields[field] : record
  const value = type && parseTyped(text, type)
  if (value === undefined) return { message: `${JSON.stringify(text)} is not a value of ${field}` }
  return changeData(scope, data, {
    var: variable,
    where: (row) => row[keyField] === key,
    among: { field: keyField, text: textOfValue(key) },
    change: () => ({ [field]: value }),
  })
}
