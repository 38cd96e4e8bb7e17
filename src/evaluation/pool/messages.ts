import type { PlayedEpisode } from '../episode/play.ts'
import type { PlannedEpisode } from '../suite/task.ts'

/** What a worker process is asked to do. */
export type WorkerRequest =
  | { readonly do: 'open'; readonly agent: string; readonly isTraced: boolean }
  | { readonly do: 'play'; readonly episode: PlannedEpisode }

/** What a worker process reports. */
export type WorkerReport =
  | { readonly did: 'open' }
  | { readonly did: 'play'; readonly played: PlayedEpisode }
  /** It cannot work at all: for an error of the operator, or because its agent does not load. */
  | { readonly did: 'fail'; readonly message: string; readonly isUsage: boolean }
  /** A process group of an agent has started or ended, which outlives a killed worker. */
  | { readonly did: 'spawn'; readonly group: number; readonly isRunning: boolean }
