import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { QUICK } from './limits.ts'
import { loadClient, type RequestPlan } from './load-client.ts'
import { median } from './measure.ts'

/** Many short rounds, because the speed of the machine changes from one second to the next. */
const SECONDS = 1
const ROUNDS = QUICK ? 2 : 5

/** The measurements that a server process reports. */
export interface Ready {
  readonly url: string
}
export interface CpuUsage {
  /** Microseconds of processor time since the start. */
  readonly cpu: number
}

export interface ServerMemory {
  /** Bytes after garbage collection. */
  readonly held: number
}

/** A server in its own process that reports its processor time. */
export interface Server {
  readonly url: string
  readonly child: ChildProcess
}

/** Starts a program of `programs` in its own process. */
function run(program: string, args: readonly string[] = [], hasPipes = false): ChildProcess {
  const source = import.meta.url.endsWith('.ts')
  const file = new URL(`../programs/${program}.${source ? 'ts' : 'js'}`, import.meta.url)
  const execArgv = ['--expose-gc', ...(source ? ['--import', 'tsx'] : [])]
  return fork(fileURLToPath(file), args, { execArgv, ...(hasPipes && { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] }) })
}

export async function startServer(program: 'served' | 'streaming', ...args: readonly string[]): Promise<Server> {
  return started(run(program, args))
}

/** Starts a server whose standard input and output are pipes. */
export const startPipedServer = (...args: readonly string[]): Promise<Server> => started(run('served', args, true))

async function started(child: ChildProcess): Promise<Server> {
  const [ready] = (await once(child, 'message')) as [Ready]
  return { url: ready.url, child }
}

/** The rate per second of processor time. */
export interface Stepping {
  readonly steps: number
  readonly resets: number
}

/** The rate of stepping many desktops in a process that does nothing else. */
export async function stepping(): Promise<Stepping> {
  const [report] = (await once(run('stepping'), 'message')) as [Stepping]
  return report
}

/** Milliseconds for the file of the first screenshot, in a process that does nothing else. */
export interface FirstFrame {
  readonly cpuMs: number
  readonly wallMs: number
}

export async function firstFrame(style: string): Promise<FirstFrame> {
  const [report] = (await once(run('first-frame', [style]), 'message')) as [FirstFrame]
  return report
}

export const stopServer = ({ child }: Server): void => void child.kill()

export async function cpuOf({ child }: Server): Promise<number> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [CpuUsage]
  return usage.cpu
}

/** The bytes that a streaming server holds after garbage collection without clients. */
export async function memoryOf({ child }: Server): Promise<number> {
  child.send('held')
  const [{ held }] = (await once(child, 'message')) as [ServerMemory]
  return held
}

export interface Rate {
  /** Requests per second of wall time. */
  readonly perSecond: number
  /** Requests per second of the server's processor time. */
  readonly perCpuSecond: number
}

/** Servers are measured after a warm-up: JIT compilation slows down the first few thousand requests. */
const WARM_UP_REQUESTS = QUICK ? 1000 : 5000
const MAX_WARM_UP_SECONDS = QUICK ? 1 : 5

async function warmUp(server: Server, work: RequestPlan, connections: number): Promise<void> {
  const until = performance.now() + MAX_WARM_UP_SECONDS * 1000
  for (let count = 0; count < WARM_UP_REQUESTS && performance.now() < until; )
    count += (await measureLoad(server, work, connections)).perSecond * SECONDS
}

/** One round of requests at full speed over `connections` connections. */
export async function measureLoad(server: Server, work: RequestPlan, connections: number): Promise<Rate> {
  const before = await cpuOf(server)
  const started = performance.now()
  const count = await loadClient().ask(server.url, work, connections, SECONDS)
  const seconds = (performance.now() - started) / 1000
  const used = (await cpuOf(server)) - before
  return { perSecond: count / seconds, perCpuSecond: count / (used / 1e6) }
}

/** A server and the request that some connections send to it. */
export interface LoadCase {
  readonly server: Server
  readonly work: RequestPlan
  readonly connections: number
}

/** Measures several servers and requests side by side after a warm-up. Returns the medians in the given order. */
export async function compareLoad(cases: readonly LoadCase[]): Promise<readonly Rate[]> {
  return (await sample(cases, ROUNDS)).map((rates) => ({
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(rates.map(({ perCpuSecond }) => perCpuSecond)),
  }))
}

/** Measures several servers and requests side by side, round by round, after a warm-up. Returns the results of each round. */
export async function sample(cases: readonly LoadCase[], rounds: number): Promise<readonly (readonly Rate[])[]> {
  const samples: Rate[][] = cases.map(() => [])
  for (const { server, work, connections } of cases) await warmUp(server, work, connections)
  for (let round = 0; round < rounds; round++)
    for (const [index, { server, work, connections }] of cases.entries())
      samples[index]!.push(await measureLoad(server, work, connections))
  return samples
}
