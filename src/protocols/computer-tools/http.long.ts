import { afterEach, describe, expect, it } from 'vitest'
import { createTestbed } from '../../compose/testbed.ts'
import { createRestApp, openDesktop, type TestDesktopOptions } from '../../testing.ts'
import { COMPUTER_VENDORS, type ComputerVendor } from './vendors.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function serve(options: TestDesktopOptions = {}, access: Parameters<typeof createRestApp>[1] = {}) {
  const desktop = openDesktop({ scenario: 'login', ...options })
  const app = await createRestApp(desktop, access)
  const send = (path: string, payload: string | object, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: path,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { desktop, app, send }
}

/** The vendors' tools for a whole screen. Those for a browser are tested beside their code. */
const SCREEN_TOOLS = ['anthropic', 'openai', 'gemini'] as const satisfies readonly ComputerVendor[]

/** A click at a pixel, in the dialect of each vendor. */
const CLICKS: Readonly<Record<(typeof SCREEN_TOOLS)[number], (x: number, y: number) => object>> = {
  anthropic: (x, y) => ({
    type: 'tool_use',
    id: 'toolu_1',
    name: 'computer',
    input: { action: 'left_click', coordinate: [x, y] },
  }),
  openai: (x, y) => ({ type: 'computer_call', call_id: 'call_1', actions: [{ type: 'click', button: 'left', x, y }] }),
  gemini: (x, y) => ({ name: 'click', args: { x: Math.ceil((x * 1000) / 1280), y: Math.ceil((y * 1000) / 800) } }),
}

const inLogin = [250, 294] as const
const selectedWindow = 'Acme Login'

describe('the routes of the computer tools', () => {
  it('[CT1] lists the vendors and the size of the screen', async () => {
    const { app } = await serve()
    const listed = (await app.inject('/computer')).json()
    expect(listed.screen).toEqual({ width: 1280, height: 800 })
    expect(listed.vendors.map(({ vendor }: { vendor: string }) => vendor)).toEqual(COMPUTER_VENDORS)
    for (const { definition } of listed.vendors) expect((await app.inject(definition)).statusCode).toBe(200)
  })

  it('[CT12] tells in headers why a call failed, in ASCII', async () => {
    const { send } = await serve()
    const key = {
      type: 'tool_use',
      id: 'a',
      name: 'key',
      toolset_name: 'computer',
      input: { text: 'ctrl+ä+\u0007\nx%' },
    }
    const { statusCode, headers } = await send('/computer/anthropic', key)
    expect([statusCode, headers['x-backlot-error']]).toEqual([200, 'BadRequest'])
    expect(headers['x-backlot-error-message']).toMatch(/^[ -~]*%C3%A4[ -~]*$/)
  })

  it('[CT2] lists its routes in the OpenAPI document, and allows their headers to listed origins', async () => {
    const { app } = await serve({}, { origins: ['https://app.example'] })
    const { paths } = (await app.inject('/openapi.json')).json()
    const documented = Object.keys(paths).filter((path) => path.startsWith('/computer'))
    const expected = COMPUTER_VENDORS.flatMap((vendor) => [`/computer/${vendor}`, `/computer/${vendor}/definition`])
    expect(documented.sort()).toEqual(['/computer', ...expected].sort())
    const asked = await app.inject({
      method: 'OPTIONS',
      url: '/computer/anthropic',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(asked.headers['access-control-allow-headers']).toContain('x-backlot-confirm')
    expect(asked.headers['access-control-expose-headers']).toContain('x-backlot-error')
  })
})

describe.each(SCREEN_TOOLS)('the computer tool of %s', (vendor) => {
  it('[CT2] drives the desktop of a session', async () => {
    const testbed = await createTestbed({ scenario: 'login' })
    open.push(testbed)
    const { url } = await testbed.serveRest({ port: 0 })
    const json = { 'content-type': 'application/json' }
    const opened = await fetch(`${url}/sessions`, { method: 'POST', headers: json, body: '{"scenario":"shop"}' })
    const { base_url } = (await opened.json()) as { base_url: string }
    const body = JSON.stringify(CLICKS[vendor](5, 5))
    const clicked = await fetch(`${url}${base_url}/computer/${vendor}`, { method: 'POST', headers: json, body })
    expect(clicked.status).toBe(200)
    expect(testbed.session.steps).toBe(0)
    const lost = await fetch(`${url}/sessions/nowhere/computer/${vendor}`, { method: 'POST', headers: json, body })
    expect([lost.status, await lost.json()]).toEqual([
      404,
      { ...(vendor === 'anthropic' && { type: 'error' }), error: expect.anything() },
    ])
  })

  it('[CT3] checks host, origin and token before a call', async () => {
    const { app, desktop } = await serve({}, { token: 'secret' })
    const payload = CLICKS[vendor](5, 5)
    const url = `/computer/${vendor}`
    const post = (headers: Record<string, string>) => app.inject({ method: 'POST', url, payload, headers })
    const token = { authorization: 'Bearer secret' }
    expect((await post({})).statusCode).toBe(401)
    expect((await app.inject('/computer')).statusCode).toBe(401)
    expect((await app.inject(`${url}/definition`)).statusCode).toBe(401)
    expect((await post({ ...token, host: 'evil.example' })).statusCode).toBe(403)
    expect((await post({ ...token, origin: 'https://evil.example' })).statusCode).toBe(403)
    expect(desktop.session.steps).toBe(0)
    const allowed = await post(token)
    expect([allowed.statusCode, desktop.session.steps > 0]).toEqual([200, true])
    expect((await post({})).json()).toHaveProperty('error.message')
  })

  it('[CT3] lets agents call it in a session for agents', async () => {
    const { send } = await serve({ audience: 'agent', harnessToken: 'h' })
    const { statusCode, headers } = await send(`/computer/${vendor}`, CLICKS[vendor](5, 5))
    expect([statusCode, headers['x-backlot-error']]).toEqual([200, undefined])
  })

  it('[CT10] names the vendor and its call in the trace', async () => {
    const { desktop, send } = await serve()
    await desktop.call('trace_start')
    await send(`/computer/${vendor}`, CLICKS[vendor](5, 5))
    const { path } = (await desktop.call('trace_stop')) as { path: string }
    const rows = String(desktop.artifacts.get(path))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const clicks = rows.filter(({ tool }) => tool === 'mouse_click')
    expect(clicks).toMatchObject([{ caller: vendor, args: { x: 5, y: 5 }, door_call: { door: vendor } }])
    expect(JSON.stringify(clicks[0].door_call.call)).toContain('click')
  })

  it('[CT7] [CT9] refuses a size of another shape than the screen', async () => {
    const { app, send } = await serve()
    const path = `/computer/${vendor}`
    for (const query of [
      'display_width=1024&display_height=768',
      'display_width=0',
      'display_height=x',
      'pointer=maybe',
    ])
      expect([query, (await send(`${path}?${query}`, CLICKS[vendor](5, 5))).statusCode]).toEqual([query, 400])
    const refused = (await app.inject(`${path}/definition?display_width=1024&display_height=768`)).json()
    expect(JSON.stringify(refused)).toContain('the nearest size is 1024x640')
    expect((await send(`${path}?display_width=640&display_height=400`, CLICKS[vendor](5, 5))).statusCode).toBe(200)
    const misspelt = await send(`${path}?display_widht=640`, CLICKS[vendor](5, 5))
    expect([misspelt.statusCode, misspelt.body]).toEqual([400, expect.stringContaining('display_width')])
  })

  it('[CT14] answers bad bodies with an error of its API', async () => {
    const { send, desktop } = await serve()
    const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
    for (const body of ['', '{', 'null', '[]', '5', '"x"', '{}', '[[]]', deep, '{"__proto__":{"type":"tool_use"}}']) {
      const { statusCode, json } = await send(`/computer/${vendor}`, body)
      expect([body.slice(0, 20), statusCode]).toEqual([body.slice(0, 20), 400])
      expect(json()).toHaveProperty('error.message')
    }
    const long = await send(`/computer/${vendor}`, `"${'x'.repeat(2 ** 23)}"`)
    expect([long.statusCode, long.json().error.message]).toEqual([413, 'the body is larger than 8388608 bytes'])
    const form = await send(`/computer/${vendor}`, 'a=b', { 'content-type': 'text/plain' })
    expect(form.statusCode).toBe(400)
    expect(desktop.session.steps).toBe(0)
  })
})

describe('a call that needs confirmation', () => {
  const gated: TestDesktopOptions = { config: { confirmation_required: [{ name_regex: '^Login$' }] } }
  const typed = [
    { type: 'tool_use', id: '1', name: 'computer', input: { action: 'left_click', coordinate: [320, 212] } },
    { type: 'tool_use', id: '2', name: 'computer', input: { action: 'type', text: 'alice' } },
    { type: 'tool_use', id: '3', name: 'computer', input: { action: 'left_click', coordinate: [320, 252] } },
    { type: 'tool_use', id: '4', name: 'computer', input: { action: 'type', text: 'x' } },
  ]
  const click = CLICKS.anthropic(...inLogin)

  it('[CT15] [CT16] [CT17] waits, then continues once with the id of the confirmation', async () => {
    const { send, desktop } = await serve(gated)
    await send('/computer/anthropic', typed)
    const refused = await send('/computer/anthropic', click)
    const id = refused.headers['x-backlot-confirm'] as string
    expect([refused.statusCode, refused.headers['x-backlot-error']]).toEqual([200, 'ConfirmationRequired'])
    expect(refused.json()).toMatchObject({ is_error: true })
    const title = () => desktop.computer.desktop.windows[0]!.title
    expect(title()).toBe(selectedWindow)
    const other = await send('/computer/anthropic', CLICKS.anthropic(251, 294), { 'x-backlot-confirm': id })
    expect([other.headers['x-backlot-error'], title()]).toEqual(['ConfirmationRequired', selectedWindow])
    const unknown = await send('/computer/anthropic', click, { 'x-backlot-confirm': 'ct:00' })
    const fresh = unknown.headers['x-backlot-confirm'] as string
    expect([unknown.headers['x-backlot-error'], title()]).toEqual(['ConfirmationRequired', selectedWindow])
    const confirmed = await send('/computer/anthropic', click, { 'x-backlot-confirm': fresh })
    expect([confirmed.json().is_error, title()]).toEqual([undefined, 'Acme — Welcome'])
  })

  it('[CT17] refuses an id that has expired', async () => {
    const { send, desktop } = await serve(gated)
    const refused = await send('/computer/anthropic', click)
    desktop.operatorClock.advance(120_000)
    const late = await send('/computer/anthropic', click, {
      'x-backlot-confirm': refused.headers['x-backlot-confirm'] as string,
    })
    expect(late.headers['x-backlot-error']).toBe('ConfirmationInvalid')
    expect((await send('/computer/anthropic', click)).headers['x-backlot-confirm']).toMatch(/^ct:/)
  })

  it('[CT15] is refused without an id where proposals are denied', async () => {
    const { send } = await serve({ config: { ...(gated.config as object), actions: { deny: ['propose_action'] } } })
    const { headers } = await send('/computer/anthropic', click)
    expect([headers['x-backlot-error'], headers['x-backlot-confirm']]).toEqual(['ConfirmationRequired', undefined])
  })
})

describe('the size of screenshots', () => {
  it('[CT5] [CT6] maps pixels to points and refuses others', async () => {
    const { send, desktop } = await serve()
    const move = (x: number, y: number) =>
      send('/computer/anthropic?display_width=320', {
        type: 'tool_use',
        id: 'a',
        name: 'mouse_move',
        toolset_name: 'computer',
        input: { coordinate: [x, y] },
      })
    for (const [x, y, px, py] of [
      [0, 0, 2, 2],
      [319, 199, 1278, 798],
      [10.7, 5.2, 42, 22],
    ] as const) {
      await move(x, y)
      expect(await desktop.call('get_pointer')).toMatchObject({ x: px, y: py })
    }
    for (const [x, y] of [
      [320, 0],
      [0, 200],
      [-1, 0],
      [0, -0.5],
      [1e300, 0],
    ] as const) {
      const { headers } = await move(x, y)
      expect(headers['x-backlot-error-message']).toContain('x is 0 to 319 and y is 0 to 199')
    }
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 42, y: 22 })
  })

  it('[CT19] paints the pointer on demand', async () => {
    const { send } = await serve()
    const screenshot = { type: 'tool_use', id: 'a', name: 'screenshot', toolset_name: 'computer', input: {} }
    const at = async (query: string) =>
      (await send(`/computer/anthropic${query}`, screenshot)).json().content[0].source.data
    await send('/computer/anthropic', CLICKS.anthropic(320, 212))
    expect(await at('?pointer=true')).not.toBe(await at(''))
  })

  it('[CT13] lets the duration of a wait pass on the virtual clock', async () => {
    const { send, desktop } = await serve()
    const before = desktop.clock.now()
    await send('/computer/anthropic', {
      type: 'tool_use',
      id: 'a',
      name: 'wait',
      toolset_name: 'computer',
      input: { duration: 60 },
    })
    expect(desktop.clock.now() - before).toBe(60_000)
  })
})
