import type { Awaitable } from '../../base/awaitable.ts'
import type { Oracle } from '../schema/oracles.ts'
import type { OracleView, PredicateResult } from './predicate.ts'

/** The result of one entry of the oracles. */
export interface OracleResult extends PredicateResult {
  /** The meaning of the entry, if the scenario gives one. */
  readonly message?: string
}

/** Evaluates an oracle, such as a part of another. */
export type EvaluateOracle = (oracle: Oracle, view: OracleView) => Awaitable<OracleResult>
