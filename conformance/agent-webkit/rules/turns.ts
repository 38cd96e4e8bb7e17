import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, assertSuccess, parseAs } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { changeStatus, eventNameOf, onEvent } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { AssistantMessage } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, eventIdOf, eventsNamed, parseEvent, permissionResponse, SETTLE_MS } from '../driver.ts'
import { alsoSend, changeInput, dropAfter, isInput, loseEvents, repeatEvent, swapWithNextEvent } from '../sabotage.ts'

type Block = Readonly<Record<string, unknown>>

/** The blocks a message holds; the document leaves their form open. */
function blocksOf(complete: SseEvent): readonly Block[] {
  const { content } = parseEvent(complete, 'message_complete').message
  return Array.isArray(content) ? content.filter((block): block is Block => Object(block) === block) : []
}

/** The text a message holds. */
const textOf = (complete: SseEvent): string =>
  blocksOf(complete)
    .map((block) => (block.type === 'text' ? String(block.text) : ''))
    .join('')

/** The ids of the `tool_use` blocks a message holds. */
const toolsOf = (complete: SseEvent): readonly string[] =>
  blocksOf(complete).flatMap((block) => (block.type === 'tool_use' ? [String(block.id)] : []))

/** The tool_use_ids of the events of one name. */
const idsOf = (events: readonly SseEvent[], name: 'tool_use' | 'tool_result'): readonly string[] =>
  eventsNamed(events, name).map((seen) => parseEvent(seen, name).tool_use_id)

/** The index of the event of that name for a tool; -1 when there is none. */
const placeOf = (events: readonly SseEvent[], name: 'tool_use' | 'tool_result', id: string): number =>
  events.findIndex((seen) => seen.event === name && parseEvent(seen, name).tool_use_id === id)

/** Events of a turn; MCP servers may report changes at any time. */
const ofTurns = (events: readonly SseEvent[]) => events.filter((seen) => seen.event !== 'mcp_status_change')

/** The events of a turn. */
export const turnRules = defineRules('turn', ['turn:result'], {
  order: {
    level: 'MUST',
    text: 'In a turn a tool_use comes before its tool_result, and result is last.',
    source: sources.events,
    basis: { states: 'result ends a turn; tool_result carries the output of the tool of a tool_use.' },
    covers: ['W-T1', 'W-V4', 'W-V5'],
    needs: ['turn:tool'],
    check: async (context) => {
      const client = await connect(context)
      for (const purpose of ['hello', 'tool']) {
        const events = await client.runTurn(context.profile.phrase(purpose))
        for (const id of idsOf(events, 'tool_use'))
          assert.ok(
            placeOf(events, 'tool_use', id) < placeOf(events, 'tool_result', id),
            `tool_result ${id} comes before its tool_use, or not at all`,
          )
        assert.equal(events.at(-1)!.event, 'result', 'the last event')
      }
      assert.ok(
        eventsNamed(client.stream.events, 'tool_use').length > 0,
        'prerequisite: the phrase "tool" used no tool',
      )
    },
    sabotage: {
      'ends a turn before its message': { alsoBreaks: ['turn:result'], ...swapWithNextEvent('message_complete') },
      'sends results of tools first': { alsoBreaks: ['turn:tool'], ...swapWithNextEvent('tool_use') },
    },
  },

  'complete-first': {
    level: 'SHOULD',
    text: 'A message_complete comes before the tool_use events of its message.',
    source: sources.reference,
    basis: { because: 'The document ties them by message_id and does not order them.' },
    covers: ['W-T1', 'W-V3'],
    check: async (context) => {
      const client = await connect(context)
      const events = await client.runTurn(context.profile.phrase('tool'))
      const completed = new Set<string>()
      for (const seen of events) {
        if (seen.event === 'message_complete') completed.add(parseEvent(seen, 'message_complete').message_id)
        if (seen.event !== 'tool_use') continue
        const { message_id, tool_use_id } = parseEvent(seen, 'tool_use')
        assert.ok(completed.has(message_id), `tool_use ${tool_use_id} comes before its message_complete`)
      }
    },
    sabotage: {
      'announces a tool before its message': swapWithNextEvent('message_complete'),
    },
  },

  result: {
    level: 'MUST',
    text: 'A turn ends with exactly one result.',
    source: sources.events,
    basis: { states: 'result is the end of a turn.' },
    covers: ['W-V9', 'W-T1'],
    needs: ['stream:opens'],
    check: async (context) => {
      const client = await connect(context)
      for (const purpose of ['hello', 'tool']) await client.runTurn(context.profile.phrase(purpose))
      await pause(SETTLE_MS)
      assert.equal(eventsNamed(client.stream.events, 'result').length, 2, 'the number of result events')
      for (const result of eventsNamed(client.stream.events, 'result')) parseEvent(result, 'result')
    },
    sabotage: {
      'never sends a result': repeatEvent('result', 0),
      'sends two results': repeatEvent('result', 2),
    },
  },

  deltas: {
    level: 'MUST',
    text: 'Every message_delta is followed by the message_complete of its message, after which no delta comes.',
    source: sources.events,
    basis: { states: 'message_id reconciles deltas with their message_complete.' },
    covers: ['W-V2', 'W-V3'],
    needs: ['stream:prompt'],
    check: async (context) => {
      const client = await connect(context)
      const completed = new Set<string>()
      const begun = new Set<string>()
      for (const seen of await client.runTurn(context.profile.phrase('long'))) {
        if (seen.event === 'message_delta') {
          const { message_id } = parseEvent(seen, 'message_delta')
          assert.ok(!completed.has(message_id), `a delta of ${message_id} comes after its message_complete`)
          begun.add(message_id)
        }
        if (seen.event === 'message_complete') completed.add(parseEvent(seen, 'message_complete').message_id)
      }
      for (const id of begun) assert.ok(completed.has(id), `${id} is never completed`)
      assert.ok(completed.size > 0, 'the turn has no message_complete')
    },
    sabotage: {
      'says more of a message that is complete': behindLast('message_delta', 'message_complete'),
    },
  },

  'delta-text': {
    level: 'SHOULD',
    text: 'The text of the deltas of a message joins to the text of its message_complete.',
    source: sources.client,
    basis: { because: 'The document leaves the form of a delta open; the official client folds their text.' },
    covers: ['W-V2', 'W-V3'],
    tier: 'sdk',
    needs: ['stream:prompt'],
    check: async (context) => {
      const client = await connect(context)
      const joined = new Map<string, string>()
      for (const seen of await client.runTurn(context.profile.phrase('long'))) {
        if (seen.event === 'message_delta') {
          const { message_id, delta } = parseEvent(seen, 'message_delta')
          const text = typeof delta.text === 'string' ? delta.text : ''
          joined.set(message_id, (joined.get(message_id) ?? '') + text)
        }
        if (seen.event !== 'message_complete') continue
        const { message_id } = parseEvent(seen, 'message_complete')
        if (joined.has(message_id))
          assertAgree(
            { 'the deltas': joined.get(message_id), message_complete: textOf(seen) },
            `the text of ${message_id}`,
          )
      }
    },
    sabotage: {
      'loses letters of its deltas': onEvent('message_delta', (data) => {
        if (data.delta.text) data.delta.text = data.delta.text.slice(1)
      }),
      'loses a delta': { alsoBreaks: ['stream:contiguous'], changeFrames: () => dropOnce('message_delta') },
    },
  },

  'delta-form': {
    level: 'SHOULD',
    text: 'A delta of text is {text} or a text block, as the official reducer folds it.',
    source: sources.client,
    basis: { because: 'The document leaves the delta open; the official reducer folds these forms.' },
    covers: ['W-V2'],
    tier: 'sdk',
    needs: ['stream:prompt'],
    check: async (context) => {
      const client = await connect(context)
      const deltas = eventsNamed(await client.runTurn(context.profile.phrase('long')), 'message_delta')
      for (const seen of deltas) {
        const { delta } = parseEvent(seen, 'message_delta')
        const known = delta.type === undefined || delta.type === 'text' || delta.type === 'input_json_delta'
        assert.ok(known, `the official reducer ignores ${JSON.stringify(delta)}`)
        if (delta.type !== 'input_json_delta')
          assert.equal(typeof delta.text, 'string', 'the type of the text of a delta')
      }
      assert.ok(deltas.length > 0, 'a long answer streams no message_delta')
    },
    sabotage: {
      'sends deltas nobody folds': onEvent('message_delta', (data) => {
        data.delta = { type: 'text_delta', text: data.delta.text }
      }),
    },
  },

  'message-ids': {
    level: 'MUST',
    text: 'Each assistant message has its own message_id.',
    source: sources.ids,
    basis: { states: 'message_id identifies content: deltas, their message_complete and its tool_use events.' },
    covers: ['W-V3'],
    check: async (context) => {
      const client = await connect(context)
      for (const purpose of ['hello', 'tool', 'hello']) await client.runTurn(context.profile.phrase(purpose))
      const messages = eventsNamed(client.stream.events, 'message_complete').map((seen) =>
        parseEvent(seen, 'message_complete'),
      )
      assert.equal(new Set(messages.map((one) => one.message_id)).size, messages.length, 'a message_id repeats')
    },
    sabotage: {
      'gives all messages one id': onEvent('message_complete', (data) => {
        data.message_id = data.message.id = 'm'
      }),
    },
  },

  'message-form': {
    level: 'SHOULD',
    text: 'The message of a message_complete has the same id, the role assistant and blocks as content.',
    source: sources.client,
    basis: { because: 'The document does not define the form of a message; the official client reads this one.' },
    covers: ['W-V3'],
    tier: 'sdk',
    check: async (context) => {
      const client = await connect(context)
      for (const purpose of ['hello', 'tool']) await client.runTurn(context.profile.phrase(purpose))
      for (const seen of eventsNamed(client.stream.events, 'message_complete')) {
        const { message_id, message } = parseEvent(seen, 'message_complete')
        assertAgree({
          'message.id': parseAs(AssistantMessage, message, `the message ${message_id}`).id,
          message_id,
        })
      }
    },
    sabotage: {
      'names two ids in a message': onEvent('message_complete', (data) => {
        data.message.id = 'other'
      }),
    },
  },

  tool: {
    level: 'MUST',
    text: 'Every tool_use is answered by one tool_result with its tool_use_id.',
    source: sources.events,
    basis: { states: 'tool_use announces a tool with its input, and tool_result carries its output.' },
    covers: ['W-V4', 'W-V5'],
    check: async (context) => {
      const client = await connect(context)
      const events = await client.runTurn(context.profile.phrase('tool'))
      const announced = idsOf(events, 'tool_use')
      assert.ok(announced.length > 0, 'prerequisite: the phrase "tool" used no tool')
      assertAgree(
        { 'the tool_results': [...idsOf(events, 'tool_result')].sort(), 'the tool_uses': [...announced].sort() },
        'the ids of tools',
      )
    },
    sabotage: {
      'announces no tool': { alsoBreaks: ['turn:order', 'turn:tool-blocks'], ...repeatEvent('tool_use', 0) },
      'shows no result of a tool': repeatEvent('tool_result', 0),
    },
  },

  'tool-blocks': {
    level: 'SHOULD',
    text: 'Every tool_use block of a message is announced by a tool_use event.',
    source: sources.reference,
    basis: { because: 'The document does not define the blocks of a message; the reference server announces each.' },
    covers: ['W-V3', 'W-V4'],
    check: async (context) => {
      const client = await connect(context)
      const events = await client.runTurn(context.profile.phrase('tool'))
      assertAgree(
        {
          'the tool_use events': idsOf(events, 'tool_use'),
          'the messages': eventsNamed(events, 'message_complete').flatMap(toolsOf),
        },
        'the ids of tools',
      )
    },
    sabotage: {
      'announces tools under ids of its own': onEvent('message_complete', (data) => {
        for (const block of data.message.content) if (block.type === 'tool_use') block.id = `b-${block.id}`
      }),
    },
  },

  serial: {
    level: 'MUST',
    text: 'Two messages sent at the same time produce two whole turns in sequence.',
    source: sources.limits,
    basis: { states: 'The server finishes receiving one turn before it accepts the next query.' },
    covers: ['W-T2'],
    needs: ['stream:framing', 'turn:result', 'permission:request'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      await client.sendText(context.profile.phrase('hello'))
      await pause(300)
      assert.deepEqual(
        ofTurns(client.eventsSince(asked)).map((seen) => seen.event),
        [],
        'the second turn starts while the first one waits',
      )
      await client.postInput(permissionResponse(asked))
      const first = await client.nextEvent('result', asked)
      const second = await client.nextEvent('result', first)
      const between = client.eventsSince(first).filter((seen) => eventIdOf(seen) < eventIdOf(second))
      assert.ok(eventsNamed(between, 'message_complete').length > 0, 'the second message got no answer')
    },
    sabotage: {
      'begins a turn while another one waits': alsoSend('permission_request', 'message_delta'),
    },
  },

  parallel: {
    level: 'SHOULD',
    text: 'A session answers while the turn of another one waits.',
    source: sources.limits,
    basis: {
      because: 'Each session has a process of its own; the document does not state that their turns are parallel.',
    },
    covers: ['W-E1', 'W-E3'],
    needs: ['stream:framing', 'turn:result', 'permission:request'],
    check: async (context) => {
      const [waiting, other] = [await connect(context), await connect(context)]
      const asked = await waiting.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const events = await other.runTurn(context.profile.phrase('hello')).catch(() => undefined)
      await waiting.postInput(permissionResponse(asked))
      assert.ok(events !== undefined, 'a session waits for the turn of another one')
      await waiting.nextEvent('result', asked)
    },
    sabotage: {
      'takes messages when no turn waits': takesMessagesInTurn(),
    },
  },

  'session-id': {
    level: 'SHOULD',
    text: 'A result names the session it belongs to.',
    source: sources.events,
    basis: {
      because: 'The document gives result a session_id, but does not specify that it is the id used on the wire.',
    },
    covers: ['W-D14', 'W-V9'],
    check: async (context) => {
      const client = await connect(context)
      const events = await client.runTurn(context.profile.phrase('hello'))
      assertAgree(
        { 'the result': parseEvent(events.at(-1)!, 'result').session_id, 'POST /sessions': client.id },
        'the session',
      )
    },
    sabotage: {
      'names another session in a result': onEvent('result', (data) => {
        data.session_id = 'fake-1'
      }),
    },
  },

  interrupt: {
    level: 'MUST',
    text: 'An interrupt ends the running turn with a result.',
    source: sources.messages,
    basis: { states: 'interrupt interrupts the agent, and result is the end of a turn.' },
    covers: ['W-T3', 'W-M2'],
    needs: ['stream:framing'],
    check: async (context) => {
      const client = await connect(context)
      const ready = await client.nextEvent('session_ready')
      await client.sendText(context.profile.phrase('endless'))
      await client.stream.until('the turn to start', (seen) => eventIdOf(seen) > eventIdOf(ready))
      assertSuccess(await client.postInput({ type: 'interrupt' }))
      const result = await client.nextEvent('result')
      await pause(SETTLE_MS)
      assert.deepEqual(ofTurns(client.eventsSince(result)), [], 'something follows the result of an interrupted turn')
    },
    sabotage: {
      'ignores interrupts': swallow('interrupt'),
    },
  },

  'interrupt-keeps': {
    level: 'MUST',
    text: 'An interrupt does not drop messages that wait.',
    source: sources.limits,
    basis: { states: 'interrupt does not drain the queue.' },
    covers: ['W-T3'],
    needs: ['turn:result', 'turn:interrupt'],
    check: async (context) => {
      const client = await connect(context)
      const ready = await client.nextEvent('session_ready')
      await client.sendText(context.profile.phrase('endless'))
      await client.stream.until('the turn to start', (seen) => eventIdOf(seen) > eventIdOf(ready))
      await client.sendText(context.profile.phrase('hello'))
      await client.postInput({ type: 'interrupt' })
      const interrupted = await client.nextEvent('result')
      const kept = await client.nextEvent('result', interrupted)
      const between = client.eventsSince(interrupted).filter((seen) => eventIdOf(seen) < eventIdOf(kept))
      assert.ok(eventsNamed(between, 'message_complete').length > 0, 'the waiting message got no answer')
    },
    sabotage: {
      'answers nothing that waited for an interrupted turn': afterInterrupt({
        changeFrames: () => (frame) => (eventNameOf(frame) === 'message_complete' ? [] : [frame]),
      }),
    },
  },

  'interrupt-parked': {
    level: 'SHOULD',
    text: 'An interrupt while a permission is pending ends the turn, and the late reply answers 409.',
    source: sources.races,
    basis: {
      because: 'The document does not specify what happens to a pending request; no client could wait for it any more.',
    },
    covers: ['W-T3'],
    needs: ['turn:result', 'permission:request', 'turn:interrupt'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      await client.postInput({ type: 'interrupt' })
      await client.nextEvent('result', asked)
      assertStatus(await client.postInput(permissionResponse(asked)), 409)
    },
    sabotage: {
      'takes the reply to a request of an interrupted turn': afterInterrupt(changeStatus(409, 204, isInput)),
    },
  },

  error: {
    level: 'MUST',
    text: 'A failure within a turn is reported by an error with a code and a message.',
    source: sources.events,
    basis: { states: 'error, with code and message, is one of the events.' },
    covers: ['W-V10', 'W-X9'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      await client.sendText(context.profile.phrase('error'))
      parseEvent(await client.nextEvent('error'), 'error')
    },
    sabotage: {
      'hides its errors': repeatEvent('error', 0),
    },
  },

  'error-ends': {
    level: 'SHOULD',
    text: 'A turn that failed ends with a result, and the next one works.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'result is the end of a turn; a client that waits for it would wait for ever.' },
    covers: ['W-D15'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('error'))
      await client.runTurn(context.profile.phrase('hello'))
    },
    sabotage: {
      'never ends a turn that failed': dropAfter(/^event: ?error$/m, 'result'),
    },
  },

  mcp: {
    level: 'MAY',
    text: 'mcp_status_change reports a change of an MCP server.',
    source: sources.events,
    basis: { because: 'The document lists the event, and only servers with MCP servers send it.' },
    covers: ['W-V11'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const events = await client.runTurn(context.profile.phrase('mcp'))
      parseEvent(eventsNamed(events, 'mcp_status_change')[0] ?? events.at(-1)!, 'mcp_status_change')
    },
    sabotage: {
      'hides its MCP servers': loseEvents((frame) => eventNameOf(frame) === 'mcp_status_change'),
    },
  },
})

/** Sends events of one name behind the next one of another name. */
function behindLast(name: string, other: string): SabotageBehavior {
  return {
    changeFrames: () => {
      let held: string | undefined
      return (frame) => {
        if (eventNameOf(frame) === name) {
          const before = held
          held = frame
          return before === undefined ? [] : [before]
        }
        if (held === undefined || eventNameOf(frame) !== other) return [frame]
        const both = [frame, held]
        held = undefined
        return both
      }
    },
  }
}

function dropOnce(name: string) {
  let done = false
  return (frame: string): readonly string[] => {
    if (done || eventNameOf(frame) !== name) return [frame]
    done = true
    return []
  }
}

function swallow(type: string): SabotageBehavior {
  return changeInput((message) => {
    if (message.type === type) Object.assign(message, { type: 'stop_task', task_id: 'none' })
  })
}

/** Does what the sabotage does from the first interrupt on. */
function afterInterrupt({ changeFrames, changeResponse }: SabotageBehavior): SabotageBehavior {
  let isInterrupted = false
  return {
    changeRequest: (request) => {
      isInterrupted ||= isInput(request) && request.body.includes('"interrupt"')
    },
    ...(changeResponse && {
      changeResponse: (response, request) => {
        if (isInterrupted) changeResponse(response, request)
      },
    }),
    ...(changeFrames && {
      changeFrames: () => {
        const change = changeFrames()
        return (frame) => (isInterrupted ? change(frame) : [frame])
      },
    }),
  }
}

/** Lets messages wait while a permission is pending, in any session. */
function takesMessagesInTurn(): SabotageBehavior {
  let pending: Promise<void> | undefined
  let resume = () => {}
  return {
    changeFrames: () => (frame) => {
      if (eventNameOf(frame) === 'permission_request')
        pending ??= new Promise((resolve) => {
          resume = resolve
        })
      return [frame]
    },
    delayRequest: (request) => {
      if (!isInput(request)) return undefined
      if (request.body.includes('"user_message"')) return pending
      resume()
      pending = undefined
      return undefined
    },
  }
}
