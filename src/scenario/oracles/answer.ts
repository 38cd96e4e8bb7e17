import { compilePattern } from '../../base/pattern/pattern.ts'
import type { AnswerOracle } from '../schema/oracles.ts'
import { type Finding, failed, type OracleView } from './predicate.ts'

const MAX_SHOWN = 1000

/** Compares the text that the agent gave with `finish`. */
export function evaluateAnswer({ equals, matches }: AnswerOracle, view: OracleView): Finding {
  const finish = view.finish?.()
  if (!finish) return failed('the agent has not called finish')
  const answer = finish.text.trim()
  const passed =
    (equals === undefined || answer === equals.trim()) &&
    (matches === undefined || compilePattern(matches).search(finish.text))
  return { passed, observed: { actual: answer.slice(0, MAX_SHOWN) } }
}
