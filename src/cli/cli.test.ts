import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'
import { endStarted, runProgram, startProgram } from '../../test/support/cli/started-program.ts'
import { loadScenario } from '../compose/preview.ts'

// The command line as users and CI see it: exit codes, output and shutdown. cli.long.ts has more of it.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-cli-'))
})
afterEach(() => {
  endStarted()
  rmSync(folder, { recursive: true, force: true })
})

/** A scenario that a client sends. */
const SENT = `name: sent
params: {who: {pick: [Ann, Bob]}, rows: 2}
states:
  list:
    windows:
      - uid: app
        title: "{{ who }}"
        tree: {role: Window, children: [
          {repeat: rows, role: Text, name: "{{ item }} {{ who }}"}]}
`

interface SentAnswer {
  readonly scenario?: string
  readonly seed?: number
  readonly info?: object
  readonly error?: object
}

const given = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('the command line', () => {
  it('lists the commands, and suggests one for a misspelt name', async () => {
    const [help, wrong, serve] = await Promise.all([
      runProgram('--help'),
      runProgram('vlaidate'),
      runProgram('serve', '--help'),
    ])
    expect(serve.stdout.match(/default: \[/g)).toBeNull()
    expect(help.code).toBe(0)
    for (const command of ['serve', 'demo', 'doctor', 'validate', 'render', 'test', 'certify', 'certify-client'])
      expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('Did you mean validate?')
  })

  it('[CLI1] [CLI2] [CLI3] writes a new scenario without a question, says what is next, and never overwrites', async () => {
    const file = join(folder, 'forms', 'request.yaml')
    const written = await runProgram('new', file, '--fields', 'Name,City')
    expect(written).toMatchObject({ code: 0, stderr: '' })
    expect(written.stdout.split('\n').map((line) => line.trim().split('  ')[0])).toEqual([
      `wrote ${file}; next:`,
      `npx backlot test ${file}`,
      `npx backlot render ${file}`,
      `npx backlot serve --scenario ${file} --watch`,
      '',
    ])
    expect(await runProgram('validate', '--strict', file)).toMatchObject({ code: 0, stderr: '' })
    expect(await runProgram('new', file)).toEqual({
      code: 2,
      stdout: '',
      stderr: `backlot: ${file} exists already, and is left as it is; choose another name\n`,
    })
  })

  it('exits quietly when its reader closes the stream', async () => {
    const { child, ended } = startProgram(['certify', '--help'])
    child.stdout!.destroy()
    expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('names the invalid option and its valid values', async () => {
    const wrong = await runProgram('serve', '--port', 'abc')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain("option '--port <number>' argument 'abc' is invalid")
    expect(wrong.stderr).toContain('(run with --help to list commands and options)')
  })

  it.each([
    [['bench', 'run'], "required option '--agent <agent>' not specified"],
    [['eval', 'export', 'atif', 'results'], "required option '-o, --out <folder>' not specified"],
  ])('[CLI5] ends with 2 for wrong usage of commands in commands: %j', async (args, message) => {
    const { code, stderr } = await runProgram(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('(run with --help to list commands and options)')
  })

  it('names the range of seeds', async () => {
    const [seed, seeds] = await Promise.all([
      runProgram('render', 'login', '--seed', '9007199254740992'),
      runProgram('eval', '--agent', './agent.js', 'login', '--seeds', '1..9007199254740992'),
    ])
    for (const { code, stderr } of [seed, seeds]) {
      expect(code).toBe(2)
      expect(stderr).toContain('is invalid. use a whole number from 0 to 9007199254740991')
    }
  })
})

describe('validate', () => {
  it('[CLI5] [CLI6] checks every file, and shows the position of the first error of each', async () => {
    const bad = given('bad.yaml', 'states:\n  a:\n    windws: []\n')
    const { code, stdout, stderr } = await runProgram(
      'validate',
      'scenarios/login.yaml',
      bad,
      join(folder, 'none.yaml'),
    )
    expect(code).toBe(2)
    expect(stdout + stderr).toContain('scenarios/login.yaml: ok (login, 2 states)')
    expect(stdout + stderr).toContain(`${bad}:3:5: states.a.windws: unknown key "windws"; did you mean "windows"?`)
    expect(stdout + stderr).toContain('3 |     windws: []\n  |     ^^^^^^')
    expect(stdout + stderr).toContain(`there is no scenario file ${join(folder, 'none.yaml')}`)
    expect((await runProgram('validate', bad)).code).toBe(1)
    expect((await runProgram('test', join(folder, 'none.yaml'))).code).toBe(2)
  })
})

describe('serve', () => {
  it('[CLI4] prints the task and the URL, and ends on Ctrl-C', async () => {
    const { child, waitForOutput, ended, output } = startProgram([
      'serve',
      '--port',
      '0',
      '--config',
      join(folder, 'none.json'),
    ])
    await waitForOutput('Backlot is running')
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output.stderr)!
    const { count } = (await (await fetch(`http://127.0.0.1:${port}/api/windows`)).json()) as { count: number }
    expect(count).toBe(3)
    for (const path of ['', 'api/metrics', 'api/screenshot', 'sessions'])
      expect([path, (await fetch(`http://127.0.0.1:${port}/${path}`)).status]).toEqual([path, 200])
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain(`http://127.0.0.1:${port}/`)
    expect(stderr).toContain(`main: the task is: ${(await loadScenario('desktop')).task}`)
    expect(stderr).toContain('main: ended\n')
  })

  it('reads scenarios that clients send in a thread of the packaged program, and ends on Ctrl-C while it reads one', async () => {
    const { child, waitForOutput, ended, output } = startProgram(['serve', '--port', '0'])
    await waitForOutput('Backlot is running')
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output.stderr)!
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as SentAnswer }
    }
    const opened = await post('/sessions', { yaml: SENT, seed: 3 })
    const refused = await post('/sessions', { yaml: SENT.replace('role: Text', 'rolle: Text') })
    const loaded = await post('/api/tool/load_scenario', { yaml: SENT })
    const reset = await post('/api/tool/session_reset', { seed: 4, variant: { theme: 'dark' } })
    expect([opened.status, opened.body.scenario, opened.body.seed]).toEqual([201, 'sent', 3])
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      {
        code: 'ScenarioInvalid',
        message: expect.stringContaining('children[0].rolle: unknown key "rolle"; did you mean "role"?'),
      },
    ])
    expect([loaded.status, loaded.body.scenario]).toEqual([200, 'sent'])
    expect([reset.status, reset.body.info]).toMatchObject([
      200,
      { scenario: 'sent', seed: 4, variant: { theme: 'dark' } },
    ])

    const unread = post('/sessions', { yaml: SENT.replace('rows: 2', 'rows: 1900') }).catch(() => 'closed')
    await fetch(`${url}/api/windows`)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('main: ended\n') })
    await unread
  })

  it('also serves MCP when standard input is a pipe, and ends with its client', async () => {
    const { child, waitForOutput, ended } = startProgram(['serve', '--port', '0'], 'pipe')
    await waitForOutput('Backlot is running')
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    child.stdin!.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    expect(await ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"serverInfo"'),
      stderr: expect.stringContaining('--mode inspect serves REST without it'),
    })
  })
})

it('demo names the folder that it cannot write', () => {
  given('reports', '')
  const { status, stderr } = spawnSync(process.execPath, [BUNDLED_PROGRAM, 'demo'], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `backlot: cannot create ${join(folder, 'reports', 'demo')} (ENOTDIR); run the demo in another folder\n`,
  })
})
