import { Fault } from '../../base/fault.ts'
import { evaluateLive, type LocalNames } from '../data/evaluate.ts'
import { evaluateTemplate } from '../data/live-template.ts'
import { createScope, type LiveScope } from '../data/scope.ts'
import { type DataValue, mapFields, textOfValue, typeOf } from '../expression/data-type.ts'
import { liveContext } from '../run/live-context.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { Scenario } from '../scenario.ts'
import type { LoopNames, SolutionEvaluator } from './program.ts'

/** Evaluates the expressions and templates of a solution on a run as it is at each moment. */
export const solutionEvaluator = (desktop: { readonly run: ScenarioRun }): SolutionEvaluator => ({
  value: (expression, names) => valueNow(desktop.run, expression, names),
  fill: (text, names) => filledNow(desktop.run, text, names),
})

const localsOf = (names: LoopNames): LocalNames => ({ types: mapFields(names, typeOf), values: names })

const scopes = new WeakMap<Scenario, LiveScope>()

/** The scope of a scenario that evaluates nothing while it runs. */
function emptyScopeOf(scenario: Scenario): LiveScope {
  const scope = scopes.get(scenario) ?? createScope({ initial: scenario.data })
  scopes.set(scenario, scope)
  return scope
}

function valueNow(run: ScenarioRun, expression: string, names: LoopNames): DataValue {
  const scope = run.scenario.program?.scope ?? emptyScopeOf(run.scenario)
  const result = evaluateLive(scope, expression, liveContext(run), localsOf(names))
  if ('message' in result) throw new Fault('BadRequest', `${expression}: ${result.message}`)
  return result.value instanceof Date ? textOfValue(result.value) : result.value
}

function filledNow(run: ScenarioRun, text: string, names: LoopNames): DataValue {
  const { program } = run.scenario
  return program ? evaluateTemplate(program, text, liveContext(run), { locals: localsOf(names) }).value : text
}
