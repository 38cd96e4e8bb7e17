import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { closeOnFrame, onClientMessage, onMessage, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { assertAlive, assertRefused, connect, parsePayload, SETTLE_MS } from '../driver.ts'
import { refuseMessages } from '../sabotage.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const MALFORMED = [
  '{"id":',
  'null',
  '[]',
  '7',
  '{}',
  '{"id":"1","type":"list-models"}',
  '{"id":"1","type":"no-such-message","payload":{}}',
]

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

const ANY_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The envelope of messages. */
export const envelopeRules = defineRules('envelope', ['handshake:plain'], {
  'unknown-key': {
    level: 'MUST',
    text: 'An unknown top-level key is refused; timestamp is not unknown.',
    source: sources.envelope,
    basis: { states: 'Unknown top-level fields are rejected; timestamp is optional and ignored.' },
    covers: ['S06', 'E14', 'A03'],
    needs: ['settings:models'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      await client.nextResponse(client.send('list-models', {}, { timestamp: '2026-01-01T00:00:00Z' }), 'models-listed')
      const after = client.socket.messages.length
      client.send('list-models', {}, { [context.random.word()]: 1 })
      await assertRefused(client.socket, 'an unknown key', after)
      await pause(SETTLE_MS)
      const listed = client.socket.messages.slice(after).some((one) => one.type === 'models-listed')
      assert.ok(!listed, 'a message with an unknown key is answered')
    },
    sabotage: {
      'takes keys that nobody documents': dropsUnknownKeys(),
    },
  },

  'user-id': {
    level: 'SHOULD',
    text: 'A message may have a user_id.',
    source: sources.sdk,
    basis: { because: 'The document injects user_id and rejects unknown fields; the official SDK sends it.' },
    covers: ['A03'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      await client.nextResponse(client.send('list-models', {}, { user_id: 'anybody' }), 'models-listed')
    },
    sabotage: {
      'refuses user_id': refuseMessages(({ type, user_id }) => type !== 'handshake' && user_id === 'anybody'),
    },
  },

  stays: {
    level: 'SHOULD',
    text: 'A malformed message is answered with an error, and the socket stays open.',
    source: sources.envelope,
    basis: { because: 'The document validates messages, but does not specify what happens to the socket.' },
    covers: ['S06', 'E13', 'E14', 'A42'],
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => {
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
    sabotage: {
      'hangs up at what is no JSON': closeOnFrame(
        1011,
        ({ data }, message) => message === undefined && data.length < 100,
      ),
    },
  },

  uuid: {
    level: 'SHOULD',
    text: 'Ids that the backend makes are UUIDs.',
    source: sources.envelope,
    basis: { because: 'Ids are UUIDs by the document; a response may have the id of its request instead.' },
    covers: ['A02', 'S01'],
    check: async (context) => {
      const client = await connect(context)
      const { id, events } = await client.runTurn(context.profile.phrase('hello'))
      const own = events.map((one) => String(one.id)).filter((one) => one !== id)
      assert.deepEqual(
        own.filter((one) => !UUID.test(one)),
        [],
        'an id of the server is not a UUID',
      )
    },
    sabotage: {
      'counts its messages': onMessage('token-count', (message) => Object.assign(message, { id: '7' })),
    },
  },

  ids: {
    level: 'SHOULD',
    text: 'Ids that are not UUIDs are accepted, because the official clients send them.',
    source: sources.sdk,
    basis: { because: 'The document asks for UUIDs; the official clients send other ids.' },
    covers: ['C01', 'A02'],
    check: async (context) => {
      const client = await connect(context)
      const ids = [randomUUID(), `turn_${randomUUID()}`, `msg_${randomUUID().replaceAll('-', '')}`]
      for (const id of ids) {
        const after = client.socket.messages.length
        client.socket.send({ id, type: 'list-models', payload: {} })
        await client.nextMessage('models-listed', after)
      }
    },
    sabotage: {
      'knows UUIDs only': refuseMessages(({ id }) => id !== undefined && !ANY_UUID.test(id)),
    },
  },

  echo: {
    level: 'SHOULD',
    text: 'An error, and an answer to settings and models, names the id of the message it is about.',
    source: sources.sdk,
    basis: { because: 'The document gives errors a message only; the official SDK matches them by id.' },
    covers: ['S06'],
    pool: 'dangerous',
    check: async (context) => {
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
    sabotage: {
      'answers under another id': {
        changeMessages: () => (message) => [{ ...message, id: `other-${String(message.id)}` }],
      },
    },
  },

  malformed: {
    level: 'MUST',
    text: 'A frame that is not JSON, not a message, or of an unknown type is refused.',
    source: sources.envelope,
    basis: { states: 'All messages are validated, with the types and fields they must have.' },
    covers: ['S06', 'E13', 'E14', 'A42'],
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => {
      for (const raw of MALFORMED) {
        const client = await connect(context)
        await assertAlive(client)
        const after = client.socket.messages.length
        client.socket.sendRaw(raw)
        await assertRefused(client.socket, raw, after)
      }
    },
  },

  payload: {
    level: 'MUST',
    text: 'A payload without a required key, or with one of the wrong type, is refused.',
    source: sources.envelope,
    basis: { states: 'Types and required fields are validated.' },
    covers: ['C01', 'C02', 'C06', 'C07', 'E14'],
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => {
      let client = await connect(context)
      for (const [type, payload] of WRONG) {
        const after = client.socket.messages.length
        client.send(type, payload)
        const how = await assertRefused(client.socket, `${type} with ${JSON.stringify(payload)}`, after)
        if (how === 'close') client = await connect(context)
      }
    },
    sabotage: {
      'refuses in silence': { alsoBreaks: ['envelope:malformed'], ...repeatMessages('error', 0) },
    },
  },

  'server-ids': {
    level: 'MUST',
    text: 'Every message of the server has an id, a type and a payload.',
    source: sources.envelope,
    basis: { states: 'All messages have id, type and payload.' },
    covers: ['S01'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      await assertAlive(client)
      for (const one of client.socket.messages) {
        assert.ok(typeof one.id === 'string' && one.id !== '', `${one.type} has no id`)
        assert.equal(typeof one.payload, 'object', `${one.type} has no payload`)
      }
    },
    sabotage: {
      'sends messages without an id': onMessage('models-listed', (message) => {
        message.id = ''
      }),
    },
  },
})

function dropsUnknownKeys(): SabotageBehavior {
  return onClientMessage((message) => {
    if (message.type !== 'list-models') return
    for (const key of Object.keys(message))
      if (!['id', 'type', 'payload', 'timestamp', 'user_id'].includes(key)) delete message[key]
  })
}
