import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAlive, assertRefused, connect, parsePayload, SETTLE_MS } from '../../windieos/driver.ts'
import { check } from '../check.ts'

check(
  'windieos:envelope:unknown-key',
  async (context) => {
    const client = await connect(context)
    await client.nextResponse(client.send('list-models', {}, { timestamp: '2026-01-01T00:00:00Z' }), 'models-listed')
    const after = client.socket.messages.length
    client.send('list-models', {}, { [context.random.word()]: 1 })
    await assertRefused(client.socket, 'an unknown key', after)
    await pause(SETTLE_MS)
    const listed = client.socket.messages.slice(after).some((one) => one.type === 'models-listed')
    assert.ok(!listed, 'a message with an unknown key is answered')
  },
  { pool: 'dangerous' },
)

check('windieos:envelope:user-id', async (context) => {
  const client = await connect(context)
  await client.nextResponse(client.send('list-models', {}, { user_id: 'anybody' }), 'models-listed')
})

check('windieos:envelope:uuid', async (context) => {
  const client = await connect(context)
  const { id, events } = await client.runTurn(context.profile.phrase('hello'))
  const own = events.map((one) => String(one.id)).filter((one) => one !== id)
  assert.deepEqual(
    own.filter((one) => !UUID.test(one)),
    [],
    'an id of the server is not a UUID',
  )
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

check('windieos:envelope:ids', async (context) => {
  const client = await connect(context)
  const ids = [randomUUID(), `turn_${randomUUID()}`, `msg_${randomUUID().replaceAll('-', '')}`]
  for (const id of ids) {
    const after = client.socket.messages.length
    client.socket.send({ id, type: 'list-models', payload: {} })
    await client.nextMessage('models-listed', after)
  }
})

check(
  'windieos:envelope:echo',
  async (context) => {
    const client = await connect(context)
    for (const [type, payload] of [
      ['query', {}],
      ['update-settings', { model_mode: 'sideways' }],
      ['tool-result', { success: true }],
    ] as const)
      parsePayload(await client.nextResponseWithId(client.send(type, payload), 'error'), 'error')
    await client.nextResponseWithId(client.send('list-models'), 'models-listed')
    await client.nextResponseWithId(client.send('load-settings'), 'settings-loaded')
  },
  { pool: 'dangerous' },
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
  async (context) => {
    for (const raw of MALFORMED) {
      const client = await connect(context)
      await assertAlive(client)
      const after = client.socket.messages.length
      client.socket.sendRaw(raw)
      await assertRefused(client.socket, raw, after)
    }
  },
  { timeoutMs: 40_000, pool: 'dangerous' },
)

check(
  'windieos:envelope:stays',
  async (context) => {
    const client = await connect(context)
    await assertAlive(client)
    const wrong = [
      ...MALFORMED,
      ...DOUBTFUL,
      ...WRONG.map(([type, payload]) => JSON.stringify({ id: 'wrong', type, payload })),
    ]
    for (const raw of wrong) {
      const after = client.socket.messages.length
      client.socket.sendRaw(raw)
      assert.equal(await assertRefused(client.socket, raw, after), 'error', `the socket closes after ${raw}`)
    }
    await assertAlive(client)
  },
  { timeoutMs: 40_000, pool: 'dangerous' },
)

/** Messages that the document does not explicitly forbid. */
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
  async (context) => {
    let client = await connect(context)
    for (const [type, payload] of WRONG) {
      const after = client.socket.messages.length
      client.send(type, payload)
      const how = await assertRefused(client.socket, `${type} with ${JSON.stringify(payload)}`, after)
      if (how === 'close') client = await connect(context)
    }
  },
  { timeoutMs: 40_000, pool: 'dangerous' },
)

check('windieos:envelope:server-ids', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  await assertAlive(client)
  for (const one of client.socket.messages) {
    assert.ok(typeof one.id === 'string' && one.id !== '', `${one.type} has no id`)
    assert.equal(typeof one.payload, 'object', `${one.type} has no payload`)
  }
})
