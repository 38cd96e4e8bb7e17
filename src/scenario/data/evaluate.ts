import { Fault } from '../../base/fault.ts'
import type { Random } from '../../base/random.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { type Evaluated, type Expression, isProblem, type Values } from '../expression/expression.ts'
import type { ScreenReader } from '../expression/expression-function.ts'
import { type EventValues, NO_EVENT } from './live-names.ts'
import type { RunData } from './run-data.ts'
import type { LiveScope } from './scope.ts'

/** The moment at which live expressions are evaluated. */
export interface LiveContext {
  readonly data: RunData
  /** The state that the run is in. */
  readonly state: string
  /** The time of the scenario's clock, in milliseconds. */
  readonly nowMs: number
  /** The time at which the run started, on the same clock. */
  readonly startMs: number
  /** Undefined where there is no screen yet. */
  readonly screen: ScreenReader | undefined
  readonly event?: EventValues | undefined
}

/** Names of one place beside those of the scenario, such as `row`, with their types and values. */
export interface LocalNames {
  readonly types: NameTypes
  readonly values: Values
}

/** The value of an expression, or why it has none. */
export type LiveResult = Evaluated | { readonly message: string }

/**
 * Evaluates an expression of a running scenario.
 * @param text An expression without braces.
 * @param locals Names of this place, such as `row`.
 * @param random The generator that `pick` and its like draw from. Left out, they have no value.
 */
export function evaluateLive(
  scope: LiveScope,
  text: string,
  context: LiveContext,
  locals?: LocalNames,
  random?: Random,
): LiveResult {
  const expression = scope.compile(text, locals?.types)
  if (isProblem(expression)) return { message: expression.message }
  try {
    return expression.evaluate(valuesOf(scope, expression, context, locals), random, context.screen)
  } catch (error) {
    if (error instanceof Fault) return { message: error.message }
    throw error
  }
}

/** Whether a condition holds. A condition without a value does not. */
export function conditionHolds(scope: LiveScope, text: string, context: LiveContext, locals?: LocalNames): boolean {
  const result = evaluateLive(scope, text, context, locals)
  return 'value' in result && result.value === true
}

/** The values of the names that an expression mentions. */
function valuesOf(
  scope: LiveScope,
  { names }: Expression,
  context: LiveContext,
  locals: LocalNames | undefined,
): Values {
  const values: Record<string, DataValue | Date> = {}
  for (const name of names) {
    if (locals && Object.hasOwn(locals.types, name)) values[name] = locals.values[name] ?? null
    else if (Object.hasOwn(OWN_NAMES, name)) values[name] = OWN_NAMES[name]!(context, scope)
    else values[name] = (Object.hasOwn(scope.vars, name) ? context.data : scope.constants)[name] ?? null
  }
  return values
}

const OWN_NAMES: Readonly<Record<string, (context: LiveContext, scope: LiveScope) => DataValue | Date>> = {
  now: ({ nowMs }) => new Date(nowMs),
  start_time: ({ startMs }) => new Date(startMs),
  state: ({ state }) => state,
  event: ({ event = NO_EVENT }) => event as unknown as DataValue,
  initial: (_, { initial }) => initial,
}
