import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern/pattern.ts'
import type { AnswerOracle } from '../schema/oracles.ts'
import { type Finding, failed } from './predicate.ts'
import type { ScenarioView } from './result.ts'

const MAX_SHOWN = 1000

/** Compares the text that the agent gave with `finish`. */
export function evaluateAnswer(oracle: AnswerOracle, view: ScenarioView): Finding {
  const { equals, matches, expression } = oracle
  const finish = view.finish?.()
  if (!finish) return failed('the agent has not called finish')
  const answer = finish.text.trim()
  const passed =
    (equals === undefined || answer === equals.trim()) &&
    (matches === undefined || compilePattern(matches).search(finish.text)) &&
    (expression === undefined || holds(oracle, view, finish.text))
  return { passed, observed: { actual: answer.slice(0, MAX_SHOWN) } }
}

function holds(oracle: AnswerOracle, { onAnswer }: ScenarioView, text: string): boolean {
  if (!onAnswer) throw new Fault('PredicateUnsupported', 'this predicate needs a running scenario')
  return onAnswer(oracle, text).passed
}
