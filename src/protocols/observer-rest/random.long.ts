import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect, it } from 'vitest'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { ALL_TOOLS } from '../../observer/registry.ts'
import { openDesktop } from '../../testing.ts'
import { TOOL_ROUTES } from './routes.ts'

const DESKTOP = readFileSync(new URL('../../../scenarios/desktop.yaml', import.meta.url), 'utf8')

const REQUESTS = 10_000
const WARM_UP = 4000
const SLOWEST_MS = 1000
const MAX_GROWTH = 24 * 1024 * 1024

/** Expected statuses: an unsupported action, and a server at its limit of desktops. */
const CAUSED = new Set([501, 503])

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

const argumentNames = [
  ...new Set(ALL_TOOLS.flatMap(({ input }) => Object.keys((input as unknown as { shape?: object }).shape ?? {}))),
]

/** Values that mean something somewhere, and values that mean nothing anywhere. */
const value = fc.oneof(
  fc.constantFrom(
    'mock:0',
    'root.1',
    'Button',
    'Window//Edit "x"',
    'tt:0123456789abcdef',
    'custom',
    'a+b',
    '(',
    'left',
  ),
  fc.integer({ min: -3, max: 2000 }),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
)
const args = fc.dictionary(fc.constantFrom(...argumentNames), value, { maxKeys: 5 })

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TOOL_ROUTES.map(([, each]) => each)) },
  { weight: 6, arbitrary: fc.constantFrom(...ALL_TOOLS.map(({ name }) => `/api/tool/${name}`)) },
  { weight: 2, arbitrary: fc.constantFrom('/api/action', '/api/hover', '/api/bring_to_foreground') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/api/tools', '/api/healthz', '/api/metrics', '/', '/sessions', '/sessions/x'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }).map((text) => `/api/${encodeURIComponent(text)}`) },
)

const request = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'),
    path,
    args,
    fc.constantFrom('json', 'query', 'odd'),
  )
  .map(([method, url, given, kind]): InjectOptions => {
    const query = new URLSearchParams(Object.entries(given).map(([key, each]): [string, string] => [key, String(each)]))
    if (kind === 'query' || method === 'GET' || method === 'HEAD')
      return { method, url: `${url}?${query}` } as InjectOptions
    const payload = kind === 'odd' ? JSON.stringify(given).slice(0, -1) : JSON.stringify(given)
    return { method, url, payload, headers: { 'content-type': 'application/json' } } as InjectOptions
  })

it(`[REST5] ${REQUESTS} requests of any kind are answered, none slowly, none kept`, { timeout: 120_000 }, async () => {
  const desk = openDesktop({ scenario: DESKTOP })
  const bugs: unknown[] = []
  Object.assign(desk.session.context, { report: (bug: unknown) => bugs.push(bug) })
  const app = await createFastifyApp(desk)
  const requests = fc.sample(request, { numRuns: REQUESTS, seed: 2024 })
  const slow: unknown[] = []
  const failed: unknown[] = []
  let before = 0
  let succeeded = 0
  for (const [index, each] of requests.entries()) {
    if (index === WARM_UP) {
      collect()
      before = process.memoryUsage().heapUsed
    }
    const { statusCode, ms } = await timed(app, each)
    // Other tests of this process spend processor time as well, and the first of a kind loads its library.
    if (ms > SLOWEST_MS && (await timed(app, each)).ms > SLOWEST_MS) slow.push([each.method, each.url])
    if (statusCode < 300) succeeded++
    if (statusCode >= 500 && !CAUSED.has(statusCode)) failed.push([statusCode, each])
  }
  desk.session.context.tracing.stop(desk.session.now())
  collect()
  expect(succeeded).toBeGreaterThan(REQUESTS / 10)
  expect(failed).toEqual([])
  expect(bugs).toEqual([])
  expect(slow).toEqual([])
  expect(process.memoryUsage().heapUsed - before - sizeOf(desk.artifacts)).toBeLessThan(MAX_GROWTH)
})

/** A request, and the milliseconds of processor time that went by. */
async function timed(app: FastifyInstance, request: InjectOptions): Promise<{ statusCode: number; ms: number }> {
  const started = process.cpuUsage()
  const { statusCode } = await app.inject(request)
  const { user, system } = process.cpuUsage(started)
  return { statusCode, ms: (user + system) / 1000 }
}

/** What a rehearsal keeps in memory where a server writes to the disk. */
const sizeOf = (written: ReadonlyMap<string, string | Uint8Array>): number =>
  [...written.values()].reduce((sum, each) => sum + 2 * each.length, 0)
