import type { Desktop } from '../../desktop/model/desktop.ts'
import { changeData, type DataResult } from '../data/data-change.ts'
import { parseTyped, type RunData } from '../data/run-data.ts'
import { type LiveContext, type LiveScope, recordsType, typeAt } from '../data/scope.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import type { LiveTemplates } from './live-template.ts'

/** What a scenario evaluates while it runs. Scenarios without variables and live expressions have none. */
export interface LiveProgram {
  readonly scope: LiveScope
  readonly templates: LiveTemplates
  readonly bindings: readonly FieldBinding[]
  readonly inputs: readonly InputBinding[]
  readonly records: readonly RecordsBinding[]
  /** Whether a binding depends on the time, so that it may change without an input. */
  readonly readsTime: boolean
  /**
   * How a text with live values is written in the language of a variant, if it is shown. `template` is where an effect
   * has it from.
   */
  readonly formatText?: ((text: string, template?: string) => string) | undefined
}

/** The fields whose text is shown. */
export const SHOWN_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'placeholder',
  'subtitle',
  'toast',
])

/** Where an element or window is. */
interface BoundPlace {
  /** The state that has it; undefined for windows of all states. */
  readonly state: string | undefined
  readonly window: string
  /** Undefined: the window itself. */
  readonly element: string | undefined
}

/** A field of an element or window that shows a live template. */
export interface FieldBinding extends BoundPlace {
  /** As in `set`. */
  readonly field: string
  readonly text: string
  /** Whether the field is a text, so that other values are written as text. */
  readonly isText: boolean
  /** The names that its expressions mention. */
  readonly names: ReadonlySet<string>
  readonly readsScreen: boolean
}

/** What of an element a variable is bound to. */
export type InputField = 'value' | 'selected' | 'value_now' | 'item'

/** An element that shows a variable and writes it when the user changes it. */
export interface InputBinding extends BoundPlace {
  readonly element: string
  readonly field: InputField
  /** The variable, or a field in it such as `form.amount`. */
  readonly variable: string
}

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
