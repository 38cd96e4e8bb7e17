import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'

// Rules such as [MCP17] are stated in README.md beside this file.

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

const REVISION = '2026-07-28'

/** A client of SDK v2, pinned to a revision. */
async function connect(url: string, mode: 'legacy' | { pin: string } = { pin: REVISION }, headers = {}) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  open.push(client)
  return client
}

/** A client of SDK v1, which stops at 2025-11-25. */
async function connectOld(url: string) {
  const client = new OldClient({ name: 'test', version: '1' })
  await client.connect(new OldTransport(new URL(url)))
  open.push(client)
  return client
}

const envelope = (version = REVISION) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
})

// biome-ignore lint/suspicious/noExplicitAny: JSON of a server
type Json = any

/** Sends a request of the revision without a library. */
async function ask(url: string, method: string, params: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...('name' in params && { 'mcp-name': String(params.name) }),
      ...('uri' in params && { 'mcp-name': String(params.uri) }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: envelope(), ...params } }),
  })
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1]
  return { status: response.status, headers: response.headers, body: JSON.parse(data ?? text) as Json }
}

const openSession = async (url: string, choice: object): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/sessions`, { method: 'POST', headers, body: JSON.stringify(choice) })
  return `${url}${((await response.json()) as Json).base_url}/mcp`
}

const LOGIN = [
  ['set_value', { selector: 'Edit "Username"', value: 'alice' }],
  ['set_value', { selector: 'Edit "Password"', value: 'secret' }],
  ['click_element', { selector: 'Button "Login"' }],
] as const

describe(`MCP ${REVISION}`, () => {
  it.each([
    ['SDK v2 in the new revision', (url: string) => connect(url)],
    ['SDK v2 in the old revision', (url: string) => connect(url, 'legacy')],
    ['SDK v1', connectOld],
  ])('[MCP17] lets %s solve a task on the desktop of an address', async (_, connectTo) => {
    const { url } = await serve()
    const address = await openSession(url, { scenario: 'login' })
    const client = await connectTo(address)
    for (const [name, args] of LOGIN) await client.callTool({ name, arguments: args })
    const { structuredContent } = await client.callTool({ name: 'session_info', arguments: {} })
    const { oracles } = structuredContent as { oracles: { success: readonly { passed: boolean }[] } }
    expect(oracles.success.map(({ passed }) => passed)).toEqual([true, true])
  })

  it('[MCP17] keeps nothing between requests: no session id, and no client that takes a place', async () => {
    const { url, testbed } = await serve()
    const called = await ask(`${url}/mcp`, 'tools/call', { name: 'type_text', arguments: { text: 'x' } })
    expect([called.status, called.headers.get('mcp-session-id'), called.body.result.resultType]).toEqual([
      200,
      null,
      'complete',
    ])
    expect(testbed.session.steps).toBe(1)
    expect((await fetch(`${url}/mcp`, { headers: { 'mcp-protocol-version': REVISION } })).status).toBe(405)
  })

  it('[MCP18] is discovered with its revisions, its capabilities and the task', async () => {
    const { url } = await serve()
    const { body } = await ask(`${url}/mcp`, 'server/discover')
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: expect.arrayContaining([REVISION]),
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining('Sign in to Acme as alice'),
    })
  })

  it('[MCP19] lists the same tools in the same order each time, for an hour', async () => {
    const { url } = await serve()
    const lists = [await ask(`${url}/mcp`, 'tools/list'), await ask(`${url}/mcp`, 'tools/list')]
    const [first, second] = lists.map(({ body }) => body.result)
    expect(first).toEqual(second)
    expect([first.ttlMs, first.cacheScope]).toEqual([3_600_000, 'private'])
    const old = await connectOld(`${url}/mcp`)
    // The `listTools` of the client would compile the schema of each result.
    const { tools } = await old.request({ method: 'tools/list' }, ListToolsResultSchema)
    expect(first.tools.map(({ name }: Json) => name)).toEqual(tools.map(({ name }) => name))
  })

  it('[MCP20] says at an address that opens desktops where to open one', async () => {
    const { url } = await serve()
    const entrance = `${url}/mcp?scenario=form`
    const { body } = await ask(entrance, 'server/discover')
    expect(body.result.instructions).toContain('POST /sessions')
    expect((await ask(entrance, 'tools/list')).body.result.tools).toEqual([])
    const called = await ask(entrance, 'tools/call', { name: 'list_windows', arguments: {} })
    expect(called.body.error).toMatchObject({ code: -32602, message: expect.stringContaining('POST /sessions') })
    // The old revision still gets a desktop of its own there.
    const old = await connectOld(entrance)
    expect((await old.callTool({ name: 'session_info', arguments: {} })).structuredContent).toMatchObject({
      scenario: 'form',
    })
  })

  it('[MCP21] refuses unknown tools, and addresses of no session', async () => {
    const { url } = await serve()
    expect((await ask(`${url}/mcp`, 'tools/call', { name: 'nothing', arguments: {} })).body.error.code).toBe(-32602)
    const { status, body } = await ask(`${url}/sessions/nothing/mcp`, 'tools/list')
    expect([status, body.error.code]).toEqual([404, -32000])
  })

  it('[MCP22] asks for the tokens with each request', async () => {
    const { url } = await serve({ tools: 'agent' }, { token: 'secret', harnessToken: 'trainer' })
    const agent = { authorization: 'Bearer secret' }
    const names = async (headers: Readonly<Record<string, string>>) => {
      const { body } = await ask(`${url}/mcp`, 'tools/list', {}, headers)
      return body.result.tools.map(({ name }: Json) => name)
    }
    expect((await ask(`${url}/mcp`, 'tools/list')).status).toBe(401)
    expect(await names(agent)).not.toContain('session_reset')
    expect(await names({ ...agent, 'x-harness-token': 'trainer' })).toContain('session_reset')
    const refused = await ask(`${url}/mcp`, 'tools/call', { name: 'session_reset', arguments: {} }, agent)
    expect(refused.body.result).toMatchObject({ isError: true })
  })

  it('[MCP23] notifies of the progress of a wait', async () => {
    const { url } = await serve()
    const client = await connect(`${url}/mcp`)
    const seen: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
    expect(await client.callTool(waitFor(1000), { onprogress })).toMatchObject({ isError: true })
    expect(seen).toEqual([0, 200, 400, 600, 800])
  })

  it('[MCP23] ends a wait on a real clock when the client hangs up', async () => {
    const { url, testbed } = await serve({ clock: realClock() })
    const client = await connect(`${url}/mcp`)
    const cancel = new AbortController()
    const options = { signal: cancel.signal, onprogress: () => cancel.abort('enough') }
    await expect(client.callTool(waitFor(60_000), options)).rejects.toThrow('enough')
    // Calls run in turn, so this one is answered after the wait has ended.
    await client.callTool({ name: 'type_text', arguments: { text: 'x' } })
    expect(testbed.session.steps).toBeGreaterThan(1)
  })
})

const waitFor = (timeout_ms: number) => ({
  name: 'wait_for',
  arguments: { any_of: [{ type: 'element_appears', selector: 'Button "None"' }], timeout_ms },
})
