import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { median } from './measure.ts'

/** Short rounds and many, since how fast the machine is changes from one second to the next. */
const SECONDS = 0.4
const ROUNDS = 15

/** What a served child answers about itself. */
export interface Ready {
  readonly url: string
}
export interface Usage {
  /** Microseconds of processor time since the start. */
  readonly cpu: number
}

export interface Held {
  /** Bytes, after collecting garbage. */
  readonly held: number
}

/** A server in a process of its own, whose processor time can be asked. */
export interface Server {
  readonly url: string
  readonly child: ChildProcess
}

/** Starts one of the programs beside this file. */
export async function start(program: 'served' | 'streaming', ...args: readonly string[]): Promise<Server> {
  const source = import.meta.url.endsWith('.ts')
  const file = new URL(`./${program}.${source ? 'ts' : 'js'}`, import.meta.url)
  const child = fork(fileURLToPath(file), args, { execArgv: ['--expose-gc', ...(source ? ['--import', 'tsx'] : [])] })
  const [ready] = (await once(child, 'message')) as [Ready]
  return { url: ready.url, child }
}

export const stop = ({ child }: Server): void => void child.kill()

export async function cpuOf({ child }: Server): Promise<number> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [Usage]
  return usage.cpu
}

/** Bytes that a streaming server holds when everything that can go is gone. */
export async function heldBy({ child }: Server): Promise<number> {
  child.send('held')
  const [{ held }] = (await once(child, 'message')) as [Held]
  return held
}

export interface Work {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  /** The body of each request, by its number. */
  readonly body?: (number: number) => string
}

export interface Rate {
  /** Requests per second by the wall. */
  readonly perSecond: number
  /** Requests per second of the server's processor time. */
  readonly perCpuSecond: number
}

/** Servers are measured as they are after a while: the first few thousand requests are slower by what the engine compiles. */
const WARM_UP_REQUESTS = 5000
const WARM_UP_SECONDS_MOST = 15

export async function warmUp(server: Server, work: Work, connections: number): Promise<void> {
  const until = performance.now() + WARM_UP_SECONDS_MOST * 1000
  for (let count = 0; count < WARM_UP_REQUESTS && performance.now() < until; )
    count += (await load(server, work, connections)).perSecond * SECONDS
}

/** One round of requests, as fast as `connections` of them at a time go. */
export async function load(server: Server, work: Work, connections: number): Promise<Rate> {
  const pool = new Pool(server.url, { connections, pipelining: 1 })
  const all = (does: () => Promise<void>) => Promise.all(Array.from({ length: connections }, does))
  let count = 0
  const one = () => send(pool, work, count++)
  // Connecting is not counted.
  await all(one)
  count = 0
  const before = await cpuOf(server)
  const started = performance.now()
  const until = started + SECONDS * 1000
  await all(async () => {
    while (performance.now() < until) await one()
  })
  const seconds = (performance.now() - started) / 1000
  const used = (await cpuOf(server)) - before
  await pool.close()
  return { perSecond: count / seconds, perCpuSecond: count / (used / 1e6) }
}

/** Several servers and works side by side, round by round, all of them warm; the medians, in the order given. */
export async function compare(
  cases: readonly { readonly server: Server; readonly work: Work; readonly connections: number }[],
): Promise<readonly Rate[]> {
  const samples: Rate[][] = cases.map(() => [])
  for (const { server, work, connections } of cases) await warmUp(server, work, connections)
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { server, work, connections }] of cases.entries())
      samples[index]!.push(await load(server, work, connections))
  return samples.map((rates) => ({
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(rates.map(({ perCpuSecond }) => perCpuSecond)),
  }))
}

const JSON_BODY = { 'content-type': 'application/json' }

/**
 * One request, answered whole. It is told to a handler and not to a promise of its own, since a client that costs more than
 * the server would leave it waiting, and a server that goes to sleep after each request pays for that as well.
 */
function send(pool: Pool, { path, method = 'GET', body }: Work, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = body?.(number)
    pool.dispatch(
      { path, method, ...(text !== undefined && { body: text, headers: JSON_BODY }) },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status) => {
          if (status !== 200) reject(new Error(`${method} ${path} answered ${status}`))
        },
        onResponseData: () => {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}
