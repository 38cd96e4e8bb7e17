import type { ReportProblem } from '../load/problem.ts'
import type { ScenarioEvents } from '../schema/events.ts'
import type { WindowIds } from './windows.ts'

/** The names that a scenario defines, for checking references to them. */
export interface CheckContext {
  readonly states: readonly string[]
  /** The declared events with the types of their fields. */
  readonly events: ScenarioEvents
  /** The events, and the ids of reactions and timers. */
  readonly happenings: readonly string[]
  readonly ids: WindowIds
  /** The remaining budget of pattern instructions; negative if it is exceeded. */
  readonly patterns: { left: number }
  /** Reports a problem at a path. */
  readonly report: ReportProblem
}
