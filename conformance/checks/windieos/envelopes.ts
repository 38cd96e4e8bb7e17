import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { check } from '../check.ts'
import { assertAlive, connect, read, refusal, settle } from './client.ts'

check(
  'windieos:envelope:unknown-key',
  async (bench) => {
    const client = await connect(bench)
    await client.answer(client.say('list-models', {}, { timestamp: '2026-01-01T00:00:00Z' }), 'models-listed')
    const after = client.socket.messages.length
    client.say('list-models', {}, { [bench.random.word()]: 1 })
    await refusal(client.socket, 'an unknown key', after)
    await settle()
    const listed = client.socket.messages.slice(after).some((one) => one.type === 'models-listed')
    assert.ok(!listed, 'a message with an unknown key is answered')
  },
  { lane: 'dangerous' },
)

check('windieos:envelope:user-id', async (bench) => {
  const client = await connect(bench)
  await client.answer(client.say('list-models', {}, { user_id: 'anybody' }), 'models-listed')
})

check('windieos:envelope:uuid', async (bench) => {
  const client = await connect(bench)
  const { id, events } = await client.turn(bench.profile.phrase('hello'))
  const own = events.map((one) => String(one.id)).filter((one) => one !== id)
  assert.deepEqual(
    own.filter((one) => !UUID.test(one)),
    [],
    'an id of the server is no UUID',
  )
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

check('windieos:envelope:ids', async (bench) => {
  const client = await connect(bench)
  const ids = [randomUUID(), `turn_${randomUUID()}`, `msg_${randomUUID().replaceAll('-', '')}`]
  for (const id of ids) {
    const after = client.socket.messages.length
    client.socket.send({ id, type: 'list-models', payload: {} })
    await client.next('models-listed', after)
  }
})

check(
  'windieos:envelope:echo',
  async (bench) => {
    const client = await connect(bench)
    for (const [type, payload] of [
      ['query', {}],
      ['update-settings', { model_mode: 'sideways' }],
      ['tool-result', { success: true }],
    ] as const)
      read(await client.echo(client.say(type, payload), 'error'), 'error')
    await client.echo(client.say('list-models'), 'models-listed')
    await client.echo(client.say('load-settings'), 'settings-loaded')
  },
  { lane: 'dangerous' },
)

const MALFORMED = [
  '{"id":',
  'null',
  '[]',
  '7',
  '{}',
  '{"id":"1","type":"list-models"}',
  '{"id":"1","type":"no-such-message","payload":{}}',
]

check(
  'windieos:envelope:malformed',
  async (bench) => {
    for (const raw of MALFORMED) {
      const client = await connect(bench)
      await assertAlive(client)
      const after = client.socket.messages.length
      client.socket.sendRaw(raw)
      await refusal(client.socket, raw, after)
    }
  },
  { timeoutMs: 40_000, lane: 'dangerous' },
)

check(
  'windieos:envelope:stays',
  async (bench) => {
    const client = await connect(bench)
    await assertAlive(client)
    const wrong = [
      ...MALFORMED,
      ...DOUBTFUL,
      ...WRONG.map(([type, payload]) => JSON.stringify({ id: 'wrong', type, payload })),
    ]
    for (const raw of wrong) {
      const after = client.socket.messages.length
      client.socket.sendRaw(raw)
      assert.equal(await refusal(client.socket, raw, after), 'error', `the socket closes after ${raw}`)
    }
    await assertAlive(client)
  },
  { timeoutMs: 40_000, lane: 'dangerous' },
)

/** What the document does not call wrong explicitly. */
const DOUBTFUL = [
  '{"id":"","type":"list-models","payload":{}}',
  '{"id":"1","type":"query","payload":{"text":"hello","conversation_ref":""}}',
  '{"id":"1","type":"query","payload":{"text":"hello","conversation_ref":"c","surprise":1}}',
]

const WRONG: readonly (readonly [string, object])[] = [
  ['query', { text: 'hello' }],
  ['query', { conversation_ref: 'c' }],
  ['query', { text: 7, conversation_ref: 'c' }],
  ['rehydrate-conversation', { messages: [] }],
  ['rehydrate-conversation', { conversation_ref: 'c', messages: 'none' }],
  ['tool-result', { success: true }],
  ['tool-result', { request_id: 'r' }],
  ['tool-bundle-result', { bundle_id: 'b', step_results: [] }],
  ['tool-bundle-result', { bundle_id: 'b', status: 'maybe', step_results: [] }],
  ['update-settings', { speech_mode_enabled: 'yes' }],
]

check(
  'windieos:envelope:payload',
  async (bench) => {
    let client = await connect(bench)
    for (const [type, payload] of WRONG) {
      const after = client.socket.messages.length
      client.say(type, payload)
      const how = await refusal(client.socket, `${type} with ${JSON.stringify(payload)}`, after)
      if (how === 'close') client = await connect(bench)
    }
  },
  { timeoutMs: 40_000, lane: 'dangerous' },
)

check('windieos:envelope:server-ids', async (bench) => {
  const client = await connect(bench)
  await client.turn(bench.profile.phrase('hello'))
  await assertAlive(client)
  for (const one of client.socket.messages) {
    assert.ok(typeof one.id === 'string' && one.id !== '', `${one.type} has no id`)
    assert.equal(typeof one.payload, 'object', `${one.type} has no payload`)
  }
})
