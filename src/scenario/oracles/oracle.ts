import { type Awaitable, andThen, orElse } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import { cutText, MAX_SHOWN_CHARACTERS, resultInWords } from '../oracle-kinds.ts'
import { evaluate, type Finding, failed, findingOfFault, type PredicateResult } from '../predicate.ts'
import type { AnswerOracle, CombinedOracle, Oracle, ProbeOracle, RunOracle, SeenOracle } from '../schema/oracles.ts'
import type { EvaluateOracle, OracleResult, ScenarioView } from './report.ts'

const MAX_ANSWER_CHARACTERS = 1000

/** Compares the text that the agent gave with `finish`. */
function evaluateAnswer(oracle: AnswerOracle, view: ScenarioView): Finding {
  const { equals, matches, expression } = oracle
  const finish = view.finish?.()
  if (!finish) return failed('the agent has not called finish')
  const answer = finish.text.trim()
  const passed =
    (equals === undefined || answer === equals.trim()) &&
    (matches === undefined || compilePattern(matches).search(finish.text)) &&
    (expression === undefined || holds(oracle, view, finish.text))
  return { passed, observed: { actual: answer.slice(0, MAX_ANSWER_CHARACTERS) } }
}

function holds(oracle: AnswerOracle, { onAnswer }: ScenarioView, text: string): boolean {
  if (!onAnswer) throw new Fault('PredicateUnsupported', 'this predicate needs a running scenario')
  return onAnswer(oracle, text).passed
}

const HOLDS: Readonly<Record<CombinedOracle['kind'], (results: readonly OracleResult[]) => boolean>> = {
  all: (results) => results.every(({ passed }) => passed),
  any: (results) => results.some(({ passed }) => passed),
  not: (results) => !results.some(({ passed }) => passed),
}

/** Evaluates all parts in order. The results of the parts are what was observed. */
const evaluateCombined = (
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

/** The kinds that only scenarios have. */
type ScenarioOracle = CombinedOracle | AnswerOracle | SeenOracle | ProbeOracle | RunOracle
type Evaluator<Kind extends ScenarioOracle> = (
  oracle: Kind,
  view: ScenarioView,
  evaluateOracle: EvaluateOracle,
) => Awaitable<Finding>

const onRun: Evaluator<RunOracle> = (oracle, view) => {
  if (!view.onRun) throw new Fault('PredicateUnsupported', 'this predicate needs a running scenario')
  return view.onRun(oracle)
}

const evaluateSeen: Evaluator<SeenOracle> = (oracle, view) => {
  if (!view.seen) throw new Fault('PredicateUnsupported', 'this predicate needs the observations of an agent')
  return { passed: view.seen(oracle), observed: {} }
}

const evaluateProbe: Evaluator<ProbeOracle> = (oracle, view, evaluateOracle) => {
  if (!view.probe) throw new Fault('PredicateUnsupported', 'this predicate needs a running scenario')
  return evaluateCombined({ kind: 'all', of: oracle.of }, view.probe(oracle), evaluateOracle)
}

/** A new kind is one row. */
const EVALUATORS: { readonly [Kind in ScenarioOracle['kind']]: Evaluator<Extract<ScenarioOracle, { kind: Kind }>> } = {
  all: evaluateCombined,
  any: evaluateCombined,
  not: evaluateCombined,
  answer: evaluateAnswer,
  seen: evaluateSeen,
  probe: evaluateProbe,
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

/**
 * A result in a sentence: what was expected, what was found, and the nearest thing to what was not found. Of a combination, the
 * part that decided it.
 */
export function explain(result: OracleResult): string {
  const { kind, message, passed, observed } = result
  const part = Array.isArray(observed)
    ? observed.find((each) => each.passed === (kind === 'not' ? !passed : passed))
    : undefined
  const why = part ? explain(part) : (resultInWords(result) ?? shown(observed))
  return `${message === undefined ? kind : `${JSON.stringify(message)} (${kind})`} ${passed ? 'holds' : 'does not hold'}: ${why}`
}

/** Names the differences rather than all that was observed. */
function shown(observed: unknown): string {
  const differences = (observed as { readonly differences?: readonly string[] } | null)?.differences
  if (differences && differences.length > 0) return differences.join('; ').slice(0, MAX_SHOWN_CHARACTERS)
  return cutText(typeof observed === 'string' ? observed : JSON.stringify(observed))
}
