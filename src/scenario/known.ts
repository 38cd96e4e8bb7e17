import type { Ids } from './check-windows.ts'
import type { Complain } from './problem.ts'

/** The names that a scenario defines, for checking references to them. */
export interface Known {
  readonly states: readonly string[]
  readonly ids: Ids
  /** How many instructions the patterns still to come may compile to; below 0 there have been too many. */
  readonly patterns: { left: number }
  /** Reports a problem at a path. */
  readonly complain: Complain
}
