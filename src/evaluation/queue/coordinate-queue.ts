import type { Clock } from '../../base/clock.ts'
import type { PlayedEpisode } from '../episode/play.ts'
import { unplayed } from '../pool/coordinate.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { bundleScenario, decodeAnswer, type EpisodeJob, type ScenarioBundle } from './job.ts'

/** The parts of an evaluation whose episodes are played by workers of a queue. */
export interface QueueCoordination {
  readonly queue: EpisodeQueue
  /** A name that no other evaluation in the queue has. */
  readonly evaluation: string
  readonly backlot: string
  /** The agent as workers name it. */
  readonly agent: string
  readonly isTraced: boolean
  readonly clock: Clock
  /** Ends the evaluation. Its jobs are removed from the queue. */
  readonly signal: AbortSignal
  /** Receives each result once. */
  readonly onPlayed: (played: PlayedEpisode) => void
  /** Receives what the operator should know, such as that there is no worker. */
  readonly onNotice: (text: string) => void
}

/** Jobs in the queue at once, which bounds its memory. */
const MAX_QUEUED_JOBS = 2000
const ADDED_AT_ONCE = 200
const POLL_MS = 200
/** How often the queue is searched for jobs that it has lost, in milliseconds. */
const INSPECT_MS = 5000
const RETRY_MS = 1000
/** An evaluation ends after so many errors of the queue without a success between them. */
const MAX_ERRORS = 60
const CLEAR_MS = 3000

/**
 * Plays each episode once on the workers of a queue. The first result of an episode counts. Episodes that the queue has
 * lost are added again.
 * @returns When every episode has a result, or `signal` has aborted.
 * @throws A `SuiteError` when a worker refuses the jobs, and what `onPlayed` throws.
 */
export async function coordinateQueue(episodes: readonly PlannedEpisode[], parts: QueueCoordination): Promise<void> {
  const { queue, clock, signal } = parts
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const unanswered = new Map<string, QueuedEpisode>()
  try {
    const jobs = await jobsOf(episodes, parts)
    for (const entry of jobs.entries) unanswered.set(entry.job.id, entry)
    await Promise.race([collect(unanswered, jobs.scenarios, parts), stopped])
  } finally {
    const over = new AbortController()
    const cleared = queue.clear([...unanswered.keys()]).catch(() => {})
    await Promise.race([cleared, clock.sleep(CLEAR_MS, over.signal)])
    over.abort()
    queue.close()
  }
}

interface QueuedEpisode {
  readonly episode: PlannedEpisode
  readonly job: EpisodeJob
}

async function jobsOf(
  episodes: readonly PlannedEpisode[],
  { evaluation, backlot, agent, isTraced }: QueueCoordination,
): Promise<{ entries: readonly QueuedEpisode[]; scenarios: readonly ScenarioBundle[] }> {
  const bundles = new Map<string, ScenarioBundle>()
  for (const { file } of episodes) if (!bundles.has(file)) bundles.set(file, await bundleScenario(file))
  const entries = episodes.map((episode, index) => {
    const { file, faults, ...rest } = episode
    const id = `${evaluation}.${index}`
    const scenario = bundles.get(file)!.hash
    const job: EpisodeJob = {
      id,
      evaluation,
      backlot,
      agent,
      isTraced,
      scenario,
      episode: { ...rest, faults: [...faults] as EpisodeJob['episode']['faults'] },
    }
    return { episode, job }
  })
  return { entries, scenarios: [...new Map([...bundles.values()].map((each) => [each.hash, each])).values()] }
}

/** Adds jobs and takes answers until none is left in `unanswered`. */
async function collect(
  unanswered: Map<string, QueuedEpisode>,
  scenarios: readonly ScenarioBundle[],
  parts: QueueCoordination,
): Promise<void> {
  const { queue, clock, signal, onNotice } = parts
  const waiting = [...unanswered.values()]
  const queued = new Set<string>()
  let inspectAtMs = clock.now()
  let errors = 0
  let isWorkerMissing = false
  let isResultLost = false
  const answer = (id: string, played: PlayedEpisode) => {
    if (signal.aborted) return
    unanswered.delete(id)
    queued.delete(id)
    isResultLost = true
    parts.onPlayed(played)
    isResultLost = false
  }
  /** Takes all answers. Returns how many there were. */
  const drain = async (): Promise<number> => {
    for (let count = 0; ; ) {
      const answers = await queue.takeAnswers()
      for (const bytes of answers) {
        const read = decodeAnswer(bytes)
        const entry = read && unanswered.get(read.job)
        if (!read || !entry || signal.aborted) continue
        if (read.kind === 'refused') throw new SuiteError(read.message)
        if (read.result.episode === entry.episode.id) answer(read.job, read)
      }
      if (answers.length === 0) return count
      count += answers.length
    }
  }
  const inspect = async () => {
    await queue.announce(scenarios)
    const { missing, failed } = await queue.inspect([...queued])
    await drain()
    for (const [id, reason] of failed) {
      const entry = unanswered.get(id)
      if (!entry) continue
      answer(id, {
        result: unplayed(entry.episode, 'environment_error', `the queue gave it up: ${reason}`, clock.now()),
      })
      await queue.remove([id])
    }
    const lost = missing.flatMap((id) => unanswered.get(id) ?? [])
    for (const { job } of lost) queued.delete(job.id)
    waiting.unshift(...lost)
    if (lost.length > 0) onNotice(`the queue has lost ${lost.length} episodes; they are added again`)
    const workers = queued.size > 0 ? await queue.countWorkers() : undefined
    if (workers === 0 && !isWorkerMissing)
      onNotice('no worker is connected to the queue; start one with backlot worker')
    isWorkerMissing = workers === 0
  }
  while (unanswered.size > 0 && !signal.aborted) {
    try {
      if (clock.now() >= inspectAtMs) {
        await inspect()
        inspectAtMs = clock.now() + INSPECT_MS
      }
      while (waiting.length > 0 && queued.size < MAX_QUEUED_JOBS) {
        const first = waiting.slice(0, ADDED_AT_ONCE)
        const next = first.filter(({ job }) => unanswered.has(job.id))
        await queue.add(next.map(({ job }) => job))
        waiting.splice(0, first.length)
        for (const { job } of next) queued.add(job.id)
      }
      if ((await drain()) === 0 && unanswered.size > 0) await clock.sleep(POLL_MS, signal)
      errors = 0
    } catch (error) {
      if (error instanceof SuiteError || isResultLost || signal.aborted) throw error
      if (++errors > MAX_ERRORS) throw new SuiteError(`the queue does not work: ${(error as Error).message}`)
      if (errors === 1) onNotice(`the queue fails: ${(error as Error).message}; it is tried again`)
      await clock.sleep(RETRY_MS, signal)
      inspectAtMs = clock.now()
    }
  }
}

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
