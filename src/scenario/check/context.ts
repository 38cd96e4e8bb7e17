import type { ReportProblem } from '../load/problem.ts'
import type { WindowIds } from './windows.ts'

/** The names that a scenario defines, for checking references to them. */
export interface CheckContext {
  readonly states: readonly string[]
  readonly ids: WindowIds
  /** How many instructions the patterns still to come may compile to; below 0 there have been too many. */
  readonly patterns: { left: number }
  /** Reports a problem at a path. */
  readonly complain: ReportProblem
}
