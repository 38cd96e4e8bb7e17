import { type Awaitable, andThen, orElse } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import type { AnswerOracle, CombinedOracle, Oracle, RunOracle } from '../schema/oracles.ts'
import { evaluateAnswer } from './answer.ts'
import { evaluateCombined } from './combined.ts'
import { evaluate, type Finding, findingOfFault, type PredicateResult } from './predicate.ts'
import type { EvaluateOracle, OracleResult, ScenarioView } from './result.ts'

/** The kinds that only scenarios have. */
type ScenarioOracle = CombinedOracle | AnswerOracle | RunOracle
type Evaluator<Kind extends ScenarioOracle> = (
  oracle: Kind,
  view: ScenarioView,
  evaluateOracle: EvaluateOracle,
) => Awaitable<Finding>

const onRun: Evaluator<RunOracle> = (oracle, view) => {
  if (!view.onRun) throw new Fault('PredicateUnsupported', 'this predicate needs a running scenario')
  return view.onRun(oracle)
}

/** A new kind is one row. */
const EVALUATORS: { readonly [Kind in ScenarioOracle['kind']]: Evaluator<Extract<ScenarioOracle, { kind: Kind }>> } = {
  all: evaluateCombined,
  any: evaluateCombined,
  not: evaluateCombined,
  answer: evaluateAnswer,
  expression: onRun,
  changes: onRun,
  event: onRun,
  never: onRun,
  before: onRun,
  at_most: onRun,
}

/**
 * Evaluates an entry of the oracles: at once on a view that answers at once. An entry that cannot be evaluated has not
 * passed, and the result has the reason.
 */
export function evaluateOracle(oracle: Oracle, view: ScenarioView): Awaitable<OracleResult> {
  const { message, weight: _, ...bare } = oracle
  const found = isScenarioOracle(oracle) ? evaluateKind(oracle, view) : evaluate(bare, view)
  return andThen(found, (result) => (message === undefined ? result : { ...result, message }))
}

const isScenarioOracle = (oracle: Oracle): oracle is ScenarioOracle => Object.hasOwn(EVALUATORS, oracle.kind)

/** The oracle stays the same object: a run knows by it what it has seen. */
function evaluateKind(oracle: ScenarioOracle, view: ScenarioView): Awaitable<PredicateResult> {
  const { kind, message: _, weight: __, ...args } = oracle
  const evaluator = EVALUATORS[kind] as Evaluator<ScenarioOracle>
  const finding = orElse(() => evaluator(oracle, view, evaluateOracle), findingOfFault)
  return andThen(finding, (found) => ({ kind, ...found, args }))
}

const MAX_SHOWN = 500

/** A result in a sentence, with the part that decided it. */
export function explain({ kind, message, passed, observed }: OracleResult): string {
  const part = Array.isArray(observed) ? observed.find((each) => each.passed === (kind === 'not' || passed)) : undefined
  const why = part ? explain(part) : shown(observed)
  return `${message === undefined ? kind : `${JSON.stringify(message)} (${kind})`} ${passed ? 'holds' : 'does not hold'}: ${why}`
}

/** Names the differences rather than all that was observed. */
function shown(observed: unknown): string {
  const differences = (observed as { readonly differences?: readonly string[] } | null)?.differences
  if (differences && differences.length > 0) return differences.join('; ').slice(0, MAX_SHOWN)
  const text = typeof observed === 'string' ? observed : JSON.stringify(observed)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
