import type { Desktop } from '../../desktop/model/desktop.ts'
import { changeData, type DataResult } from '../data/data-change.ts'
import { parseTyped, type RunData } from '../data/run-data.ts'
import { type LiveContext, type LiveScope, recordsType, typeAt } from '../data/scope.ts'
import { type DataType, type DataValue, textOfValue } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import type { AuthoredElement, AuthoredWindow } from '../schema/element.ts'
import type { Workbook } from '../sheets/workbook.ts'
import type { LiveTemplates } from './live-template.ts'

/** What a scenario evaluates while it runs. Scenarios without variables and live expressions have none. */
export interface LiveProgram {
  readonly scope: LiveScope
  readonly templates: LiveTemplates
  readonly bindings: readonly FieldBinding[]
  readonly inputs: readonly InputBinding[]
  readonly records: readonly RecordsBinding[]
  /** The sheets whose cells take formulas. Undefined without any. */
  readonly workbook: Workbook | undefined
  /** The fields that show and edit the current cell of a sheet. */
  readonly formulaBars: readonly FormulaBar[]
  readonly hosts: readonly LiveHost[]
  readonly windows: readonly WindowTemplate[]
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
  'rich',
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

/** The field above a sheet that shows what was typed into the current cell, and in which that is edited. */
export interface FormulaBar extends BoundPlace {
  readonly element: string
  /** The id of the table. */
  readonly table: string
}

/** An element of the file some of whose children the running scenario makes of its data. */
export interface LiveHost {
  /** The state that has the element; undefined for windows of all states. */
  readonly state: string | undefined
  readonly window: string
  readonly element: string
  /** Its children in their order in the file: the ids of those that are always there, and templates of the others. */
  readonly children: readonly (string | ElementTemplate)[]
  /** The names that the children depend on. */
  readonly names: ReadonlySet<string>
  readonly readsScreen: boolean
  /** Whether some of the children are made only while they are in view. */
  readonly isVirtual: boolean
}

/** An element that is there while a condition holds, or once for each item of a list. */
export interface ElementTemplate {
  /** As written, without its live fields and its children. */
  readonly fixed: AuthoredElement
  readonly id: string | undefined
  /** Its position in the file, such as `root.2`; inside of an item, its index in its parent. */
  readonly position: string
  readonly repeat: RepeatTemplate | undefined
  readonly condition: string | undefined
  readonly fields: readonly FieldTemplate[]
  readonly bind: BindTemplate | undefined
  readonly children: readonly ElementTemplate[]
  /** The names of items in its expressions, with their types. */
  readonly locals: NameTypes
  /** The names that one instance depends on, with its children. */
  readonly inputs: readonly string[]
  /** The names that all its instances depend on: without its item, with those of its list. */
  readonly names: readonly string[]
  readonly readsScreen: boolean
  /** Whether it is one of the items in view of a list, or has such a list in it. */
  readonly isVirtual: boolean
  /** The uid in the file of the window whose root it is. */
  readonly window?: string | undefined
}

/** A window of a state that is there while a condition holds, or once for each item of a list. */
export interface WindowTemplate {
  readonly state: string
  /** As written. Windows of a `repeat` have the key of their item after it. */
  readonly uid: string
  /** Its index among the windows of its state. */
  readonly position: number
  readonly condition: string | undefined
  /** The names that decide which windows there are, and what those of a `repeat` show. */
  readonly names: ReadonlySet<string>
  readonly closing: Closing
  /** The windows of a `repeat`. Without it, the window is built like any other. */
  readonly items: ItemWindows | undefined
}

/** A side of the bounds of windows for items that depends on the item. */
export interface LiveSide {
  readonly state: string
  /** The uid in the file. */
  readonly window: string
  readonly side: string
  readonly text: string
  /** Its value for the first item at the start, which the file has in its place. */
  readonly first: number
}

/** What closing a window does to the data that it follows. */
export type Closing =
  | { readonly kind: 'remove' }
  | { readonly kind: 'clear'; readonly variable: string }
  /** Reactions of the file decide. */
  | { readonly kind: 'react' }

/** The windows of a `repeat`. */
export interface ItemWindows {
  /** As written, without its tree. Texts may be live. */
  readonly fixed: Omit<AuthoredWindow, 'tree' | 'repeat' | 'if'>
  /** The tree, once for each item. The ids in it have no key, since each window has its own. */
  readonly root: ElementTemplate & { readonly repeat: RepeatTemplate }
  readonly sides: readonly LiveSide[]
}

/** The items of a template. */
export interface RepeatTemplate {
  readonly of: string
  /** The names that `of` and `page` depend on. */
  readonly names: readonly string[]
  /** The names of the item in expressions, and in `event.items`. */
  readonly as: string
  readonly name: string
  /** The field that identifies records. */
  readonly key: string
  readonly sortBy: string | undefined
  readonly descending: boolean
  readonly page: string | undefined
  readonly pageSize: number | undefined
  /** The distance of two items in pixels, if only those in view are made. */
  readonly itemHeight: number | undefined
  /** The list whose items these are, if they can be written. */
  readonly source: PlaceTemplate | undefined
}

/** A list in the data, or in an item around. */
export interface PlaceTemplate {
  /** The name of the variable, or of the item. */
  readonly root: string
  readonly isItem: boolean
  readonly fields: readonly string[]
}

/** A field of a template that shows the data. */
export interface FieldTemplate {
  readonly key: string
  readonly text: string
  readonly isText: boolean
}

/** What a template is bound to. */
export interface BindTemplate extends PlaceTemplate {
  readonly field: InputField
  readonly type: DataType
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
