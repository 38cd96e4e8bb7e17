import type { Action } from '../desktop/input/action.ts'
import { runAt } from '../scenario/run/elapse.ts'
import type { ScenarioRun } from '../scenario/run/scenario-run.ts'
import { stepScenario } from '../scenario/run/step.ts'
import type { PerformResult } from './computer.ts'

/** A performed action and its result. */
export interface RecordedStep {
  /** Counts from 1. */
  readonly number: number
  readonly action: Action
  readonly via: PerformResult['via']
  /** The time of the action, on the clock of the run. */
  readonly atMs: number
  /** The tool calls counted for planned faults, which cannot be derived from the actions. */
  readonly faultCalls: ScenarioRun['faultCalls']
  /** The faults and the log before the action. Calls change both. Undefined without faults of the catalogue. */
  readonly disturbed?: Pick<ScenarioRun, 'faults' | 'log'> | undefined
  /** The run after the action. Kept for one step in sixteen; the others are replayed when needed. */
  readonly run?: ScenarioRun
  /** The memory that the step needs, in bytes. */
  readonly bytes: number
}

/** The memory that steps need, in bytes. */
export function historyBytesOf(steps: readonly RecordedStep[]): number {
  let total = 0
  for (const { bytes } of steps) total += bytes
  return total
}

/** Replays a step on the run before it. */
export function replayStep(run: ScenarioRun, { action, atMs, faultCalls, disturbed }: RecordedStep): ScenarioRun {
  const before = runAt(run, atMs)
  const from = disturbed ? { ...before, ...disturbed } : before
  return { ...stepScenario(from, { type: 'action', action }).run, faultCalls }
}
