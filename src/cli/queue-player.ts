import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { VERSION } from '../compose/package.ts'
import type { EpisodesPlayer } from '../evaluation/pool/coordinate.ts'
import type { RedisAddress } from '../evaluation/queue/address.ts'
import { coordinateQueue } from '../evaluation/queue/coordinate-queue.ts'
import { connectRedis } from '../evaluation/queue/redis.ts'
import { redisQueue } from '../evaluation/queue/redis-queue.ts'

/** How an evaluation uses a queue. */
export interface QueueUse {
  readonly address: RedisAddress
  readonly agent: string
  readonly isTraced: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Plays episodes on the workers of a queue in Redis. Notices go to standard error. */
export const queuePlayer =
  ({ address, agent, isTraced, clock, signal }: QueueUse): EpisodesPlayer =>
  async (episodes, onPlayed) => {
    if (episodes.length === 0) return
    // On a terminal, the line of the progress is replaced.
    const onNotice = (text: string) =>
      void process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}backlot: ${text}\n`)
    const evaluation = randomBytes(8).toString('hex')
    await coordinateQueue(episodes, {
      queue: redisQueue(await connectRedis(address, onNotice), evaluation),
      evaluation,
      backlot: VERSION,
      agent: agent.trim(),
      isTraced,
      clock,
      signal,
      onPlayed,
      onNotice,
    })
  }
