import assert from 'node:assert/strict'
import * as z from 'zod'
import { observerContract } from '../../contract/observer.ts'
import { ActionRefusal, CODES, type Code, Refusal } from '../../contract/observer-shapes.ts'
import { breakOnce, samples } from '../../contract/payload.ts'
import type { HttpAnswer } from '../../probe/http.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { needs, query, refusedWith, stage, treeOf, windowsOf } from './client.ts'

const isJson = (answer: HttpAnswer, what: string) => {
  assert.match(
    answer.headers['content-type'] ?? '',
    /^application\/json/,
    `${what} is answered with ${answer.headers['content-type']}`,
  )
  answer.json()
}

check(
  'observer:error:json',
  async ({ http, random }) => {
    const unknown = await http.get(`/api/${random.word()}`)
    assert.equal(unknown.status, 404)
    isJson(unknown, 'an unknown route')
    const wrong = await http.send({ method: 'DELETE', path: '/api/windows' })
    assert.ok([404, 405].includes(wrong.status), `DELETE /api/windows answers ${wrong.status}`)
    isJson(wrong, 'a wrong method')
    for (const raw of ['{"action":', '[]', '"click"', 'null', 'a=b']) {
      const answer = await http.send({ method: 'POST', path: '/api/element/click', raw, deliberate: true })
      assert.equal(answer.status, 400, `${raw} answers ${answer.status}`)
      isJson(answer, raw)
    }
  },
  { lane: 'dangerous' },
)

/** Requests that must fail, whatever is on the screen. */
const failing = (bench: Bench): readonly Promise<HttpAnswer>[] => [
  bench.http.get(`/api/find_element${query({ selector: `Window Button[name="${bench.random.word(12)}"]` })}`),
  bench.http.get('/api/find_element'),
  bench.http.get(`/api/snapshot/${bench.random.word()}`),
  bench.http.post('/api/wait_for', {
    any_of: [{ type: 'text_visible', regex: bench.random.word(16) }],
    timeout_ms: 60,
  }),
  bench.http.post('/api/replay/status', { replay_id: bench.random.word() }),
]

check(
  'observer:error:object',
  async (bench) => {
    for (const answer of await Promise.all(failing(bench))) answer.json(Refusal)
  },
  { lane: 'dangerous' },
)

check('observer:error:status', async (bench) => {
  for (const answer of await Promise.all(failing(bench))) {
    const { code } = answer.json(Refusal).error
    assert.equal(answer.status, CODES[code], `${code} comes with ${answer.status}`)
  }
})

check('observer:error:suggestion', async (bench) => {
  const { tools } = (await bench.http.get('/api/tools')).json(z.looseObject({ tools: z.array(z.string()) }))
  const suggested = (await Promise.all(failing(bench))).map((answer) => answer.json(Refusal).error.suggested_next_tool)
  const given = suggested.filter((tool) => tool !== null)
  assert.ok(given.length > 0, 'no failure suggests a tool')
  for (const tool of given) assert.ok(tools.includes(tool), `${tool} is no tool`)
})

check('observer:error:legacy', async ({ http }) => {
  const answer = await http.send({ method: 'POST', path: '/api/action', raw: '{"action":"dance"}', deliberate: true })
  assert.equal(answer.status, 400)
  answer.json(ActionRefusal)
})

check('observer:error:ElementNotFound', async (bench) => {
  await stage(bench)
  const selector = `Button[name="${bench.random.word(12)}"]`
  refusedWith(await bench.http.get(`/api/find_element${query({ selector })}`), 'ElementNotFound')
  for (const action of ['click', 'focus', 'invoke', 'right_click', 'double_click', 'clear_text'])
    refusedWith(await bench.http.post(`/api/element/${action}`, { selector }), 'ElementNotFound')
  refusedWith(await bench.http.post('/api/element/click', { element_id: bench.random.word(12) }), 'ElementNotFound')
})

check('observer:error:ElementOccluded', async (bench) => {
  await needs(bench.http, 'occlusion_detection')
  await stage(bench)
  for (const name of ['Away', 'Empty'])
    refusedWith(await bench.http.post('/api/element/click', { selector: `Button[name="${name}"]` }), 'ElementOccluded')
})

check('observer:error:ElementDisabled', async (bench) => {
  await stage(bench)
  const before = await treeOf(bench.http)
  refusedWith(await bench.http.post('/api/element/click', { selector: 'Button[name="Locked"]' }), 'ElementDisabled')
  assert.equal((await treeOf(bench.http)).tree_hash, before.tree_hash)
})

check('observer:error:disabled-dry', async (bench) => {
  await stage(bench)
  const body = { selector: 'Button[name="Locked"]', dry_run: true }
  refusedWith(await bench.http.post('/api/element/click', body), 'ElementDisabled')
})

/** A click that opens a dialog, in a window that is named wrongly. */
const OPEN = { selector: 'Button[name="Open dialog"]' }

check('observer:error:WindowGone', async (bench) => {
  await stage(bench)
  const body = { ...OPEN, window_uid: `gone:${bench.random.word()}` }
  refusedWith(await bench.http.post('/api/element/click', body), 'WindowGone')
})

/** Fails when clicking in that window, which does not exist, changes anything. */
async function assertActsNowhere(bench: Bench, where: object): Promise<void> {
  await stage(bench)
  const hashes = async () => {
    const windows = await windowsOf(bench.http)
    return Promise.all(windows.map(async ({ window_uid }) => (await treeOf(bench.http, { window_uid })).tree_hash))
  }
  const before = await hashes()
  const answer = await bench.http.post('/api/element/click', { ...OPEN, ...where })
  assert.deepEqual(await hashes(), before, 'the action hit another window')
  assert.notEqual(answer.status, 200, `the action succeeded: ${answer.text.slice(0, 200)}`)
}

check('observer:error:other-window', (bench) => assertActsNowhere(bench, { window_uid: `gone:${bench.random.word()}` }))

check('observer:error:title-gone', (bench) => assertActsNowhere(bench, { window_title: bench.random.word(12) }))

check('observer:error:look-gone', async (bench) => {
  const { http, random } = bench
  const window_uid = `gone:${random.word()}`
  for (const path of ['/api/structure', '/api/observe', '/api/description']) {
    const answer = await http.get(`${path}${query({ window_uid })}`)
    assert.notEqual(answer.status, 200, `${path} shows another window: ${answer.text.slice(0, 200)}`)
  }
})

check('observer:error:Timeout', async ({ http, random }) => {
  const body = { any_of: [{ type: 'text_visible', regex: random.word(16) }], timeout_ms: 80 }
  refusedWith(await http.post('/api/wait_for', body), 'Timeout')
})

check('observer:error:recoverable', async ({ http, random }) => {
  const body = { any_of: [{ type: 'text_visible', regex: random.word(16) }], timeout_ms: 80 }
  assert.equal((await http.post('/api/wait_for', body)).json(Refusal).error.recoverable, true)
})

check('observer:error:step', async (bench) => {
  for (const answer of await Promise.all(failing(bench))) answer.json(Refusal.extend({ step_id: z.int().positive() }))
})

check('observer:error:SnapshotExpired', async ({ http, random }) => {
  refusedWith(await http.get(`/api/snapshot/snap:${random.word(16)}`), 'SnapshotExpired')
})

check('observer:error:ScenarioInvalid', async (bench) => {
  if (!bench.profile.has('scenarios')) await needs(bench.http, 'scenarios')
  const answer = await bench.http.post('/api/scenario/load', { path: `no-such-${bench.random.word()}.yaml` })
  refusedWith(answer, 'ScenarioInvalid')
})

check(
  'observer:error:BadRequest',
  async ({ http, random }) => {
    for (const [name, operation] of Object.entries(observerContract.operations)) {
      const [method = '', path = ''] = name.split(' ')
      if (!operation.body || name === 'POST /api/action' || path.includes('{')) continue
      for (const { value, path: field } of breakOnce(operation.body, random.split(name), 'mistyped')) {
        if (field === 'expected' || field === 'dry_run' || field === 'context') continue
        const answer = await http.send({ method, path, raw: JSON.stringify(value), deliberate: true })
        assert.equal(
          answer.status,
          400,
          `${name} with a wrong ${field} answers ${answer.status}: ${JSON.stringify(value)}`,
        )
        assert.equal(answer.json(Refusal).error.code, 'BadRequest')
      }
    }
  },
  { lane: 'dangerous' },
)

const SKIPPED = ['POST /api/scenario/load', 'POST /api/trace/start', 'POST /api/wait_for', 'POST /api/wait_idle']

check(
  'observer:error:Internal',
  async (bench) => {
    if (bench.profile.has('scenarios')) await stage(bench)
    const { http, random } = bench
    for (const [name, operation] of Object.entries(observerContract.operations)) {
      const [method = '', path = ''] = name.split(' ')
      if (!operation.body || SKIPPED.includes(name) || path.includes('{')) continue
      for (const sample of samples(operation.body, random.split(name), 6)) {
        const raw = JSON.stringify(quick(sample))
        const answer = await http.send({ method, path, raw, deliberate: true })
        assert.ok(
          answer.status < 500 || answer.status === 501,
          `${name} answers ${answer.status} to ${raw}: ${answer.text.slice(0, 300)}`,
        )
      }
    }
  },
  { timeoutMs: 60_000, lane: 'dangerous' },
)

/** The same payload with durations that a suite can wait for. */
function quick(sample: unknown): unknown {
  const times = ['wait_after_ms', 'hover_ms', 'duration_s', 'timeout_ms', 'poll_ms', 'quiet_ms']
  return Object.fromEntries(Object.entries(sample as object).filter(([key]) => !times.includes(key)))
}

const Provocation = z.strictObject({
  /** A satellite to ask instead of the server under test. */
  server: z.string().optional(),
  scenario: z.string().optional(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  body: z.unknown().optional(),
})

/** Sends what the profile knows to provoke a code. */
async function provoke(bench: Bench, code: Code): Promise<HttpAnswer> {
  const all = bench.profile.known('provocations', z.record(z.string(), Provocation))
  const wanted = all[code]
  assert.ok(wanted, `prerequisite: the profile knows nothing that provokes ${code}`)
  const http = wanted.server === undefined ? bench.http : await bench.satellite(wanted.server)
  if (wanted.scenario !== undefined) await stage({ ...bench, http }, wanted.scenario)
  return http.send({
    method: wanted.method,
    path: wanted.path,
    ...(wanted.body !== undefined && { body: wanted.body }),
  })
}

for (const code of ['WindowOccluded', 'PatternUnsupported', 'PlatformUnsupported'] as const)
  check(`observer:error:${code}`, async (bench) => {
    refusedWith(await provoke(bench, code), code)
  })

check('observer:error:PredicateUnsupported', async (bench) => {
  const answer = await provoke(bench, 'PredicateUnsupported')
  assert.ok(answer.text.includes('PredicateUnsupported'), `it answers ${answer.text.slice(0, 300)}`)
})

check('observer:error:index-gone', async (bench) => {
  await stage(bench)
  const { http } = bench
  const before = (await windowsOf(http)).length
  const body = { ...OPEN, window_index: 99 }
  refusedWith(await http.post('/api/element/click', body), 'WindowGone')
  assert.equal((await windowsOf(http)).length, before, 'the action hit another window')
})
