import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp, onCleanup } from '../../../../test/support/protocols/cleanup.ts'
import { distinctTypes, startWindieos } from '../../../../test/support/protocols/windieos.ts'
import { evaluatePredicates } from '../../../observer/oracles.ts'
import type { Ocr } from '../../../perception/perception.ts'
import { createSceneIndex, sceneOcrOr } from '../../../perception/scene-index.ts'
import { sceneLocator } from '../../../perception/scene-locator.ts'
import { openDesktop } from '../../../testing.ts'
import { type RuntimeStep, startRuntime } from '../runtime.ts'

// Facts such as [I-S03] are listed in facts.ts.

afterEach(cleanUp)

const LOGIN = readFileSync(new URL('../../../../scenarios/login.yaml', import.meta.url), 'utf8')

const click = (x: number, y: number) => ({ call: 'mouse_control', with: { action: 'click', x, y } })
const type = (text: string) => ({ call: 'keyboard_control', with: { action: 'type', text } })

const script = {
  turns: [
    {
      on: { text: 'sign in' },
      steps: [
        { think: 'First the name, then the password.' },
        click(320, 212),
        { calls: [type('alice'), click(320, 252), type('correct horse')] },
        click(250, 294),
        { call: 'get_open_windows', as: 'windows' },
        { say: 'Signed in: {{results.windows.text}}' },
      ],
    },
    {
      on: { text: 'stumble about' },
      steps: [click(-5.4, 3), { call: 'read_file', with: { path: 'x' }, as: 'file' }, { say: '{{last.text}}' }],
    },
  ],
}

/** A server, a desktop, and the runtime that works on it. */
async function open(auth: 'none' | 'install' = 'none') {
  const scenes = createSceneIndex()
  const nobody: Ocr = { name: 'nobody', read: async () => [] }
  const perception = { ocr: sceneOcrOr(scenes, nobody), locator: sceneLocator(scenes) }
  const served = await startWindieos({ perception, auth }, { script })
  const { session } = openDesktop({ scenario: LOGIN })
  const steps: RuntimeStep[] = []
  const bugs: unknown[] = []
  const token = auth === 'install' ? String((await served.post('/api/install/register'))[1].install_token) : undefined
  const runtime = await startRuntime({
    url: served.url,
    session,
    remember: scenes.remember,
    watch: (step) => steps.push(step),
    onBug: (bug) => bugs.push(bug),
    ...(token && { token }),
  })
  onCleanup(runtime.close)
  return { ...served, session, steps, bugs, token }
}

describe('the full loop', () => {
  it('signs in through messages alone, twice with the same trace', async () => {
    const traces: string[] = []
    for (let round = 0; round < 2; round++) {
      const { client, session, steps, server, bugs } = await open()
      const { query } = await client()
      const events = await query('sign in')
      expect(events.at(-1)!.payload.final_response).toBe('Signed in: Acme — Welcome (acme.exe), in front')
      expect(distinctTypes(events).slice(4)).toEqual([
        'llm-thought',
        'tool-call',
        'tool-output',
        'tool-call',
        'tool-output',
        'tool-call',
        'tool-output',
        'tool-call',
        'tool-output',
        'streaming-response',
        'assistant-message-full',
        'token-count',
        'streaming-complete',
      ])
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
      const verdicts = await evaluatePredicates(session.context, session.computer.simulation!.oracles.success)
      expect(verdicts.map(({ passed }) => passed)).toEqual([true, true])
      expect([...server.bugs, ...bugs]).toEqual([])
      traces.push(JSON.stringify(steps))
    }
    expect(traces[0]).toBe(traces[1])
    expect(JSON.parse(traces[0]!)).toHaveLength(6)
  })

  it('shows each call to the client without requesting its execution', async () => {
    const { client } = await open()
    const { query } = await client()
    const calls = (await query('sign in')).filter((event) => event.type === 'tool-call')
    expect(calls.map(({ payload }) => (payload.metadata as Record<string, unknown>).skip_local_execution)).toEqual(
      calls.map(() => true),
    )
  })

  it('[I-S04] reads and finds things in the pictures that went with the answers', async () => {
    const { client, post, server, steps } = await open()
    const { query } = await client()
    const outputs = (await query('sign in')).filter(({ type }) => type === 'tool-output').map(({ payload }) => payload)
    // Of a bundle the last step has the picture; a list of windows needs none.
    expect(outputs.map(({ screenshot_ref }) => screenshot_ref !== undefined)).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
    ])
    expect(steps).toHaveLength(outputs.length)
    const image = { artifact_id: outputs[4]!.screenshot_ref }
    const [, found] = await post('/api/sdk/ocr/resolve-text', { image, text: 'Hello, alice' })
    const [, seen] = await post('/api/sdk/vision/locate', { image, description: 'the text Hello, alice' })
    const { center } = (found.match ?? {}) as { center: { x: number; y: number } }
    expect([center.y, (seen.match as { center: { x: number; y: number } }).center]).toEqual([212, { x: 320, y: 212 }])
    expect(server.bugs).toEqual([])
  })

  it('[I-S04] counts the pictures of results as screenshots, and continues without them', async () => {
    const { client, session, steps } = await open()
    session.budget.tighten({ max_screenshots: 2 })
    const { query } = await client()
    await query('sign in')
    expect(steps.map(({ ok, screenshot }) => [ok, screenshot !== undefined])).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [true, false],
      [true, false],
      [true, false],
    ])
    expect(steps[2]!.output).toMatch(/ No screenshot was taken: max_screenshots reached\.$/)
    expect(session.budget.screenshots).toBe(2)
  })

  it('reports unknown tools and invalid arguments of a runtime', async () => {
    const { client } = await open()
    const { query } = await client()
    expect((await query('stumble about')).at(-1)!.payload.final_response).toBe('this runtime has no tool "read_file"')
  })

  it('keeps a runtime to its own user where installations register', async () => {
    const { client, post, token } = await open('install')
    const own = await client({ token: token! })
    expect((await own.query('sign in')).at(-1)!.type).toBe('streaming-complete')
    const other = await client({ token: String((await post('/api/install/register'))[1].install_token) })
    other.sendMessage('query', { text: 'sign in', conversation_ref: 'conv' })
    const call = await other.next('tool-call')
    expect(call.payload.metadata).toEqual({ tool_call_id: call.payload.request_id })
  })

  it('[I-S11] leaves tools of the client to the client', async () => {
    const save = { name: 'save_note', description: 'Save.', execution_target: 'local_runtime', schema: {} }
    const definition = { tools: { mode: 'default_plus_client', client_manifest: { tools: [save] } } }
    const calls = [click(1, 1), { call: 'save_note', as: 'saved' }, click(2, 2)]
    const steps = [{ calls }, { say: '{{results.saved.text}} {{last.text}}' }]
    const { client } = await startWindieos({}, { script: { turns: [{ steps }] } })
    const runtime = await client({ user: 'runtime', definition: { metadata: { role: 'local_runtime' } } })
    await runtime.next('remote-tool-catalog')
    const { sendMessage, read, ended } = await client({ definition })
    const id = sendMessage('query', { text: 'go', conversation_ref: 'conv' })
    const own = await read(({ type, payload }) => type === 'tool-call' && payload.tool_name === 'save_note')
    expect(own.payload.metadata).not.toHaveProperty('skip_local_execution')
    const { bundle_id, tools } = (await runtime.next('tool-bundle')).payload
    const step = { tool: 'mouse_control', status: 'ok', output: 'clicked' }
    runtime.sendMessage('tool-bundle-result', { bundle_id, status: 'success', step_results: [step, step] })
    sendMessage('tool-result', { request_id: own.payload.request_id, success: true, data: { output: 'saved' } })
    expect((tools as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
      'mouse_control',
      'mouse_control',
    ])
    expect((await ended(id)).payload.final_response).toBe('saved clicked')
  })

  it('fails the calls of a runtime that goes away', async () => {
    const { client } = await startWindieos(
      {},
      { script: { turns: [{ steps: [click(1, 1), { say: '{{last.text}}' }] }] } },
    )
    const runtime = await client({ user: 'lazy', definition: { metadata: { role: 'local_runtime' } } })
    await runtime.next('remote-tool-catalog')
    const { sendMessage, ended } = await client()
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    await runtime.next('tool-call')
    runtime.socket.close()
    expect((await ended(id)).payload.final_response).toBe('Tool mouse_control was cut off.')
  })
})
