import type { Awaitable } from '../../base/awaitable.ts'
import type { AnswerOracle, Oracle, RunOracle } from '../schema/oracles.ts'
import type { AgentFinish, Finding, OracleView, PredicateResult } from './predicate.ts'

/** The result of one entry of the oracles. */
export interface OracleResult extends PredicateResult {
  /** The meaning of the entry, if the scenario gives one. */
  readonly message?: string
}

/** The state that the oracles of a scenario are evaluated on. */
export interface ScenarioView extends OracleView, Partial<RunFindings> {
  /** How the agent ended its run; undefined while it continues. */
  finish?(): AgentFinish | undefined
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
