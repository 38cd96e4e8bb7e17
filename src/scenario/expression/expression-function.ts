import type { Random } from '../../base/random.ts'
import type { EvaluationBudget } from './budget.ts'

/** What expressions read from the screen of a running scenario. Elements that do not exist have empty values. */
export interface ScreenReader {
  value(id: string): string
  name(id: string): string
  /** Whether an element is selected; for a list, tree or row of tabs, the name of its selected item. */
  selected(id: string): boolean | string
  /** The current cell of a table, such as B3, and its text. Empty without one. */
  cell(id: string): { readonly name: string; readonly text: string }
  exists(id: string): boolean
  /** The number of elements that a selector matches in all windows. Throws `BadRequest` for an invalid selector. */
  count(selector: string): number
  /** How often an event has happened. */
  happened(name: string): number
}

/** What the functions of a running expression may use. */
export interface EvaluationContext {
  budget: EvaluationBudget
  /** Undefined where an expression must not depend on the seed. */
  random: Random | undefined
  /** Undefined where there is no screen, such as while a scenario is loaded. */
  screen?: ScreenReader | undefined
}

/** A function of the expression language. */
export interface ExpressionFunction {
  /** In CEL's notation. */
  readonly signature: string
  readonly description: string
  readonly example: string
  readonly call: (runtime: EvaluationContext, ...args: never[]) => unknown
}
