import type { Clock } from '../../base/clock.ts'
import { AgentUnavailable } from '../agents/agent.ts'
import type { PlayedEpisode } from '../episode/play.ts'
import type { EpisodeEndReason, EpisodeResult, FailureCategory } from '../episode/result.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'

/** Plays episodes one after another, such as a process or a queue of other machines. Audits get other answers from it. */
export interface EpisodeWorker<Played = PlayedEpisode> {
  /** Throws `WorkerLost` when the worker ends during the episode. */
  play(episode: PlannedEpisode): Promise<Played>
  /** Ends the worker and the agent that it runs. */
  close(): Promise<void>
}

/** A worker has ended during an episode. The message says how, as far as it is known. */
export class WorkerLost extends Error {}

/** Stands for an episode that no worker has played to its end. */
export type UnplayedEpisode<Played> = (
  episode: PlannedEpisode,
  end: 'environment_error' | 'time_limit' | 'no_result',
  message: string,
  nowMs: number,
) => Played

/** The parts of an evaluation that are not episodes. */
export interface Coordination<Played = PlayedEpisode> {
  /** Rejects when `signal` aborts, and with an `AgentUnavailable` when there is no agent; no episode has a result then. */
  readonly openWorker: (signal: AbortSignal) => Promise<EpisodeWorker<Played>>
  readonly workers: number
  readonly clock: Clock
  /** Ends the evaluation. Episodes that are being played have no result then. */
  readonly signal: AbortSignal
  /** Receives each result once, in the order in which episodes end. */
  readonly onPlayed: (played: Played) => void
}

/**
 * Plays episodes on processes or on other machines, and passes each result on. It returns when all have ended, or when the
 * operator has stopped it; the evaluation can be continued later.
 */
export type EpisodesPlayer = (
  episodes: readonly PlannedEpisode[],
  onPlayed: (played: PlayedEpisode) => void,
) => Promise<void>

/** An episode whose worker ends so often is given up. */
const MAX_ATTEMPTS = 3
/** A worker that says nothing for so long after the limit of an episode is ended, in milliseconds. */
const GRACE_MS = 30_000

/**
 * Plays each episode once on one of the workers. An episode whose worker is lost is played again by another.
 * @returns When every episode has a result, or `signal` has aborted and all workers have ended.
 */
export const coordinate = (episodes: readonly PlannedEpisode[], parts: Coordination): Promise<void> =>
  coordinateWith(episodes, parts, (...given) => ({ result: unplayed(...given) }))

/** As `coordinate`, with other answers of workers. */
export async function coordinateWith<Played extends object>(
  episodes: readonly PlannedEpisode[],
  parts: Coordination<Played>,
  unplayedAs: UnplayedEpisode<Played>,
): Promise<void> {
  const waiting = episodes.map((episode) => ({ episode, attempts: 0 }))
  const failures: unknown[] = []
  const slot = async (): Promise<void> => {
    let worker: EpisodeWorker<Played> | undefined
    try {
      for (;;) {
        const next = parts.signal.aborted || failures.length > 0 ? undefined : waiting.shift()
        if (!next) break
        try {
          worker ??= await parts.openWorker(parts.signal)
        } catch (error) {
          if (!(error instanceof AgentUnavailable)) throw error
          for (const { episode } of [next, ...waiting.splice(0)])
            parts.onPlayed(unplayedAs(episode, 'no_result', error.message, parts.clock.now()))
          break
        }
        const played = await playWatched(worker, next.episode, parts)
        if (parts.signal.aborted) break
        if (played instanceof WorkerLost) {
          worker = undefined
          next.attempts++
          if (next.attempts < MAX_ATTEMPTS) waiting.unshift(next)
          else parts.onPlayed(unplayedAs(next.episode, 'environment_error', givenUpText(played), parts.clock.now()))
          continue
        }
        // After a time limit its worker was ended.
        if (played === 'late') {
          worker = undefined
          parts.onPlayed(unplayedAs(next.episode, 'time_limit', OUT_OF_TIME, parts.clock.now()))
          continue
        }
        parts.onPlayed(played)
      }
    } catch (failure) {
      if (!parts.signal.aborted) failures.push(failure)
    } finally {
      await worker?.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(parts.workers, episodes.length) }, slot))
  if (failures.length > 0) throw failures[0]
}

/** Plays episodes on workers of this machine. */
export const onWorkers =
  (parts: Omit<Coordination, 'onPlayed'>): EpisodesPlayer =>
  (episodes, onPlayed) =>
    coordinate(episodes, { ...parts, onPlayed })

/** Plays an episode. Ends the worker when it is lost, when it is silent for too long, or when the evaluation ends. */
async function playWatched<Played extends object>(
  worker: EpisodeWorker<Played>,
  episode: PlannedEpisode,
  { clock, signal }: Coordination<Played>,
): Promise<Played | WorkerLost | 'late'> {
  const isOver = new AbortController()
  const limitMs = (episode.budget.time_s ?? Number.POSITIVE_INFINITY) * 1000 + GRACE_MS
  const late = Number.isFinite(limitMs)
    ? Promise.resolve(clock.sleep(limitMs, isOver.signal)).then(() => 'late' as const)
    : new Promise<never>(() => {})
  const stopped = new Promise<WorkerLost>((resolve) => {
    const stop = () => resolve(new WorkerLost())
    signal.addEventListener('abort', stop, { once: true, signal: isOver.signal })
    if (signal.aborted) stop()
  })
  const played = worker.play(episode).catch((error: unknown) => {
    if (error instanceof WorkerLost) return error
    if (signal.aborted) return new WorkerLost()
    throw error
  })
  try {
    const first = await Promise.race([played, late, stopped])
    if (first === 'late' || first instanceof WorkerLost) await worker.close()
    return first
  } finally {
    isOver.abort()
  }
}

const givenUpText = ({ message }: WorkerLost): string =>
  `its worker process ended ${MAX_ATTEMPTS} times${message && `, at last with ${message}`}`
const OUT_OF_TIME = 'the agent did not end at its time limit, and its worker process was ended'

/** The result of an episode of which nothing is known but how it ended. */
export function unplayed(
  { id, task, seed, variant, run, budget }: PlannedEpisode,
  end: EpisodeEndReason & FailureCategory,
  message: string,
  nowMs: number,
): EpisodeResult {
  const nothing = { calls: 0, bytes: 0, tokens: 0 }
  return {
    episode: id,
    task,
    seed,
    variant,
    run,
    instance: null,
    success: false,
    score: 0,
    harm: [],
    attack: [],
    failure: end,
    message,
    end,
    steps: 0,
    solution_steps: null,
    virtual_ms: 0,
    calls: {},
    observed: { picture: nothing, tree: nothing, text: nothing },
    model: null,
    trace: null,
    final: null,
    wall_ms: end === 'time_limit' ? (budget.time_s ?? 0) * 1000 : 0,
    ended_at: new Date(nowMs).toISOString(),
  }
}
