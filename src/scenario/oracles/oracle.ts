import { type Awaitable, andThen, orElse } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import { evaluate, type Finding, failed, findingOfFault, MIN_SSIM, type PredicateResult } from '../predicate.ts'
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

const MAX_SHOWN_CHARACTERS = 500

/**
 * A result in a sentence: what was expected, what was found, and the nearest thing to what was not found. Of a combination, the
 * part that decided it.
 */
export function explain(result: OracleResult): string {
  const { kind, message, passed, observed } = result
  const part = Array.isArray(observed)
    ? observed.find((each) => each.passed === (kind === 'not' ? !passed : passed))
    : undefined
  const why = part ? explain(part) : (inWords(result) ?? shown(observed))
  return `${message === undefined ? kind : `${JSON.stringify(message)} (${kind})`} ${passed ? 'holds' : 'does not hold'}: ${why}`
}

/** What a secret field shows instead of its value. */
const FILLED = '<filled>'

/** What was expected and found. Undefined for what was observed in words. */
function inWords({ kind, passed, observed, args = {}, nearest = [], error_code }: OracleResult): string | undefined {
  const found = (typeof observed === 'object' && observed !== null ? observed : {}) as Readonly<Record<string, unknown>>
  if (error_code !== undefined) return `it cannot be evaluated here: ${String(found.reason ?? observed)}`
  const near = (word = 'nearest') => (nearest.length > 0 ? ` (${word}: ${nearest.join(', ')})` : '')
  const text = (key: string) => cut(String(args[key]))
  const { actual } = found
  const wanted = passed || args.expected === undefined ? '' : `; expected ${cut(JSON.stringify(args.expected))}`
  const known = kind as Oracle['kind'] | 'infeasible'
  switch (known) {
    case 'element_exists':
    case 'element_absent':
      if (typeof found.count !== 'number') return undefined
      return found.count === 0
        ? `no element matches ${text('selector')}${near()}`
        : `${found.count === 1 ? '1 element matches' : `${found.count} elements match`} ${text('selector')}`
    case 'value_equals':
    case 'value_matches': {
      if (observed === 'no matches') return `no element matches ${text('selector')}${near()}`
      if (!('actual' in found)) return undefined
      // The expected value of a secret field is as secret as its own.
      if (actual === FILLED) return `${text('selector')} is filled, and its value is secret`
      const value = kind === 'value_equals' ? cut(JSON.stringify(args.expected ?? null)) : `a match of ${text('regex')}`
      return passed
        ? `the value of ${text('selector')} is ${cut(JSON.stringify(actual))}`
        : `the value of ${text('selector')} is ${cut(JSON.stringify(actual))}; expected ${value}`
    }
    case 'text_visible':
      if (found.ocr_error !== undefined) return `${String(found.ocr_error)}; ${String(found.hint)}`
      if (passed)
        return `a visible text matches ${text('regex')}${found.element_id ? ` in ${String(found.element_id)}` : ''}`
      return observed === 'no match' ? `no visible text matches ${text('regex')}` : undefined
    case 'window_focused':
      return passed
        ? `the focused window is ${JSON.stringify(found.title)}`
        : `the focused window does not match ${text('title_regex')}${near('its title')}`
    case 'window_exists':
      if (passed) return `the window ${JSON.stringify(found.title)} is open`
      return `no window has ${args.window_uid === undefined ? `a title that matches ${text('title_regex')}` : `the uid ${text('window_uid')}`}${near('open')}`
    case 'tree_hash_equals':
      if (actual === undefined) return undefined
      return `the hash is ${String(actual)}${passed ? '' : `; expected ${text('expected_hash')}`}`
    case 'screenshot_similar':
      return typeof found.ssim === 'number' ? similarity(args, found) : undefined
    case 'file_exists':
    case 'file_absent':
      return typeof found.exists === 'boolean'
        ? `the file ${text('path')} ${found.exists ? 'exists' : 'does not exist'}`
        : undefined
    case 'file_equals':
      if (!('actual' in found)) return undefined
      return actual === null
        ? `there is no file ${text('path')}`
        : `the text of ${text('path')} is ${cut(JSON.stringify(actual))}${wanted}`
    case 'clipboard_equals':
      return 'actual' in found ? `the clipboard has ${cut(JSON.stringify(actual))}${wanted}` : undefined
    case 'answer': {
      const expected = passed ? '' : `; expected ${expectedAnswer(args)}`
      return 'actual' in found
        ? `the answer is ${cut(JSON.stringify(actual))}${expected}`
        : `${String(observed)}${expected}`
    }
    case 'seen': {
      const part = args.region === undefined ? '' : 'the part of '
      return `${passed ? 'an' : 'no'} observation of the agent had ${part}${text('selector')}`
    }
    case 'infeasible':
      return 'reason' in found ? `the agent gave the reason ${cut(JSON.stringify(found.reason))}${wanted}` : undefined
    case 'never':
      return found.broken ? `it held ${sinceStart(found)}: ${String(found.why)}` : 'it never held'
    case 'before':
      return found.broken
        ? `${String(found.why)}, ${sinceStart(found)}`
        : `${eventOf(args.then)} did not happen before ${eventOf(args.first)}`
    case 'changes':
      return passed ? 'nothing else differs from the start' : undefined
    case 'expression':
      return 'value' in found ? `${text('expression')} is ${cut(JSON.stringify(found.value))}` : undefined
    case 'event':
      return typeof found.count === 'number'
        ? `the event ${text('name')} happened ${times(found.count)}; expected ${expectedTimes(args)}`
        : undefined
    case 'at_most':
      return typeof found.count === 'number'
        ? `the event ${text('event')} happened ${times(found.count)}; at most ${times(Number(args.count))} expected`
        : undefined
    case 'all':
    case 'any':
    case 'not':
    case 'probe':
      // The part that decided it explains it.
      return undefined
  }
  known satisfies never
  // A predicate of an unknown kind has no words.
  return undefined
}

const similarity = (
  { reference_path, min_ssim = MIN_SSIM, min_patch_ssim }: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): string => {
  const patch = min_patch_ssim === undefined ? '' : `, and ${String(min_patch_ssim)} in each patch`
  return `the similarity to ${String(reference_path)} is ${String(found.ssim)}, and ${String(found.min_patch_ssim)} in the worst patch; expected at least ${String(min_ssim)}${patch}`
}

/** The texts that an answer may be. An expression may also look at the data of the run. */
const expectedAnswer = ({ equals, matches, expression }: Readonly<Record<string, unknown>>): string =>
  [
    ...(equals === undefined ? [] : [JSON.stringify(equals)]),
    ...(matches === undefined ? [] : [`a match of ${String(matches)}`]),
    ...(expression === undefined ? [] : [`one for which ${String(expression)}`]),
  ]
    .map(cut)
    .join(' and ')

const sinceStart = ({ at_ms }: Readonly<Record<string, unknown>>): string => `${String(at_ms)} ms after the start`

const eventOf = (choice: unknown): string =>
  typeof choice === 'string' ? choice : String((choice as { readonly event?: unknown } | undefined)?.event)

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const expectedTimes = ({ min = 1, max }: Readonly<Record<string, unknown>>): string => {
  if (max === undefined) return `at least ${times(Number(min))}`
  return min === max ? `exactly ${times(Number(min))}` : `${String(min)} to ${String(max)} times`
}

const cut = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text

/** Names the differences rather than all that was observed. */
function shown(observed: unknown): string {
  const differences = (observed as { readonly differences?: readonly string[] } | null)?.differences
  if (differences && differences.length > 0) return differences.join('; ').slice(0, MAX_SHOWN_CHARACTERS)
  return cut(typeof observed === 'string' ? observed : JSON.stringify(observed))
}
