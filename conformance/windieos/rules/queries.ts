import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { notOffered } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import {
  loseNowAndThen,
  onMessage,
  repeatMessages,
  runInTurn,
  swapWithNext,
  tellWhoStays,
} from '../../suite/behaviors.ts'
import { flood } from '../../suite/flood.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { connect, parsePayload, parsePayloadsOf, runPhrase, SETTLE_MS } from '../driver.ts'
import { refuseMessages } from '../sabotage.ts'

const textOf = (events: readonly SocketMessage[]) =>
  parsePayloadsOf(events, 'streaming-response')
    .map((one) => one.text)
    .join('')

const bytesOf = (events: readonly SocketMessage[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)

/** Two sockets with the same messages; one stopped reading while the agent sent several megabytes. */
async function stall(context: TestContext) {
  const [reading, stalled] = [await connect(context), await connect(context)]
  stalled.socket.pause()
  let runs = 0
  await flood(context, async (text) => {
    stalled.send('query', { text, conversation_ref: `stalled-${context.random.word(12)}` })
    runs++
    return bytesOf((await reading.runTurn(text)).events)
  })
  return { reading, stalled: stalled.socket, runs }
}

const TURN_ENDS: readonly string[] = ['streaming-complete', 'error']

/** Queries and what answers them. */
export const queryRules = defineRules('query', ['query:stream'], {
  stream: {
    level: 'MUST',
    text: 'A query is answered with streamed text and ends with one streaming-complete.',
    source: sources.query,
    basis: { states: 'streaming-response carries chunks of text, and streaming-complete ends the stream.' },
    covers: ['C01', 'S01', 'S07'],
    needs: ['handshake:plain'],
    check: async (context) => {
      const client = await connect(context)
      const { events, end } = await client.runTurn(context.profile.phrase('hello'))
      assert.equal(end.type, 'streaming-complete', 'the end of the run')
      assert.ok(textOf(events).length > 0, 'no text is streamed')
      await pause(SETTLE_MS)
      assert.equal(
        parsePayloadsOf(client.socket.messages, 'streaming-complete').length,
        1,
        'the number of streaming-complete messages',
      )
    },
    sabotage: {
      'never completes': repeatMessages('streaming-complete', 0),
      'completes twice': repeatMessages('streaming-complete', 2),
      'streams nothing': repeatMessages('streaming-response', 0),
    },
  },

  transparency: {
    level: 'MUST',
    text: 'Before the text come system-prompt, user-message-full and tool-schemas, in this order.',
    source: sources.query,
    basis: {
      states:
        'system-prompt, user-message-full and tool-schemas are the ordered events of the first turn before model streaming.',
    },
    covers: ['S14', 'S15', 'S17', 'A15'],
    check: async (context) => {
      const { events } = await runPhrase(context, 'hello')
      const types = events.map((one) => one.type)
      const order = ['system-prompt', 'user-message-full', 'tool-schemas', 'streaming-response']
      const places = order.map((type) => types.indexOf(type))
      assert.ok(
        places.every((place) => place >= 0),
        `missing: ${order.filter((_, at) => places[at]! < 0).join(', ')}`,
      )
      assert.deepEqual(
        places,
        [...places].sort((one, other) => one - other),
        types.join(', '),
      )
      for (const type of order.slice(0, 3))
        assert.equal(types.filter((one) => one === type).length, 1, `${type} comes twice`)
      assert.ok(
        parsePayloadsOf(events, 'user-message-full')[0]!.content.includes(context.profile.phrase('hello')),
        'user-message-full does not hold the query',
      )
    },
    sabotage: {
      'is not transparent': repeatMessages('system-prompt', 0),
      'is transparent in another order': swapWithNext('system-prompt'),
    },
  },

  'transparency-again': {
    level: 'MAY',
    text: 'The transparency events come with every query.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'The document covers the first turn.' },
    covers: ['A39'],
    unchecked: 'a backend may send them once',
  },

  whole: {
    level: 'MUST',
    text: 'assistant-message-full is the streamed text.',
    source: sources.query,
    basis: { states: 'assistant-message-full is the full content of the assistant message.' },
    covers: ['S16', 'S01'],
    check: async (context) => {
      // A loss now and then shows in a long answer only.
      for (const purpose of ['hello', ...(context.profile.has('long') ? ['long'] : [])]) {
        const { events } = await runPhrase(context, purpose)
        const [whole] = parsePayloadsOf(events, 'assistant-message-full')
        assertAgree({ 'the whole message': whole?.content, 'the deltas': textOf(events) }, 'the content')
      }
    },
    sabotage: {
      'loses a piece of text now and then': loseNowAndThen('streaming-response'),
      'shows another answer': onMessage('assistant-message-full', (message) => {
        message.payload.content += '.'
      }),
    },
  },

  full: {
    level: 'MUST',
    text: 'All documented keys of a query may be given.',
    source: sources.query,
    basis: {
      states: 'content, screenshot_ref, screenshot_refs and system_state_internal are optional keys of a query.',
    },
    covers: ['C01', 'A08'],
    check: async (context) => {
      const client = await connect(context)
      const text = context.profile.phrase('hello')
      const { end } = await client.runTurn(text, {
        content: `<episodic_memory>\nNone\n</episodic_memory>\n<semantic_memory>\nNone\n</semantic_memory>\n<user_query>\n${text}\n</user_query>`,
        screenshot_refs: [],
        system_state_internal: { screen_resolution: '1920x1080' },
      })
      assert.equal(end.type, 'streaming-complete', 'the end of the run')
    },
    sabotage: {
      'knows no screenshots': refuseMessages(({ payload }) => 'screenshot_refs' in (payload ?? {})),
    },
  },

  'sdk-keys': {
    level: 'SHOULD',
    text: 'The further keys of the official clients may be given.',
    source: sources.sdk,
    basis: { because: 'The document lists six keys; the official clients send more.' },
    covers: ['A08', 'A09'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      const { end } = await client.runTurn(context.profile.phrase('hello'), {
        query_context: { episodic: [], semantic: [] },
        revision_id: 'revision-1',
        workspace_path: '/absolute/workspace/path',
        repo_instruction_messages: [],
        client_prompt_layers: [],
        agent_definition: { version: 1 },
      })
      assert.equal(end.type, 'streaming-complete', 'the end of the run')
    },
    sabotage: {
      'knows six keys of a query': refuseMessages(({ payload }) => 'revision_id' in (payload ?? {})),
    },
  },

  slow: {
    level: 'MUST',
    text: 'A socket that does not read for a while reads the whole answer later, or is closed.',
    source: sources.query,
    basis: { states: 'streaming-response carries chunks of the answer, and assistant-message-full all of it.' },
    covers: ['S01', 'S16'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const { stalled, runs } = await stall(context)
      stalled.resume()
      const ends = () => stalled.messages.filter((one) => one.type === 'streaming-complete')
      const enough = stalled.until('the end of every turn', () => ends().length >= runs, { timeoutMs: 15_000 })
      // A server may close a socket whose client does not read.
      await enough.catch((error) => (stalled.closed === undefined ? Promise.reject(error) : undefined))
      const texts = new Map<unknown, string>()
      for (const one of stalled.messages) {
        const turn = one.conversation_ref
        if (one.type === 'streaming-response')
          texts.set(turn, (texts.get(turn) ?? '') + parsePayload(one, 'streaming-response').text)
        if (one.type === 'assistant-message-full' && (turn !== undefined || runs === 1))
          assert.ok(
            parsePayload(one, 'assistant-message-full').content === texts.get(turn),
            'a piece of the answer is missing',
          )
      }
    },
    sabotage: {
      'loses a piece of a long answer': losesLate('streaming-response'),
    },
  },

  stalled: {
    level: 'SHOULD',
    text: 'A socket that does not read holds up no other one.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'The document does not cover clients that do not read.' },
    covers: ['S01'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const { reading } = await stall(context)
      const other = await connect(context)
      await Promise.all([reading, other].map(({ runTurn }) => runTurn(context.profile.phrase('hello'))))
    },
    sabotage: {
      'keeps back the end of several megabytes': { alsoBreaks: ['query:slow'], ...losesLate('streaming-complete') },
    },
  },

  parallel: {
    level: 'SHOULD',
    text: 'Conversations of one connection are answered at the same time.',
    source: sources.limits,
    basis: { because: 'A connection has up to 50 concurrent tasks; the document does not exclude that they wait.' },
    covers: ['C01', 'L02'],
    check: async (context) => {
      const client = await connect(context)
      const long = `long-${context.random.word(12)}`
      client.send('query', { text: context.profile.phrase('endless'), conversation_ref: long })
      const { conversation_ref } = await client.nextMessage('streaming-response')
      if (conversation_ref === undefined) notOffered('events do not name their conversation')
      const short = await client.runTurn(context.profile.phrase('hello')).catch(() => undefined)
      const isLongOver = client.socket.messages.some(
        (one) => one.type === 'streaming-complete' && one.conversation_ref === long,
      )
      client.socket.terminate()
      assert.ok(short !== undefined && !isLongOver, 'a conversation waits for the end of a turn of another one')
    },
    sabotage: {
      'answers one query after another': runInTurn('query', TURN_ENDS),
    },
  },

  leaves: {
    level: 'SHOULD',
    text: 'A client that disconnects in a turn disturbs no turn of another connection.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'Tasks belong to a connection; the document does not cover disconnects.' },
    covers: ['L17'],
    check: async (context) => {
      const [leaving, staying] = [await connect(context), await connect(context)]
      for (const client of [leaving, staying]) {
        const conversation_ref = `stays-${context.random.word(12)}`
        client.send('query', { text: context.profile.phrase('endless'), conversation_ref })
        await client.nextMessage('streaming-response')
      }
      leaving.socket.terminate()
      await pause(SETTLE_MS)
      await staying.nextMessage('streaming-response', staying.socket.messages.length)
      const ends = staying.socket.messages.map(({ type }) => type).filter((type) => TURN_ENDS.includes(type))
      staying.socket.terminate()
      assert.deepEqual(ends, [], 'the turn of another connection ends')
    },
    sabotage: {
      'fails every turn when a client leaves': tellWhoStays({ type: 'error', payload: { message: 'cancelled' } }),
    },
  },

  thought: {
    level: 'MUST',
    text: 'Reasoning is streamed as llm-thought.',
    source: sources.query,
    basis: { states: 'llm-thought carries the reasoning of the model.' },
    covers: ['S05'],
    tier: 'full',
    check: async (context) => {
      const { events } = await runPhrase(context, 'think')
      assert.ok(parsePayloadsOf(events, 'llm-thought').length > 0, 'no thought is shown')
    },
    sabotage: {
      'hides its thoughts': repeatMessages('llm-thought', 0),
    },
  },

  tokens: {
    level: 'MUST',
    text: 'token-count counts the visible text, and its output includes it.',
    source: sources.query,
    basis: {
      states: 'visible_output_tokens counts the text, and output_tokens_total includes visible and hidden output.',
    },
    covers: ['S18'],
    check: async (context) => {
      const { events } = await runPhrase(context, 'hello')
      const counts = parsePayloadsOf(events, 'token-count')
      assert.ok(counts.length > 0, 'no tokens are counted')
      const isCounted = textOf(events) === '' || counts.some((one) => one.visible_output_tokens > 0)
      assert.ok(isCounted, 'a text is counted as no tokens')
      for (const one of counts)
        assert.ok(one.output_tokens_total >= one.visible_output_tokens, 'visible output is left out')
      if (!context.profile.has('long')) return
      const [longer] = parsePayloadsOf((await runPhrase(context, 'long')).events, 'token-count')
      const visible = counts.at(-1)!.visible_output_tokens
      assert.ok((longer?.visible_output_tokens ?? 0) > visible, `a long text is counted as ${visible} tokens as well`)
    },
    sabotage: {
      'counts nothing': onMessage('token-count', ({ payload }) => {
        for (const [key, value] of Object.entries(payload)) if (typeof value === 'number') payload[key] = 0
      }),
      'counts seven tokens for any text': onMessage('token-count', ({ payload }) => {
        payload.visible_output_tokens = 7
        payload.output_tokens_total = 7 + (payload.thinking_tokens ?? 0)
        payload.total_tokens = payload.prompt_tokens + payload.output_tokens_total
      }),
      'counts no visible output': onMessage('token-count', (message) => {
        message.payload.output_tokens_total = message.payload.visible_output_tokens - 1
      }),
    },
  },

  'token-sums': {
    level: 'SHOULD',
    text: 'The totals of token-count add up.',
    source: sources.query,
    basis: { because: 'They add up in the samples; the document does not require it.' },
    covers: ['S18', 'A35'],
    check: async (context) => {
      for (const one of parsePayloadsOf((await runPhrase(context, 'hello')).events, 'token-count')) {
        assertAgree({
          output_tokens_total: one.output_tokens_total,
          'the sum of visible and thinking tokens': one.visible_output_tokens + (one.thinking_tokens ?? 0),
        })
        assertAgree({
          total_tokens: one.total_tokens,
          'the sum of prompt and output tokens': one.prompt_tokens + one.output_tokens_total,
        })
      }
    },
    sabotage: {
      'adds up wrongly': onMessage('token-count', (message) => {
        message.payload.total_tokens++
      }),
    },
  },

  accepted: {
    level: 'MAY',
    text: 'A query is acknowledged with query-accepted as the first event of its turn.',
    source: sources.laterDocuments,
    basis: { because: 'The document does not mention the event.' },
    covers: ['S21'],
    check: async (context) => {
      const { events } = await runPhrase(context, 'hello')
      assert.equal(events[0]?.type, 'query-accepted', 'the first event')
    },
    sabotage: {
      'accepts queries in silence': repeatMessages('query-accepted', 0),
    },
  },

  later: {
    level: 'MAY',
    text: 'Progress of a search, changes of the model’s history and traces are reported by separate events.',
    source: sources.laterDocuments,
    basis: { because: 'The document does not mention these events.' },
    covers: ['S22', 'S26', 'S28'],
    unchecked: 'the document does not mention these events',
  },
})

/** Loses messages of a type once several megabytes went over a socket. */
function losesLate(type: string): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      return (message) => {
        bytes += JSON.stringify(message).length
        return bytes > 1_500_000 && message.type === type ? [] : [message]
      }
    },
  }
}
