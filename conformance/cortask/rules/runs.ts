import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { notOffered, parseJson } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import { loseNowAndThen, onMessage, repeatMessages, runInTurn, swapWithNext } from '../../suite/behaviors.ts'
import { flood } from '../../suite/flood.ts'
import { defineRules } from '../../suite/rules.ts'
import type { JsonMessage, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { type Client, connect, ownMessages, parseEvent, SETTLE_MS } from '../driver.ts'
import { fixField, refuseChats } from '../sabotage.ts'

const ids = (events: readonly SocketMessage[], type: string) =>
  events.filter((one) => one.type === type).map((one) => String(one.toolCallId))

const bytesOf = (events: readonly SocketMessage[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)

/** The words of a message that the agent repeats. */
const KNOWN_WORDS = 400
/** Pieces of text that a loss now and then does not spare. */
const MIN_DELTAS = 200
const MAX_RUNS = 20

const textOf = (events: readonly SocketMessage[]) =>
  events.map((one) => (one.type === 'text_delta' ? parseEvent(one, 'text_delta').text : '')).join('')

/** The course of a run. */
export const runRules = defineRules('run', ['chat:answer'], {
  order: {
    level: 'MUST',
    text: 'In a run a tool_call_start comes before its tool_result, and done is the last event.',
    source: sources.outgoing,
    basis: { states: 'tool_call_start begins a tool, tool_result is its result, and done completes the run.' },
    covers: ['C-R1', 'C-V3', 'C-V6'],
    check: async (context) => {
      const client = await connect(context)
      await client.run(context.profile.phrase('tool'))
      // Another check tests that all events name one session.
      const events = ownMessages(client.socket)
      const [started, ended] = [ids(events, 'tool_call_start'), ids(events, 'tool_result')]
      assert.ok(started.length > 0, 'prerequisite: the phrase "tool" used no tool')
      assertAgree({ 'the ends': [...ended].sort(), 'the starts': [...started].sort() }, 'the messages of the turn')
      for (const id of started) {
        const place = (type: string) => events.findIndex((one) => one.type === type && one.toolCallId === id)
        assert.ok(place('tool_call_start') < place('tool_result'), `the result of ${id} comes first`)
      }
      assert.equal(events.at(-1)!.type, 'done', 'the last event')
    },
    sabotage: {
      'never starts a tool': repeatMessages('tool_call_start', 0),
      'hides results of tools': repeatMessages('tool_result', 0),
      'shows results twice': repeatMessages('tool_result', 2),
      'shows results of another call': fixField('tool_result', 'toolCallId', 'other'),
    },
  },

  'several-tools': {
    level: 'SHOULD',
    text: 'The results of several tools come in the order of their calls.',
    source: sources.gateway,
    basis: { because: 'The document does not order the results of several tools.' },
    covers: ['C-R1'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const events = await client.run(context.profile.phrase('two-tools'))
      const started = ids(events, 'tool_call_start')
      assert.ok(started.length >= 2, 'prerequisite: the phrase "two-tools" used fewer than two')
      assertAgree({ 'the tool_results': ids(events, 'tool_result'), 'the tool calls': started }, 'the ids of tools')
    },
    sabotage: {
      'swaps the results of two tools': swapWithNext('tool_result'),
    },
  },

  arguments: {
    level: 'SHOULD',
    text: 'The text of the tool_call_delta events of a call joins to the JSON of its toolArgs, and tool_call_end closes it.',
    source: sources.outgoing,
    basis: { because: 'The document lists the two events without fields, and explains their meaning.' },
    covers: ['C-V4', 'C-V5', 'C-A1'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const events = await client.run(context.profile.phrase('tool'))
      for (const one of events.filter((seen) => seen.type === 'tool_result')) {
        const { toolCallId, toolArgs } = parseEvent(one, 'tool_result')
        const mine = events.filter((seen) => seen.toolCallId === toolCallId)
        const deltas = mine.filter((seen) => seen.type === 'tool_call_delta')
        assert.ok(deltas.length > 0, `no tool_call_delta names ${toolCallId}`)
        const text = deltas.map((seen) => String(seen.text)).join('')
        assertAgree(
          { 'the deltas': parseJson(text, `the text of the deltas of ${toolCallId}`), 'the tool call': toolArgs },
          `the arguments of ${toolCallId}`,
        )
        const order = mine.map((seen) => seen.type)
        assert.equal(order[0], 'tool_call_start', 'the first event of the tool')
        assert.ok(
          order.lastIndexOf('tool_call_delta') < order.indexOf('tool_call_end'),
          `tool_call_end is misplaced: ${order}`,
        )
        assert.ok(
          order.indexOf('tool_call_end') < order.indexOf('tool_result'),
          'tool_call_end comes after the tool_result',
        )
      }
    },
    sabotage: {
      'starts behind the arguments': swapWithNext('tool_call_start'),
      'streams other arguments': onMessage('tool_call_delta', (message) => {
        message.text = `${message.text} `.replace('a', 'b')
      }),
      'closes arguments early': swapWithNext('tool_call_delta'),
    },
  },

  whole: {
    level: 'MUST',
    text: 'The text_delta events of a long answer join to the whole answer.',
    source: sources.outgoing,
    basis: { states: 'text_delta is the streamed text of the response, in pieces.' },
    covers: ['C-V2'],
    timeoutMs: 60_000,
    check: async (context) => {
      const { profile } = context
      if (!profile.has('flood')) notOffered('the profile has no phrase "flood", whose answer is known')
      const client = await connect(context)
      const words = Array.from({ length: KNOWN_WORDS }, (_, at) => `w${at}`)
      /** How often each run said the whole message. */
      const repeats: number[] = []
      for (let deltas = 0; deltas < MIN_DELTAS && repeats.length < MAX_RUNS; ) {
        const events = await client.run(`${profile.phrase('flood')} ${words.join(' ')} .`)
        deltas += events.filter(({ type }) => type === 'text_delta').length
        const said = textOf(events).match(/\bw\d+\b/g) ?? []
        const counts = words.map((word) => said.filter((one) => one === word).length)
        const most = Math.max(...counts)
        assert.ok(most > 0, 'prerequisite: the phrase "flood" does not repeat the message')
        const missing = words.filter((_, at) => counts[at] !== most)
        assert.deepEqual(missing, [], `of ${words.length} words each said ${most} times, some are missing`)
        repeats.push(most)
      }
      // An agent that repeats as often in most runs has lost a whole repetition where there are fewer.
      const usual = repeats.toSorted((one, other) => one - other)[Math.floor(repeats.length / 2)]!
      const isUsual = repeats.filter((one) => one === usual).length > repeats.length / 2
      const fewer = repeats.filter((one) => one < usual)
      assert.ok(
        !isUsual || fewer.length === 0,
        `most runs say the message ${usual} times, and others ${fewer.join(', ')}`,
      )
    },
    sabotage: {
      'loses a piece of text now and then': loseNowAndThen('text_delta'),
    },
  },

  ids: {
    level: 'SHOULD',
    text: 'No toolCallId and no requestId is used twice.',
    source: sources.outgoing,
    basis: {
      because: 'In the document, responses name requests by their ids; the lifetime of an id is not specified.',
    },
    covers: ['C-R11', 'C-A15'],
    needs: ['chat:answer', 'permission:request'],
    check: async (context) => {
      const client = await connect(context)
      const keys = [1, 2, 3].map(() => client.chat(context.profile.phrase('permission')))
      await client.socket.until('three requests', () => requests().length >= 3)
      const asked = requests().map((one) => parseEvent(one, 'permission_request').requestId)
      for (const requestId of asked) client.socket.send({ type: 'permission_response', requestId, approved: true })
      for (const key of keys) await client.end(key)
      const calls = ids(client.socket.messages, 'tool_call_start')
      assert.equal(new Set(asked).size, asked.length, 'a requestId repeats')
      assert.equal(new Set(calls).size, calls.length, 'a toolCallId repeats')

      function requests() {
        return client.socket.messages.filter((one) => one.type === 'permission_request')
      }
    },
    sabotage: {
      'gives every call one id': {
        changeMessages: () => (message) => [{ ...message, ...('toolCallId' in message && { toolCallId: 'call' }) }],
      },
      'gives every request one id': {
        alsoBreaks: ['permission:approve'],
        ...fixField('permission_request', 'requestId', 'request'),
      },
    },
  },

  failure: {
    level: 'MUST',
    text: 'A failure within a run is reported by an error with its sessionKey.',
    source: sources.outgoing,
    basis: { states: 'error, with sessionKey and error, reports that an error occurred during the run.' },
    covers: ['C-X9', 'C-V10'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const key = client.chat(context.profile.phrase('error'))
      const end = await client.end(key)
      assert.equal(end.type, 'error', 'the end of the run')
    },
    sabotage: {
      'hides its errors': { alsoBreaks: ['chat:workspace', 'broken:not-json'], ...repeatMessages('error', 0) },
    },
  },

  'failure-ends': {
    level: 'SHOULD',
    text: 'After the error of a failed run, no further event of it follows, not even done.',
    source: sources.gateway,
    basis: { because: 'The document does not specify whether a done follows; the gateway sends none.' },
    covers: ['C-X9'],
    tier: 'full',
    needs: ['run:failure'],
    check: async (context) => {
      const client = await connect(context)
      const key = client.chat(context.profile.phrase('error'))
      const error = await client.nextEvent('error')
      await pause(SETTLE_MS)
      assert.equal(client.eventsOf(key).at(-1), error, 'something follows the error')
    },
    sabotage: {
      'says done after an error': {
        changeMessages: () => (message) =>
          message.type === 'error'
            ? [message, { type: 'done', sessionKey: message.sessionKey, usage: { inputTokens: 0, outputTokens: 0 } }]
            : [message],
      },
    },
  },

  stalled: {
    level: 'SHOULD',
    text: 'A client that does not read holds up no other client, and reads its whole run later or is closed.',
    source: sources.judgement,
    basis: { because: 'The document does not cover clients that do not read.' },
    covers: ['C-R6', 'C-V2'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const [reading, stalled] = [await connect(context), await connect(context)]
      const { socket } = stalled
      socket.pause()
      const keys: string[] = []
      const texts: string[] = []
      await flood(context, async (text) => {
        keys.push(stalled.chat(text, { sessionKey: `stalled-${context.random.word(12)}` }))
        const received = await reading.run(text)
        texts.push(textOf(received))
        return bytesOf(received)
      })
      await reading.run(context.profile.phrase('hello'))
      socket.resume()
      for (const [at, key] of keys.entries()) {
        const end = await stalled
          .end(key)
          .catch((error) => (socket.closed === undefined ? Promise.reject(error) : undefined))
        // A server may drop a client that does not read.
        if (end === undefined) return
        assert.equal(end.type, 'done', 'the end of the run')
        // Only an agent that repeats its input sends the same text twice.
        if (context.profile.has('flood'))
          assert.equal(textOf(stalled.eventsOf(key)).length, texts[at]!.length, 'a piece is missing')
      }
    },
    sabotage: {
      'keeps back the end of several megabytes': endsNothingLarge(),
    },
  },

  turns: {
    level: 'MAY',
    text: 'A run of 25 model turns ends with an ordinary done.',
    source: sources.gateway,
    basis: { because: 'The document defines no limit of turns.' },
    covers: ['C-R13'],
    unchecked: 'it depends on a model that never stops calling tools',
  },

  spending: {
    level: 'MAY',
    text: 'Beyond its spending limit, a run ends with an error before it starts.',
    source: sources.gateway,
    basis: { because: 'The document defines no spending limit.' },
    covers: ['C-X10'],
    unchecked: 'the document defines no spending limit',
  },

  parallel: {
    level: 'MUST',
    text: 'Sessions run on one socket at the same time, each to its own end and with its own tools.',
    source: sources.incoming,
    basis: { states: 'A client has several active runs, each under the sessionKey of its session.' },
    covers: ['C-R7'],
    check: async (context) => {
      const client = await connect(context)
      const phrases = ['hello', 'tool', 'hello', 'tool'].map((purpose) => context.profile.phrase(purpose))
      const keys = phrases.map((phrase) => client.chat(phrase))
      for (const key of keys) assert.equal((await client.end(key)).type, 'done', 'the end of the run')
      for (const key of keys) {
        const mine = client.eventsOf(key)
        assert.ok(
          mine.some((one) => one.type === 'text_delta'),
          `${key} got no answer`,
        )
        assert.equal(mine.at(-1)!.type, 'done', `something follows the done of ${key}`)
        assertAgree(
          {
            'the tool_results': [...ids(mine, 'tool_result')].sort(),
            'the tool_call_starts': [...ids(mine, 'tool_call_start')].sort(),
          },
          `the tools of ${key}`,
        )
      }
      await assertOvertakes(context, client)
    },
    sabotage: {
      'runs one session after another': runInTurn('chat', ['done', 'error']),
      'closes after each run': { alsoBreaks: ['chat:key', 'cancel:again'], ...closeAfter() },
    },
  },

  queue: {
    level: 'SHOULD',
    text: 'Two chats of one session end in two dones, and their events do not mix.',
    source: sources.judgement,
    basis: { because: 'Clients tell events apart by sessionKey only.' },
    covers: ['C-R8', 'C-A6'],
    check: async (context) => {
      const client = await connect(context)
      const key = client.chat(context.profile.phrase('tool'))
      client.chat(context.profile.phrase('hello'), { sessionKey: key })
      const first = await client.end(key)
      const place = client.socket.messages.indexOf(first) + 1
      const second = await client.end(key, place)
      assert.deepEqual([first.type, second.type], ['done', 'done'], 'the ends of both runs')
      const between = client.eventsOf(key)
      const calls = ids(between.slice(0, between.indexOf(first)), 'tool_call_start')
      assertAgree(
        { 'the tool_results': ids(between.slice(0, between.indexOf(first)), 'tool_result'), 'the tool calls': calls },
        'the tools of the first run',
      )
      assert.deepEqual(ids(between.slice(between.indexOf(first)), 'tool_call_start'), [], 'the runs mix')
    },
    sabotage: {
      'takes one chat a session': oneChat(),
    },
  },

  scope: {
    level: 'MUST',
    text: 'The events of a run go only to the socket that started it.',
    source: sources.outgoing,
    basis: { states: 'Only channel:status and session:refresh are broadcast.' },
    covers: ['C-R6'],
    check: async (context) => {
      const [asking, other] = [await connect(context), await connect(context)]
      await asking.run(context.profile.phrase('tool'))
      await pause(SETTLE_MS)
      assert.deepEqual(ownMessages(other.socket), [], 'the messages that this client got')
    },
    sabotage: {
      'tells everybody everything': everybody(),
    },
  },
})

/** Fails unless a chat is answered while the run of another session waits for a permission. */
async function assertOvertakes(context: TestContext, client: Client): Promise<void> {
  const { profile } = context
  const waiting = client.chat(profile.phrase('permission'))
  const { requestId } = parseEvent(await client.nextEvent('permission_request'), 'permission_request')
  const other = client.chat(profile.phrase('hello'))
  const end = await client.end(other).catch(() => undefined)
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  assert.ok(end !== undefined, 'a session waits while another one waits for a permission')
  await client.end(waiting)
}

/** Drops the done of clients that received several megabytes. */
function endsNothingLarge(): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      return (message) => {
        bytes += JSON.stringify(message).length
        return bytes > 2_000_000 && message.type === 'done' ? [] : [message]
      }
    },
  }
}

function oneChat(): SabotageBehavior {
  const seen = new Set<unknown>()
  return refuseChats(({ sessionKey }) => {
    const isSecond = seen.has(sessionKey)
    seen.add(sessionKey)
    return isSecond
  })
}

/** Sends the messages of one socket to all sockets. */
function everybody(): SabotageBehavior {
  const listeners = new Set<(message: JsonMessage) => void>()
  return {
    changeMessages: (say) => {
      listeners.add(say)
      return (message) => {
        for (const listener of listeners) if (listener !== say) listener(message)
        return [message]
      }
    },
  }
}

function closeAfter(): SabotageBehavior {
  return {
    changeMessages: () => {
      let over = false
      return (message) => {
        if (over) return []
        over = message.type === 'done'
        return [message]
      }
    },
  }
}
