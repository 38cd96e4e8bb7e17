import type { EpisodeJob } from './job.ts'
import type { ScenarioBundle } from './scenario-bundle.ts'

/** A queue as an evaluation uses it. Each method may throw while the connection is lost. */
export interface EpisodeQueue {
  /** States that the evaluation goes on, and what its scenarios are. Both expire. Workers drop jobs of others. */
  announce(scenarios: readonly ScenarioBundle[]): Promise<void>
  /** Adds jobs. One whose id the queue already has is left as it is. */
  add(jobs: readonly EpisodeJob[]): Promise<void>
  /** Takes some answers of workers out of the queue, oldest first. Empty when there are none. */
  takeAnswers(): Promise<readonly Buffer[]>
  /** Which of the jobs the queue does not have, and which it has given up. Their answers were added before. */
  inspect(ids: readonly string[]): Promise<JobStates>
  /** Removes jobs that no worker plays. */
  remove(ids: readonly string[]): Promise<void>
  /** How many workers are connected; undefined if the server does not say. */
  countWorkers(): Promise<number | undefined>
  /** Removes what the evaluation has in the queue. */
  clear(ids: readonly string[]): Promise<void>
  close(): void
}

export interface JobStates {
  readonly missing: readonly string[]
  /** With the reason. */
  readonly failed: ReadonlyMap<string, string>
}
