import type { Awaitable } from '../../base/async.ts'
import { compilePattern } from '../../base/pattern.ts'
import { type AgentFinish, type Finding, failed, type OracleView, type PredicateResult } from '../predicate.ts'
import type { AnswerOracle, Infeasible, Oracle, ProbeOracle, RunOracle, SeenOracle } from '../schema/oracles.ts'

/** The reward of a scenario's oracles: -1 when a failure oracle holds, else 1 for success, else 0. */
export type Reward = 1 | -1 | 0

/** The results of all oracles of a scenario. */
export interface OracleReport {
  readonly reward: Reward
  /** How much of the way from the start to success is done, from 0 to 1; 0 when a failure entry holds. */
  readonly score: number
  readonly success: readonly OracleResult[]
  readonly failure: readonly OracleResult[]
  readonly harm: readonly OracleResult[]
  readonly attack: readonly OracleResult[]
}

/** The report of a scenario without oracles. */
export const EMPTY_REPORT: OracleReport = { reward: 0, score: 0, success: [], failure: [], harm: [], attack: [] }

/**
 * The score: 0 at the start and below it, 1 when all entries hold, between them the share of the weights that were won.
 * @param heldAtStart Whether each entry held at the start, so that keeping it is worth nothing by itself.
 */
export function scoreOf(
  success: readonly Oracle[],
  results: readonly OracleResult[],
  heldAtStart: readonly boolean[],
): number {
  let total = 0
  let reached = 0
  let start = 0
  success.forEach(({ weight = 1 }, index) => {
    total += weight
    if (results[index]?.passed) reached += weight
    if (heldAtStart[index]) start += weight
  })
  // A task whose start is its end has nothing to win.
  if (start === total) return total > 0 && reached === total ? 1 : 0
  return Math.max(0, (reached - start) / (total - start))
}

/**
 * The result that takes the place of the success entries where the task is impossible, or where the agent claims that of
 * a possible task. Undefined where the success entries decide.
 */
export function infeasibleResult(
  { reason, matches }: Infeasible,
  applies: boolean,
  finish: AgentFinish | undefined,
): OracleResult | undefined {
  const claimed = finish?.status === 'infeasible'
  if (!applies) {
    if (!claimed) return undefined
    return { kind: 'infeasible', ...failed('the agent finished with the status infeasible, but the task is possible') }
  }
  const result = { kind: 'infeasible', message: reason }
  if (!claimed) return { ...result, ...failed('the agent has not finished with the status infeasible') }
  const passed = matches === undefined || compilePattern(matches).search(finish.text)
  return { ...result, passed, observed: { reason: finish.text } }
}

/** The result of one entry of the oracles. */
export interface OracleResult extends PredicateResult {
  /** The meaning of the entry, if the scenario gives one. */
  readonly message?: string
}

/** The state that the oracles of a scenario are evaluated on. */
export interface ScenarioView extends OracleView, Partial<RunFindings> {
  /** How the agent ended its run; undefined while it continues. */
  finish?(): AgentFinish | undefined
  /** Whether an observation that the agent was given had what an oracle names. */
  seen?(oracle: SeenOracle): boolean
  /** A copy of the run after the effects of a probe. */
  probe?(oracle: ProbeOracle): ScenarioView
}

/** Evaluates what concerns the data and the course of a run. */
export interface RunFindings {
  onRun(oracle: RunOracle): Finding
  /** Evaluates the expression of an answer. */
  onAnswer(oracle: AnswerOracle, answer: string): Finding
  /** Whether a condition on the variables held at the start. */
  heldAtStart(condition: string): boolean
}

/** Evaluates an oracle, such as a part of another. */
export type EvaluateOracle = (oracle: Oracle, view: ScenarioView) => Awaitable<OracleResult>
