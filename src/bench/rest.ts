import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { atLeast, type Line, median } from './measure.ts'

const SECONDS = 1
const ROUNDS = 5
const CONNECTIONS = 8

/** What a served child answers about itself. */
export interface Ready {
  readonly url: string
}
export interface Usage {
  /** Microseconds of processor time since the start. */
  readonly cpu: number
}

/** Our REST routes beside a bare Fastify route that returns the same bytes, each server in a process of its own. */
export async function benchRest(): Promise<readonly Line[]> {
  const ours = await start('ours', [])
  const lines: Line[] = []
  for (const path of ['/api/structure', '/api/windows']) {
    const body = await fetch(ours.url + path).then((reply) => reply.text())
    const bare = await start('bare', [body])
    const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      const a = await load(ours, path)
      const b = await load(bare, path)
      if (round === 0) continue
      rates.ours.push(a)
      rates.bare.push(b)
    }
    const ratio = median(rates.ours) / median(rates.bare)
    lines.push(atLeast(`GET ${path} (${body.length} bytes) beside bare Fastify, per CPU-second`, ratio, 0.5))
    lines.push({ what: '  requests per CPU-second, ours', measured: median(rates.ours).toFixed(0) })
    stop(bare)
  }
  stop(ours)
  return lines
}

interface Server {
  readonly url: string
  readonly child: ChildProcess
}

async function start(kind: string, args: readonly string[]): Promise<Server> {
  const source = import.meta.url.endsWith('.ts')
  const file = new URL(source ? './served.ts' : './served.js', import.meta.url)
  const child = fork(fileURLToPath(file), [kind, ...args], { execArgv: source ? ['--import', 'tsx'] : [] })
  const [ready] = (await once(child, 'message')) as [Ready]
  return { url: ready.url, child }
}

const stop = ({ child }: Server): void => void child.kill()

async function cpuOf({ child }: Server): Promise<number> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [Usage]
  return usage.cpu
}

/** Requests per second of the server's processor time. */
async function load(server: Server, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const before = await cpuOf(server)
  const until = performance.now() + SECONDS * 1000
  let count = 0
  const one = async () => {
    while (performance.now() < until) {
      await request(server.url + path, agent)
      count++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  const used = (await cpuOf(server)) - before
  agent.destroy()
  return count / (used / 1e6)
}

const request = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${url} answered ${reply.statusCode}`))
      reply.resume().once('end', resolve)
    }).once('error', reject)
  })
