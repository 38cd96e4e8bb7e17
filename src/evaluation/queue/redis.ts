import type { Redis } from 'ioredis'
import { loadOptional } from '../../base/optional.ts'
import { SuiteError } from '../suite/load-suite.ts'

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

/** Where a Redis server is. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  /** The number of the database. */
  readonly db: number
  readonly isTls: boolean
  /** The address without its user and password, for messages. */
  readonly shown: string
}

const DEFAULT_PORT = 6379
const FORM = 'an address such as redis://HOST:6379, redis://USER:PASSWORD@HOST/2 or rediss://HOST'

/** Parses `redis://` and `rediss://` (TLS) addresses. Throws a `SuiteError`, which never has the password. */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'redis:' && url.protocol !== 'rediss:') || url.hostname === '')
    throw new SuiteError(`--queue takes ${FORM}; reserved characters of a password are written as %XX`)
  const [, db = '0', ...rest] =
    /^\/(\d{1,4})$/.exec(url.pathname) ?? (/^\/?$/.test(url.pathname) ? [''] : ['', 'wrong'])
  if (db === 'wrong' || rest.length > 0 || url.search !== '' || url.hash !== '')
    throw new SuiteError(`after the host, --queue takes the number of a database and nothing else: ${FORM}`)
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  const isTls = url.protocol === 'rediss:'
  const place = `${url.hostname}:${port}${db === '0' ? '' : `/${Number(db)}`}`
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    username: decoded(url.username),
    password: decoded(url.password),
    db: Number(db),
    isTls,
    shown: `${isTls ? 'rediss' : 'redis'}://${place}`,
  }
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
