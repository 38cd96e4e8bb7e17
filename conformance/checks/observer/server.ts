import assert from 'node:assert/strict'
import * as z from 'zod'
import { findElement, getTree, getWindows, parseSuccess, showScenario, toQuery } from '../../observer/driver.ts'
import { BudgetStatus, Capabilities, Health, Monitors, TraceStatus, Windows } from '../../observer/shapes.ts'
import { TOOLS } from '../../observer/tools.ts'
import { fail, notOffered, parseAs } from '../../probe/failure.ts'
import { findFreePort, startCommand, waitUntilAnswering } from '../../servers/processes.ts'
import { check } from '../check.ts'

check('observer:health:ready', async ({ http }) => {
  parseSuccess(await http.get('/api/healthz'), Health)
})

check('observer:health:ocr', async ({ http }) => {
  const { ocr } = parseSuccess(await http.get('/api/healthz'), Health)
  assert.ok(typeof ocr === 'object' && ocr !== null && 'error' in ocr, 'healthz does not report why OCR fails')
})

const Configured = Health.extend({ config_path: z.string().min(1), config_error: z.string().nullish() })

check(
  'observer:health:config',
  async (context) => {
    const { config_path, config_error } = parseSuccess(
      await (await context.auxiliary('guarded')).get('/api/healthz'),
      Configured,
    )
    assert.match(config_path, /\.json$/, 'it was started with another configuration')
    assert.equal(config_error ?? null, null)
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

/** Whether the server exited within the start time, or reports its configuration error in healthz. */
check(
  'observer:health:config-error',
  async (context) => {
    const port = await findFreePort()
    const server = startCommand(context.auxiliaryCommand('misread', port))
    try {
      if (!(await waitUntilAnswering(`http://127.0.0.1:${port}`, server, START_MS))) {
        assert.ok(server.hasEnded, 'it neither ends nor answers')
        return
      }
      const answer = await fetch(`http://127.0.0.1:${port}/api/healthz`)
      const { config_error } = parseAs(Health, await answer.json(), 'healthz')
      assert.ok(config_error, 'it keeps running without its configuration, and healthz reports no error')
    } finally {
      await server.stop()
    }
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)
const START_MS = 30_000

check('observer:health:steps', async ({ http }) => {
  const count = async () => parseSuccess(await http.get('/api/healthz'), Health).step_count
  const before = await count()
  await getTree(http)
  assert.ok((await count()) > before, `step_count stays at ${before}`)
})

/** The samples of a Prometheus text, by name and labels. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\S+?)\s+(\S+)/.exec(line.replace(/\{[^}]*\}/, '')) ?? []
      assert.ok(name !== '' && !Number.isNaN(Number(value)), `not a metrics sample: ${line}`)
      return [name, Number(value)]
    }),
  )
}

check('observer:metrics:names', async ({ http }) => {
  const answer = await http.get('/api/metrics')
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
  const samples = samplesOf(answer.text)
  for (const name of ['oso_step_count', 'oso_uptime_seconds', 'oso_active_trace'])
    assert.ok(samples.has(name), `${name} is missing`)
})

check('observer:metrics:trace', async ({ http }) => {
  const active = async () => samplesOf((await http.get('/api/metrics')).text).get('oso_active_trace')
  const { active_trace_id } = parseSuccess(await http.get('/api/trace/status'), TraceStatus)
  if (active_trace_id !== null) await http.post('/api/trace/stop', {})
  assert.equal(await active(), 0)
  await http.post('/api/trace/start', {})
  assert.equal(await active(), 1)
  await http.post('/api/trace/stop', {})
  assert.equal(await active(), 0)
})

check(
  'observer:metrics:budget',
  async (context) => {
    const http = await context.auxiliary('budget')
    const status = parseSuccess(await http.get('/api/budget_status'), BudgetStatus)
    if (!status.configured) fail('the budgets of the server are not configured')
    const samples = samplesOf((await http.get('/api/metrics')).text)
    const details = [samples.get('oso_actions_used'), samples.get('oso_screenshots_used')]
    assert.deepEqual(details, [status.actions.used, status.screenshots.used])
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check('observer:metrics:calls', async ({ http }) => {
  await getWindows(http)
  await http.get('/api/find_element')
  const samples = samplesOf((await http.get('/api/metrics')).text)
  for (const name of ['oso_tool_calls_total', 'oso_errors_total']) assert.ok(samples.has(name), `${name} is missing`)
})

check('observer:inspector:page', async ({ http }) => {
  const answer = await http.get('/')
  assert.equal(answer.status, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
  assert.match(answer.text, /<title>[^<]+<\/title>/i)
})

check('observer:capabilities:adapter', async ({ http }) => {
  const capabilities = parseSuccess(await http.get('/api/capabilities'), Capabilities)
  const health = parseSuccess(await http.get('/api/healthz'), Health)
  assert.deepEqual([capabilities.adapter, capabilities.version], [health.adapter, health.version])
})

check('observer:monitors:primary', async ({ http }) => {
  const { monitors } = parseSuccess(await http.get('/api/monitors'), Monitors)
  if (monitors.length === 0) notOffered('no monitor is listed')
  assert.equal(monitors.filter((monitor) => monitor.primary).length, 1)
})

check('observer:monitors:index', async ({ http }) => {
  const { monitors } = parseSuccess(await http.get('/api/monitors'), Monitors)
  assert.deepEqual(
    monitors.map((monitor) => monitor.index),
    monitors.map((_, place) => place),
  )
})

check('observer:monitors:scale', async ({ http }) => {
  for (const { logical_bounds, physical_bounds, scale_factor } of parseSuccess(
    await http.get('/api/monitors'),
    Monitors,
  ).monitors)
    for (const side of ['width', 'height'] as const) {
      const scaled = logical_bounds[side] * scale_factor
      assert.ok(
        Math.abs(scaled - physical_bounds[side]) <= scale_factor,
        `${side}: ${scaled} is not ${physical_bounds[side]}`,
      )
    }
})

const ToolNames = z.looseObject({ tools: z.array(z.string()) })

check('observer:tools:list', async ({ http }) => {
  const { tools } = parseSuccess(await http.get('/api/tools'), ToolNames)
  assert.deepEqual(
    TOOLS.map((tool) => tool.name).filter((name) => !tools.includes(name)),
    [],
    'tools are missing',
  )
})

check('observer:tools:route', async ({ http }) => {
  const plain = parseSuccess(await http.get('/api/windows'), Windows).windows
  for (const answer of [await http.get('/api/tool/list_windows'), await http.post('/api/tool/list_windows', {})])
    assert.deepEqual(parseSuccess(answer, Windows).windows, plain)
})

check('observer:tools:unknown', async ({ http, random }) => {
  const answer = await http.post(`/api/tool/${random.word()}`, {})
  assert.ok([400, 404].includes(answer.status), `it answers ${answer.status}`)
  assert.equal((answer.json() as { ok?: unknown }).ok, false)
})

check('observer:guard:host', async ({ http }) => {
  const answer = await http.get('/api/windows', { headers: { host: 'evil.example' } })
  assert.ok(answer.status >= 400, `a request for evil.example answers ${answer.status}`)
})

check('observer:guard:origin', async ({ http }) => {
  const origin = 'https://evil.example'
  const answer = await http.post('/api/action', { action: 'key', value: 'escape' }, { headers: { origin } })
  assert.ok(answer.status >= 400, `an action from ${origin} answers ${answer.status}`)
})

check('observer:guard:content-type', async ({ http }) => {
  const raw = '{"action":"key","value":"escape"}'
  const headers = { 'content-type': 'text/plain' }
  const answer = await http.send({ method: 'POST', path: '/api/action', raw, headers, deliberate: true })
  assert.ok(answer.status >= 400, `an action sent as text/plain answers ${answer.status}`)
})

check('observer:guard:get-foreground', async (context) => {
  await showScenario(context)
  const { http } = context
  const order = async () => (await getWindows(http)).map(({ window_uid }) => window_uid)
  const before = await order()
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  await http.get(`/api/bring_to_foreground${toQuery({ window_uid: before.at(-1) })}`, { headers })
  assert.deepEqual(await order(), before, 'an image of another site raises a window')
})

check('observer:guard:get', async (context) => {
  await showScenario(context)
  const { http } = context
  const { element_id } = await findElement(http, 'Button[name="Open dialog"]')
  const before = await getTree(http)
  await http.get(`/api/tool/click_element?element_id=${element_id}`)
  assert.equal((await getTree(http)).tree_hash, before.tree_hash, 'GET clicked')
})
