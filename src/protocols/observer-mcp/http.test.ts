import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function serve(
  options: Parameters<typeof createTestbed>[0] = {},
  rest: Parameters<Testbed['serveRest']>[0] = {},
) {
  const testbed = await createTestbed({ scenario: 'login', ...options })
  open.push(testbed)
  const { url } = await testbed.serveRest({ port: 0, ...rest })
  return { testbed, url }
}

async function connect(url: string, headers: Record<string, string> = {}) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  open.push(client)
  return { client, transport }
}

/** The tools of a client. Its own `listTools` would compile the schema of each result, which takes more than a second. */
const toolsOf = async (client: Client) => (await client.request({ method: 'tools/list' }, ListToolsResultSchema)).tools

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a server
type Json = any
const jsonOf = async (response: Response): Promise<Json> => response.json()

const post = (url: string, message: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

/** The ids and messages of an event stream. */
const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block.includes('id:'))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? ''
      return { id: field('id'), data: field('data') === '' ? undefined : JSON.parse(field('data')) }
    })

describe('MCP over Streamable HTTP', () => {
  it('[MCP24] serves the same tools as over standard input and output, at /mcp and below /sessions/ID', async () => {
    const { url, testbed } = await serve()
    const { client } = await connect(`${url}/mcp`)
    await client.callTool({ name: 'type_text', arguments: { text: 'x' } })
    expect(testbed.session.steps).toBe(1)
    const opened = await jsonOf(await post(`${url}/sessions`, { scenario: 'shop' }))
    const own = await connect(`${url}${opened.base_url}/mcp`)
    const result = await own.client.callTool({ name: 'session_info', arguments: {} })
    expect(result.structuredContent).toMatchObject({ ok: true, scenario: 'shop' })
    expect(await toolsOf(client)).toEqual(await toolsOf(own.client))
  })

  it.each(['2025-06-18', '2025-11-25'])('[MCP25] negotiates protocol version %s', async (protocolVersion) => {
    const { url } = await serve()
    const response = await post(`${url}/mcp`, { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } })
    const messages = eventsOf(await response.text()).flatMap(({ data }) => data ?? [])
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('mcp-session-id')).toMatch(/^[0-9a-f]{32}$/)
    expect(messages).toMatchObject([{ id: 1, result: { protocolVersion } }])
  })

  it('[MCP25] takes the version of initialize for a request without a header for it', async () => {
    const { url } = await serve()
    const primings: unknown[] = []
    for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
      const started = await post(`${url}/mcp`, { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } })
      const headers = { 'mcp-session-id': started.headers.get('mcp-session-id')! }
      const answer = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, headers)
      primings.push(eventsOf(await answer.text()).filter(({ data }) => data === undefined).length)
    }
    // Only the later version has events without data, from which a stream is resumed.
    expect(primings).toEqual([0, 1])
  })

  it('[MCP26] resumes a stream after its last event', async () => {
    const { url } = await serve()
    const started = await post(`${url}/mcp`, INITIALIZE)
    const id = started.headers.get('mcp-session-id')!
    const [primed, answered] = eventsOf(await started.text())
    expect(primed?.data).toBeUndefined()
    const resumed = await fetch(`${url}/mcp`, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': id, 'last-event-id': primed!.id },
    })
    expect(eventsOf(await resumed.text())).toEqual([answered])
    const nothing = await fetch(`${url}/mcp`, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': id, 'last-event-id': answered!.id },
    })
    expect([nothing.status, await nothing.text()]).toEqual([200, ''])
  })

  it('[MCP26] keeps a resumed stream open until its request is answered', async () => {
    const { url } = await serve({ clock: realClock() })
    const { transport } = await connect(`${url}/mcp`)
    const headers = { 'mcp-session-id': transport.sessionId!, 'mcp-protocol-version': '2025-11-25' }
    const wait = { any_of: [{ type: 'element_appears', selector: 'Button "None"' }], timeout_ms: 300, poll_ms: 50 }
    const params = { name: 'wait_for', arguments: wait }
    const broken = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 'w', method: 'tools/call', params }, headers)
    const reader = broken.body!.getReader()
    const [primed] = eventsOf(new TextDecoder().decode((await reader.read()).value))
    // The first connection is still open for the server, as when a network is lost.
    const resumed = await fetch(`${url}/mcp`, {
      headers: { ...headers, accept: 'text/event-stream', 'last-event-id': primed!.id },
    })
    expect(eventsOf(await resumed.text())).toMatchObject([{ data: { id: 'w', result: { isError: true } } }])
    expect((await reader.read()).done).toBe(true)
  })

  it('[MCP26] refuses to resume a stream after an event that is not held', async () => {
    const { url } = await serve()
    const started = await post(`${url}/mcp`, INITIALIZE)
    const headers = { accept: 'text/event-stream', 'mcp-session-id': started.headers.get('mcp-session-id')! }
    const refused = await fetch(`${url}/mcp`, { headers: { ...headers, 'last-event-id': '999' } })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Bad Request: there is no event "999" to resume from' },
      },
    ])
  })

  it('[MCP26] sends the headers of an event stream without events at once', async () => {
    const { url } = await serve()
    const started = await post(`${url}/mcp`, INITIALIZE)
    const headers = { accept: 'text/event-stream', 'mcp-session-id': started.headers.get('mcp-session-id')! }
    const { body } = await fetch(`${url}/mcp`, { headers })
    const reader = body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(': open\n\n')
    await reader.cancel()
  })

  it('[MCP27] gives a client a desktop of its own that ends with the client', async () => {
    const { url, testbed } = await serve()
    const { client, transport } = await connect(`${url}/mcp?scenario=shop&seed=7&variant=theme=dark&tools=agent`)
    const sessions = async () => (await jsonOf(await fetch(`${url}/sessions`))).sessions
    expect(await sessions()).toMatchObject([
      { scenario: 'shop', seed: 7, variant: { theme: 'dark' }, audience: 'agent' },
    ])
    const tools = await toolsOf(client)
    expect(tools.map(({ name }) => name)).not.toContain('session_reset')
    await client.callTool({ name: 'type_text', arguments: { text: 'x' } })
    expect(testbed.session.steps).toBe(0)
    await transport.terminateSession()
    expect(await sessions()).toEqual([])
  })

  it('[MCP27] ends an idle client and its desktop, but neither while an event stream is open', async () => {
    let nowMs = 0
    const config = { sessions: { ttl_seconds: 10 } }
    const { url } = await serve({ config, operatorClock: { now: () => nowMs } })
    const [idle, listening] = await Promise.all([
      post(`${url}/mcp?scenario=shop`, INITIALIZE),
      post(`${url}/mcp?scenario=form`, INITIALIZE),
    ])
    await Promise.all([idle.text(), listening.text()])
    const headersOf = ({ headers }: Response) => ({ 'mcp-session-id': headers.get('mcp-session-id')! })
    const stop = new AbortController()
    await fetch(`${url}/mcp`, {
      headers: { accept: 'text/event-stream', ...headersOf(listening) },
      signal: stop.signal,
    })
    nowMs = 20_000
    // Asked before any request of MCP.
    expect((await jsonOf(await fetch(`${url}/sessions`))).sessions).toMatchObject([{ scenario: 'form' }])
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const answers = await Promise.all([idle, listening].map((one) => post(`${url}/mcp`, ping, headersOf(one))))
    expect(answers.map(({ status }) => status)).toEqual([404, 200])
    stop.abort()
  })

  it('[MCP28] refuses a query that is not understood, with the nearest known name', async () => {
    const { url } = await serve()
    const refused = await post(`${url}/mcp?scenari=shop`, INITIALIZE)
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: expect.stringContaining('scenario'), data: { code: 'BadRequest' } },
      },
    ])
    const missing = await post(`${url}/mcp?scenario=nothing`, INITIALIZE)
    expect([missing.status, (await jsonOf(missing)).error.data.code]).toEqual([400, 'ScenarioInvalid'])
  })

  it.each([
    ['seed=', 'seed'],
    ['seed=1e3', 'seed'],
    ['seed=99999999999999999999', 'seed'],
    ['variant=theme=dark&variant=theme=light', 'variant: "theme" is given twice'],
    ['variant=dark', 'variant: "dark" is not AXIS=VALUE'],
  ])('[MCP28] refuses ?%s', async (query, problem) => {
    const { url } = await serve()
    const refused = await post(`${url}/mcp?${query}`, INITIALIZE)
    expect([refused.status, (await jsonOf(refused)).error.message]).toEqual([400, expect.stringContaining(problem)])
    expect((await jsonOf(await fetch(`${url}/sessions`))).count).toBe(0)
  })

  it('[MCP29] rejects foreign hosts, foreign pages and missing tokens with a JSON-RPC error', async () => {
    const { url } = await serve({}, { token: 'secret' })
    const answers = await Promise.all([
      post(`${url}/mcp`, INITIALIZE),
      post(`${url}/mcp`, INITIALIZE, { origin: 'http://evil.example', authorization: 'Bearer secret' }),
      post(`${url}/mcp`, INITIALIZE, { authorization: 'Bearer secret' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 200])
    expect(await jsonOf(answers[1]!)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } })
  })

  it('[MCP30] lets only the harness open desktops and use its tools when the session is for agents', async () => {
    const { url } = await serve({ tools: 'agent' }, { harnessToken: 'judge' })
    const refused = await post(`${url}/mcp?scenario=shop`, INITIALIZE)
    expect(refused.status).toBe(403)
    const harness = await connect(`${url}/mcp`, { 'x-harness-token': 'judge' })
    const agent = await connect(`${url}/mcp`)
    const namesOf = async ({ client }: typeof agent) => (await toolsOf(client)).map(({ name }) => name)
    expect(await namesOf(harness)).toContain('session_reset')
    expect(await namesOf(agent)).not.toContain('session_reset')
    const id = harness.transport.sessionId!
    const stolen = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'mcp-session-id': id })
    expect(stolen.status).toBe(403)
  })

  it.each([
    ['a message before initialize', { jsonrpc: '2.0', id: 1, method: 'ping' }, {}, 400, -32000],
    ['an empty body', '', {}, 400, -32700],
    ['an unknown session id', { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': 'x' }, 404, -32001],
    ['a client that reads no event streams', INITIALIZE, { accept: 'application/json' }, 406, -32000],
  ])('[MCP31] answers %s with an error', async (_what, message, headers, status, code) => {
    const { url } = await serve()
    const response = await post(`${url}/mcp`, message, headers)
    expect([response.status, (await jsonOf(response)).error.code]).toEqual([status, code])
  })

  it.each([
    '*/*',
    'application/*, text/*',
    'Application/JSON, Text/Event-Stream',
    'application/json;q=0.9,text/event-stream;q=0.1',
  ])('[PRO10] answers a client that accepts %s', async (accept) => {
    const { url } = await serve()
    const started = await post(`${url}/mcp`, INITIALIZE, { accept, 'content-type': 'Application/JSON' })
    expect([started.status, eventsOf(await started.text()).at(-1)?.data.result.serverInfo.name]).toEqual([
      200,
      expect.any(String),
    ])
  })

  it.each(['text/html', 'application/json', '*/*, text/event-stream;q=0', '*/*;q=0'])(
    '[PRO10] refuses a client that accepts %s',
    async (accept) => {
      const { url } = await serve()
      expect((await post(`${url}/mcp`, INITIALIZE, { accept })).status).toBe(406)
    },
  )

  it('[PRO11] reads the scheme of a token in any case, over HTTP and sockets', async () => {
    const { url } = await serve({}, { token: 'secret' })
    const answers = ['bearer secret', 'BEARER  secret', 'Bearer wrong', 'bearersecret'].map((authorization) =>
      post(`${url}/mcp`, INITIALIZE, { authorization }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 401, 401])
    const rest = await fetch(`${url}/api/windows`, { headers: { authorization: 'bEaReR secret' } })
    expect(rest.status).toBe(200)
  })

  it('[MCP34] answers a body that is too large, and an empty batch, with a JSON-RPC error', async () => {
    const { url } = await serve()
    const started = await post(`${url}/mcp`, INITIALIZE)
    const headers = { 'mcp-session-id': started.headers.get('mcp-session-id')! }
    const answers = [
      await post(`${url}/mcp`, `"${'x'.repeat(9 * 1024 * 1024)}"`, headers),
      await post(`${url}/mcp`, [], headers),
      await post(`${url}/mcp`, []),
    ]
    const shown = await Promise.all(answers.map(async (answer) => [answer.status, await jsonOf(answer)]))
    const error = (code: number) => ({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code }) })
    expect(shown).toEqual([
      [413, error(-32000)],
      [400, error(-32600)],
      [400, error(-32600)],
    ])
  })

  it('[MCP33] ends the desktop of the longest idle client when the limit of clients is reached', async () => {
    const { url } = await serve({ config: { sessions: { limit: 2 } } })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const started = await post(`${url}/mcp?scenario=shop`, INITIALIZE)
      await started.text()
      ids.push(started.headers.get('mcp-session-id')!)
    }
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const statuses: number[] = []
    for (const id of ids) {
      const answer = await post(`${url}/mcp`, ping, { 'mcp-session-id': id })
      await answer.text()
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([404, 200, 200])
  })

  it('[MCP31] answers another protocol version with an error', async () => {
    const { url } = await serve()
    const { transport } = await connect(`${url}/mcp`)
    const headers = { 'mcp-session-id': transport.sessionId!, 'mcp-protocol-version': '1999-01-01' }
    const response = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, headers)
    expect(response.status).toBe(400)
  })

  it('[MCP32] ends a client when its session is closed', async () => {
    const { url } = await serve()
    const opened = await jsonOf(await post(`${url}/sessions`, { scenario: 'shop' }))
    const { transport } = await connect(`${url}${opened.base_url}/mcp`)
    await fetch(`${url}${opened.base_url}`, { method: 'DELETE' })
    const headers = { 'mcp-session-id': transport.sessionId! }
    const response = await post(`${url}${opened.base_url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, headers)
    expect(response.status).toBe(404)
  })

  it('[MCP36] notifies of the progress of a wait, and ends a wait that is cancelled', async () => {
    const { url } = await serve()
    const { client } = await connect(`${url}/mcp`)
    const seen: number[] = []
    const wait = {
      name: 'wait_for',
      arguments: { any_of: [{ type: 'element_appears', selector: 'Button "None"' }], timeout_ms: 1000 },
    }
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
    const result = await client.callTool(wait, undefined, { onprogress })
    expect(result).toMatchObject({ isError: true })
    expect(seen).toEqual([0, 200, 400, 600, 800])
  })

  it('[MCP36] ends a wait on a real clock when the client cancels it', async () => {
    const { url, testbed } = await serve({ clock: realClock() })
    const { client } = await connect(`${url}/mcp`)
    const cancel = new AbortController()
    const args = { any_of: [{ type: 'element_appears', selector: 'Button "None"' }], timeout_ms: 60_000, poll_ms: 50 }
    const waiting = client.callTool({ name: 'wait_for', arguments: args }, undefined, {
      signal: cancel.signal,
      onprogress: () => cancel.abort('enough'),
    })
    await expect(waiting).rejects.toThrow('enough')
    // Calls run in turn, so this one is answered after the wait has ended.
    await client.callTool({ name: 'type_text', arguments: { text: 'x' } })
    expect(testbed.session.steps).toBeGreaterThan(1)
  })

  it('[MCP35] lists its routes in the OpenAPI document and answers other methods', async () => {
    const { url } = await serve()
    const document = await jsonOf(await fetch(`${url}/openapi.json`))
    expect(Object.keys(document.paths['/mcp'])).toEqual(['post', 'get', 'delete'])
    const response = await fetch(`${url}/mcp`, { method: 'PUT' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'DELETE, GET, POST'])
    expect((await fetch(`${url}/mcp`, { method: 'HEAD' })).status).toBe(405)
  })
})
