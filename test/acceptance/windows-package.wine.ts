import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { PACKAGE } from '../../src/compose/package.ts'
import { waitUntil } from '../support/linux/test-desktop.ts'
import { runProgram } from '../support/mswindows/run-program.ts'
import { sharedWindowsMachine } from '../support/mswindows/shared-windows.ts'
import { WINDOWS_APP, type WindowsMachine, type WindowsServer } from '../support/mswindows/windows-machine.ts'

// The packed package as users on Windows run it, under Wine.

let machine: WindowsMachine
let desk: string
beforeAll(async () => {
  machine = await sharedWindowsMachine()
  desk = join(machine.drive, 'desk')
  mkdirSync(join(desk, 'open'), { recursive: true })
  const login = readFileSync(join(PACKAGE, 'scenarios/login.yaml'), 'utf8')
  for (const name of ['crlf.yaml', 'open/inside.yaml', 'outside.yaml'])
    writeFileSync(join(desk, name), login.replaceAll('\n', '\r\n'))
})

const MAX_COMMAND_MS = 300_000

/** Runs a command of Backlot to its end. */
async function backlot(...args: readonly string[]) {
  const program = await machine.startBacklot(args)
  const code = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

it('validates scenarios with the line ends and paths of Windows', { timeout: MAX_COMMAND_MS }, async () => {
  const paths = ['login', 'C:\\desk\\crlf.yaml', 'desk/crlf.yaml']
  const stdout = paths.map((path) => `${path}: ok (login, 2 states)\n`).join('')
  expect(await backlot('validate', ...paths)).toEqual({ code: 0, stdout, stderr: '' })
})

it('verifies a scenario', { timeout: MAX_COMMAND_MS }, async () => {
  const { code, stdout } = await backlot('test', 'C:\\desk\\crlf.yaml')
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, '1 of 1 verified'])
})

it('evaluates an agent in worker processes, with the traces of Linux', { timeout: MAX_COMMAND_MS }, async () => {
  const args = ['eval', 'login', 'form', '--runs', '2', '--agent', 'solution', '--workers', '2', '--out']
  expect(await backlot(...args, 'C:\\desk\\eval')).toMatchObject({ code: 0, stderr: '' })
  const here = join(desk, 'eval-here')
  const program = join(inject('windows').app, 'node_modules/backlot/dist/bundle/backlot.js')
  await runProgram(process.execPath, [program, ...args, here])
  const traces = readdirSync(join(here, 'episodes'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.jsonl'),
  )
  expect(traces.length).toBe(4)
  for (const trace of traces)
    expect(readFileSync(join(desk, 'eval/episodes', trace), 'utf8')).toBe(
      readFileSync(join(here, 'episodes', trace), 'utf8'),
    )
})

describe('a folder of results', () => {
  const MAX_RESULTS_MS = 90_000
  const folder = () => join(desk, 'results')
  const args = (runs: number) => [
    'eval',
    'login',
    '--runs',
    String(runs),
    '--agent',
    'solution',
    '--out',
    'C:\\desk\\results',
  ]
  const lines = () => {
    const path = join(folder(), 'results.jsonl')
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
  }
  /** Opens a file as a program does that shares it with no other. */
  async function hold(name: string, ...until: readonly string[]) {
    const script = join(machine.drive, 'app/hold-file.cjs')
    copyFileSync(join(PACKAGE, 'fixtures/windows/hold-file.cjs'), script)
    const paths = [script, join(folder(), name), ...until.map((each) => join(folder(), each))]
    const program = await machine.startNode(paths.map((path) => machine.windowsPath(path)))
    await waitUntil(`${name} is held`, () => program.stdout().includes('held'), MAX_COMMAND_MS)
    return program
  }

  it('is continued after its evaluation was killed, and used by one at a time', {
    timeout: MAX_RESULTS_MS,
  }, async () => {
    rmSync(folder(), { recursive: true, force: true, maxRetries: 10 })
    const first = await machine.startBacklot(args(400))
    await waitUntil('an episode has ended', () => lines().length > 0, MAX_COMMAND_MS)
    const second = await backlot(...args(400))
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining('another evaluation uses C:\\desk\\results'),
    ])
    await first.kill()
    const known = lines()
    expect(known.length).toBeLessThan(400)
    expect(await backlot(...args(400))).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^continues: \d+ of 400 episodes have results\n/),
    })
    expect(lines().length).toBe(400)
    expect(lines()).toEqual(expect.arrayContaining(known))
  })

  it('[EV51] is written when another program closes its files soon, and else names the file', {
    timeout: MAX_RESULTS_MS,
  }, async () => {
    const program = await hold('summary.json', 'summary.json.new')
    expect(await backlot(...args(400))).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^continues: \d+ of 400 episodes have results\n/),
    })
    expect(program.stdout()).toContain('closed')
    const before = readFileSync(join(folder(), 'summary.json'), 'utf8')
    const held = await hold('summary.json')
    const { code, stderr } = await backlot(...args(400))
    await held.kill()
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /cannot be written to C:\\desk\\results: .*summary\.json.*another program may have the file open/,
    )
    expect(readFileSync(join(folder(), 'summary.json'), 'utf8')).toBe(before)
    expect(readdirSync(folder()).filter((name) => name.endsWith('.new'))).toEqual([])
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the response depends on the route.
async function post(url: string, body: unknown = {}): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return reply.json()
}

const PORTS = ['agent-webkit', 'cortask', 'navi', 'windieos'].flatMap((name) => [`--${name}-port`, '0'])

/** The address of a protocol in the banner. */
const addressOf = (server: WindowsServer, protocol: string): string =>
  new RegExp(`^ *${protocol} +(http://\\S+)`, 'm').exec(server.stdout() + server.stderr())![1]!

describe('a server', () => {
  let server: WindowsServer
  const start = async () => {
    const args = ['--protocols', 'all', ...PORTS, '--data', 'C:\\desk\\data', '--scenario', 'login']
    server = await machine.serve([...args, '--root', 'C:\\desk\\open'], { cwd: join(desk, 'open') })
  }
  beforeAll(start, MAX_COMMAND_MS)
  afterAll(() => server?.kill())
  const ask = (tool: string, body: object = {}) => post(`${server.url}/api/tool/${tool}`, body)

  it('serves all protocols', { timeout: MAX_COMMAND_MS }, async () => {
    expect(await (await fetch(`${server.url}/api/healthz`)).json()).toMatchObject({ ok: true, adapter: 'MockAdapter' })
    expect(server.stderr()).not.toContain('libsql')
    for (const protocol of ['agent-webkit', 'cortask', 'navi', 'windieos'])
      expect((await fetch(addressOf(server, protocol))).status).toBe(200)
  })

  it('keeps its history in a database, traces a session, and replays the trace after a restart', {
    timeout: MAX_COMMAND_MS,
  }, async () => {
    const reply = await fetch(`${addressOf(server, 'navi')}/agents/profiles`)
    const [profile] = (await reply.json()) as readonly { readonly id: string }[]
    const { session_id } = await post(`${addressOf(server, 'navi')}/sessions`, { profile_id: profile!.id })
    await ask('trace_start', { label: 'windows' })
    expect(await ask('click_element', { selector: 'Edit[name="Username"]' })).toMatchObject({ ok: true })
    const { path } = await ask('trace_stop')
    expect(path).toMatch(/^C:\\/)
    await server.kill()
    await start()
    const sessions = await (await fetch(`${addressOf(server, 'navi')}/sessions`)).text()
    expect(sessions).toContain(session_id)
    const { replay_id } = await ask('replay_start', { path, mode: 'verify' })
    expect(await ask('replay_step', { replay_id })).toMatchObject({ ok: true })
    expect(await ask('replay_status', { replay_id })).toMatchObject({ ok: true, divergences: [] })
  })

  it('reads files below its roots only', { timeout: MAX_COMMAND_MS }, async () => {
    for (const path of ['inside.yaml', 'C:\\desk\\open\\inside.yaml', 'c:/DESK/open/inside.yaml'])
      expect([path, await ask('load_scenario', { path })]).toEqual([path, expect.objectContaining({ ok: true })])
    const refused = [
      '..\\outside.yaml',
      '../outside.yaml',
      'C:\\desk\\outside.yaml',
      'C:outside.yaml',
      'Z:\\etc\\passwd',
      '\\\\127.0.0.1\\share\\inside.yaml',
      '\\\\?\\C:\\desk\\open\\inside.yaml',
      '//./C:/desk/open/inside.yaml',
      'inside.yaml:stream',
      'inside.yaml::$DATA',
      'inside.yaml.',
      'CON',
      'con.yaml',
      'NUL',
      'C:\\desk\\open\\COM1.yaml',
    ]
    for (const path of refused) {
      const { ok, error } = await ask('load_scenario', { path })
      expect([path, ok, error?.message]).toEqual([path, false, expect.stringContaining('names no file that ends in')])
    }
  })
})

const MCP_CLIENT = `
const { spawn } = require('node:child_process')
const program = ${JSON.stringify(`${WINDOWS_APP}\\node_modules\\backlot\\dist\\bundle\\backlot.js`)}
const server = spawn(process.execPath, [program, 'serve', '--mode', 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] })
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const clientInfo = { name: 'test', version: '1' }
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
let text = ''
server.stdout.on('data', (piece) => {
  text += piece
  const lines = text.split('\\n')
  text = lines.pop()
  for (const line of lines) {
    const { id, result } = JSON.parse(line)
    if (id === 1) {
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'list_windows', arguments: {} } })
    }
    if (id === 2) {
      console.log(result.isError ?? false)
      server.stdin.end()
    }
  }
})
server.on('exit', (code) => console.log('exit', code))
`

it('serves MCP over pipes, and ends when they close', { timeout: MAX_COMMAND_MS }, async () => {
  writeFileSync(join(desk, 'client.cjs'), MCP_CLIENT)
  const client = await machine.startNode(['C:\\desk\\client.cjs'])
  await client.ended
  expect(client.stdout().replaceAll('\r\n', '\n')).toBe('false\nexit 0\n')
})
