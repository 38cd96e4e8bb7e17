import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { launchBrowser, openPage } from '../../test/support/viewer/test-browser.ts'
import { createTestbed } from '../compose/testbed.ts'
import { call } from '../observer/call.ts'
import { demoClient as askOverHttp } from '../protocols/agent-webkit/demo.ts'
import { demoClient as askOverSocket } from '../protocols/cortask/demo.ts'
import { readRun } from './read-run.ts'
import { serveRun } from './serve-run.ts'

// Conversations over agent protocols, in the recording of the desktop that they work on. Rules such as [RC22] are stated in README.md.

launchBrowser()

const SCRIPT = `turns:
  - on: {text: sign in}
    steps:
      - say: I sign in with the password hunter2.
      - {call: set_value, with: {selector: Edit "Username", value: alice}, ask_permission: Type the name}
      - {call: set_value, with: {selector: Edit "Password", value: hunter2}}
      - {call: click_element, with: {selector: Button "Login"}}
      - say: You are signed in.
`

const report = (bug: unknown): never => {
  throw bug
}

/** A desktop whose trace is active, and the URLs of the protocols over it. */
async function tracedDesktop() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'script.yaml'), SCRIPT)
  const testbed = await createTestbed({
    scenario: 'login',
    config: { tracing: { dir: join(folder, 'traces') } },
    agent: { script: join(folder, 'script.yaml') },
    dataFolder: join(folder, 'data'),
    env: {},
    report,
  })
  onTestFinished(testbed.close)
  const { body } = await call(testbed.session, 'trace_start', { label: 'conversation' })
  const trace = String(body.dir)
  return {
    testbed,
    trace,
    serve: async (name: 'agent-webkit' | 'cortask' | 'windieos') => (await testbed.serveBackend(name, { port: 0 })).url,
    stop: () => call(testbed.session, 'trace_stop', {}),
    events: () =>
      readFileSync(join(trace, 'events.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line): Record<string, unknown> => JSON.parse(line)),
  }
}

it('[RC22] shows the events of agents over HTTP and over a WebSocket on the time line of the desktop', async () => {
  const { trace, serve, stop, events } = await tracedDesktop()
  expect(await askOverHttp(await serve('agent-webkit'), 'sign in', () => {})).toBe('You are signed in.')
  expect(await askOverSocket(await serve('cortask'), 'say hello', () => {})).not.toBe('')
  await stop()

  const written = events()
  const of = (protocol: string) =>
    written
      .filter((event) => event.protocol === protocol)
      .map(({ after, direction, name }) => `${after} ${direction} ${name}`)
  expect(of('agent-webkit')).toEqual(
    expect.arrayContaining([
      '0 in user_message',
      '0 out permission_request',
      '0 in permission_decision',
      '0 out tool_started',
      '1 out tool_result',
      '3 out tool_result',
      '3 out run_ended',
    ]),
  )
  expect(of('cortask')).toEqual(expect.arrayContaining(['3 in user_message', '3 out message_end', '3 out run_ended']))
  const text = JSON.stringify(written)
  expect(text).not.toMatch(/hunter2|alice/)
  expect(text).toContain('I sign in with the password <redacted>.')

  const run = await readRun(trace, { bindings: { '1.value': 'alice', '2.value': 'hunter2' } })
  expect(run.recording.events).toHaveLength(written.length)
  const server = await serveRun({ run, port: 0, report })
  onTestFinished(server.close)
  const page = await openPage({ viewport: { width: 1400, height: 900 } })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(`${server.url}#step=1`)
  // A mark for each step that events follow, and the start.
  const marks = await page.locator('.marks .events').getAttribute('d')
  const places = new Set(written.map(({ after }) => after))
  expect(marks!.match(/M/g)).toHaveLength(places.size)
  await page.getByRole('tab', { name: 'Events' }).click()
  const shown = page.getByRole('tabpanel')
  await expect.poll(() => shown.textContent()).toContain('tool_result')
  expect(await shown.textContent()).toContain('agent-webkit')
  await page.getByRole('slider', { name: 'Step' }).press('End')
  await expect.poll(() => shown.textContent()).toContain('cortask')
  expect(problems).toEqual([])
})

it('[RC22] has the events of clients that execute the calls themselves', async () => {
  const { serve, stop, events } = await tracedDesktop()
  const socket = new WebSocket(`${(await serve('windieos')).replace('http', 'ws')}/ws`)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  socket.send('{"type":"handshake","user_id":"ada"}')
  socket.send(JSON.stringify({ id: 't', type: 'query', payload: { text: 'say hello', conversation_ref: 'c' } }))
  await new Promise<void>((resolve) =>
    socket.on('message', (frame) => JSON.parse(String(frame)).type === 'streaming-complete' && resolve()),
  )
  await stop()
  const named = events().map(({ protocol, direction, name }) => `${protocol} ${direction} ${name}`)
  expect(named).toEqual(expect.arrayContaining(['windieos in user_message', 'windieos out run_ended']))
})
