import type { Work } from './client.ts'
import { compare, start, stop } from './load.ts'
import { atLeast, type Line } from './measure.ts'
import { BOXES, CLIENTS, STEP, STEP_WITH_TREE } from './step.ts'

const CONNECTIONS = 8

/** Our REST routes beside a bare Fastify route that returns the same bytes, each server in a process of its own. */
export async function benchRest(): Promise<readonly Line[]> {
  const ours = await start('served', 'ours')
  const lines: Line[] = []
  for (const path of ['/api/structure', '/api/windows']) {
    const body = await fetch(ours.url + path).then((reply) => reply.text())
    const bare = await start('served', 'bare', body)
    const work = { path }
    const [a, b] = await compare([
      { server: ours, work, connections: CONNECTIONS },
      { server: bare, work, connections: CONNECTIONS },
    ])
    const ratio = a!.perCpuSecond / b!.perCpuSecond
    lines.push(atLeast(`GET ${path} (${body.length} bytes) beside bare Fastify, per CPU-second`, ratio, 0.5))
    stop(bare)
  }
  stop(ours)
  return [...lines, ...(await stepsBesideBare())]
}

/** A whole training step beside a bare POST route that parses the same body and returns the same bytes. */
async function stepsBesideBare(): Promise<readonly Line[]> {
  const ours = await start('served', 'form', String(BOXES))
  const lines: Line[] = []
  for (const [what, work, target] of [
    ['what changed', STEP, 0.6],
    ['the tree', STEP_WITH_TREE, 0.3],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const answer = (box: number) =>
      fetch(ours.url + work.path, { method: 'POST', headers, body: work.bodies[box]! }).then((reply) => reply.text())
    // The first answer holds the whole tree, since nothing was shown before.
    await answer(0)
    const body = await answer(1)
    const bare = await start('served', 'bare', body)
    const [a, b] = await compare([
      { server: ours, work, connections: CLIENTS },
      { server: bare, work, connections: CLIENTS },
    ])
    lines.push(
      atLeast(
        `step with ${what} (${body.length} bytes) beside bare POST, ${CLIENTS} at a time`,
        a!.perCpuSecond / b!.perCpuSecond,
        target,
      ),
    )
    stop(bare)
  }
  stop(ours)
  return lines
}

const CLICK = JSON.stringify({ selector: 'CheckBox[name="Word Wrap"]' })

/** How many requests of each kind the observer answers, one client or eight at a time. */
export async function benchRequests(): Promise<readonly Line[]> {
  const server = await start('served', 'ours')
  const { tree_token } = (await fetch(`${server.url}/api/observe`).then((reply) => reply.json())) as {
    tree_token: string
  }
  const works: readonly Work[] = [
    { path: '/api/structure' },
    { path: '/api/element/click', bodies: [CLICK] },
    { path: `/api/observe?since=${encodeURIComponent(tree_token)}` },
    { path: '/api/screenshot?window_index=0' },
  ]
  const cases = works.flatMap((work) => [1, CONNECTIONS].map((connections) => ({ server, work, connections })))
  const rates = await compare(cases)
  stop(server)
  return cases.map(({ work, connections }, index) => ({
    what: `${work.bodies ? 'POST' : 'GET'} ${work.path.split('?')[0]}, ${connections} at a time`,
    measured: `${rates[index]!.perSecond.toFixed(0)}/s`,
    target: `${rates[index]!.perCpuSecond.toFixed(0)} per CPU-second`,
  }))
}
