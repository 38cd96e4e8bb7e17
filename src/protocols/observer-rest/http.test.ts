import type { FastifyInstance, InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { Fault } from '../../base/fault.ts'
import { VERSION } from '../../compose/package.ts'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { ALL_TOOLS } from '../../observer/registry.ts'
import { openDesktop } from '../../testing.ts'
import { openApi } from '../http/document.ts'
import { observerApi } from './api-description.ts'

// Rules such as [REST1] are stated in README.md beside this file.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: A
          children: [{id: e, role: Edit, name: E, value: "", bounds: {x: 10, y: 50, width: 80, height: 28}}]
      - {uid: mock:b, title: B}
`

const served = async (guard: Parameters<typeof createFastifyApp>[1] = {}, settings: object = {}) => {
  const desk = openDesktop({ scenario: APP, config: settings })
  return { desk, app: await createFastifyApp(desk, guard) }
}
const statusOf = async (app: FastifyInstance, request: InjectOptions | string) => (await app.inject(request)).statusCode
const PRESS = { method: 'POST', url: '/api/action', payload: { action: 'key', value: 'tab' } } as const

describe('access', () => {
  it.each(['localhost', 'localhost:5001', '127.0.0.1:5001', '[::1]:5001', '192.168.7.7:5001', 'desk.example:5001'])(
    '[REST1] a server called %s answers',
    async (host) => {
      const { app } = await served({ hosts: ['desk.example'] })
      expect(await statusOf(app, { ...PRESS, headers: { host } })).toBe(200)
    },
  )

  it.each(['evil.example', 'localhost.evil.example:5001', '127.0.0.1.evil.example', 'localhost@evil.example'])(
    '[REST1] rejects requests to the host %j without effect',
    async (host) => {
      const { app, desk } = await served()
      const reply = await app.inject({ ...PRESS, headers: { host } })
      expect(reply.statusCode).toBe(400)
      expect(reply.json()).toMatchObject({ success: false, code: 'PermissionDenied' })
      expect(await statusOf(app, { url: '/api/windows', headers: { host } })).toBe(403)
      expect(desk.computer.stepCount).toBe(0)
    },
  )

  it('[REST2] allows pages of this server and of listed origins only', async () => {
    const { app, desk } = await served({ origins: ['https://app.example'] })
    const from = (origin: string) => statusOf(app, { url: '/api/windows', headers: { host: 'localhost:5001', origin } })
    expect(await from('http://localhost:5001')).toBe(200)
    expect(await from('https://app.example')).toBe(200)
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:8080',
      'https://localhost:5001',
      'https://app.example.evil',
    ])
      expect([origin, await from(origin)]).toEqual([origin, 403])
    expect(desk.computer.stepCount).toBe(0)
  })

  it.each(['/api/windows', '/api/screenshot'])('[REST2] only listed origins get CORS headers for %s', async (url) => {
    const { app } = await served({ origins: ['https://app.example'] })
    const headersFor = async (origin?: string) => {
      const { headers } = await app.inject({
        url,
        headers: { host: 'localhost', ...(origin && { origin }) },
      })
      return [headers['access-control-allow-origin'], headers.vary]
    }
    expect(await headersFor('https://app.example')).toEqual(['https://app.example', 'Origin'])
    expect(await headersFor('https://evil.example')).toEqual([undefined, undefined])
    expect(await headersFor()).toEqual([undefined, undefined])
    const { app: closed } = await served()
    const reply = await closed.inject({
      url: '/api/windows',
      headers: { origin: 'http://localhost', host: 'localhost' },
    })
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('[REST2] answers the question that a browser asks before', async () => {
    const { app } = await served({ origins: ['https://app.example'], token: 'secret' })
    const ask = (origin: string) => app.inject({ method: 'OPTIONS', url: '/api/action', headers: { origin } })
    const reply = await ask('https://app.example')
    expect([reply.statusCode, reply.body]).toEqual([204, ''])
    expect(reply.headers).toMatchObject({
      allow: 'POST',
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'content-type, authorization, x-harness-token, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id, x-backlot-confirm',
    })
    expect((await ask('https://evil.example')).statusCode).toBe(400)
  })

  it('[REST10] carries the token', async () => {
    const { app } = await served({ token: 'open sesame' })
    const from = (authorization?: string) =>
      statusOf(app, { url: '/api/windows', headers: authorization === undefined ? {} : { authorization } })
    expect(await from()).toBe(401)
    expect(await from('Bearer open')).toBe(401)
    expect(await from('open sesame')).toBe(401)
    expect(await from('Bearer open sesame')).toBe(200)
    expect(await statusOf(app, '/api/healthz')).toBe(401)
  })

  it.each(['/%61pi/windows', '/a%70i/screenshot', '/%73essions', '/sessions/default/%61pi/windows', '/api/nothing'])(
    '[REST10] carries the token where the path is written as %s',
    async (url) => {
      const { app } = await served({ token: 'open sesame' })
      expect(await statusOf(app, url)).toBe(401)
    },
  )
})

it('[REST27] may have slashes that follow each other, with the same access checks', async () => {
  const { app } = await served({ token: 'open sesame' })
  const headers = { authorization: 'Bearer open sesame' }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect([
    await statusOf(app, { url: '//api//windows', headers }),
    await statusOf(app, '//api//windows'),
    await statusOf(app, '//mcp'),
    (await app.inject({ method: 'POST', url: '//api/nothing', payload: ping, headers })).statusCode,
  ]).toEqual([200, 401, 401, 404])
})

describe('bodies', () => {
  const send = async (payload: string | object, type: string | undefined, url = '/api/element/click') => {
    const { app, desk } = await served()
    const headers = type === undefined ? {} : { 'content-type': type }
    const reply = await app.inject({ method: 'POST', url, payload, headers })
    expect(desk.computer.stepCount).toBe(0)
    return [reply.statusCode, reply.json().error?.message ?? reply.json().error]
  }

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'])(
    '[REST3] of type %s are refused',
    async (type) => {
      const body = '{"action":"key","value":"a"}'
      const message = `send JSON with Content-Type: application/json, not ${type}`
      expect(await send(body, type, '/api/action')).toEqual([400, message])
      expect(await send(body, type, '/api/tool/press_key')).toEqual([400, message])
    },
  )

  it.each(['{', '{"a":}', 'nonsense', '{"element_id":"e"', "{'a':1}"])(
    '[REST3] that are not JSON (%s) are rejected',
    async (text) => {
      const [status, message] = await send(text, 'application/json')
      expect(status).toBe(400)
      expect(message).toMatch(/^the body is not JSON: /)
    },
  )

  it.each([
    ['[]', 'an array'],
    ['"x"', 'a string'],
    ['5', 'a number'],
    ['true', 'a boolean'],
    ['null', 'null'],
  ])('[REST3] that are %s are refused', async (text, kind) => {
    expect(await send(text, 'application/json')).toEqual([
      400,
      `click_element takes its arguments as an object, not as ${kind}`,
    ])
  })

  it('[REST3] that are empty count as no arguments', async () => {
    const { app } = await served()
    expect(await statusOf(app, { method: 'POST', url: '/api/snapshot' })).toBe(200)
    const typed = { 'content-type': 'application/json' }
    expect(await statusOf(app, { method: 'POST', url: '/api/snapshot', headers: typed, payload: ' ' })).toBe(200)
    expect(
      await statusOf(app, { method: 'POST', url: '/api/snapshot', headers: { 'content-type': 'text/plain' } }),
    ).toBe(200)
  })

  it('[REST5] of the largest file that a tool writes are read', async () => {
    const { app } = await served()
    const content = Buffer.from('あ'.repeat(1_000_000)).toString('base64')
    const payload = { path: '/home/large.txt', content, encoding: 'base64' }
    const reply = await app.inject({ method: 'POST', url: '/api/tool/write_disk_file', payload })
    expect([reply.statusCode, reply.json().size]).toEqual([200, 3_000_000])
  })

  it('[REST5] larger than 8 MiB are refused', async () => {
    const { app } = await served()
    const payload = { text: 'x'.repeat(8 * 1024 * 1024) }
    const reply = await app.inject({ method: 'POST', url: '/api/tool/type_text', payload })
    expect([reply.statusCode, reply.json().error.code]).toEqual([413, 'TooLarge'])
    const plain = {
      method: 'POST',
      url: '/api/action',
      payload: payload.text,
      headers: { 'content-type': 'text/plain' },
    } as const
    expect(await statusOf(app, plain)).toBe(400)
    const deep = `${'{"args":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect(await send(deep, 'application/json', '/api/propose_action')).toMatchObject([
      400,
      expect.stringMatching(/levels deep/),
    ])
  })
})

describe('reading', () => {
  it('[REST4] never acts: tools that do, or that change the session, need POST', async () => {
    const { app, desk } = await served()
    for (const { name, kind } of ALL_TOOLS) {
      if (kind === 'look') continue
      const reply = await app.inject(`/api/tool/${name}?element_id=e&x=50&y=60&text=a&keys=a`)
      expect([name, reply.statusCode, reply.json().error.message]).toEqual([
        name,
        400,
        `GET never acts: use POST /api/tool/${name}`,
      ])
    }
    expect(desk.computer.stepCount).toBe(0)
    expect(desk.session.context.tracing.active).toBe(false)
  })

  it('[REST4] raises a window for a program, not for a page', async () => {
    const { app, desk } = await served()
    const url = '/api/bring_to_foreground?window_uid=mock:b'
    for (const headers of [
      { origin: 'http://localhost:80' },
      { referer: 'http://evil.example/' },
      { 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect(await statusOf(app, { url, headers })).toBe(400)
    expect(desk.computer.stepCount).toBe(0)
    const reply = await app.inject(url)
    expect(reply.json()).toMatchObject({ success: true, action: 'bring_to_foreground', window: 'B' })
    expect(desk.computer.desktop.active).toBe('mock:b')
  })

  it('[REST12] reads numbers, booleans and lists in a query', async () => {
    const { app } = await served()
    const get = async (url: string) => (await app.inject(url)).json()
    expect(await get('/api/structure?window_index=%201')).toMatchObject({ window_uid: 'mock:b' })
    expect(await get('/api/structure?window_index=+1')).toMatchObject({ window_uid: 'mock:b' })
    expect(await get('/api/structure?window_index=1&window_index=0')).toMatchObject({ window_uid: 'mock:b' })
    expect(await get('/api/structure?roles=Edit,Button&prune_empty=YES')).toMatchObject({ node_count: 2 })
    expect(await get('/api/structure?roles=&exclude_roles=Edit,')).toMatchObject({ node_count: 1 })
    expect(await get('/api/windows?constructor=1&toString=x&hasOwnProperty=')).toMatchObject({ ok: true })
    expect(await get('/api/tool/get_screenshot_cropped?bbox={"x":0,"y":0,"width":9,"height":8}')).toMatchObject({
      width: 9,
    })
    expect(await get('/api/windows?mood=good')).toMatchObject({ count: 2 })
  })

  it('[REST12] reads an empty value as an omitted one, as some clients send it', async () => {
    const { app } = await served()
    const get = async (url: string) => (await app.inject(url)).json()
    const { window_uid, tree, depth_used } = await get('/api/structure')
    const empty = await get('/api/structure?window_index=&window_uid=&depth=&name_regex=&visible_only=&roles=')
    expect(empty).toMatchObject({ window_uid, tree, depth_used })
    expect(await get('/api/screenshot?window_index=')).toMatchObject({ window: '(full screen)' })
  })

  it.each([
    ['/api/structure?window_index=abc', 'window_index'],
    ['/api/structure?window_index=0.5', 'window_index'],
    ['/api/structure?max_nodes=0', 'max_nodes'],
    ['/api/structure?depth=-1', 'depth'],
    ['/api/structure?visible_only=maybe', 'visible_only'],
    ['/api/observe?format=xml', 'format'],
    ['/api/find_element', 'selector'],
    ['/api/find_element?selector=', 'selector'],
    ['/api/tool/get_screenshot_cropped?bbox=all', 'bbox'],
  ])('[REST12] explains the error in %s', async (url, field) => {
    const { app } = await served()
    const reply = await app.inject(url)
    expect([reply.statusCode, reply.json().error.context.field]).toEqual([400, field])
  })
})

describe('paths', () => {
  it.each([
    '/api/nothing',
    '/api/windows/',
    '/api/Windows',
    '/api',
    '/nothing',
    '/api/tool',
    '/api/snap//',
    '/api/element',
  ])('[REST6] %s is not found', async (url) => {
    const { app } = await served()
    const reply = await app.inject(url)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error).toMatchObject({
      code: 'BadRequest',
      message: expect.stringContaining(`there is no GET ${url}; `),
    })
  })

  it.each([
    ['POST', '/api/windows', 'GET, HEAD'],
    ['GET', '/api/action', 'POST'],
    ['PUT', '/api/snapshot/snap:1', 'DELETE, GET, HEAD'],
    ['DELETE', '/api/tool/list_windows', 'GET, HEAD, POST'],
    ['PATCH', '/api/element/click', 'POST'],
    ['POST', '/api/healthz', 'GET, HEAD'],
    ['GET', '/sessions/s1', 'DELETE'],
    ['POST', '/sessions/s1/api/windows', 'GET, HEAD'],
  ] as const)('[REST6] %s %s is not allowed', async (method, url, allow) => {
    const { app } = await served()
    const reply = await app.inject({ method, url })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow])
    expect(reply.json()).toMatchObject({ ok: false, success: false })
    expect(await app.inject({ method: 'OPTIONS', url })).toMatchObject({ statusCode: 204, headers: { allow } })
  })

  it.each([
    '/api/windows?%',
    '/%',
    '/api/tool/%ff',
    '/api/snapshot/%00',
    `/api/tool/${'x'.repeat(600)}`,
    '/api/windows?a[b]=1',
  ])('[REST6] %s is answered in JSON', async (url) => {
    const { app } = await served()
    const reply = await app.inject(url)
    expect(reply.statusCode).toBeLessThan(500)
    expect(reply.json()).toHaveProperty('ok')
  })

  it('[REST6] an unknown tool is a bad request', async () => {
    const { app } = await served()
    for (const method of ['GET', 'POST'] as const) {
      const reply = await app.inject({ method, url: '/api/tool/dance' })
      expect([reply.statusCode, reply.json().error.context]).toEqual([400, { tool: 'dance' }])
    }
  })

  it('lists every tool', async () => {
    const { app } = await served()
    expect((await app.inject('/api/tools')).json()).toEqual({
      ok: true,
      success: true,
      tools: ALL_TOOLS.map(({ name }) => name),
    })
  })

  it.each(['/api/windows', '/api/screenshot'])('answers HEAD %s as GET without a body', async (url) => {
    const { app } = await served()
    const whole = await app.inject(url)
    const reply = await app.inject({ method: 'HEAD', url })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
    expect(reply.headers['content-length']).toBe(whole.headers['content-length'])
  })
})

describe('[REST17] repeated calls', () => {
  const OBSERVATIONS = ['/api/structure', '/api/windows', '/api/screenshot', '/api/screenshot?window_index=0']

  it.each(OBSERVATIONS)('of %s is the same on the same desktop, and different on another', async (url) => {
    const { app, desk } = await served()
    const ask = async () => {
      const { step_id, tree_token, caused_by_step_id, ...rest } = (await app.inject(url)).json()
      // The first observation of a window is marked as such.
      return { step_id, tree_token, rest: { ...rest, perf: undefined } }
    }
    const before = [await ask(), await ask(), await ask(), await ask()]
    expect(before.map(({ rest }) => rest)).toEqual(before.map(() => before[0]!.rest))
    expect(before.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4])
    if (url === '/api/structure') expect(new Set(before.map(({ tree_token }) => tree_token)).size).toBe(4)
    await desk.call('focus_element', { element_id: 'e' })
    await desk.call('type_text', { text: 'x' })
    await desk.call('press_key', { keys: 'alt+F4' })
    const after = [await ask(), await ask(), await ask()]
    expect(after[0]!.rest).not.toEqual(before[0]!.rest)
    expect(after.map(({ rest }) => rest)).toEqual(after.map(() => after[0]!.rest))
  })
})

describe('the first version', () => {
  it('[REST13] runs concurrent requests in order', async () => {
    const { app, desk } = await served()
    await desk.call('focus_element', { element_id: 'e' })
    const words = Array.from({ length: 20 }, (_, index) => `${index} `)
    const type = (value: string) =>
      app.inject({ method: 'POST', url: '/api/action', payload: { action: 'type', value } })
    const replies = await Promise.all(words.map(type))
    const steps = replies.map((reply) => reply.json().step_id)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    const { tree } = (await app.inject('/api/structure')).json()
    expect(tree.children[0].value).toBe(words.join(''))
  })

  it.each([
    [
      { action: 'click_at', x: 50, y: 60 },
      { action: 'click_at', x: 50, y: 60, button: 'left', double: false },
    ],
    [{ action: 'type', value: 'hi' }, { action: 'type' }],
    [
      { action: 'key', value: 'ctrl+a' },
      { action: 'key', value: 'ctrl+a' },
    ],
    [
      { action: 'scroll', clicks: -2 },
      { action: 'scroll', clicks: -2 },
    ],
  ])('acts on %j and echoes it', async (payload, echo) => {
    const { app, desk } = await served()
    await desk.call('focus_element', { element_id: 'e' })
    const reply = await app.inject({ method: 'POST', url: '/api/action', payload })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ success: true, ...echo, note: 'Mock adapter — no real OS action performed' })
  })

  it('hovers over a point or an element', async () => {
    const { app } = await served()
    const hover = async (payload: object) => (await app.inject({ method: 'POST', url: '/api/hover', payload })).json()
    expect(await hover({ x: 5, y: 6 })).toMatchObject({ ok: true, action: 'hover_at', x: 5, y: 6, hover_ms: 250 })
    expect(await hover({ element_id: 'e', x: 5, y: 6 })).toMatchObject({ action: 'hover_element' })
    expect(await hover({ x: 5 })).toMatchObject({ ok: false, error: { code: 'BadRequest' } })
  })
})

describe('how the server is', () => {
  it('[REST7] is reported by healthz', async () => {
    const { app } = await served()
    await app.inject('/api/structure')
    expect((await app.inject('/api/healthz')).json()).toEqual({
      ok: true,
      success: true,
      uptime_s: 0,
      step_count: 1,
      adapter: 'MockAdapter',
      platform: 'Linux',
      version: VERSION,
      config_path: '',
      config_error: null,
      tree_cache: {
        hits: 0,
        misses: 1,
        entries: 1,
        capture_count: 1,
        capture_ms_total: 0,
        capture_ms_max: 0,
        capture_ms_mean: 0,
      },
      ocr: { enabled: true, engine: 'scene', pytesseract_installed: true, configured_path: null, error: null },
      vlm: { enabled: false, base_url: 'http://localhost:3000', model: null, error: null },
    })
  })

  it.each([
    ['answers', () => [], null],
    [
      'has gone away',
      () => Promise.reject(new Fault('PlatformUnsupported', 'no X server answers at :7')),
      'no X server answers at :7',
    ],
    ['hangs', () => Promise.reject(new Fault('Timeout', 'no answer within 2000 ms')), 'no answer within 2000 ms'],
  ])('[REST8] is reported by healthz with a real desktop that %s', async (_, monitors, desktop_error) => {
    const app = await createFastifyApp(realDesktop({ monitors }))
    const reply = await app.inject('/api/healthz')
    expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ ok: true, desktop_error })])
  })

  it('[REST9] is reported to Prometheus', async () => {
    const { app, desk } = await served()
    await app.inject('/api/structure')
    await app.inject('/api/tool/find_element')
    await app.inject({ method: 'POST', url: '/api/trace/start' })
    await desk.call('click_element', { element_id: 'e' })
    const reply = await app.inject('/api/metrics')
    expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = reply.body.split('\n')
    for (const line of [
      'oso_step_count 4',
      'oso_uptime_seconds 0',
      'oso_actions_used 1',
      'oso_screenshots_used 0',
      'oso_active_trace 1',
      'oso_tree_cache_misses_total 1',
      'oso_tree_cache_entries 1',
      '# TYPE oso_tree_capture_ms summary',
      'oso_tree_capture_ms_count 2',
      'oso_tool_calls_total{tool="get_window_structure",ok="true"} 1',
      'oso_tool_calls_total{tool="find_element",ok="false"} 1',
      'oso_errors_total{code="BadRequest"} 1',
      '# TYPE oso_step_count gauge',
      '# TYPE oso_tool_calls_total counter',
    ])
      expect(lines).toContain(line)
  })
})

it('[REST25] names one operation of each tool, tags it with its audience, and lists the codes of its refusals', () => {
  interface Operation {
    readonly operationId?: string
    readonly tags?: readonly string[]
    readonly responses: Readonly<Record<string, { readonly description: string }>>
  }
  const { paths } = openApi(observerApi) as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const named = operations.flatMap(({ operationId, tags }) => (operationId ? [[operationId, tags] as const] : []))
  expect(named.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(ALL_TOOLS.map((tool) => [tool.name, [tool.audience]]))
  const texts = Object.entries(paths['/api/element/focus']!.post!.responses).map(([, { description }]) => description)
  expect(texts).toEqual([
    'Give the element the keyboard focus.',
    'The request is refused: BadRequest.',
    'The request is refused: Unauthorized.',
    'The request is refused: PermissionDenied.',
    'The request is refused: WindowGone, ElementNotFound.',
    'The request is refused: ElementDisabled, ElementOccluded, WindowOccluded.',
    'The request is refused: ConfirmationRequired, ConfirmationInvalid.',
    'The request is refused: BudgetExceeded, RateLimited.',
    'The request is refused: PatternUnsupported.',
  ])
})
