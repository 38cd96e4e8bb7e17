import { on, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type EndpointReply,
  startModelEndpoint,
  textChunks,
  toolCallChunks,
} from '../../test/support/agent/model-endpoint.ts'
import { VENDORS } from '../../test/support/agent/vendors/index.ts'
import { startVendor } from '../../test/support/agent/vendors/vendor.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import { call } from '../observer/call.ts'
import { toolsFor } from '../observer/registry.ts'
import { parseScenario } from '../scenario/load/load.ts'
import type { AgentFiles } from './backends.ts'
import { createTestbed, type TestbedOptions } from './testbed.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backends-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Sends a query to a WindieOS server. Returns all events until the turn ends. */
async function queryOf(url: string, text: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  closers.push(() => socket.close())
  await once(socket, 'open')
  socket.send('{"type":"handshake","user_id":"ada"}')
  socket.send(JSON.stringify({ id: 'turn_1', type: 'query', payload: { text, conversation_ref: 'conv' } }))
  const events: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }[] = []
  for await (const [frame] of on(socket, 'message')) {
    events.push(JSON.parse(String(frame)))
    if (['streaming-complete', 'error'].includes(events.at(-1)!.type)) break
  }
  return events
}

/** A Navi server that runs scripts from these files, with a function that sends it a query. */
async function serve(agent: AgentFiles, options: TestbedOptions = {}) {
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {}, agent, ...options })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('navi', { port: 0 })
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
    return (await reply.json()) as Readonly<Record<string, string>>
  }
  const profiles = (await (await fetch(`${url}/agents/profiles`)).json()) as readonly { readonly id: string }[]
  const { session_id } = await post('/sessions', { profile_id: profiles[0]!.id })
  return {
    profiles: profiles.map(({ id }) => id),
    ask: async (content: string) => (await post(`/sessions/${session_id}/messages`, { content })).content,
  }
}

it('records a script that replays, regardless of the query', async () => {
  const file = join(newFolder(), 'run.yaml')
  const recorded = await serve({ record: file })
  const recordedAnswers = [await recorded.ask('make a plan'), await recorded.ask('{{message}} stays as it is')]
  expect(readFileSync(file, 'utf8')).toContain('about: make a plan')
  const played = await serve({ script: file })
  expect([await played.ask('something'), await played.ask('else')]).toEqual(recordedAnswers)
})

it('lists the profiles of a profiles file', async () => {
  const file = join(newFolder(), 'profiles.yaml')
  writeFileSync(file, 'profiles: [{id: clerk, name: Clerk}]')
  expect((await serve({ profiles: file })).profiles).toEqual(['clerk'])
})

it('[AG63] warns at the start of an unknown tool in a profile', async () => {
  const file = join(newFolder(), 'profiles.yaml')
  writeFileSync(
    file,
    `profiles: [{id: clerk, name: Clerk, enabled_tools: [wether, weather, ask_user, click_element, "\\nx"]}]
tools: [{name: weather, description: Tell the weather., result: Sunny}]
`,
  )
  const notes: string[] = []
  const note = (line: string) => notes.push(line)
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {}, agent: { profiles: file }, note })
  closers.push(testbed.close)
  await testbed.serveBackend('navi', { port: 0 })
  expect(notes).toEqual([
    'profiles: "clerk" enables "wether", but neither the desktop nor a script nor this file defines it; did you mean "weather"?',
    'profiles: "clerk" enables "\\nx", but neither the desktop nor a script nor this file defines it',
  ])
})

it.each([
  [{ script: '/missing/script.yaml' }, 'BadRequest', '/missing/script.yaml cannot be read: ENOENT'],
  [{ record: '/missing/run.yaml' }, 'BadRequest', '/missing/run.yaml cannot be written: ENOENT'],
])('refuses to start with an unusable file: %j', async (files, code, message) => {
  await expect(serve(files)).rejects.toMatchObject({ code, message })
})

it('names the known protocols when an unknown one is requested', async () => {
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {} })
  closers.push(testbed.close)
  const fault = { code: 'BadRequest', message: expect.stringContaining('known are agent-webkit, cortask') }
  await expect(testbed.serveBackend('foo' as 'navi')).rejects.toMatchObject(fault)
})

it('reads a screenshot of the served desktop exactly in WindieOS', async () => {
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {} })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('windieos', { port: 0 })
  const [window] = await testbed.session.computer.windows()
  const png = await (await testbed.session.computer.screenshot({ window: window!.uid })).png()
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(png)], { type: 'image/png' }), 'window.png')
  const { artifact_id } = (await (await fetch(`${url}/api/artifacts/`, { method: 'POST', body: form })).json()) as {
    artifact_id: string
  }
  const ask = async (path: string, question: object) => {
    const body = JSON.stringify({ image: { artifact_id }, ...question })
    return (await fetch(url + path, { method: 'POST', body })).json()
  }
  expect(await ask('/api/sdk/ocr/resolve-text', { text: 'Word Wrap' })).toMatchObject({
    match: { text: 'Word Wrap', confidence: 1, score: 1 },
  })
  const { match } = (await ask('/api/sdk/vision/locate', { description: 'the word wrap check box' })) as {
    match: { description: string }
  }
  expect(JSON.stringify(match)).toContain('Word Wrap')
})

it('searches the web in WindieOS with the tools of a script', async () => {
  const script = join(newFolder(), 'script.yaml')
  writeFileSync(
    script,
    `tools:
  - name: web_search
    description: Search the web of this film.
    input: { type: object, properties: { query: { type: string } } }
    result: "Rain in {{args.query}}"
turns:
  - on: { text: weather }
    steps: [{ call: web_search, with: { query: Porto }, as: found }, { say: "{{results.found.text}}" }]
`,
  )
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {}, agent: { script } })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('windieos', { port: 0 })
  const events = await queryOf(url, 'What is the weather?')
  const [catalogue] = events
  const searches = (catalogue!.payload.remote_tools as { name: string; description: string }[]).filter(
    ({ name }) => name === 'web_search',
  )
  expect(searches.map(({ description }) => description)).toEqual(['Search the web of this film.'])
  expect(events.find(({ type }) => type === 'tool-output')!.payload).toMatchObject({
    output: 'Rain in Porto',
    success: true,
  })
  expect(events.at(-1)!.payload.final_response).toBe('Rain in Porto')
})

it('lists, selects and requests a real model in WindieOS', async () => {
  const model = await startModelEndpoint(textChunks('Hello.'))
  closers.push(model.close)
  const environment = { BACKLOT_MODEL: 'mine', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.baseUrl }
  const testbed = await createTestbed({ dataFolder: newFolder(), env: environment })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('windieos', { port: 0 })
  const { config, models } = (await (await fetch(`${url}/api/sdk/models`)).json()) as Record<string, unknown>
  const last = (await queryOf(url, 'hi')).at(-1)!
  expect(config).toMatchObject({ model_provider: 'openai', selected_model_id: 'mine' })
  expect(models).toContainEqual({ id: 'mine', provider: 'openai', display_name: 'mine' })
  expect(last.payload).toEqual({ final_response: 'Hello.', model_id: 'mine', model_provider: 'openai' })
  expect(model.requests).toMatchObject([
    { model: 'mine', messages: [{ role: 'system' }, { role: 'user', content: 'hi' }] },
  ])
})

it('[AG94] answers over a protocol through a model of another dialect', async () => {
  const [, anthropic] = VENDORS
  const vendor = await startVendor(anthropic!, { say: 'Hello.', usage: [7, 2] })
  closers.push(vendor.close)
  const environment = {
    BACKLOT_MODEL: 'mine',
    BACKLOT_MODEL_DIALECT: 'anthropic',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: vendor.baseUrl,
  }
  const testbed = await createTestbed({ dataFolder: newFolder(), env: environment })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('windieos', { port: 0 })
  expect((await queryOf(url, 'hi')).at(-1)!.payload).toMatchObject({ final_response: 'Hello.', model_id: 'mine' })
  // All tools of the desktop fit the documentation of the vendor.
  expect(vendor.problems).toEqual([])
})

it('lists a real model in Navi for profiles without a model', async () => {
  const folder = newFolder()
  const profiles = join(folder, 'profiles.yaml')
  writeFileSync(
    profiles,
    'profiles: [{ id: one, name: One }, { id: two, name: Two, llm_backend: ollama, model: gemma }]',
  )
  const environment = { BACKLOT_MODEL: 'mine', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const testbed = await createTestbed({ dataFolder: folder, env: environment, agent: { profiles } })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('navi', { port: 0 })
  expect(await (await fetch(`${url}/agents/profiles`)).json()).toMatchObject([
    { id: 'one', llm_backend: 'openai', model: 'mine' },
    { id: 'two', llm_backend: 'ollama', model: 'gemma' },
  ])
})

it('logs mistakes of WindieOS clients in one line each', async () => {
  const notes: string[] = []
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {}, note: (line) => notes.push(line) })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('windieos', { port: 0 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  closers.push(() => socket.close())
  await once(socket, 'open')
  socket.send('{"type":"handshake","user_id":"ada"}')
  socket.send(
    JSON.stringify({ id: 'm1', type: 'list-models', payload: { [`a\n\u2028\u001b[31m${'b'.repeat(1000)}`]: 1 } }),
  )
  for await (const [frame] of on(socket, 'message')) if (JSON.parse(String(frame)).id === 'm1') break
  expect(notes).toHaveLength(1)
  expect(notes[0]).toMatch(/^windieos: PARSE_VALIDATION_ERROR: [^\p{Cc}\p{Zl}]+$/u)
  expect(notes[0]!.length).toBeLessThan(330)
})

it('transcribes speech in WindieOS as the lines of a script', async () => {
  const script = join(newFolder(), 'script.yaml')
  writeFileSync(script, 'hears: [open the last invoice]\nturns: []')
  const testbed = await createTestbed({ dataFolder: newFolder(), env: {}, agent: { script } })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('windieos', { port: 0 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/transcription`)
  closers.push(() => socket.close())
  const transcript = new Promise<string>((resolve) =>
    socket.on('message', (frame) => {
      const { type, text, is_final } = JSON.parse(String(frame))
      if (type === 'realtime' && is_final) resolve(text)
    }),
  )
  await new Promise((open) => socket.once('open', open))
  socket.send(speech(900, 800))
  expect(await transcript).toBe('open the last invoice')
})

/** A frame of audio: a tone and then silence, with lengths in milliseconds. */
function speech(humMs: number, silenceMs: number): Buffer {
  const rate = 16_000
  const metadata = Buffer.from(JSON.stringify({ sampleRate: rate }))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(metadata.length)
  const pcm = Buffer.alloc(((humMs + silenceMs) * rate * 2) / 1000)
  for (let at = 0; at < (humMs * rate) / 1000; at++) pcm.writeInt16LE(at % 70 < 35 ? 9000 : -9000, at * 2)
  return Buffer.concat([head, metadata, pcm])
}

describe('a real model', () => {
  const withModel = async (replies: readonly EndpointReply[], more: Partial<TestbedOptions> = {}) => {
    const model = await startModelEndpoint(...replies)
    closers.push(model.close)
    const environment = { BACKLOT_MODEL: 'mine', OPENAI_BASE_URL: model.baseUrl }
    const testbed = await createTestbed({ dataFolder: newFolder(), env: environment, ...more })
    closers.push(testbed.close)
    return { model, testbed }
  }
  const naviOf = async (url: string) => {
    const post = (path: string, body: unknown) =>
      fetch(url + path, { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) })
    const { session_id } = (await (await post('/sessions', { profile_id: 'secretary' })).json()) as Record<
      string,
      string
    >
    return { post, id: session_id }
  }
  const toolsIn = (request: Record<string, unknown> | undefined) =>
    (request!.tools as { function: { name: string } }[]).map((tool) => tool.function.name)

  it('[AG88] [AG89] [AG80] receives the tools for agents, and is called without a key', async () => {
    const { model, testbed } = await withModel([textChunks('Hello.')])
    const { url } = await testbed.serveBackend('navi', { port: 0 })
    const { post, id } = await naviOf(url)
    await post(`/sessions/${id}/messages`, { content: 'hi' })
    const offered = toolsIn(model.requests[0])
    const agents = toolsFor('agent').flatMap(({ name }) => (name === 'finish' ? [] : [name]))
    expect(offered.toSorted()).toEqual([...agents, 'read_file', 'spawn_agent', 'switch_profile'].toSorted())
    expect(offered).not.toContain('assert_state')
    expect(model.headers[0]!.authorization).toBeUndefined()
    const listed = (await (await fetch(`${url}/agents/tools`)).json()) as { name: string }[]
    expect(listed.map(({ name }) => name).toSorted()).toEqual(offered.toSorted())
  })

  it('[AG88] has the tools of a profiles file, and cannot call those of the harness', async () => {
    const profiles = join(newFolder(), 'profiles.yaml')
    writeFileSync(
      profiles,
      `profiles: [{ id: secretary, name: Secretary }]
tools: [{ name: weather, description: Tell the weather., result: Rain }]`,
    )
    const calls = [...toolCallChunks(0, 'a', 'weather', '{}'), ...toolCallChunks(1, 'b', 'session_reset', '{}')]
    const { model, testbed } = await withModel([calls, textChunks('Done.')], { agent: { profiles } })
    const { url } = await testbed.serveBackend('navi', { port: 0 })
    const { post, id } = await naviOf(url)
    await post(`/sessions/${id}/messages`, { content: 'go' })
    expect(toolsIn(model.requests[0])).toContain('weather')
    const messages = (model.requests[1]!.messages as { role: string; content: string }[]).slice(-2)
    expect(messages).toMatchObject([
      { role: 'tool', content: 'Rain' },
      { role: 'tool', content: expect.stringMatching(/unknown tool "session_reset"|harness tool/) },
    ])
  })

  it('[AG90] reads the uploads of its session, and no other file', async () => {
    const { model, testbed } = await withModel([
      [
        ...toolCallChunks(0, 'a', 'read_file', '{"path":"notes.txt"}'),
        ...toolCallChunks(1, 'b', 'read_file', '{"path":"../../backlot.db"}'),
        ...toolCallChunks(2, 'c', 'read_file', '{"path":"/etc/hostname"}'),
      ],
      textChunks('Done.'),
    ])
    const { url } = await testbed.serveBackend('navi', { port: 0 })
    const { post, id } = await naviOf(url)
    const form = new FormData()
    form.append('file', new Blob(['Buy milk.'], { type: 'text/plain' }), 'notes.txt')
    await post(`/sessions/${id}/files`, form)
    await post(`/sessions/${id}/messages`, { content: 'read it' })
    const messages = (model.requests[1]!.messages as { role: string; content: string }[]).slice(-3)
    expect(messages.map(({ content }) => content)).toEqual([
      expect.stringContaining('Buy milk.'),
      'no file "../../backlot.db" was attached to this conversation; there are notes.txt',
      'no file "/etc/hostname" was attached to this conversation; there are notes.txt',
    ])
  })

  it('[AG31] [AG33] [AG37] applies the table of its profile to the element that a click would hit', async () => {
    const profiles = join(newFolder(), 'profiles.yaml')
    writeFileSync(
      profiles,
      `profiles:
  - id: secretary
    name: Secretary
    permissions:
      - { tool: "click_*", target: Word Wrap, decision: deny }
      - { tool: "type_*", decision: ask }`,
    )
    const box = { selector: 'CheckBox[name="Word Wrap"]' }
    const before = await createTestbed({ dataFolder: newFolder(), env: {} })
    closers.push(before.close)
    const { x, y, width, height } = (await call(before.session, 'find_element', box)).body.bounds as Rect
    const at = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
    const { model, testbed } = await withModel(
      [
        [
          ...toolCallChunks(0, 'a', 'click_element', JSON.stringify(box)),
          ...toolCallChunks(1, 'b', 'click_at', JSON.stringify(at)),
          ...toolCallChunks(2, 'c', 'type_text', '{"text":"hi"}'),
        ],
        textChunks('Done.'),
      ],
      { agent: { profiles } },
    )
    const { url } = await testbed.serveBackend('navi', { port: 0 })
    const { post, id } = await naviOf(url)
    await post(`/sessions/${id}/messages`, { content: 'go' })
    const messages = (model.requests[1]!.messages as { role: string; content: string }[]).slice(-3)
    expect(messages.map(({ content }) => content)).toEqual([
      'click_element is not permitted in this session',
      'click_at is not permitted in this session',
      'type_text needs a permission here, and this protocol has no permission requests',
    ])
  })

  it.each([
    [{}, /needs OPENAI_API_KEY, or OPENAI_BASE_URL/],
    [{ OPENAI_API_KEY: ' ' }, /needs OPENAI_API_KEY/],
    [{ OPENAI_BASE_URL: 'https://api.openai.com/v1/' }, /needs OPENAI_API_KEY/],
    [{ OPENAI_BASE_URL: 'localhost:11434' }, /OPENAI_BASE_URL must be an address .* with http or https/],
    [{ OPENAI_BASE_URL: 'me:secret@host/v1' }, /^(?!.*secret).*with http or https/],
    [{ OPENAI_BASE_URL: 'http://me:secret@127.0.0.1/v1' }, /^(?!.*secret).*without a user and a password/],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1/v1?api-version=1' }, /without anything after \? or #/],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1/v1/chat/completions' }, /without \/chat\/completions at its end/],
    [{ OPENAI_API_KEY: 'a\nb' }, /characters that a key cannot have/],
    [{ OPENAI_API_KEY: 'k', BACKLOT_MODEL_TIMEOUT_S: 'soon' }, /BACKLOT_MODEL_TIMEOUT_S must be/],
    [{ OPENAI_API_KEY: 'k', BACKLOT_MODEL_TIMEOUT_S: '301' }, /from 1 to 300, not 301/],
    [
      { BACKLOT_MODEL_DIALECT: 'claude' },
      /BACKLOT_MODEL_DIALECT must be one of openai, anthropic, gemini, not "claude"/,
    ],
    [{ BACKLOT_MODEL_DIALECT: 'anthropic', OPENAI_API_KEY: 'k' }, /needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL/],
    [{ BACKLOT_MODEL_DIALECT: 'gemini' }, /needs GEMINI_API_KEY, or GEMINI_BASE_URL/],
    [
      { BACKLOT_MODEL_DIALECT: 'anthropic', ANTHROPIC_BASE_URL: 'http://127.0.0.1/v1/' },
      /ANTHROPIC_BASE_URL must be an address such as http:\/\/127\.0\.0\.1:8080, without \/v1 at its end/,
    ],
  ])('[AG93] [AG95] [AG94] is refused for %j', async (wrong, message) => {
    const environment = { BACKLOT_MODEL: 'mine', ...wrong }
    const testbed = await createTestbed({ dataFolder: newFolder(), env: environment })
    closers.push(testbed.close)
    await expect(testbed.serveBackend('navi', { port: 0 })).rejects.toThrow(message)
  })
})

it('the script of a scenario follows the data of the seed', async () => {
  const scenario = [
    'task: "It is {{ number }}."',
    'params: {number: {between: [1, 1000000], default: 1}}',
    'states: {only: {}}',
    'agent: {turns: [{on: {text: number}, steps: [{say: "It is {{params.number}}."}]}]}',
  ].join('\n')
  const answer = async (seed?: number) => {
    const { ask } = await serve({}, { scenario, ...(seed !== undefined && { seed }) })
    return ask('Which number is it?')
  }
  expect(await answer()).toBe('It is 1.')
  expect(await answer(7)).toBe(parseScenario(scenario, { seed: 7 }).task)
})
