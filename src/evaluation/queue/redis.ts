import type { Redis } from 'ioredis'
import { loadOptional } from '../../base/optional.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { RedisAddress } from './address.ts'

/** The name of the queue. All evaluations in a database share it, and their workers. */
export const QUEUE = 'backlot-episodes'

/** Keys besides those of the queue. Each expires. */
export const redisKeys = (evaluation: string) => ({
  /** Exists while the evaluation goes on. */
  alive: `backlot:eval:${evaluation}:alive`,
  answers: `backlot:eval:${evaluation}:answers`,
  scenario: (hash: string) => `backlot:eval:${evaluation}:scenario:${hash}`,
})

/** A connection to Redis with the packages that use it. */
export interface RedisConnection {
  readonly redis: Redis
  readonly bullmq: typeof import('bullmq')
}

const MAX_RETRY_MS = 2000

/**
 * Connects to Redis. A connection that is lost later is opened again for as long as it takes.
 * @param onNotice Receives when the connection is lost and when it is there again.
 * @throws A `SuiteError` when the first connection fails, and `PlatformUnsupported` without the packages.
 */
export async function connectRedis(
  { host, port, username, password, db, isTls, shown }: RedisAddress,
  onNotice: (text: string) => void,
): Promise<RedisConnection> {
  const { bullmq, Redis } = await loadOptional('queue', async () => ({
    bullmq: await import('bullmq'),
    Redis: (await import('ioredis')).Redis,
  }))
  const redis = new Redis({
    host,
    port,
    db,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: { servername: host } }),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS),
  })
  let problem = ''
  redis.on('error', ({ message, code }: NodeJS.ErrnoException) => {
    problem = message || code || 'no connection'
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    throw new SuiteError(`${shown} cannot be used: ${problem || (error as Error).message}`)
  }
  let isLost = false
  redis.on('close', () => {
    if (!isLost && redis.status !== 'end') onNotice(`the connection to ${shown} is lost; it is tried again`)
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) onNotice(`connected to ${shown} again`)
    isLost = false
  })
  return { redis, bullmq }
}
