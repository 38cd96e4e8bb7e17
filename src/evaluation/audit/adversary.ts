import type { RecordedSolution } from '../../compose/verify/audit/recording.ts'
import type { AdversaryRun } from './attempt.ts'

/** What adversaries know about a task. */
export interface AdversaryKnowledge {
  /** The calls of the shortest solution that act. */
  readonly acting: RecordedSolution['calls']
  /** The texts of the solution that the task names. */
  readonly taskValues: readonly string[]
}

/**
 * One way to be paid without doing the task. It acts on a desktop of its own and yields when an agent could stop, so that
 * the oracles are asked then.
 */
export type AdversaryProgram = (attempt: AdversaryRun) => AsyncGenerator<void, void>
