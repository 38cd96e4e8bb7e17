import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { connectSocket } from '../../../test/support/protocols/socket-client.ts'
import { startWindieos } from '../../../test/support/protocols/windieos.ts'
import { fromPixels } from '../../paint/picture.ts'
import { createSceneIndex } from '../../perception/scene-index.ts'
import { sceneLocator } from '../../perception/scene-locator.ts'
import { windieosApi } from './routes.ts'
import { Transcribed } from './transcription.ts'
import { type Incoming, Outgoing } from './wire.ts'

// For any input: no internal error, no secret and no stack trace in responses, and the server continues.

afterEach(cleanUp)

const REQUESTS = 1500
const MESSAGES = 1500
const RUNS_KEY = 'runs-s3cret'
const PROVIDER_KEY = 'sk-s3cret'
const STACK = /\n\s+at |node_modules|\.ts:\d+|\.js:\d+/

/** The valid statuses of a response. 503 means that something is not configured. */
const EXPECTED = new Set([200, 401, 403, 404, 409, 413, 415, 422, 503])

/** A server with secrets and an artifact of another user, and its log. */
async function fortress() {
  const logged: string[] = []
  const scenes = createSceneIndex()
  const served = await startWindieos({
    auth: 'install',
    runKeys: { runs: RUNS_KEY },
    maxActiveRuns: 1_000_000,
    perception: { ocr: { name: 'nothing', read: async () => [] }, locator: sceneLocator(scenes) },
    logFailure: (_code, message) => logged.push(message),
  })
  const tokenOf = async () => String((await served.post('/api/install/register'))[1].install_token)
  const [token, other] = [await tokenOf(), await tokenOf()]
  const headers = { authorization: `Bearer ${token}`, 'x-windie-runs-key': RUNS_KEY }
  const png = await fromPixels(4, 2, new Uint8Array(32).fill(255)).png()
  const uploaded = async (by: string) =>
    String((await served.upload(new Uint8Array(png), 'image/png', { authorization: `Bearer ${by}` }))[1].artifact_id)
  const [mine, foreign] = [await uploaded(token), await uploaded(other)]
  const run = (await served.post('/api/runs', { workspace_id: 'w', query: 'q' }, headers))[1].run as { run_id: string }
  const secrets = [RUNS_KEY, PROVIDER_KEY, token, other]
  return { ...served, token, headers, mine, foreign, run: run.run_id, secrets, logged }
}

type Fortress = Awaited<ReturnType<typeof fortress>>

/** Values that mean something somewhere, and values that mean nothing anywhere. */
const anyValue = ({ mine, foreign, run }: Pick<Fortress, 'mine' | 'foreign' | 'run'>) =>
  fc.oneof(
    fc.constantFrom<unknown>(
      mine,
      foreign,
      run,
      'conv',
      'default_user',
      'ocr_000000000000',
      'agent',
      'stop',
      '__proto__',
    ),
    fc.constantFrom<unknown>({ artifact_id: mine }, { artifact_id: foreign }, { image_base64: 'aGk=' }, [], {}, null),
    fc.constantFrom<unknown>({ x: 0, y: 0, width: 3, height: 1 }, { x: -1, y: 9, width: 1e9, height: 0 }, 1e308, -0),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer({ min: -3, max: 2000 }),
    fc.boolean(),
    fc.constant('x'.repeat(40_000)),
    fc.jsonValue({ maxDepth: 3 }),
  )

const KEYS = [
  'image text threshold max_results include_overlay show_labels candidate_id description region result',
  'user_id model_id model_provider interaction_mode include_tools workspace_path user_query_raw messages',
  'agent_definition conversation_ref texts model_name conversations user_message assistant_message',
  'workspace_id query agent_id requested_by files metadata worker_id vm_id session_id status action control_mode',
  'turn_ref event_type source payload operating_system',
].flatMap((line) => line.split(' '))

/** Bodies that the routes take, of which one part will be something else. */
const goodBodies = ({ mine, run }: Fortress): readonly (readonly [path: string, body: object])[] => {
  const image = { artifact_id: mine }
  return [
    ['/api/install/register', { operating_system: 'Linux' }],
    ['/api/embeddings', { text: 'hello', model_name: 'default' }],
    ['/api/semantic/summarize', { conversations: ['User: I like tea.'], user_id: 'u' }],
    ['/api/semantic/title', { user_id: 'u', user_message: 'a', assistant_message: 'b' }],
    ['/api/sdk/ocr/run', { image }],
    ['/api/sdk/ocr/inspect', { image, text: 'a', threshold: 0.5, max_results: 3, include_overlay: true }],
    ['/api/sdk/ocr/find-text', { image, text: 'a', threshold: 0.5, max_results: 3 }],
    ['/api/sdk/ocr/find-text-candidates', { image, text: 'a' }],
    ['/api/sdk/ocr/resolve-text', { image, text: 'a' }],
    ['/api/sdk/ocr/resolve-candidate', { image, candidate_id: 'ocr_000000000000' }],
    ['/api/sdk/ocr/overlay', { image, text: 'a', show_labels: false }],
    ['/api/sdk/vision/locate', { image, description: 'a' }],
    ['/api/sdk/vision/locate-all', { image, description: 'a', max_results: 2 }],
    ['/api/sdk/vision/describe', { image, region: { x: 0, y: 0, width: 2, height: 2 } }],
    ['/api/sdk/vision/overlay', { image, result: { points: [{ x: 1, y: 1, label: 'a' }], regions: [] } }],
    ['/api/sdk/prompt-preview', { messages: [{ role: 'user', content: 'a' }], include_tools: true }],
    ['/api/sdk/query-plan', { user_query_raw: 'a', conversation_ref: 'c', agent_definition: { version: 1 } }],
    ['/api/runs', { workspace_id: 'w', query: 'q', files: [{ artifact_id: mine }], metadata: {} }],
    [
      '/api/runs/workers/heartbeat',
      { workspace_id: 'w', worker_id: 'k', vm_id: 'v', user_id: 'u', session_id: 's', status: 'ready' },
    ],
    ['/api/runs/stop-all', { workspace_id: 'nowhere' }],
    [`/api/runs/${run}/control`, { action: 'pause' }],
    [`/api/runs/${run}/worker-dispatched`, { worker_id: 'k', user_id: 'u', turn_ref: 't' }],
    [`/api/runs/${run}/events`, { event_type: 'llm-thought', source: 'worker', payload: {} }],
  ]
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Requests: nearly valid ones and nonsense. */
function requestOf(fortress: Fortress): fc.Arbitrary<Sent> {
  const value = anyValue(fortress)
  const id = fc.oneof(fc.constantFrom(fortress.mine, fortress.foreign, fortress.run), fc.string({ maxLength: 30 }))
  const path = fc
    .tuple(fc.constantFrom(...windieosApi.operations.map((operation) => operation.path)), id)
    .map(([each, inside]) => each.replace(/\{\w+\}/, encodeURIComponent(inside)))
  const headers = fc
    .tuple(
      fc.constantFrom(fortress.headers, fortress.headers, {}, { authorization: 'Bearer wnd_install_no' }),
      fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'multipart/form-data; boundary=x', ''),
    )
    .map(([known, type]): Sent['headers'] => (type === '' ? { ...known } : { ...known, 'content-type': type }))
  const odd = fc
    .tuple(
      fc.constantFrom('POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'),
      path,
      headers,
      fc.oneof(
        fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 6 }).map((body) => JSON.stringify(body)),
        value.map((body) => JSON.stringify(body) ?? ''),
        fc.string({ maxLength: 50 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.constant('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of a fi'),
        fc.constant('--x\r\ncontent-disposition: form-data; name="../file"; filename="../../a"\r\n\r\nb\r\n--x--\r\n'),
      ),
    )
    .map(([method, at, given, body]): Sent => {
      const bodyless = method === 'GET' || method === 'HEAD'
      return { method, path: at, headers: given, ...(!bodyless && { body }) }
    })
  const near = fc
    .tuple(fc.constantFrom(...goodBodies(fortress)), fc.nat(), value)
    .map(([[at, body], place, wrong]): Sent => {
      return { method: 'POST', path: at, headers: fortress.headers, body: JSON.stringify(spoiled(body, place, wrong)) }
    })
  return fc.oneof(odd, near)
}

/** A value with one of its parts replaced. */
function spoiled(body: object, place: number, wrong: unknown): unknown {
  const keys = Object.keys(body)
  const key = keys[place % Math.max(1, keys.length)]
  if (key === undefined) return wrong
  const part = (body as Record<string, unknown>)[key]
  const deeper = typeof part === 'object' && part !== null && place % 3 > 0
  const spoilt = deeper ? spoiled(part, Math.floor(place / 3), wrong) : wrong
  return Array.isArray(body)
    ? body.map((item, index) => (index === Number(key) ? spoilt : item))
    : { ...body, [key]: spoilt }
}

/** The problem of a response; undefined when there is none. */
function complaint(sent: unknown, answer: string, { secrets }: Fortress): string | undefined {
  const leak = secrets.find((secret) => answer.includes(secret))
  if (leak !== undefined) return `a secret is revealed: ${answer} to ${JSON.stringify(sent)}`
  return STACK.test(answer) ? `a stack trace is revealed: ${answer} to ${JSON.stringify(sent)}` : undefined
}

describe('the routes', () => {
  it(`[I-X422] answer ${REQUESTS} hostile requests without internal errors or data of others`, async () => {
    const fort = await fortress()
    const problems: string[] = []
    const counted = new Map<number, number>()
    for (const sent of fc.sample(requestOf(fort), { numRuns: REQUESTS, seed: 7 })) {
      const { method, path, headers, body } = sent
      const answer = await fetch(fort.url + path, {
        method,
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
      })
      const text = await answer.text()
      counted.set(answer.status, (counted.get(answer.status) ?? 0) + 1)
      // A newly registered token is returned once.
      const problem = path === '/api/install/register' && answer.ok ? undefined : complaint(sent, text, fort)
      if (problem !== undefined) problems.push(problem)
      if (!EXPECTED.has(answer.status) && !(method === 'OPTIONS' && answer.status === 204))
        problems.push(`${answer.status} ${text.slice(0, 200)} to ${JSON.stringify(sent).slice(0, 300)}`)
      const refused = method !== 'HEAD' && answer.status >= 400
      if (refused && !('detail' in (JSON.parse(text) as object))) problems.push(`${text} has no detail`)
      const opened = path === `/api/artifacts/${fort.foreign}` || text.includes(`"source_id":"${fort.foreign}"`)
      if (answer.ok && opened && method !== 'OPTIONS') problems.push(`${path} shows a picture of another user`)
    }
    expect(problems).toEqual([])
    expect([
      fort.server.bugs,
      fort.logged.filter((line) => fort.secrets.some((secret) => line.includes(secret))),
    ]).toEqual([[], []])
    // Otherwise nothing but the front door was tried.
    expect([counted.get(200)! > REQUESTS / 20, counted.get(422)! > REQUESTS / 5, counted.get(404)! > 0]).toEqual([
      true,
      true,
      true,
    ])
  })
})

const GOOD_PAYLOADS: Readonly<Record<keyof typeof Incoming, object>> = {
  query: {
    text: 'hello',
    conversation_ref: 'conv',
    screenshot_refs: [],
    content: 'x',
    agent_definition: { version: 1 },
  },
  'rehydrate-conversation': { conversation_ref: 'conv', messages: [{ role: 'user', content: 'a' }] },
  'load-settings': {},
  'update-settings': { provider_api_keys: { openai: { enabled: true, api_key: PROVIDER_KEY } }, model_mode: 'online' },
  'list-models': {},
  'tool-result': { request_id: 'r', success: true, data: { output: 'x', system_state: { active_window: 'a' } } },
  'tool-bundle-result': { bundle_id: 'b', status: 'success', step_results: [{ tool: 't', status: 'ok', output: 1 }] },
  'wakeword-detected': {},
  'stop-query': { conversation_ref: 'conv', turn_ref: null },
  'compact-history': { conversation_ref: 'conv', force: true },
}

/** Frames: nearly right messages, other JSON, text and bytes. */
function frameOf(fort: Fortress): fc.Arbitrary<string | Buffer> {
  const value = anyValue(fort)
  const near = fc
    .tuple(fc.constantFrom(...Object.entries(GOOD_PAYLOADS)), fc.nat(), value, fc.integer({ min: 0, max: 5 }))
    .map(([[type, payload], place, wrong, luck]) => {
      const message = { id: `m${place % 50}`, type, payload: luck < 4 ? spoiled(payload, place, wrong) : payload }
      return JSON.stringify(luck === 3 ? spoiled(message, place, wrong) : message)
    })
  return fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 1, arbitrary: value.map((each) => JSON.stringify(each) ?? 'undefined') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
  )
}

describe('the socket', () => {
  it(`[I-S06] answers ${MESSAGES} hostile frames and continues`, async () => {
    const fort = await fortress()
    const { socket, sendMessage, reply, received } = await fort.client({ token: fort.token })
    for (const [index, frame] of fc.sample(frameOf(fort), { numRuns: MESSAGES, seed: 11 }).entries()) {
      socket.send(frame)
      if (index % 100 === 99) expect((await reply(sendMessage('list-models'))).type).toBe('models-listed')
    }
    expect((await reply(sendMessage('list-models'))).type).toBe('models-listed')
    const answer = JSON.stringify(received)
    expect(complaint('all frames', answer, fort)).toBeUndefined()
    expect(fort.server.bugs).toEqual([])
    expect(fort.logged.filter((line) => fort.secrets.some((secret) => line.includes(secret)))).toEqual([])
    // Nearly valid requests were valid often enough to be executed.
    expect(received.filter(({ type }) => type === 'streaming-complete').length).toBeGreaterThan(3)
  })

  it('[I-X1008] rejects any malformed handshake, and accepts the next one', async () => {
    const fort = await fortress()
    const ends: unknown[] = []
    for (const frame of fc.sample(frameOf(fort), { numRuns: 100, seed: 13 })) {
      const client = await connectSocket(fort.url, '/ws', Outgoing as unknown as z.ZodType<Outgoing>, {
        authorization: `Bearer ${fort.token}`,
      })
      client.socket.send(frame)
      client.socket.send('{}')
      ends.push(((await client.closed) as readonly unknown[])[0])
    }
    expect(new Set(ends)).toEqual(new Set([1008]))
    const { next } = await fort.client({ token: fort.token })
    expect((await next('remote-tool-catalog')).type).toBe('remote-tool-catalog')
    expect(fort.server.bugs).toEqual([])
  })

  it('[I-T08] for speech survives 500 hostile frames, and then still transcribes', async () => {
    const fort = await fortress()
    const client = await connectSocket(fort.url, '/ws/transcription', Transcribed)
    onCleanup(() => client.socket.terminate())
    for (const frame of fc.sample(frameOf(fort), { numRuns: 500, seed: 17 })) client.socket.send(frame)
    const head = Buffer.from(JSON.stringify({ sampleRate: 16_000 }))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(head.length)
    const pcm = Buffer.alloc(16_000 * 2)
    for (let at = 0; at < pcm.length / 2; at++) pcm.writeInt16LE(at % 70 < 35 ? 9000 : -9000, at * 2)
    client.socket.send(Buffer.concat([length, head, pcm]))
    expect((await client.until('realtime')).type).toBe('realtime')
    expect(fort.server.bugs).toEqual([])
  })
})
