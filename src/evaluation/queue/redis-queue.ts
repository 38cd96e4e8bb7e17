import type { Job } from 'bullmq'
import type { Clock } from '../../base/clock.ts'
import type { EpisodeQueue } from './coordinate-queue.ts'
import { EpisodeJob, encodeAnswer, type JobAnswer, MAX_BUNDLE_BYTES } from './job.ts'
import type { JobPlayer } from './play-job.ts'
import { QUEUE, type RedisConnection, redisKeys } from './redis.ts'

/** An evaluation that says nothing for so long has ended, in seconds. */
const ALIVE_S = 60
const KEPT_S = 3600
const TAKEN_AT_ONCE = 20

/** The queue of an evaluation in Redis, by BullMQ. */
export function redisQueue({ redis, bullmq }: RedisConnection, evaluation: string): EpisodeQueue {
  const keys = redisKeys(evaluation)
  const scenarios = new Set<string>()
  const queue = new bullmq.Queue(QUEUE, { connection: redis })
  // The connection reports it.
  queue.on('error', () => {})
  const stored = async (id: string) => {
    const [added, finished, reason] = await redis.hmget(queue.toKey(id), 'timestamp', 'finishedOn', 'failedReason')
    return { id, isMissing: !added, reason: finished ? reason : undefined }
  }
  return {
    async announce(bundles) {
      await redis.set(keys.alive, '1', 'EX', ALIVE_S)
      await Promise.all(
        bundles.map(async ({ hash, text }) => {
          const key = keys.scenario(hash)
          scenarios.add(key)
          if ((await redis.expire(key, KEPT_S)) === 0) await redis.set(key, text, 'EX', KEPT_S)
        }),
      )
    },
    async add(jobs) {
      await queue.addBulk(
        jobs.map((job) => ({
          name: 'episode',
          data: job,
          opts: {
            jobId: job.id,
            attempts: 3,
            backoff: { type: 'fixed', delay: 1000 },
            removeOnComplete: true,
            removeOnFail: { age: KEPT_S },
          },
        })),
      )
    },
    takeAnswers: async () => (await redis.lpopBuffer(keys.answers, TAKEN_AT_ONCE)) ?? [],
    async inspect(ids) {
      const jobs = await Promise.all(ids.map(stored))
      return {
        missing: jobs.filter(({ isMissing }) => isMissing).map(({ id }) => id),
        failed: new Map(jobs.flatMap(({ id, reason }) => (reason ? [[id, reason]] : []))),
      }
    },
    remove: async (ids) => {
      for (const id of ids) await queue.remove(id)
    },
    countWorkers: () => queue.getWorkersCount().catch(() => undefined),
    async clear(ids) {
      await redis.del(keys.alive, keys.answers, ...scenarios)
      // A job that a worker plays cannot be removed; the worker drops it.
      await Promise.all(ids.map((id) => queue.remove(id).catch(() => 0)))
    },
    close: () => redis.disconnect(),
  }
}

/** The parts of a worker of a queue in Redis. */
export interface QueueWorkerOptions {
  readonly player: JobPlayer
  /** Episodes that are played at once. */
  readonly concurrency: number
  readonly clock: Clock
  /** Stops taking jobs. The worker ends when the episodes that it plays have ended. */
  readonly finish: AbortSignal
  /** Gives the jobs back that are being played. */
  readonly giveBack: AbortSignal
  readonly onAnswer: (answer: JobAnswer, job: EpisodeJob) => void
  readonly onNotice: (text: string) => void
}

/** A job of a worker that says nothing for so long is played by another, in milliseconds. */
const LOCK_MS = 10_000
const STALLED_CHECK_MS = 5000
/** A job whose worker is lost more often is given up. */
const MAX_LOST_WORKERS = 2
/** Answers that the evaluation does not take expire, in seconds. */
const ANSWER_S = 3600
/** How often a worker looks whether the evaluations of its episodes go on, and how often it must miss one to stop. */
const WATCH_MS = 5000
const MAX_MISSED = 3
const CLOSE_MS = 5000

/** Takes jobs from the queue and plays them, until `finish` aborts and those that are played have ended. */
export async function workForQueue(
  { redis, bullmq }: RedisConnection,
  { player, concurrency, clock, finish, giveBack, onAnswer, onNotice }: QueueWorkerOptions,
): Promise<void> {
  const { UnrecoverableError, WaitingError, Worker } = bullmq
  const playJob = async (raw: Job, token: string | undefined) => {
    const checked = EpisodeJob.safeParse(raw.data)
    if (!checked.success) throw new UnrecoverableError('it is not an episode')
    const job = checked.data
    const keys = redisKeys(job.evaluation)
    if ((await redis.exists(keys.alive)) === 0) return
    const key = keys.scenario(job.scenario)
    if ((await redis.strlen(key)) > MAX_BUNDLE_BYTES) throw new UnrecoverableError('its scenario is too large')
    const scenario = await redis.get(key)
    if (scenario === null) throw new Error('its scenario is not in Redis')
    const stop = new AbortController()
    const over = new AbortController()
    const back = () => stop.abort()
    giveBack.addEventListener('abort', back, { once: true })
    if (giveBack.aborted) back()
    void watchEvaluation(keys.alive, over.signal).then((isGone) => isGone && stop.abort())
    const answer = await player.play(job, scenario, stop.signal).finally(() => {
      over.abort()
      giveBack.removeEventListener('abort', back)
    })
    if (answer) {
      await redis.pipeline().rpush(keys.answers, encodeAnswer(answer)).expire(keys.answers, ANSWER_S).exec()
      onAnswer(answer, job)
    } else if (giveBack.aborted) {
      await raw.moveToWait(token)
      throw new WaitingError()
    } else onNotice(`${job.episode.id}: its evaluation has ended`)
  }
  /** Resolves to true when an evaluation has ended, and to false when `over` aborts. */
  const watchEvaluation = async (key: string, over: AbortSignal): Promise<boolean> => {
    for (let missed = 0; missed < MAX_MISSED; ) {
      await clock.sleep(WATCH_MS, over)
      if (over.aborted) return false
      const exists = await redis.exists(key).catch(() => 1)
      missed = exists === 0 ? missed + 1 : 0
    }
    return true
  }
  const worker = new Worker(QUEUE, playJob, {
    connection: redis,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_LOST_WORKERS,
    runRetryDelay: 1000,
  })
  worker.on('error', () => {})
  worker.on('failed', (job, error) => onNotice(`${job?.data?.episode?.id ?? 'a job'} failed: ${error.message}`))
  worker.on('stalled', (id) => onNotice(`${id} was lost by its worker and is played again`))
  await new Promise<void>((resolve) => {
    if (finish.aborted) resolve()
    else finish.addEventListener('abort', () => resolve(), { once: true })
  })
  const over = new AbortController()
  const lateClose = new Promise<void>((resolve) => {
    const wait = () => void Promise.resolve(clock.sleep(CLOSE_MS, over.signal)).then(resolve)
    if (giveBack.aborted) wait()
    else giveBack.addEventListener('abort', wait, { once: true })
  })
  await Promise.race([worker.close(), lateClose])
  over.abort()
  await player.close()
  redis.disconnect()
}
