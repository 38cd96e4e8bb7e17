import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { notOffered } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import { type AnyJson, onMessage } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { connect, parsePayload, parsePayloadsOf, runPhrase } from '../driver.ts'
import { refuseMessages } from '../sabotage.ts'

/** Fails unless the events of a turn carry its identity and count from 1. */
function assertIdentity(id: string, conversation: string, events: readonly SocketMessage[]): void {
  for (const one of events) {
    assertAgree({
      [`the conversation of ${one.type}`]: one.conversation_ref,
      'the conversation of the turn': conversation,
    })
    assertAgree({ [`the turn of ${one.type}`]: one.turn_ref, 'the turn of the query': id })
  }
  assert.deepEqual(
    events.map((one) => one.sequence),
    events.map((_, at) => at + 1),
    'the sequence has gaps',
  )
  assert.equal(new Set(events.map((one) => one.event_id)).size, events.length, 'an event_id repeats')
}

const CODES =
  /CONFIG_ERROR|LLM_(API_)?ERROR|LLM_RATE_LIMIT|TOOL_(EXECUTION|VALIDATION)_ERROR|TOOL_NOT_FOUND|MEMORY_(STORE_)?ERROR|EMBEDDING_ERROR|SESSION_ERROR|INPUT_SIZE_LIMIT_ERROR|PARSE_(TIMEOUT|VALIDATION)_ERROR/

/** Changes every message of a turn. */
const inTurn = (change: (message: AnyJson) => void): SabotageBehavior => ({
  changeMessages: () => (message) => {
    if (message.turn_ref !== undefined) change(message)
    return [message]
  },
})

/** Turns: how they are identified, follow each other and fail. */
export const turnRules = defineRules('query', ['query:stream'], {
  identity: {
    level: 'SHOULD',
    text: 'Every event of a turn carries conversation_ref, turn_ref, its own event_id and a sequence from 1 without gaps.',
    source: sources.sdk,
    basis: { because: 'The document does not mention these fields; the official SDK orders events by them.' },
    covers: ['S01', 'S07', 'S14', 'A01'],
    tier: 'sdk',
    check: async (context) => {
      const { id, conversation, events } = await runPhrase(context, 'hello')
      assertIdentity(id, conversation, events)
    },
    sabotage: {
      'forgets the conversation': inTurn((message) => delete message.conversation_ref),
      'names another turn': inTurn((message) => {
        message.turn_ref = 'other'
      }),
      'counts events from 0': inTurn((message) => {
        message.sequence--
      }),
      'skips a number': inTurn((message) => {
        if (message.sequence > 3) message.sequence++
      }),
      'gives all events one id': inTurn((message) => {
        message.event_id = 'event'
      }),
    },
  },

  second: {
    level: 'SHOULD',
    text: 'The next turn counts from 1 again.',
    source: sources.sdk,
    basis: { because: 'The document does not mention these fields; the official SDK orders events by them.' },
    covers: ['S01'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      const first = await client.runTurn(context.profile.phrase('hello'))
      const second = await client.runTurn(context.profile.phrase('hello'), { conversation_ref: first.conversation })
      assertIdentity(second.id, second.conversation, second.events)
    },
    sabotage: {
      'goes on counting in the next turn': goesOn(),
    },
  },

  serial: {
    level: 'SHOULD',
    text: 'Two queries of one conversation do not mix.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'Clients could not distinguish the text of two turns.' },
    covers: ['C01', 'A45'],
    check: async (context) => {
      const client = await connect(context)
      const conversation_ref = `conv-${context.random.word(12)}`
      const text = context.profile.phrase('hello')
      const ids = [1, 2].map(() => client.send('query', { text, conversation_ref }))
      await client.socket.until('both turns to end', () => ends().length >= 2)
      const owners = client.socket.messages
        .filter((one) => one.conversation_ref === conversation_ref)
        .map((one) => one.turn_ref)
      if (owners.every((owner) => owner === undefined))
        notOffered('events do not name their turn, so turns are indistinguishable')
      assert.ok(
        owners.lastIndexOf(ids[0]) < owners.indexOf(ids[1]) || ends().some((one) => one.type === 'error'),
        'the turns mix',
      )

      function ends() {
        return client.socket.messages.filter(
          (one) =>
            (one.type === 'streaming-complete' || one.type === 'error') &&
            (one.turn_ref === undefined || ids.includes(String(one.turn_ref))),
        )
      }
    },
    sabotage: {
      'mixes turns': mixes(),
    },
  },

  failure: {
    level: 'MUST',
    text: 'A failing model is reported by an error with a message.',
    source: sources.errors,
    basis: { states: 'error is the answer of the backend to a failure.' },
    covers: ['S06', 'E02', 'E03'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const { end } = await client.runTurn(context.profile.phrase('error'))
      parsePayload(end, 'error')
    },
    sabotage: {
      'ends failures well': {
        changeMessages: () => (message) => [
          message.type === 'error' ? { ...message, type: 'streaming-complete', payload: {} } : message,
        ],
      },
    },
  },

  'after-failure': {
    level: 'SHOULD',
    text: 'The turn after one that failed works.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'The document does not specify the effect of a failure to the next query.' },
    covers: ['E02'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('error'))
      assert.equal(
        (await client.runTurn(context.profile.phrase('hello'))).end.type,
        'streaming-complete',
        'the end of the run',
      )
    },
    sabotage: {
      'fails ever after': failsEverAfter(),
    },
  },

  codes: {
    level: 'MUST',
    text: 'No error reveals an internal code.',
    source: sources.errors,
    basis: { states: 'Errors sent to clients include a message only; codes are internal.' },
    covers: ['E01', 'E02', 'E03', 'E04', 'E05', 'E06', 'E07', 'E08', 'E09', 'E10', 'E11', 'E12', 'E13', 'E14'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const { end } = await client.runTurn(context.profile.phrase('error'))
      client.send('query', {})
      client.send(context.random.word())
      await pause(500)
      const errors = client.socket.messages.filter((one) => one === end || one.type === 'error')
      for (const one of errors) assert.doesNotMatch(JSON.stringify(one.payload), CODES)
    },
    sabotage: {
      'tells internal codes': onMessage('error', (message) => {
        message.payload.message = `LLM_ERROR: ${message.payload.message}`
      }),
    },
  },

  side: {
    level: 'SHOULD',
    text: 'Answers to settings, models and wakewords carry no conversation_ref, and no sequence number of a turn.',
    source: sources.sdk,
    basis: { because: 'The document does not mention these fields; the official SDK orders events by them.' },
    covers: ['S02', 'S08', 'S09', 'S10', 'S12', 'S13', 'S19', 'A11'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      const conversation_ref = `conv-${context.random.word(12)}`
      const id = client.send('query', { text: context.profile.phrase('hello'), conversation_ref })
      const others = ['list-models', 'load-settings', 'wakeword-detected'].map((type) => client.send(type))
      await client.socket.until('the end of the turn', (one) => one.type === 'streaming-complete')
      await client.nextResponse(others[0]!, 'models-listed')
      await client.nextResponse(others[1]!, 'settings-loaded')
      await client.nextMessage('wakeword-greeting')
      const inTurn = client.socket.messages.filter((one) => one.turn_ref === id)
      assertIdentity(id, conversation_ref, inTurn)
      const side = client.socket.messages.filter((one) =>
        /^(audio|wakeword|settings|models|client-tool|remote)/.test(one.type),
      )
      for (const one of side) assert.equal(one.conversation_ref, undefined, `${one.type} carries a conversation_ref`)
    },
    sabotage: {
      'puts side answers into the conversation': {
        changeMessages: () => (message) => [
          message.type === 'models-listed' ? { ...message, conversation_ref: 'conv' } : message,
        ],
      },
    },
  },
})

/** Stopping a turn. */
export const stopRules = defineRules('stop', ['query:stream'], {
  query: {
    level: 'SHOULD',
    text: 'stop-query ends a turn and is acknowledged; no streaming-complete is made up.',
    source: sources.laterDocuments,
    basis: { because: 'The document does not mention the message; later documents do.' },
    covers: ['C09', 'S27'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      const conversation_ref = `conv-${context.random.word(12)}`
      const turn_ref = client.send('query', { text: context.profile.phrase('endless'), conversation_ref })
      await client.nextMessage('streaming-response')
      client.send('stop-query', { conversation_ref, turn_ref })
      await client.socket.until('stop-query-ack', (one) => one.type === 'stop-query-ack')
      await pause(300)
      const said = client.socket.messages.length
      await pause(300)
      assert.equal(client.socket.messages.length, said, 'the turn continues')
      assert.deepEqual(
        parsePayloadsOf(client.socket.messages, 'streaming-complete'),
        [],
        'the streaming-complete messages',
      )
    },
    sabotage: {
      'completes what was stopped': {
        changeMessages: () => (message) =>
          message.type === 'stop-query-ack'
            ? [message, { id: 'late', type: 'streaming-complete', payload: {} }]
            : [message],
      },
    },
  },

  compact: {
    level: 'SHOULD',
    text: 'compact-history is answered with its own events.',
    source: sources.laterDocuments,
    basis: { because: 'The document does not mention the message; later documents do.' },
    covers: ['C10', 'S23', 'S24', 'S25'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      const { conversation } = await client.runTurn(context.profile.phrase('hello'))
      client.send('compact-history', { force: true, conversation_ref: conversation })
      await client.socket.until('the end of the compaction', (one) =>
        /^context-compaction-(completed|failed)$/.test(one.type),
      )
    },
    sabotage: {
      'compacts in secret': {
        changeMessages: () => (message) => (String(message.type).startsWith('context-compaction') ? [] : [message]),
      },
    },
  },
})

/** Answers every query after one that failed with an error. */
function failsEverAfter(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let hasFailed = false
      const { fromClient } = refuseMessages(({ type }) => type === 'query' && hasFailed).interceptSocket?.(wire) ?? {}
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          hasFailed ||= message.type === 'error'
          return [message]
        },
      }
    },
  }
}

/** Repeats an event of the first turn in the second. */
function mixes(): SabotageBehavior {
  return {
    changeMessages: () => {
      let first: AnyJson
      return (message) => {
        if (message.turn_ref === undefined) return [message]
        first ??= message
        return message.turn_ref === first.turn_ref ? [message] : [message, first]
      }
    },
  }
}

function goesOn(): SabotageBehavior {
  let first: unknown
  return inTurn((message) => {
    first ??= message.turn_ref
    if (message.turn_ref !== first) message.sequence += 10
  })
}
