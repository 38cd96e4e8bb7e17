import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { on, once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { endStarted, ROOT, runProgram, startProgram, startProgramIn } from '../../test/support/cli/started-program.ts'

// Commands and options of the command line, each in a process of its own.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-cli-'))
})
afterEach(() => {
  endStarted()
  rmSync(folder, { recursive: true, force: true })
})

const given = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A port that something else listens on until the test ends. */
async function takenPort(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { port: (server.address() as { port: number }).port, close: () => server.close() }
}

/** Starts a server with its own runtime, logs in as a WindieOS client, and returns the messages about the runtime. */
async function loginOverWindieos() {
  const [port, windieosPort] = [await freePort(), await freePort()]
  const { child, waitForOutput, ended } = startProgram([
    ...['serve', '--scenario', 'scenarios/login.yaml', '--protocols', 'observer,windieos', '--with-runtime'],
    ...['--port', String(port), '--windieos-port', String(windieosPort), '--data', mkdtempSync(join(folder, 'data-'))],
  ])
  await waitForOutput('Backlot is running')
  const address = `127.0.0.1:${windieosPort}`
  const socket = new WebSocket(`ws://${address}/ws`)
  await once(socket, 'open')
  socket.send('{"type":"handshake","user_id":"ada"}')
  const query = { text: 'Please log in.', conversation_ref: 'conv' }
  socket.send(JSON.stringify({ id: 'turn_1', type: 'query', payload: query }))
  const trace: { readonly tool: unknown; readonly output: unknown; readonly picture: string | undefined }[] = []
  let answer: unknown
  for await (const [frame] of on(socket, 'message')) {
    const { type, payload } = JSON.parse(String(frame))
    if (type === 'tool-output') {
      const { tool_name: tool, output, screenshot_ref } = payload
      const shot = screenshot_ref && (await fetch(`http://${address}/api/artifacts/${screenshot_ref}`))
      const picture =
        shot &&
        createHash('sha256')
          .update(Buffer.from(await shot.arrayBuffer()))
          .digest('hex')
      trace.push({ tool, output, picture })
    }
    answer = payload.final_response ?? answer
    if (type === 'streaming-complete' || type === 'error') break
  }
  socket.close()
  const { windows } = (await (await fetch(`http://127.0.0.1:${port}/api/windows`)).json()) as {
    windows: readonly { readonly title: string }[]
  }
  child.kill('SIGINT')
  await ended
  return { answer, title: windows[0]?.title, trace }
}

async function freePort(): Promise<number> {
  const { port, close } = await takenPort()
  close()
  return port
}

describe('the command line', () => {
  it('caches compiled code for the next start, as Node’s own variables configure', async () => {
    const [kept, none] = [join(folder, 'kept'), join(folder, 'none')]
    const args = ['validate', 'scenarios/login.yaml']
    const first = await startProgram(args, 'ignore', { NODE_COMPILE_CACHE: kept }).ended
    expect(await startProgram(args, 'ignore', { NODE_COMPILE_CACHE: kept }).ended).toEqual(first)
    await startProgram(['validat'], 'ignore', { NODE_COMPILE_CACHE: kept }).ended
    expect(readdirSync(join(kept, 'backlot'))).toEqual([expect.stringMatching(/^program-\w+\.cjs\.validate\.v\d/)])
    await startProgram(args, 'ignore', { NODE_COMPILE_CACHE: none, NODE_DISABLE_COMPILE_CACHE: '1' }).ended
    expect(existsSync(none)).toBe(false)
  })
})

describe('render', () => {
  it('writes a PNG, or prints a sketch or prose', async () => {
    const out = join(folder, 'shot.png')
    const [png, sketch, prose, none] = await Promise.all([
      runProgram('render', 'scenarios/login.yaml', '-o', out),
      runProgram('render', 'scenarios/login.yaml', '--sketch'),
      runProgram('render', 'scenarios/login.yaml', '--prose'),
      runProgram('render', 'scenarios/login.yaml', '--state', 'nowhere'),
    ])
    expect(png).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(out).subarray(1, 4).toString()).toBe('PNG')
    expect(sketch.stdout).toMatch(/^\+-/)
    expect(prose.stdout).toContain('Username')
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('nowhere')
  })
})

it('render writes the annotations of a picture, and draws their numbers', async () => {
  const [out, json] = [join(folder, 'marks.png'), join(folder, 'marks.json')]
  const rendered = await runProgram('render', 'login', '--marks', '--annotations', json, '-o', out)
  expect(rendered).toMatchObject({ code: 0, stdout: '' })
  const { images, annotations } = JSON.parse(readFileSync(json, 'utf8'))
  expect(images).toEqual([{ id: 1, file_name: 'marks.png', width: 1280, height: 800 }])
  expect(annotations.map(({ id }: { id: number }) => id)).toEqual(
    annotations.map((_: unknown, index: number) => index + 1),
  )
  expect(annotations).toContainEqual(expect.objectContaining({ role: 'Edit', name: 'Username', clickable: true }))
  const refused = await runProgram('render', 'login', '--annotations', join(folder, 'nowhere', 'a.json'), '-o', out)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('choose another file with --annotations') })
})

describe('serve', () => {
  it('ends cleanly when its terminal is closed', async () => {
    const { child, waitForOutput, ended } = startProgram(['serve', '--port', String(await freePort())])
    await waitForOutput('Press Ctrl-C to stop')
    child.kill('SIGHUP')
    expect(await ended).toMatchObject({ code: 129, stderr: expect.stringContaining('main: ended\n') })
  })

  it('reports a damaged database without a stack', async () => {
    const data = join(folder, 'damaged')
    mkdirSync(data)
    given('damaged/backlot.db', 'no database '.repeat(1000))
    const { code, stderr } = await runProgram(
      'serve',
      '--protocols',
      'navi',
      '--navi-port',
      String(await freePort()),
      '--data',
      data,
    )
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^backlot: .*backlot.db cannot be used: .*move it away/m)])
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('prints an MCP command that a shell accepts for any folder name', async () => {
    const played = given(`Ada's login.yaml`, readFileSync(join(ROOT, 'scenarios/login.yaml'), 'utf8'))
    const { child, waitForOutput, ended } = startProgram([
      'serve',
      '--port',
      String(await freePort()),
      '--scenario',
      played,
    ])
    await waitForOutput('Press Ctrl-C to stop')
    child.kill('SIGINT')
    const [, printed = ''] = /standard input\/output +(.*)/.exec((await ended).stderr) ?? []
    const { stderr, status } = spawnSync('sh', ['-c', printed], { input: '', encoding: 'utf8' })
    expect({ stderr, status }).toMatchObject({
      stderr: expect.stringContaining(`playing login (${played})`),
      status: 0,
    })
  })

  it('uses and prints free ports for port 0, and keeps running when standard input ends', async () => {
    const zeros = ['--port', '--agent-webkit-port', '--cortask-port', '--navi-port', '--windieos-port']
    const flags = [...zeros, '--embedding-port', '--harness-port'].flatMap((flag) => [flag, '0'])
    const data = mkdtempSync(join(folder, 'data-'))
    const config = given('config.json', JSON.stringify({ web_ui: { port: await freePort() } }))
    const args = ['--protocols', 'all', '--tools', 'agent', '--data', data, '--config', config, '--scenario', 'login']
    const env = { WINDIE_EMBEDDING_SERVICE_API_KEY: 'k' }
    const { child, waitForOutput, output, ended } = startProgram(['serve', ...args, ...flags], 'pipe', env)
    child.stdin!.end()
    await waitForOutput('Press Ctrl-C to stop')
    const urls = [...output.stderr.matchAll(/^ {2}(\S+) +(http:\/\/127\.0\.0\.1:\d+)/gm)].map(([, name, url]) => [
      name,
      url,
    ])
    expect(urls.map(([name]) => name)).toEqual([
      'inspector',
      'observer',
      'harness',
      'agent-webkit',
      'cortask',
      'navi',
      'windieos',
      'embeddings',
    ])
    expect(new Set(urls.map(([, url]) => url)).size).toBe(7)
    for (const [name, url] of [...urls, ...urls])
      expect([name, (await fetch(`${url}/`)).status]).not.toEqual([name, 500])
    expect(output.stderr).toContain('playing login')
    const page = await Promise.all(['/', '/viewer.js', '/viewer.css'].map((path) => fetch(`${urls[0]![1]}${path}`)))
    expect(page.map(({ status }) => status)).toEqual([200, 200, 200])
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/main: ended\n$/) })
  })

  it('reads scenarios below each --root folder', async () => {
    const roots = ['one', 'two'].map((name) => mkdtempSync(join(folder, name)))
    for (const root of roots) writeFileSync(join(root, 'mine.yaml'), 'states: {a: {windws: SECRET}}')
    const { child, waitForOutput, output } = startProgram([
      'serve',
      '--port',
      '0',
      ...roots.flatMap((root) => ['--root', root]),
    ])
    await waitForOutput('Press Ctrl-C to stop')
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output.stderr)!
    for (const root of roots) {
      const body = JSON.stringify({ path: join(root, 'mine.yaml') })
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`${url}/api/scenario/load`, { method: 'POST', headers, body })
      expect(await reply.json()).toMatchObject({
        error: { message: expect.stringContaining(':1:14: this key is not') },
      })
    }
    child.kill('SIGINT')
  })

  it.each(['validate', 'render', 'test'])('accepts names of the gallery for %s, from any folder', async (command) => {
    const more = command === 'render' ? ['--prose'] : []
    const results = await Promise.all(
      ['login', 'login.yaml'].map((name) => startProgramIn(folder, [command, name, ...more]).ended),
    )
    for (const { code, stdout } of results) expect([code, stdout]).toEqual([0, expect.stringMatching(/login|Username/)])
    const wrong = await startProgramIn(folder, [command, 'lgin', ...more]).ended
    expect([wrong.code, wrong.stdout + wrong.stderr]).toEqual([
      2,
      expect.stringContaining('there is no scenario "lgin"; did you mean "login"?'),
    ])
  })

  it('logs in through WindieOS alone, twice with the same trace', async () => {
    const first = await loginOverWindieos()
    expect(first.answer).toBe('I am logged in. The window now says: Acme — Welcome (acme.exe), in front')
    expect(first.title).toBe('Acme — Welcome')
    // What the runtime sent along can be fetched by whoever asked.
    expect(first.trace.filter(({ picture }) => picture !== undefined)).toHaveLength(3)
    expect(await loginOverWindieos()).toEqual(first)
  })

  it('refuses a port in use, an invalid scenario, an invalid configuration and a public address without a token', async () => {
    const taken = await takenPort()
    const bad = given('bad.yaml', 'states: {a: {windws: []}}')
    const config = given('config.json', '{"budget": {"max_actions": "many"}}')
    const refused = await Promise.all([
      runProgram('serve', '--port', String(taken.port)),
      runProgram('serve', '--scenario', bad),
      runProgram('serve', '--config', config),
      runProgram('serve', '--host', '0.0.0.0'),
    ])
    taken.close()
    expect(refused.map(({ code, stdout }) => ({ code, stdout }))).toEqual(refused.map(() => ({ code: 2, stdout: '' })))
    const [port, scenario, settings, host] = refused.map(({ stderr }) => stderr)
    expect(port).toContain(`${taken.port}`)
    expect(scenario).toContain('did you mean "windows"?')
    expect(settings).toContain('max_actions')
    expect(host).toContain('put a secret into BACKLOT_TOKEN, or give --insecure')
    for (const { stderr } of refused) expect(stderr).not.toMatch(/\n +at /)
  })

  it.each([
    [
      ['--embedding-port', '9'],
      '--embedding-port applies to windieos only; omit it or use --protocols observer,windieos',
    ],
    [['--with-runtime'], '--with-runtime applies to windieos only'],
    [['--auth', 'install'], '--auth applies to windieos only'],
    [['--protocols', 'navi', '--port', '9'], '--port applies to observer only'],
    [['--protocols', 'navi', '--token', 's3cret'], '--token applies to observer, agent-webkit, openenv, osworld only'],
    [['--script', 'x.yaml'], '--script applies to agent-webkit, cortask, navi, windieos only'],
    [['--protocols', 'navi', '--wire-log'], '--wire-log applies to observer, osworld only'],
    [['--mode', 'mcp', '--wire-log'], '--wire-log applies to HTTP, which --mode mcp does not serve; use --mode both'],
    [['--protocols', 'windieos', '--with-runtime', '--auth', 'install'], 'leave --auth install out'],
    [['--time-scale', '2'], '--time-scale applies to the real clock only; omit it or use --clock real'],
    [['--adapter', 'linux', '--seed', '3'], '--seed applies to synthetic desktops only'],
    [['--adapter', 'linux', '--mock'], 'give only one of them'],
    [['--yield-to-person', '500'], '--yield-to-person applies to real desktops only'],
    [['--adapter', 'remote'], '--adapter remote needs the URL of the other server; add --url http://HOST:5001'],
    [['--url', 'http://desk:5001'], '--url applies to --adapter remote only'],
    [['--remote-token', 's3cret'], '--remote-token applies to --adapter remote only'],
    [['--adapter', 'remote', '--url', 'ftp://desk', '--seed', '3'], '--seed applies to synthetic desktops only'],
    [['--adapter', 'remote', '--url', 'ftp://desk'], 'give a URL of http or https'],
    [['--adapter', 'remote', '--url', 'http://127.0.0.1:2'], 'is not running: the connection was refused'],
    [['--adapter', 'remote', '--url', 'http://a:b@desk'], 'put the token into BACKLOT_REMOTE_TOKEN'],
  ])('refuses options that would have no effect: %j', async (options, message) => {
    const { code, stderr } = await runProgram('serve', '--mode', 'inspect', ...options)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('--wire-log writes the requests of calls beside a trace', async () => {
    const config = given('config.json', JSON.stringify({ tracing: { dir: join(folder, 'traces') } }))
    const served = startProgram(['serve', '--mode', 'inspect', '--port', '0', '--config', config, '--wire-log'])
    await served.waitForOutput('http://')
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(served.output.stderr)!
    const post = async (tool: string) => (await fetch(`${url}/api/tool/${tool}`, { method: 'POST' })).json()
    const { dir } = (await post('trace_start')) as { readonly dir: string }
    await post('list_windows')
    await post('trace_stop')
    served.child.kill('SIGTERM')
    await served.ended
    expect(readFileSync(join(dir, 'wire.jsonl'), 'utf8')).toContain('"url":"/api/tool/list_windows"')
  })

  it('exits with a suggestion when it cannot serve an agent protocol', async () => {
    const taken = await takenPort()
    const served = ['serve', '--mode', 'inspect', '--protocols']
    const refused = await Promise.all([
      ...['navi', 'agent-webkit', 'windieos'].map((name) =>
        runProgram(...served, name, `--${name}-port`, `${taken.port}`),
      ),
      runProgram(...served, 'navi', '--navi-port', '0', '--data', given('file', '')),
      // Of a net for documentation, so that no resolver is asked.
      runProgram(...served, 'navi', '--navi-port', '0', '--host', '203.0.113.1', '--insecure'),
    ])
    const unserved = await runProgram('serve', '--mode', 'mcp', '--protocols', 'observer,navi')
    expect(unserved).toMatchObject({ code: 2, stderr: expect.stringContaining('--mode mcp does not serve navi') })
    const empty = await runProgram('serve', '--token', '')
    taken.close()
    for (const { code, stderr } of refused) expect([code, /\n +at /.test(stderr)]).toEqual([2, false])
    const reasons = ['is in use', 'is in use', 'is in use', '--data', 'cannot listen on 203.0.113.1:0']
    expect(refused.map(({ stderr }, at) => stderr.includes(reasons[at]!))).toEqual(reasons.map(() => true))
    expect([empty.code, empty.stderr.includes('give a secret')]).toEqual([2, true])
  })
})

it('replay and show-trace exit with 2 and one line for what is not a trace', async () => {
  const header = '{"type":"header","label":"x","scenario":"login","seed":1}\n'
  const paths = [
    given('cut.zip', 'PK\u0003\u0004 cut off'),
    given('deep.jsonl', `${header}{"tool":"x","args":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n`),
    given('none.jsonl', ''),
    join(folder, 'gone'),
  ]
  const refused = await Promise.all(
    paths.flatMap((path) => [runProgram('replay', path), runProgram('show-trace', path)]),
  )
  for (const { code, stdout, stderr } of refused)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^backlot: [^\n]+\n$/)])
})

it('[CLI6] test and render report problems of a file and continue with the next', async () => {
  const bad = given('bad.yaml', 'states: {a: {windws: []}}')
  const login = join(ROOT, 'scenarios/login.yaml')
  const [verified, rendered] = await Promise.all([
    runProgram('test', bad, join(folder, 'none.yaml'), login),
    runProgram('render', login, '-o', join(folder, 'nowhere', 'x.png')),
  ])
  expect(verified.code).toBe(2)
  expect(verified.stdout).toContain('did you mean "windows"?')
  expect(verified.stdout).toContain('1 of 3 verified')
  expect(rendered).toMatchObject({ code: 2, stderr: expect.stringContaining('choose another file with -o') })
})

describe('sabotage', () => {
  it('lists the faults, and suggests one for a misspelt name', async () => {
    const [list, near, several, nowhere] = await Promise.all([
      runProgram('sabotage', 'agent-webkit', '--list'),
      runProgram('sabotage', 'agent-webkit', 'counts by tow', '--url', 'http://127.0.0.1:1'),
      runProgram('sabotage', 'agent-webkit', 'counts', '--url', 'http://127.0.0.1:1'),
      runProgram('sabotage', 'agent-webkit', 'counts by two'),
    ])
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(list.stdout.split('\n')).toContain('counts by two')
    expect(near).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "counts by two"?') })
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('faults contain "counts":') })
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('give the URL of the server') })
  })

  it('proxies a server and breaks one behaviour', async () => {
    const server = http.createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"session_id":"s1","protocol_version":"1.0"}'),
    )
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    const port = await freePort()
    const args = ['sabotage', 'agent-webkit', 'speaks protocol version 2.0', '--url', url, '--port', String(port)]
    const { child, waitForOutput, ended } = startProgram(args)
    await waitForOutput('Press Ctrl-C to stop')
    const answer = await fetch(`http://127.0.0.1:${port}/sessions`, { method: 'POST', body: '{}' })
    expect(await answer.json()).toEqual({ session_id: 's1', protocol_version: '2.0' })
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('sabotage: ended\n') })
    server.closeAllConnections()
    server.close()
  })

  it('asks for a process or a URL, whichever the fault breaks', async () => {
    const [process, address] = await Promise.all([
      runProgram('sabotage', 'observer', 'MCP: hides a tool', '--url', 'http://127.0.0.1:1'),
      runProgram('sabotage', 'agent-webkit', 'counts by two', '--command', 'backlot serve --mode mcp'),
    ])
    expect(process).toMatchObject({ code: 2, stderr: expect.stringContaining('give its command') })
    expect(address).toMatchObject({ code: 2, stderr: expect.stringContaining('use --url instead of --command') })
  })
})

describe('certify', () => {
  it('explains invalid options', async () => {
    const wrong = [
      [['observer'], 'Give --url'],
      [['navi', '--url', 'localhost:8020'], '"localhost:8020" is not the address of a server'],
      [['navi', '--command', 'navi'], 'use --url for navi'],
      [['observer', '--url', 'http://127.0.0.1:1', '--profile', 'nowhere.yaml'], 'nowhere.yaml'],
    ] as const
    const ended = await Promise.all(wrong.map(([args]) => runProgram('certify', ...args, '--report', folder)))
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    wrong.forEach(([, words], at) => {
      expect(ended[at]!.stderr).toContain(words)
    })
  }, 60_000)

  it('ends the processes that it started when interrupted', async () => {
    const mute = createServer()
    await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', listening))
    const { port } = mute.address() as { port: number }
    const command = `node -e "require('net').connect(${port}); setInterval(() => {}, 1000)"`
    const { child, ended } = startProgram(['certify', 'observer', '--command', command, '--report', folder])
    const [socket] = await once(mute, 'connection')
    child.kill('SIGINT')
    await once(socket.on('error', () => {}).resume(), 'close')
    mute.close()
    expect(await ended).toMatchObject({ code: 130, stdout: '' })
  }, 60_000)

  it('reports a process that exits without a response', async () => {
    const { code, stderr } = await runProgram('certify', 'observer', '--command', 'echo Hello', '--report', folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('with the output: Hello')])
  }, 60_000)
})
