import { Fault } from '../../base/fault.ts'
import { evaluateLive, type LiveContext } from '../data/evaluate.ts'
import { createScope, type LiveScope } from '../data/scope.ts'
import { type DataValue, mapFields, textOfValue, typeOf } from '../expression/data-type.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { Scenario } from '../scenario.ts'
import type { LoopNames, SolutionEvaluator } from './program.ts'

/** Evaluates the expressions of a solution on a run as it is at each moment. */
export const solutionEvaluator = (desktop: { readonly run: ScenarioRun }): SolutionEvaluator => ({
  value: (expression, names) => valueNow(desktop.run, expression, names),
  fill: (text) => text,
})

const scopes = new WeakMap<Scenario, LiveScope>()

function valueNow(run: ScenarioRun, expression: string, names: LoopNames): DataValue {
  const scope = scopes.get(run.scenario) ?? createScope({ initial: run.scenario.data })
  scopes.set(run.scenario, scope)
  const context: LiveContext = {
    data: run.data,
    state: run.state,
    nowMs: run.nowMs,
    startMs: 0,
    screen: undefined,
  }
  const locals = { types: mapFields(names, typeOf), values: names }
  const result = evaluateLive(scope, expression, context, locals)
  if ('message' in result) throw new Fault('BadRequest', `${expression}: ${result.message}`)
  return result.value instanceof Date ? textOfValue(result.value) : result.value
}
