import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { check } from '../../check.ts'
import { assertAlive, connect, read } from './client.ts'

check('windieos:envelope:unknown-key', async (bench) => {
  const client = await connect(bench)
  const known = { timestamp: '2026-01-01T00:00:00Z', user_id: 'anybody' }
  await client.answer(client.say('list-models', {}, known), 'models-listed')
  await client.answer(client.say('list-models', {}, { [bench.random.word()]: 1 }), 'error')
  await assertAlive(client)
})

check('windieos:envelope:ids', async (bench) => {
  const client = await connect(bench)
  const ids = [randomUUID(), `turn_${randomUUID()}`, `msg_${randomUUID().replaceAll('-', '')}`]
  for (const id of ids) {
    client.socket.send({ id, type: 'list-models', payload: {} })
    await client.answer(id, 'models-listed')
  }
})

check('windieos:envelope:echo', async (bench) => {
  const client = await connect(bench)
  for (const [type, payload] of [
    ['query', {}],
    ['update-settings', { model_mode: 'sideways' }],
    ['tool-result', { success: true }],
  ] as const)
    read(await client.answer(client.say(type, payload), 'error'), 'error')
})

check(
  'windieos:envelope:malformed',
  async (bench) => {
    const client = await connect(bench)
    await assertAlive(client)
    for (const raw of [
      '{"id":',
      'null',
      '[]',
      '7',
      '{}',
      '{"id":"1","type":"list-models"}',
      '{"id":"","type":"list-models","payload":{}}',
    ]) {
      const after = client.socket.messages.length
      client.socket.sendRaw(raw)
      await client.next('error', after)
    }
    await client.answer(client.say(bench.random.word()), 'error')
    await assertAlive(client)
  },
  { lane: 'dangerous' },
)

const WRONG: readonly (readonly [string, object])[] = [
  ['query', { text: 'hello' }],
  ['query', { conversation_ref: 'c' }],
  ['query', { text: 7, conversation_ref: 'c' }],
  ['query', { text: 'hello', conversation_ref: '' }],
  ['query', { text: 'hello', conversation_ref: 'c', surprise: 1 }],
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
    const client = await connect(bench)
    for (const [type, payload] of WRONG) {
      const answer = await client.answer(client.say(type, payload), 'error').catch(() => undefined)
      assert.ok(answer, `${type} with ${JSON.stringify(payload)} is not refused`)
    }
    await assertAlive(client)
  },
  { lane: 'dangerous' },
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
