import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestbed } from '../compose/testbed.ts'

// Rules such as [OB166] are stated in src/observer/SPEC.md.

/** A listening server, and the lines of the `wire.jsonl` of a trace. What is logged depends on real sockets. */
async function loggedServer(tracing: object = { wire_log: true }) {
  const folder = mkdtempSync(join(tmpdir(), 'wire-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = { tracing: { dir: folder, ...tracing } }
  const testbed = await createTestbed({ scenario: 'login', config, env: {} })
  onTestFinished(testbed.close)
  const { url } = await testbed.serveRest({ port: 0 })
  const send = (path: string, body: object, base = url, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const trace = async (base = url): Promise<string> => {
    const reply = (await (await send('/api/tool/trace_start', { label: 'wire' }, base)).json()) as { dir: string }
    return reply.dir
  }
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a file
  const linesOf = (dir: string): any[] => {
    const file = join(dir, 'wire.jsonl')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line))
  }
  return { testbed, url, folder, send, trace, linesOf }
}

const TYPE = { element_id: 'u', value: 'hunter2' }

describe('[OB166] the requests beside a trace', () => {
  it('are those that made a call, without tokens and hidden arguments', async () => {
    const { url, send, trace, linesOf } = await loggedServer()
    const dir = await trace()
    await (await fetch(`${url}/api/healthz`)).text()
    await send('/api/tool/set_value', TYPE, url, { authorization: 'Bearer secret', 'x-mine': 'kept' })
    await expect.poll(() => linesOf(dir)).toHaveLength(1)
    const lines = linesOf(dir)
    expect(lines).toEqual([
      {
        after: 0,
        method: 'POST',
        url: '/api/tool/set_value',
        headers: expect.objectContaining({ authorization: '<redacted>', 'x-mine': 'kept' }),
        body: { element_id: 'u', value: '<redacted>' },
        status: 200,
        response: expect.objectContaining({ ok: true, action: 'set_value' }),
        ms: expect.any(Number),
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|secret"/)
  })

  it('have the response of each route, and bytes as their size', async () => {
    const { url, send, trace, linesOf } = await loggedServer()
    const dir = await trace()
    const get = async (path: string) => (await fetch(`${url}${path}`)).arrayBuffer()
    await get('/api/windows')
    await get('/api/description')
    await get('/api/screenshot')
    await send('/api/tool/press_key', { keys: 'nothing' })
    await expect.poll(() => linesOf(dir)).toHaveLength(4)
    const shapes = linesOf(dir).map(({ method, url, status, response }) => {
      const shape = typeof response === 'string' ? response.slice(0, 40) : Object.keys(response)[0]
      return [method, url, status, shape]
    })
    expect(shapes).toEqual([
      ['GET', '/api/windows', 200, 'ok'],
      ['GET', '/api/description', 200, 'ok'],
      ['GET', '/api/screenshot', 200, 'ok'],
      ['POST', '/api/tool/press_key', 400, 'ok'],
    ])
  })

  it('have no secret of a query, and no value of an argument that the tool does not know', async () => {
    const { url, send, trace, linesOf } = await loggedServer()
    const dir = await trace()
    await (await fetch(`${url}/api/windows?text=hunter2a&t%65xt=hunter2b&valeu=hunter2c&plain`)).text()
    await send('/api/tool/set_value?text=hunter2d', { element_id: 'u', valeu: 'hunter2e' })
    await send('/api/tool/set_value', { element_id: 'u', value: 'x', valeu: { inner: 123456 } })
    await send('/computer/anthropic', {
      type: 'tool_use',
      id: 't',
      name: 'computer',
      input: { action: 'type', text: 'abc', txet: 'hunter2f' },
    })
    await expect.poll(() => linesOf(dir)).toHaveLength(3)
    expect(linesOf(dir).map(({ url, body }) => [url, body])).toEqual([
      ['/api/windows?text=<redacted>&t%65xt=<redacted>&valeu=<redacted>&plain', undefined],
      ['/api/tool/set_value?text=<redacted>', { element_id: 'u', valeu: '<redacted>' }],
      ['/api/tool/set_value', { element_id: 'u', value: '<redacted>', valeu: '<redacted>' }],
    ])
    const written = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    expect(written.join('')).not.toMatch(/hunter2|123456/)
  })

  it('have pictures as their size, and cut long texts', async () => {
    const { send, trace, linesOf } = await loggedServer({ wire_log: true, redact_keys: [], max_args_bytes: 100_000 })
    const dir = await trace()
    await send('/api/tool/get_screenshot', {})
    await send('/api/tool/set_value', { element_id: 'u', value: 'x'.repeat(70_000) })
    await expect.poll(() => linesOf(dir)).toHaveLength(2)
    const lines = linesOf(dir)
    for (const { body, response } of lines) expect(JSON.stringify([body, response]).length).toBeLessThan(140_000)
    expect(lines[1].body).toMatch(/^\{"element_id":"u","value":"x+… \(\d+ characters\)$/)
  })

  it('hide cut bodies whose arguments the trace hides', async () => {
    const { send, trace, linesOf } = await loggedServer({ wire_log: true, max_args_bytes: 100_000 })
    const dir = await trace()
    await send('/api/tool/set_value', { element_id: 'u', value: `hunter2${'x'.repeat(70_000)}` })
    await expect.poll(() => linesOf(dir)).toHaveLength(1)
    expect(linesOf(dir)[0].body).toBe('<redacted>')
    expect(JSON.stringify(linesOf(dir))).not.toContain('hunter2')
  })

  it('are not kept by default', async () => {
    const { send, trace } = await loggedServer({})
    const dir = await trace()
    await send('/api/tool/set_value', TYPE)
    expect(existsSync(join(dir, 'wire.jsonl'))).toBe(false)
  })
})

describe('[OB166] requests of other dialects', () => {
  it('over MCP are in the file of the session that the client got', async () => {
    const { url, trace, linesOf } = await loggedServer()
    const dir = await trace()
    const connect = async (query: string) => {
      const client = new Client({ name: 'test', version: '1' })
      onTestFinished(() => client.close())
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`)))
      return client
    }
    const shared = await connect('')
    await shared.callTool({ name: 'set_value', arguments: { selector: 'Edit "Username"', value: 'hunter"2' } })
    const own = await connect('?scenario=shop')
    const started = await own.callTool({ name: 'trace_start', arguments: { label: 'own' } })
    await own.callTool({ name: 'list_windows', arguments: {} })
    const ownDir = (started.structuredContent as { dir: string }).dir
    await expect.poll(() => linesOf(ownDir)).toHaveLength(1)
    expect(linesOf(ownDir)[0]).toMatchObject({
      method: 'POST',
      status: 200,
      body: { params: { name: 'list_windows' } },
    })
    const lines = linesOf(dir)
    expect(lines.map(({ body }) => body.params.name)).toEqual(['set_value'])
    expect(lines[0]).toMatchObject({ url: '/mcp', response: expect.stringContaining('structuredContent') })
    expect(JSON.stringify(lines)).not.toContain('hunter')
  })

  it('to the computer tools are logged as they were sent', async () => {
    const { send, trace, linesOf } = await loggedServer()
    const dir = await trace()
    await send('/computer/anthropic', {
      type: 'tool_use',
      id: 't',
      name: 'computer',
      input: { action: 'left_click', coordinate: [300, 210] },
    })
    await expect.poll(() => linesOf(dir)).toHaveLength(1)
    expect(linesOf(dir)[0]).toMatchObject({
      url: '/computer/anthropic',
      status: 200,
      body: { input: { action: 'left_click' } },
      response: { type: 'tool_result', tool_use_id: 't' },
    })
  })

  it('to OSWorld are logged, and programs with hidden arguments are hidden', async () => {
    const { testbed, send, trace, linesOf } = await loggedServer()
    const osworld = await testbed.serveProtocol('osworld', { port: 0 })
    const dir = await trace()
    const run = (python: string) =>
      send('/execute', { command: ['python', '-c', `import pyautogui; ${python}`] }, osworld.url)
    await run('pyautogui.click(300, 210)')
    await run("pyautogui.write('it\\'s hunter2')")
    await expect.poll(() => linesOf(dir)).toHaveLength(2)
    const [click, write] = linesOf(dir)
    expect(click).toMatchObject({
      url: '/execute',
      status: 200,
      body: { command: ['python', '-c', expect.stringContaining('click')] },
    })
    expect(write).toMatchObject({ url: '/execute', status: 200, body: '<redacted>' })
    expect(JSON.stringify(linesOf(dir))).not.toContain('hunter2')
  })
})

it('[OB158] lines that cannot be written are a warning in the next answer to the harness', async () => {
  const { send, trace } = await loggedServer()
  const dir = await trace()
  // A folder in the place of the file, since other systems let root write into every file.
  mkdirSync(join(dir, 'wire.jsonl'))
  await send('/api/tool/set_value', TYPE)
  const warnings = async () => {
    const answer = (await (await send('/api/tool/get_capabilities', {})).json()) as { warnings?: string[] }
    return answer.warnings ?? []
  }
  await expect
    .poll(warnings)
    .toEqual([
      expect.stringMatching(
        /^\d+ entr(y|ies) of the wire log could not be written: its file cannot be written \(EISDIR\)$/,
      ),
    ])
})
