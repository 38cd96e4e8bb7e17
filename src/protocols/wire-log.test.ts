import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestbed } from '../compose/testbed.ts'
import { createRestApp, openDesktop } from '../testing.ts'

// Rules such as [C14] are stated in src/observer/SPEC.md.

/** The lines of `wire.jsonl` after some requests to a desktop whose trace is active. */
async function wireOf(tracing: object, requests: readonly object[]) {
  const desktop = openDesktop({ scenario: 'login', config: { tracing } })
  const app = await createRestApp(desktop)
  const { dir } = await desktop.call('trace_start', { label: 'wire' })
  for (const request of requests) await app.inject(request as Parameters<typeof app.inject>[0])
  await app.close()
  const text = desktop.artifacts.get(`${dir}/wire.jsonl`)
  return text === undefined
    ? undefined
    : String(text)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
}

const CLICK = {
  method: 'POST',
  url: '/api/tool/set_value',
  headers: { authorization: 'Bearer secret', 'x-mine': 'kept' },
  payload: { element_id: 'u', value: 'hunter2' },
}

describe('[C14] the requests beside a trace', () => {
  it('are those that made a call, without tokens and hidden arguments', async () => {
    const lines = await wireOf({ wire_log: true }, [{ url: '/api/healthz' }, CLICK])
    expect(lines).toEqual([
      {
        after: 0,
        method: 'POST',
        url: '/api/tool/set_value',
        headers: expect.objectContaining({ authorization: '<redacted>', 'x-mine': 'kept' }),
        body: { element_id: 'u', value: '<redacted>' },
        status: 200,
        response: expect.objectContaining({ ok: true, action: 'set_value' }),
        ms: 0,
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|secret"/)
  })

  it('have pictures as their size, and cut long texts', async () => {
    const long = { ...CLICK, payload: { element_id: 'u', value: 'x'.repeat(70_000) } }
    const lines = await wireOf({ wire_log: true, redact_keys: [], max_args_bytes: 100_000 }, [
      { ...CLICK, url: '/api/tool/get_screenshot', payload: {} },
      long,
    ])
    expect(lines).toHaveLength(2)
    for (const { body, response } of lines!) expect(JSON.stringify([body, response]).length).toBeLessThan(140_000)
    expect(lines![1].body).toMatch(/^\{"element_id":"u","value":"x+… \(\d+ characters\)$/)
  })

  it('hide cut bodies whose arguments the trace hides', async () => {
    const long = { ...CLICK, payload: { element_id: 'u', value: `hunter2${'x'.repeat(70_000)}` } }
    const lines = await wireOf({ wire_log: true, max_args_bytes: 100_000 }, [long])
    expect(lines![0].body).toBe('<redacted>')
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  it('are not kept by default', async () => {
    expect(await wireOf({}, [CLICK])).toBeUndefined()
  })
})

/** A server with an active trace, and the lines of its `wire.jsonl`. */
async function loggedServer() {
  const folder = mkdtempSync(join(tmpdir(), 'wire-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = { tracing: { dir: folder, wire_log: true } }
  const testbed = await createTestbed({ scenario: 'login', config, env: {} })
  onTestFinished(testbed.close)
  const { url } = await testbed.serveRest({ port: 0 })
  const send = (path: string, body: object, base = url) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const trace = async (base = url): Promise<string> => {
    const reply = (await (await send('/api/tool/trace_start', { label: 'wire' }, base)).json()) as { dir: string }
    return reply.dir
  }
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a file
  const linesOf = (dir: string): any[] =>
    readFileSync(join(dir, 'wire.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { testbed, url, send, trace, linesOf }
}

describe('[C14] requests of other dialects', () => {
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
