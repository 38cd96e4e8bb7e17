import assert from 'node:assert/strict'
import * as z from 'zod'
import { breakOnce, generateSamples } from '../../contract/payload.ts'
import { observerContract } from '../../observer/contract.ts'
import { assertRefusal, getTree, getWindows, requireCapability, showScenario, toQuery } from '../../observer/driver.ts'
import { ActionRefusal, CODES, type Code, Refusal } from '../../observer/shapes.ts'
import type { HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

const isJson = (answer: HttpResponse, what: string) => {
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
  { pool: 'dangerous' },
)

/** Requests that must fail on any screen. */
const failing = (context: TestContext): readonly Promise<HttpResponse>[] => [
  context.http.get(`/api/find_element${toQuery({ selector: `Window Button[name="${context.random.word(12)}"]` })}`),
  context.http.get('/api/find_element'),
  context.http.get(`/api/snapshot/${context.random.word()}`),
  context.http.post('/api/wait_for', {
    any_of: [{ type: 'text_visible', regex: context.random.word(16) }],
    timeout_ms: 60,
  }),
  context.http.post('/api/replay/status', { replay_id: context.random.word() }),
]

check(
  'observer:error:object',
  async (context) => {
    for (const answer of await Promise.all(failing(context))) answer.json(Refusal)
  },
  { pool: 'dangerous' },
)

check('observer:error:status', async (context) => {
  for (const answer of await Promise.all(failing(context))) {
    const { code } = answer.json(Refusal).error
    assert.equal(answer.status, CODES[code], `${code} comes with ${answer.status}`)
  }
})

check('observer:error:suggestion', async (context) => {
  const { tools } = (await context.http.get('/api/tools')).json(z.looseObject({ tools: z.array(z.string()) }))
  const suggested = (await Promise.all(failing(context))).map(
    (answer) => answer.json(Refusal).error.suggested_next_tool,
  )
  const given = suggested.filter((tool) => tool !== null)
  assert.ok(given.length > 0, 'no failure suggests a tool')
  for (const tool of given) assert.ok(tools.includes(tool), `${tool} is not a tool`)
})

check('observer:error:legacy', async ({ http }) => {
  const answer = await http.send({ method: 'POST', path: '/api/action', raw: '{"action":"dance"}', deliberate: true })
  assert.equal(answer.status, 400)
  answer.json(ActionRefusal)
})

check('observer:error:ElementNotFound', async (context) => {
  await showScenario(context)
  const selector = `Button[name="${context.random.word(12)}"]`
  assertRefusal(await context.http.get(`/api/find_element${toQuery({ selector })}`), 'ElementNotFound')
  for (const action of ['click', 'focus', 'invoke', 'right_click', 'double_click', 'clear_text'])
    assertRefusal(await context.http.post(`/api/element/${action}`, { selector }), 'ElementNotFound')
  assertRefusal(
    await context.http.post('/api/element/click', { element_id: context.random.word(12) }),
    'ElementNotFound',
  )
})

check('observer:error:ElementOccluded', async (context) => {
  await requireCapability(context.http, 'occlusion_detection')
  await showScenario(context)
  for (const name of ['Away', 'Empty'])
    assertRefusal(
      await context.http.post('/api/element/click', { selector: `Button[name="${name}"]` }),
      'ElementOccluded',
    )
})

check('observer:error:ElementDisabled', async (context) => {
  await showScenario(context)
  const before = await getTree(context.http)
  assertRefusal(await context.http.post('/api/element/click', { selector: 'Button[name="Locked"]' }), 'ElementDisabled')
  assert.equal((await getTree(context.http)).tree_hash, before.tree_hash)
})

check('observer:error:disabled-dry', async (context) => {
  await showScenario(context)
  const body = { selector: 'Button[name="Locked"]', dry_run: true }
  assertRefusal(await context.http.post('/api/element/click', body), 'ElementDisabled')
})

/** A click that opens a dialog, in a window that is named wrongly. */
const OPEN = { selector: 'Button[name="Open dialog"]' }

check('observer:error:WindowGone', async (context) => {
  await showScenario(context)
  const body = { ...OPEN, window_uid: `gone:${context.random.word()}` }
  assertRefusal(await context.http.post('/api/element/click', body), 'WindowGone')
})

/** Fails when a click in the nonexistent window changes anything. */
async function assertActsNowhere(context: TestContext, where: object): Promise<void> {
  await showScenario(context)
  const hashes = async () => {
    const windows = await getWindows(context.http)
    return Promise.all(windows.map(async ({ window_uid }) => (await getTree(context.http, { window_uid })).tree_hash))
  }
  const before = await hashes()
  const answer = await context.http.post('/api/element/click', { ...OPEN, ...where })
  assert.deepEqual(await hashes(), before, 'the action hit another window')
  assert.notEqual(answer.status, 200, `the action succeeded: ${answer.text.slice(0, 200)}`)
}

check('observer:error:other-window', (context) =>
  assertActsNowhere(context, { window_uid: `gone:${context.random.word()}` }),
)

check('observer:error:title-gone', (context) => assertActsNowhere(context, { window_title: context.random.word(12) }))

check('observer:error:look-gone', async (context) => {
  const { http, random } = context
  const window_uid = `gone:${random.word()}`
  for (const path of ['/api/structure', '/api/observe', '/api/description']) {
    const answer = await http.get(`${path}${toQuery({ window_uid })}`)
    assert.notEqual(answer.status, 200, `${path} shows another window: ${answer.text.slice(0, 200)}`)
  }
})

check('observer:error:Timeout', async ({ http, random }) => {
  const body = { any_of: [{ type: 'text_visible', regex: random.word(16) }], timeout_ms: 80 }
  assertRefusal(await http.post('/api/wait_for', body), 'Timeout')
})

check('observer:error:recoverable', async ({ http, random }) => {
  const body = { any_of: [{ type: 'text_visible', regex: random.word(16) }], timeout_ms: 80 }
  assert.equal((await http.post('/api/wait_for', body)).json(Refusal).error.recoverable, true)
})

check('observer:error:step', async (context) => {
  for (const answer of await Promise.all(failing(context))) answer.json(Refusal.extend({ step_id: z.int().positive() }))
})

check('observer:error:SnapshotExpired', async ({ http, random }) => {
  assertRefusal(await http.get(`/api/snapshot/snap:${random.word(16)}`), 'SnapshotExpired')
})

check('observer:error:ScenarioInvalid', async (context) => {
  if (!context.profile.has('scenarios')) await requireCapability(context.http, 'scenarios')
  const answer = await context.http.post('/api/scenario/load', { path: `no-such-${context.random.word()}.yaml` })
  assertRefusal(answer, 'ScenarioInvalid')
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
  // Hundreds of requests.
  { timeoutMs: 60_000, pool: 'dangerous' },
)

const SKIPPED = ['POST /api/scenario/load', 'POST /api/trace/start', 'POST /api/wait_for', 'POST /api/wait_idle']

check(
  'observer:error:Internal',
  async (context) => {
    if (context.profile.has('scenarios')) await showScenario(context)
    const { http, random } = context
    for (const [name, operation] of Object.entries(observerContract.operations)) {
      const [method = '', path = ''] = name.split(' ')
      if (!operation.body || SKIPPED.includes(name) || path.includes('{')) continue
      for (const sample of generateSamples(operation.body, random.split(name), 6)) {
        const raw = JSON.stringify(quick(sample))
        const answer = await http.send({ method, path, raw, deliberate: true })
        assert.ok(
          answer.status < 500 || answer.status === 501,
          `${name} answers ${answer.status} to ${raw}: ${answer.text.slice(0, 300)}`,
        )
      }
    }
  },
  { timeoutMs: 60_000, pool: 'dangerous' },
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

/** Sends the request of the profile that provokes a code. */
async function provoke(context: TestContext, code: Code): Promise<HttpResponse> {
  const all = context.profile.known('provocations', z.record(z.string(), Provocation))
  const wanted = all[code]
  assert.ok(wanted, `prerequisite: the profile has no request that provokes ${code}`)
  const http = wanted.server === undefined ? context.http : await context.auxiliary(wanted.server)
  if (wanted.scenario !== undefined) await showScenario({ ...context, http }, wanted.scenario)
  return http.send({
    method: wanted.method,
    path: wanted.path,
    ...(wanted.body !== undefined && { body: wanted.body }),
  })
}

for (const code of ['WindowOccluded', 'PatternUnsupported', 'PlatformUnsupported'] as const)
  check(`observer:error:${code}`, async (context) => {
    assertRefusal(await provoke(context, code), code)
  })

check('observer:error:PredicateUnsupported', async (context) => {
  const answer = await provoke(context, 'PredicateUnsupported')
  assert.ok(answer.text.includes('PredicateUnsupported'), `it answers ${answer.text.slice(0, 300)}`)
})

check('observer:error:index-gone', async (context) => {
  await showScenario(context)
  const { http } = context
  const before = (await getWindows(http)).length
  const body = { ...OPEN, window_index: 99 }
  assertRefusal(await http.post('/api/element/click', body), 'WindowGone')
  assert.equal((await getWindows(http)).length, before, 'the action hit another window')
})
