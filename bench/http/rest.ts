import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BOXES, CLIENTS, RESET, STEP, STEP_WITH_TREE } from '../desktop/step-plans.ts'
import { QUICK } from '../harness/limits.ts'
import { compareLoad, type Server, sample, startServer, stopServer } from '../harness/load.ts'
import type { RequestPlan } from '../harness/load-client.ts'
import { atLeast, median, type ReportLine } from '../harness/measure.ts'

const CONNECTIONS = 8

/** A route of Backlot, and servers that return the same bytes: a bare Fastify route, or a Node server without routes. */
interface Pair {
  readonly what: string
  readonly work: RequestPlan
  readonly beside: 'bare' | 'plain'
  readonly target: number
}

/**
 * The targets of cached responses, steps and reset are the ratios to bare servers when they were set (0.74, 0.76, 0.42,
 * 0.32 and 0.88 on two Intel Xeon cores), minus a tenth. System calls are so cheap there that gates, step ids and tokens
 * show up in the ratio, and a second router besides Fastify would not save a microsecond.
 */
const SHOWN: readonly Pair[] = [
  { what: 'GET /api/structure', work: { path: '/api/structure' }, beside: 'plain', target: 0.66 },
  { what: 'GET /api/screenshot', work: { path: '/api/screenshot' }, beside: 'plain', target: 0.68 },
  { what: 'GET /api/windows', work: { path: '/api/windows' }, beside: 'bare', target: 0.5 },
]

const STEPS: readonly Pair[] = [
  { what: 'step with what changed', work: STEP, beside: 'bare', target: 0.38 },
  { what: 'step with the tree', work: STEP_WITH_TREE, beside: 'bare', target: 0.28 },
  { what: 'reset', work: RESET, beside: 'bare', target: 0.79 },
]

/** Compares the REST routes with bare ones that return the same bytes, each server in its own process. */
export async function benchRest(): Promise<readonly ReportLine[]> {
  return [
    ...(await besideBare(() => startServer('served', 'ours'), SHOWN)),
    ...(await besideBare(() => startServer('served', 'form', String(BOXES)), STEPS)),
  ]
}

const BESIDE = { bare: 'a bare Fastify route', plain: 'bare node:http' } as const

/** Two processes of the same program differ by up to a fifth for as long as they run. */
const PROCESSES = QUICK ? 1 : 3
/** One second of two servers may differ by half. The median of eighteen pairs is accurate to a tenth. */
const ROUNDS = QUICK ? 2 : 6

async function besideBare(startOurs: () => Promise<Server>, pairs: readonly Pair[]): Promise<readonly ReportLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const file = join(folder, 'body')
  const ours = await several(startOurs)
  const lines: ReportLine[] = []
  for (const { what, work, beside, target } of pairs) {
    for (const server of ours) await answerOf(server, work, file)
    const bare = await several(() => startServer('served', beside, file))
    const servers = ours.flatMap((server, place) => [server, bare[place]!])
    const rates = await sample(
      servers.map((server) => ({ server, work, connections: CLIENTS })),
      ROUNDS,
    )
    // Compares each round with the next one, because the speed of the machine changes.
    const ratios = ours.flatMap((_, place) =>
      rates[2 * place]!.map((rate, round) => rate.perCpuSecond / rates[2 * place + 1]![round]!.perCpuSecond),
    )
    lines.push(atLeast(`${what} (${statSync(file).size} bytes) beside ${BESIDE[beside]}`, median(ratios), target))
    for (const server of bare) stopServer(server)
  }
  for (const server of ours) stopServer(server)
  rmSync(folder, { recursive: true })
  return lines
}

const several = (startOne: () => Promise<Server>): Promise<readonly Server[]> =>
  Promise.all(Array.from({ length: PROCESSES }, startOne))

/** Writes the second response, because the first step returns the whole tree. */
async function answerOf({ url }: Server, { path, bodies }: RequestPlan, file: string): Promise<void> {
  const ask = (turn: number) =>
    fetch(url + path, bodies && { method: 'POST', headers: JSON_BODY, body: bodies[turn % bodies.length]! })
  await ask(0).then((reply) => reply.text())
  writeFileSync(file, await ask(1).then((reply) => reply.text()))
}

const JSON_BODY = { 'content-type': 'application/json' }

const CLICK = JSON.stringify({ selector: 'CheckBox[name="Word Wrap"]' })

/** Measures how many requests of each kind the observer answers for one client and for eight. */
export async function benchRequests(): Promise<readonly ReportLine[]> {
  const server = await startServer('served', 'ours')
  const { tree_token } = (await fetch(`${server.url}/api/observe`).then((reply) => reply.json())) as {
    tree_token: string
  }
  const works: readonly RequestPlan[] = [
    { path: '/api/structure' },
    { path: '/api/element/click', bodies: [CLICK] },
    { path: `/api/observe?since=${encodeURIComponent(tree_token)}` },
    { path: '/api/screenshot?window_index=0' },
  ]
  const cases = works.flatMap((work) => [1, CONNECTIONS].map((connections) => ({ server, work, connections })))
  const rates = await compareLoad(cases)
  stopServer(server)
  return cases.map(({ work, connections }, index) => ({
    what: `${work.bodies ? 'POST' : 'GET'} ${work.path.split('?')[0]}, ${connections} at a time`,
    measured: `${rates[index]!.perSecond.toFixed(0)}/s`,
    target: `${rates[index]!.perCpuSecond.toFixed(0)} per CPU-second`,
  }))
}
