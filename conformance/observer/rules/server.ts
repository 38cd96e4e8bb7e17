import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, fail, notOffered, parseAs } from '../../probe/failure.ts'
import { findFreePort, startCommand, waitUntilAnswering } from '../../servers/processes.ts'
import { type AnyJson, changeStatus } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { getTree, getWindows, parseSuccess } from '../driver.ts'
import { isOnPath, onSuccessOf } from '../sabotage.ts'
import { BudgetStatus, Capabilities, Health, Monitors, TraceStatus, Windows } from '../shapes.ts'
import { TOOLS } from '../tools.ts'

const Configured = Health.extend({ config_path: z.string().min(1), config_error: z.string().nullish() })

const START_MS = 30_000

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

const ToolNames = z.looseObject({ tools: z.array(z.string()) })

/** Changes the response of healthz. */
const health = (change: (json: AnyJson) => void) => onSuccessOf('GET /api/healthz', change)

/** Health and configuration. */
export const healthRules = defineRules('health', {
  ready: {
    level: 'MUST',
    text: 'GET /api/healthz answers 200 when the server is ready.',
    source: 'API for LLM tool use, starting the server',
    basis: { states: 'The server is ready when GET /api/healthz answers 200.' },
    covers: ['O-E43'],
    check: async ({ http }) => {
      parseSuccess(await http.get('/api/healthz'), Health)
    },
    sabotage: {
      'is never ready': changeStatus(200, 503, isOnPath('/api/healthz')),
    },
  },

  steps: {
    level: 'SHOULD',
    text: 'step_count grows with each call of a tool, also one that reads.',
    source: `${sources.version2}, operations`,
    basis: { because: 'The document names step_count; that it grows follows from the word.' },
    covers: ['O-E43', 'O-R2'],
    check: async ({ http }) => {
      const count = async () => parseSuccess(await http.get('/api/healthz'), Health).step_count
      const before = await count()
      await getTree(http)
      assert.ok((await count()) > before, `step_count is ${before} before and after GET /api/structure`)
    },
    sabotage: {
      'grows no steps': onSuccessOf('GET /api/healthz', (json) => {
        json.step_count = 7
      }),
    },
  },

  config: {
    level: 'SHOULD',
    text: 'healthz of a server that was started with a configuration names its file, and no error.',
    source: sources.reference,
    basis: {
      because: 'The reference server has config_path and config_error; its configuration could be ignored unseen.',
    },
    covers: ['O-E43'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const { config_path, config_error } = parseSuccess(
        await (await context.auxiliary('guarded')).get('/api/healthz'),
        Configured,
      )
      assert.match(config_path, /\.json$/, 'it was started with another configuration')
      assert.equal(config_error ?? null, null, 'config_error')
    },
    sabotage: {
      'forgets its configuration': health((json) => {
        json.config_path = ''
      }),
    },
  },

  'config-error': {
    level: 'SHOULD',
    text: 'A configuration that cannot be read ends the server, or healthz reports the error.',
    source: sources.reference,
    basis: { because: 'The reference server has config_error; settings that forbid would be ignored unseen.' },
    covers: ['O-E43'],
    ...AUXILIARY_CHECK,
    /** Whether the server exited within the start time, or reports its configuration error in healthz. */
    check: async (context) => {
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
    sabotage: {
      'goes on without its settings': {
        changeCommand: (command) => command.replace(/--config "[^"]*misread[^"]*"/, ''),
      },
    },
  },

  ocr: {
    level: 'SHOULD',
    text: 'healthz reports which program recognises text, or why it does not work.',
    source: 'API for LLM tool use, GET /api/description',
    basis: { states: 'healthz reports the resolved path of the OCR program and any configuration error.' },
    covers: ['O-E43', 'O-E49'],
    tier: 'full',
    check: async ({ http }) => {
      const { ocr } = parseSuccess(await http.get('/api/healthz'), Health)
      assert.ok(typeof ocr === 'object' && ocr !== null && 'error' in ocr, 'healthz does not report why OCR fails')
    },
    sabotage: {
      'says nothing of text recognition': health((json) => {
        delete json.ocr
      }),
    },
  },
})

/** Metrics. */
export const metricsRules = defineRules('metrics', {
  names: {
    level: 'MUST',
    text: 'The metrics hold oso_step_count, oso_uptime_seconds and oso_active_trace as plain Prometheus text.',
    source: `${sources.version2}, operations`,
    basis: { states: 'The metrics are Prometheus text with oso_step_count, oso_uptime_seconds and oso_active_trace.' },
    covers: ['O-E44'],
    check: async ({ http }) => {
      const answer = await http.get('/api/metrics')
      assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
      const samples = samplesOf(answer.text)
      for (const name of ['oso_step_count', 'oso_uptime_seconds', 'oso_active_trace'])
        assert.ok(samples.has(name), `${name} is missing`)
    },
    sabotage: {
      'hides a metric': {
        changeResponse: (response, request) => {
          if (request.path === '/api/metrics')
            response.body = Buffer.from(response.body.toString().replace(/oso_active_trace/g, 'oso_trace'))
        },
      },
    },
  },

  trace: {
    level: 'SHOULD',
    text: 'oso_active_trace is 1 while a trace is running, else 0.',
    source: `${sources.version2}, operations`,
    basis: { because: 'The document names oso_active_trace; its values are those of the reference server.' },
    covers: ['O-E44', 'O-E31'],
    check: async ({ http }) => {
      const active = async () => samplesOf((await http.get('/api/metrics')).text).get('oso_active_trace')
      const { active_trace_id } = parseSuccess(await http.get('/api/trace/status'), TraceStatus)
      if (active_trace_id !== null) await http.post('/api/trace/stop', {})
      assert.equal(await active(), 0, 'the number of active sessions')
      await http.post('/api/trace/start', {})
      assert.equal(await active(), 1, 'the number of active sessions')
      await http.post('/api/trace/stop', {})
      assert.equal(await active(), 0, 'the number of active sessions')
    },
    sabotage: {
      'traces without a metric': {
        changeResponse: (response, request) => {
          if (request.path === '/api/metrics')
            response.body = Buffer.from(response.body.toString().replace(/^oso_active_trace.*$/m, 'oso_active_trace 0'))
        },
      },
    },
  },

  budget: {
    level: 'SHOULD',
    text: 'Where budgets are set, oso_actions_used and oso_screenshots_used agree with the status.',
    source: `${sources.version2}, operations`,
    basis: { because: 'The document names the metrics; that they agree with the status follows from the words.' },
    covers: ['O-E44'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await context.auxiliary('budget')
      const status = parseSuccess(await http.get('/api/budget_status'), BudgetStatus)
      if (!status.configured) fail('the budgets of the server are not configured')
      const samples = samplesOf((await http.get('/api/metrics')).text)
      const details = [samples.get('oso_actions_used'), samples.get('oso_screenshots_used')]
      assert.deepEqual(details, [status.actions.used, status.screenshots.used], 'the actions and screenshots used')
    },
    sabotage: {
      'measures more actions than there were': {
        changeResponse: (response, request) => {
          if (request.path === '/api/metrics')
            response.body = Buffer.from(
              response.body.toString().replace(/^oso_actions_used .*$/m, 'oso_actions_used 99'),
            )
        },
      },
    },
  },

  calls: {
    level: 'MAY',
    text: 'The metrics count calls by tool and errors by code.',
    source: sources.reference,
    basis: { because: 'e design of the reference server promises oso_tool_calls_total and oso_errors_total.' },
    covers: ['O-E44'],
    tier: 'full',
    check: async ({ http }) => {
      await getWindows(http)
      await http.get('/api/find_element')
      const samples = samplesOf((await http.get('/api/metrics')).text)
      for (const name of ['oso_tool_calls_total', 'oso_errors_total'])
        assert.ok(samples.has(name), `${name} is missing`)
    },
    sabotage: {
      'counts no calls': {
        changeResponse: (response, request) => {
          if (request.path === '/api/metrics')
            response.body = Buffer.from(response.body.toString().replaceAll('oso_tool_calls_total', 'oso_calls'))
        },
      },
    },
  },
})

/** The page of the inspector. */
export const inspectorRules = defineRules('inspector', {
  page: {
    level: 'MUST',
    text: 'GET / is an HTML page.',
    source: 'API for LLM tool use, content types',
    basis: { states: 'GET / returns HTML, the inspector.' },
    covers: ['O-E45'],
    check: async ({ http }) => {
      const answer = await http.get('/')
      assertStatus(answer, 200)
      assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
      assert.match(answer.text, /<title>[^<]+<\/title>/i)
    },
    sabotage: {
      'has no page': {
        changeResponse: (response, request) => {
          if (request.path === '/') response.headers['content-type'] = 'application/json'
        },
      },
    },
  },
})

/** Announced capabilities. */
export const capabilitiesRules = defineRules('capabilities', {
  adapter: {
    level: 'SHOULD',
    text: 'Capabilities and health name the same adapter and version.',
    source: `${sources.version2}, GET /api/capabilities`,
    basis: {
      because: 'Both responses have an adapter and a version; that they agree follows from the names.',
    },
    covers: ['O-E7', 'O-E43'],
    check: async ({ http }) => {
      const capabilities = parseSuccess(await http.get('/api/capabilities'), Capabilities)
      const health = parseSuccess(await http.get('/api/healthz'), Health)
      assertAgree({
        capabilities: { adapter: capabilities.adapter, version: capabilities.version },
        healthz: { adapter: health.adapter, version: health.version },
      })
    },
    sabotage: {
      'names another adapter': onSuccessOf('GET /api/capabilities', (json) => {
        json.adapter = 'Other'
      }),
    },
  },
})

/** Monitors. */
export const monitorsRules = defineRules('monitors', {
  primary: {
    level: 'MUST',
    text: 'Exactly one monitor is primary.',
    source: `${sources.version2}, GET /api/monitors`,
    basis: {
      states: 'Each monitor reports whether it is primary; coordinates count from the corner of the primary monitor.',
    },
    covers: ['O-E8'],
    check: async ({ http }) => {
      const { monitors } = parseSuccess(await http.get('/api/monitors'), Monitors)
      if (monitors.length === 0) notOffered('no monitor is listed')
      assert.equal(monitors.filter((monitor) => monitor.primary).length, 1, 'the number of primary monitors')
    },
    sabotage: {
      'has no primary monitor': onSuccessOf('GET /api/monitors', (json) => {
        for (const one of json.monitors) one.primary = false
      }),
    },
  },

  scale: {
    level: 'SHOULD',
    text: 'Physical bounds are the logical ones times the scale factor.',
    source: `${sources.version2}, GET /api/monitors`,
    basis: { because: 'The document names the fields; how they relate follows from the words.' },
    covers: ['O-E8', 'O-R1'],
    check: async ({ http }) => {
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
    },
    sabotage: {
      'scales wrongly': onSuccessOf('GET /api/monitors', (json) => {
        for (const one of json.monitors) one.scale_factor = 2
      }),
    },
  },

  index: {
    level: 'SHOULD',
    text: 'The indexes of monitors count from 0.',
    source: `${sources.version2}, GET /api/monitors`,
    basis: {
      because: 'The document names the field; windows count from 0, and monitors[index] is what a client writes.',
    },
    covers: ['O-E8'],
    check: async ({ http }) => {
      const { monitors } = parseSuccess(await http.get('/api/monitors'), Monitors)
      assert.deepEqual(
        monitors.map((monitor) => monitor.index),
        monitors.map((_, place) => place),
        'the indexes of the monitors',
      )
    },
    sabotage: {
      'numbers monitors from 1': onSuccessOf('GET /api/monitors', (json) => {
        for (const one of json.monitors) one.index++
      }),
    },
  },
})

/** The list of tools and their routes. */
export const toolsRules = defineRules('tools', {
  list: {
    level: 'SHOULD',
    text: 'GET /api/tools names the 51 tools of the reference server.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E46'],
    tier: 'sdk',
    check: async ({ http }) => {
      const { tools } = parseSuccess(await http.get('/api/tools'), ToolNames)
      assert.deepEqual(
        TOOLS.map((tool) => tool.name).filter((name) => !tools.includes(name)),
        [],
        'tools are missing',
      )
    },
    sabotage: {
      'lacks a tool': onSuccessOf('GET /api/tools', (json) => {
        json.tools.splice(json.tools.indexOf('find_element'), 1)
      }),
    },
  },

  route: {
    level: 'SHOULD',
    text: 'A tool called by its name answers what its own endpoint answers.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E47'],
    tier: 'sdk',
    check: async ({ http }) => {
      const plain = parseSuccess(await http.get('/api/windows'), Windows).windows
      for (const answer of [await http.get('/api/tool/list_windows'), await http.post('/api/tool/list_windows', {})])
        assertAgree(
          { 'the spelt request': parseSuccess(answer, Windows).windows, 'the plain request': plain },
          'the windows',
        )
    },
    sabotage: {
      'runs another tool': {
        changeRequest: (request) => {
          if (request.path.startsWith('/api/tool/')) request.path = '/api/tool/get_monitors'
        },
      },
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'An unknown tool is refused with BadRequest or 404.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E47'],
    tier: 'sdk',
    check: async ({ http, random }) => {
      const answer = await http.post(`/api/tool/${random.word()}`, {})
      assert.ok([400, 404].includes(answer.status), `it answers ${answer.status}`)
      assert.equal((answer.json() as { ok?: unknown }).ok, false, 'ok')
    },
    sabotage: {
      'knows every tool': {
        changeResponse: (response, request) => {
          if (request.path.startsWith('/api/tool/') && response.status >= 400) (response.json as AnyJson).ok = true
        },
      },
    },
  },
})
