import { type Awaitable, andThen } from '../../base/awaitable.ts'
import type { CombinedOracle, Oracle } from '../schema/oracles.ts'
import type { Finding } from './predicate.ts'
import type { EvaluateOracle, OracleResult, ScenarioView } from './result.ts'

const HOLDS: Readonly<Record<CombinedOracle['kind'], (results: readonly OracleResult[]) => boolean>> = {
  all: (results) => results.every(({ passed }) => passed),
  any: (results) => results.some(({ passed }) => passed),
  not: (results) => !results.some(({ passed }) => passed),
}

/** Evaluates all parts in order. The results of the parts are what was observed. */
export const evaluateCombined = (
  { kind, of }: CombinedOracle,
  view: ScenarioView,
  evaluateOracle: EvaluateOracle,
): Awaitable<Finding> =>
  andThen(resultsOf(of, view, evaluateOracle), (results) => {
    const unsupported = results.find(({ error_code }) => error_code !== undefined)
    // Without this, `not` would hold because a part cannot be evaluated here.
    if (unsupported) return { passed: false, observed: results, error_code: unsupported.error_code! }
    return { passed: HOLDS[kind](results), observed: results }
  })

function resultsOf(
  oracles: readonly Oracle[],
  view: ScenarioView,
  evaluateOracle: EvaluateOracle,
): Awaitable<readonly OracleResult[]> {
  const [first, ...others] = oracles
  if (!first) return []
  return andThen(evaluateOracle(first, view), (result) =>
    andThen(resultsOf(others, view, evaluateOracle), (more) => [result, ...more]),
  )
}
