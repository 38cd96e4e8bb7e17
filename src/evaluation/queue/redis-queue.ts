import type { EpisodeQueue } from './episode-queue.ts'
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
