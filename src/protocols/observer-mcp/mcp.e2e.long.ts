import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../../test/support/cli/bundled-program.ts'
import { ALL_TOOLS } from '../../observer/registry.ts'

// The server as a client starts it. Rules such as [MCP9] are stated in README.md beside this file.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const serving = (...flags: string[]) => [BUNDLED_PROGRAM, 'serve', ...flags]
const SPAWN_MS = 60_000

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A folder for traces, and a configuration that names it. */
function configured(): { folder: string; config: string } {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ tracing: { dir: join(folder, 'traces') } }))
  return { folder, config }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

/** A server to which lines can be written; its answers come by id. */
class Spoken {
  readonly process: ChildProcessWithoutNullStreams
  readonly lines: string[] = []
  #rest = ''
  #heard: (() => void)[] = []

  constructor(flags: readonly string[]) {
    this.process = spawn(process.execPath, serving(...flags), { cwd: ROOT })
    this.process.stdout.on('data', (chunk) => {
      const lines = (this.#rest + String(chunk)).split('\n')
      this.#rest = lines.pop() ?? ''
      this.lines.push(...lines)
      for (const heard of this.#heard.splice(0)) heard()
    })
    closers.push(() => this.process.kill('SIGKILL'))
  }

  async ask(id: number, method: string, params: object): Promise<{ readonly result: unknown }> {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const line = this.lines.find((each) => JSON.parse(each).id === id)
      if (line !== undefined) return JSON.parse(line)
      await new Promise<void>((heard) => this.#heard.push(heard))
    }
  }

  async call(id: number, name: string, args: object = {}): Promise<Record<string, unknown>> {
    const { result } = await this.ask(id, 'tools/call', { name, arguments: args })
    return (result as { structuredContent: Record<string, unknown> }).structuredContent
  }
}

const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '0' } }

describe('the official client', () => {
  it(
    '[MCP3] lists and calls every tool',
    async () => {
      const { config } = configured()
      const args = serving('--mode', 'mcp', '--scenario', 'scenarios/login.yaml', '--config', config)
      const transport = new StdioClientTransport({ command: process.execPath, args, cwd: ROOT, stderr: 'ignore' })
      const client = new Client({ name: 'e2e', version: '0' })
      closers.push(() => client.close())
      await client.connect(transport)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(ALL_TOOLS.map(({ name }) => name))

      const failed: string[] = []
      for (const { name } of tools) {
        const { content, isError } = await client.callTool({ name, arguments: {} })
        const body = JSON.parse((content as { text: string }[])[0]!.text)
        expect([name, body.ok]).toEqual([name, isError !== true])
        if (isError) expect([name, body.error.code]).not.toEqual([name, 'Internal'])
        if (isError) failed.push(name)
      }
      const required = tools
        .filter(({ inputSchema }) => (inputSchema.required ?? []).length > 0)
        .map(({ name }) => name)
      expect(failed).toEqual(expect.arrayContaining(required))
      const pictures = ['get_screenshot', 'get_screenshot_cropped', 'get_full_screenshot']
      for (const name of pictures) {
        const { content } = await client.callTool({ name, arguments: {} })
        expect((content as { type: string }[]).map(({ type }) => type)).toEqual(['text', 'image'])
      }
    },
    SPAWN_MS,
  )
})

describe('both wires at once', () => {
  it(
    '[MCP9] share a session, and standard output holds messages only',
    async () => {
      const { folder, config } = configured()
      const port = await freePort()
      const flags = ['--mode', 'both', '--scenario', 'scenarios/login.yaml', '--config', config, '--port', String(port)]
      const spoken = new Spoken(flags)
      await spoken.ask(0, 'initialize', HELLO)
      expect(await spoken.call(1, 'list_windows')).toMatchObject({ step_id: 1, windows: [{ title: 'Acme Login' }] })

      const url = `http://127.0.0.1:${port}`
      const post = (path: string, body: object) =>
        fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      await post('/api/trace/start', {})
      const clicked = await post('/api/element/click', { selector: 'Edit "Username"' })
      expect(await clicked.json()).toMatchObject({ step_id: 3, changed: true })
      expect(await spoken.call(2, 'type_text', { text: 'alice' })).toMatchObject({ step_id: 4, caused_by_step_id: 4 })
      spoken.process.stdin.write('this is no message\n')
      await spoken.call(3, 'get_screenshot')
      expect(spoken.lines.map((line) => JSON.parse(line)).every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
      expect(spoken.lines.map((line) => JSON.parse(line)).filter(({ id }) => id === null)).toMatchObject([
        { error: { code: -32700 } },
      ])

      const ended = new Promise((exit) => spoken.process.once('exit', exit))
      spoken.process.kill('SIGKILL')
      await ended
      const [trace] = readdirSync(join(folder, 'traces'))
      const rows = readFileSync(join(folder, 'traces', trace!, 'trace.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
      expect(rows.map((row) => JSON.parse(row)).map(({ type, tool, caller }) => [type ?? tool, caller])).toEqual([
        ['header', undefined],
        ['click_element', 'rest'],
        ['type_text', 'mcp'],
        ['get_screenshot', 'mcp'],
      ])
    },
    SPAWN_MS,
  )

  it(
    '[MCP11] ends when the input does',
    async () => {
      const { config } = configured()
      const spoken = new Spoken(['--mode', 'mcp', '--config', config])
      const ended = new Promise((exit) => spoken.process.once('exit', exit))
      const answer = spoken.call(1, 'get_full_screenshot')
      spoken.process.stdin.end()
      expect(await answer).toMatchObject({ screenshot_scope: 'full_display' })
      expect(await ended).toBe(0)
    },
    SPAWN_MS,
  )
})
