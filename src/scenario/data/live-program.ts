import type { LiveTemplates } from './live-template.ts'
import type { RecordsBinding } from './records.ts'
import type { LiveScope } from './scope.ts'

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
