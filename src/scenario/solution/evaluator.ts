import { Fault } from '../../base/fault.ts'
import { evaluateLive } from '../data/evaluate.ts'
import { evaluateTemplate } from '../data/live-template.ts'
import { type DataValue, mapFields, textOfValue, typeOf } from '../expression/data-type.ts'
import { scopeOf } from '../oracles/scope.ts'
import { liveContext } from '../run/live-context.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { LoopNames, SolutionEvaluator } from './program.ts'

/** Evaluates the expressions of a solution on a run as it is at each moment. */
export const solutionEvaluator = (desktop: { readonly run: ScenarioRun }): SolutionEvaluator => ({
  value: (expression, names) => {
    const { run } = desktop
    const result = evaluateLive(scopeOf(run), expression, liveContext(run), localsOf(names))
    if ('message' in result) throw new Fault('BadRequest', `${expression}: ${result.message}`)
    return result.value instanceof Date ? textOfValue(result.value) : result.value
  },
  fill: (text, names): DataValue => {
    const { run } = desktop
    const { program } = run.scenario
    return program ? evaluateTemplate(program, text, liveContext(run), { locals: localsOf(names) }).value : text
  },
})

const localsOf = (names: LoopNames) => ({ types: mapFields(names, typeOf), values: names })
