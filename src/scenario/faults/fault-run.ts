import type { Random } from '../../base/random.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import type { ChosenFault } from './fault-kind.ts'

/** The faults of a run: a part of its state, so that forks, rewinds and replays have the same. */
export interface FaultRun {
  /** The faults that were chosen for the run, without those of the scenario. */
  readonly chosen: readonly ChosenFault[]
  readonly entries: readonly FaultEntry[]
  /** The number of actions performed. */
  readonly steps: number
  /** The time of the start, in milliseconds since the epoch. */
  readonly startMs: number
  /** In the order of firing. */
  readonly fired: readonly FiredFault[]
}

/** The state of one fault. */
export interface FaultEntry {
  readonly chosen: ChosenFault
  readonly random: Random
  /** How often it could have fired. */
  readonly chances: number
  readonly firings: number
  /** The step after which it fires, for faults of a step. */
  readonly atStep: number
  /** Set while it changes what is seen. */
  readonly active: ActiveObservation | undefined
}

/** A firing of a fault that changes what is seen. */
export interface ActiveObservation {
  readonly untilMs: number
  /** The desktop before the action at which it fired. */
  readonly before: Desktop
  readonly random: Random
}

/** A firing of a fault. */
export interface FiredFault {
  readonly fault: string
  /** The number of actions performed, including the one that it fired at. */
  readonly step: number
  /** The virtual time since the start, in milliseconds. */
  readonly elapsedMs: number
}
