import type { Random } from '../../base/random.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import { withShell } from '../../desktop/shell/shell.ts'
import type { EventValues } from '../data/live-names.ts'
import type { RunData } from '../data/run-data.ts'
import type { FaultRun } from '../faults/fault-run.ts'
import type { CourseState } from '../oracles/course-state.ts'
import type { Scenario } from '../scenario.ts'
import type { ScheduledOutcome } from '../schema/effect.ts'
import type { RunLog } from './log.ts'
import type { SavedChanges } from './scene.ts'
import type { CapturedGroups } from './template.ts'

/** The state of a running scenario: an immutable value, so that a fork is the same value. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly state: string
  /** The state before this one. Undefined in the first. */
  readonly previous: string | undefined
  /** The time at which the state was entered. */
  readonly enteredAtMs: number
  readonly desktop: Desktop
  readonly nowMs: number
  /** The time of the start. */
  readonly startedAtMs: number
  readonly random: Random
  /** For probabilities and choices, so that they do not change the times of timers. */
  readonly chance: Random
  /** Running timers, in the order in which they fire. */
  readonly due: readonly DueTimer[]
  /** The time at which a tooltip shows if the pointer rests until then. Undefined if none is pending. */
  readonly restedAtMs: number | undefined
  readonly kept: SavedChanges
  /** The number of matching calls of each planned fault. */
  readonly faultCalls: readonly number[]
  /** The state of the faults of the catalogue. Undefined if the run has none. */
  readonly faults: FaultRun | undefined
  /** The values of the variables; empty if the file has none. */
  readonly data: RunData
  /** What the scenario has recorded. */
  readonly log: RunLog
  /** What was seen of the oracles about the course of the run; undefined if the scenario has none. */
  readonly course: CourseState | undefined
}

/** The next firing of a timer. */
export interface DueTimer {
  /** The index of the timer in the file, or `SCHEDULED` for what an effect scheduled. */
  readonly timer: number
  readonly atMs: number
  /** The groups and the window of the event that started it. */
  readonly captured?: CapturedGroups
  readonly near?: string | undefined
  /** What an effect scheduled. */
  readonly outcome?: ScheduledOutcome
  /** The uid of the notification that closes. */
  readonly closes?: string
  /** The event as expressions see it. Only for scenarios with live expressions. */
  readonly event?: EventValues | undefined
}

/** After all timers of the file. */
export const SCHEDULED = Number.MAX_SAFE_INTEGER

/** The run with other fields. Copies field by field, like nodes, for speed. */
export const runWith = (run: ScenarioRun, fields: Partial<ScenarioRun>): ScenarioRun =>
  Object.assign(
    {
      scenario: run.scenario,
      state: run.state,
      previous: run.previous,
      enteredAtMs: run.enteredAtMs,
      desktop: run.desktop,
      nowMs: run.nowMs,
      startedAtMs: run.startedAtMs,
      random: run.random,
      chance: run.chance,
      due: run.due,
      restedAtMs: run.restedAtMs,
      kept: run.kept,
      faultCalls: run.faultCalls,
      faults: run.faults,
      data: run.data,
      log: run.log,
      course: run.course,
    } satisfies Record<keyof ScenarioRun, unknown>,
    fields,
  )

/** The run with another desktop; itself if the desktop is the same. */
export const withDesktop = (run: ScenarioRun, desktop: Desktop): ScenarioRun =>
  desktop === run.desktop ? run : runWith(run, { desktop })

/** The run with the shell of its desktop up to date. */
export const withShellShown = (run: ScenarioRun): ScenarioRun => withDesktop(run, withShell(run.desktop))

/** Whether a state is among those that an entry is for; without `in` it is for all. */
export const isInState = (states: string | readonly string[] | undefined, state: string): boolean =>
  states === undefined || states === state || (Array.isArray(states) && states.includes(state))
