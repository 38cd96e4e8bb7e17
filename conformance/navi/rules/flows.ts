import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { fail } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import { loseNowAndThen, onMessage, repeatMessages, swapWithNext } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { JsonMessage, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { AgentProfile, Session, SessionContext } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, ENDS, getMessages, onSuccessOf, parseEvent, parseEventsOf, SETTLE_MS, typesOf } from '../driver.ts'

const runOf = async (context: TestContext, purpose: string) =>
  (await connect(context)).run(context.profile.phrase(purpose))

/** Fails unless starts and ends of tools nest like brackets; returns the maximum depth. */
function assertNested(events: readonly SocketMessage[]): number {
  const open: { tool: string; args: unknown }[] = []
  let deepest = 0
  for (const one of events) {
    if (one.type === 'tool_started') {
      const { tool, args, is_subagent } = parseEvent(one, 'tool_started')
      assert.equal(is_subagent, open.length > 0, `${tool} is marked wrongly as of a sub-agent`)
      open.push({ tool, args })
      deepest = Math.max(deepest, open.length)
    }
    if (one.type === 'tool_call') {
      const { tool, args, is_subagent } = parseEvent(one, 'tool_call')
      const started = open.pop() ?? fail(`${tool} ends without having started`)
      assertAgree({ tool_call: { tool, args }, tool_started: started }, 'a tool ends that is not the last one started')
      assert.equal(is_subagent, open.length > 0, 'is_subagent')
    }
  }
  assert.deepEqual(open, [], 'a tool does not end')
  return deepest
}

/** Fails unless every start of a tool has a later end with the same tool and arguments; returns their number. */
function assertPaired(events: readonly SocketMessage[]): number {
  const open: string[] = []
  let started = 0
  for (const one of events) {
    if (one.type !== 'tool_started' && one.type !== 'tool_call') continue
    const { tool, args } = one.type === 'tool_started' ? parseEvent(one, 'tool_started') : parseEvent(one, 'tool_call')
    const use = JSON.stringify([tool, args])
    if (one.type === 'tool_started') started = open.push(use) && started + 1
    else if (open.includes(use)) open.splice(open.indexOf(use), 1)
    else fail(`${tool} ends without having started with these arguments`)
  }
  assert.deepEqual(open, [], 'a tool does not end')
  return started
}

/** A profile the session does not have. */
async function otherProfile({ http }: TestContext, id: string) {
  const { profile_id } = (await http.get(`/sessions/${id}`)).json(Session)
  const profiles = (await http.get('/agents/profiles')).json(z.array(AgentProfile))
  return profiles.find((profile) => profile.id !== profile_id) ?? fail('prerequisite: there is only one profile')
}

/** A session whose context was just compressed, and its messages before. */
async function compressed(context: TestContext) {
  const { id, run, nextEvent } = await connect(context)
  for (const purpose of ['hello', 'tool', 'hello']) await run(context.profile.phrase(purpose))
  const before = await getMessages(context, id)
  const end = parseEvent((await run(context.profile.phrase('compress'))).at(-1)!, 'stream_end')
  assert.ok(end.context_tokens / end.max_context_tokens >= 0.8, 'prerequisite: the context is not full')
  return { id, run, before, end, event: parseEvent(await nextEvent('context_compressed'), 'context_compressed') }
}

/** The order and content of the events of a run. */
export const flowRules = defineRules('flow', ['flow:simple'], {
  simple: {
    level: 'MUST',
    text: 'A simple answer is stream_start, thinking if any, deltas, stream_end.',
    source: sources.flows,
    basis: { states: 'The flow of a simple question: stream_start, thinking, stream_delta, stream_end.' },
    covers: ['N-G1', 'N-V1', 'N-V8', 'N-V9'],
    needs: ['session:create'],
    check: async (context) => {
      const types = typesOf(await runOf(context, 'hello')).join(' ')
      assert.match(types, /^stream_start( thinking_delta)*( thinking_end)?( stream_delta)+ stream_end$/)
    },
    sabotage: {
      'never starts': repeatMessages('stream_start', 0),
      'starts twice': repeatMessages('stream_start', 2),
      'never ends': repeatMessages('stream_end', 0),
      'ends before it has said all': { alsoBreaks: ['flow:content'], ...early() },
    },
  },

  content: {
    level: 'MUST',
    text: 'stream_end contains exactly the joined deltas.',
    source: sources.events,
    basis: { states: 'content of stream_end is the sum of all stream_delta values.' },
    covers: ['N-G9', 'N-V8', 'N-V9'],
    check: async (context) => {
      for (const purpose of ['hello', 'tool', 'long']) {
        const events = await runOf(context, purpose)
        const joined = parseEventsOf(events, 'stream_delta')
          .map((one) => one.delta)
          .join('')
        assertAgree(
          { stream_end: parseEvent(events.at(-1)!, 'stream_end').content, 'the deltas': joined },
          'the content',
        )
      }
    },
    sabotage: {
      'loses a letter': onMessage('stream_delta', (message) => {
        message.delta = message.delta.slice(1)
      }),
      'loses a piece of text now and then': loseNowAndThen('stream_delta'),
      'ends with another text': onMessage('stream_end', (message) => {
        message.content += '.'
      }),
    },
  },

  thinking: {
    level: 'MUST',
    text: 'Reasoning comes whole before tools, or in deltas that thinking_end closes.',
    source: sources.events,
    basis: {
      states: 'thinking_delta continues until thinking_end; turn_thinking is a whole block before tools are chosen.',
    },
    covers: ['N-V2', 'N-V3', 'N-V4', 'N-G8', 'N-A5'],
    check: async (context) => {
      const streamed = typesOf(await runOf(context, 'think'))
      const whole = typesOf(await runOf(context, 'tool'))
      assert.ok(
        [...streamed, ...whole].some((type) => type.includes('thinking')),
        'no reasoning is shown at all',
      )
      for (const types of [streamed, whole]) {
        const text = types.join(' ')
        assert.doesNotMatch(text, /(?<!thinking_delta )thinking_end/, 'thinking_end without a thinking_delta')
        assert.doesNotMatch(text, /thinking_delta (?!thinking_delta|thinking_end)/, 'thinking_delta is not closed')
      }
    },
    sabotage: {
      'thinks without an end': repeatMessages('thinking_end', 0),
      'ends thoughts it never had': {
        changeMessages: () => (message) =>
          message.type === 'stream_start' ? [message, { type: 'thinking_end' }] : [message],
      },
    },
  },

  tools: {
    level: 'MUST',
    text: 'Each tool_started is followed by the tool_call of the same tool and arguments.',
    source: sources.flows,
    basis: { states: 'tool_started comes before the execution, tool_call after it, with tool and args.' },
    covers: ['N-G2', 'N-V6', 'N-V7'],
    check: async (context) => {
      for (const purpose of ['tool', 'two-tools'])
        assert.ok(assertPaired(await runOf(context, purpose)) > 0, 'no tool was used')
    },
    sabotage: {
      'starts no tool': repeatMessages('tool_started', 0),
      'ends tools twice': repeatMessages('tool_call', 2),
      'calls with other arguments': onMessage('tool_call', (message) => {
        message.args = { other: true }
      }),
      'ends a tool before it starts': swapWithNext('tool_started'),
    },
  },

  serial: {
    level: 'SHOULD',
    text: 'Tools run one after another, so that starts and ends nest.',
    source: sources.open,
    basis: { because: 'The flows show it so; events have no id that would tie a start to its end.' },
    covers: ['N-G7'],
    check: async (context) => {
      assert.ok(assertNested(await runOf(context, 'two-tools')) > 0, 'no tool was used')
    },
    sabotage: {
      'runs two tools at once': startsTogether(),
    },
  },

  'failing-tool': {
    level: 'MUST',
    text: 'A tool that fails ends with success false.',
    source: sources.events,
    basis: { states: 'success false means that the tool returned an error.' },
    covers: ['N-V7'],
    tier: 'full',
    check: async (context) => {
      const events = await runOf(context, 'broken-tool')
      assert.ok(
        parseEventsOf(events, 'tool_call').some((one) => !one.success),
        'no tool failed',
      )
    },
    sabotage: {
      'calls broken tools whole': onMessage('tool_call', (message) => {
        message.success = true
      }),
    },
  },

  'failing-goes-on': {
    level: 'SHOULD',
    text: 'A run continues to its stream_end after a failed tool.',
    source: sources.open,
    basis: { because: 'The document does not specify the effect of a failing tool on its run.' },
    covers: ['N-V7'],
    tier: 'full',
    check: async (context) => {
      assert.equal((await runOf(context, 'broken-tool')).at(-1)!.type, 'stream_end', 'the last event')
    },
    sabotage: {
      'fails after a tool that failed': failsAfterTool(),
    },
  },

  plan: {
    level: 'MUST',
    text: 'A plan comes before the first tool.',
    source: sources.events,
    basis: { states: 'plan_ready comes before the start of the tool loop.' },
    covers: ['N-V5', 'N-A6'],
    tier: 'full',
    check: async (context) => {
      const types = typesOf(await runOf(context, 'plan'))
      const plan = types.indexOf('plan_ready')
      assert.ok(plan > 0, 'no plan is shown')
      const tool = types.indexOf('tool_started')
      assert.ok(tool < 0 || plan < tool, 'the plan comes after a tool')
    },
    sabotage: {
      'plans too late': {
        changeMessages: () => {
          let plan: Readonly<Record<string, unknown>> | undefined
          return (message) => {
            if (message.type === 'plan_ready') {
              plan = message
              return []
            }
            const details = message.type === 'tool_call' && plan ? [message, plan] : [message]
            return details
          }
        },
      },
      'never plans': repeatMessages('plan_ready', 0),
    },
  },

  subagent: {
    level: 'MUST',
    text: 'The events of a sub-agent come between the start and the end of spawn_agent, marked is_subagent.',
    source: sources.flows,
    basis: {
      states: 'Events of a sub-agent have is_subagent true, and come between the two events of spawn_agent.',
    },
    covers: ['N-G3', 'N-V4', 'N-V6', 'N-V7'],
    tier: 'full',
    check: async (context) => {
      const events = await runOf(context, 'delegate')
      assert.ok(assertNested(events) >= 2, 'prerequisite: no tool was used by a sub-agent')
      assert.equal(parseEventsOf(events, 'tool_started')[0]!.tool, 'spawn_agent', 'tool')
    },
    sabotage: {
      'hides that there is a sub-agent': {
        alsoBreaks: ['flow:tools'],
        changeMessages: () => (message) => [{ ...message, ...('is_subagent' in message && { is_subagent: false }) }],
      },
    },
  },

  'subagent-history': {
    level: 'SHOULD',
    text: 'The actions of a sub-agent are not in the history of the session.',
    source: sources.open,
    basis: { because: 'The document does not specify this; the sample shows calls of the agent itself.' },
    covers: ['N-B7'],
    tier: 'full',
    check: async (context) => {
      const { id, run } = await connect(context)
      const events = await run(context.profile.phrase('delegate'))
      const inner = parseEventsOf(events, 'tool_started')
        .filter((one) => one.is_subagent)
        .map((one) => one.tool)
      const stored = (await getMessages(context, id)).flatMap((item) =>
        (item.tool_calls ?? []).map((call) => call.name),
      )
      assert.deepEqual(
        stored.filter((tool) => inner.includes(tool)),
        [],
        'the actions of the sub-agent are in the history',
      )
    },
    sabotage: {
      'writes down what a sub-agent did': onSuccessOf('GET /sessions/{session_id}', (json) => {
        for (const one of json.messages)
          if (one.tool_calls) one.tool_calls.push({ id: 'inner', name: 'web_search', arguments: {} })
      }),
    },
  },

  'subagent-fails': {
    level: 'SHOULD',
    text: 'A sub-agent that fails ends its spawn_agent with success false, and the run continues.',
    source: sources.open,
    basis: { because: 'The document does not cover sub-agents that fail.' },
    covers: ['N-A16'],
    tier: 'full',
    check: async (context) => {
      const events = await runOf(context, 'lost-agent')
      const outer = parseEventsOf(events, 'tool_call').filter((one) => one.tool === 'spawn_agent')
      assert.deepEqual(
        outer.map((one) => one.success),
        outer.map(() => false),
        'a sub-agent that failed succeeds',
      )
      assert.ok(outer.length > 0, 'prerequisite: the phrase "lost-agent" spawned no agent')
      assert.equal(events.at(-1)!.type, 'stream_end', 'the last event')
    },
    sabotage: {
      'calls a lost sub-agent a success': onMessage('tool_call', (message) => {
        if (message.tool === 'spawn_agent') message.success = true
      }),
    },
  },

  switch: {
    level: 'MUST',
    text: 'profile_switched names the profile and comes before the tool_call of switch_profile.',
    source: sources.flows,
    basis: {
      states:
        'profile_switched comes before the tool_call of switch_profile, and the profile holds from the next message.',
    },
    covers: ['N-G4', 'N-V11'],
    tier: 'full',
    check: async (context) => {
      const { id, run } = await connect(context)
      const wanted = await otherProfile(context, id)
      const events = await run(context.profile.phrase('switch').replace('PROFILE', wanted.id))
      const [switched] = parseEventsOf(events, 'profile_switched')
      assertAgree({
        profile_switched: { profile_id: switched?.profile_id, profile_name: switched?.profile_name },
        'GET /profiles': { profile_id: wanted.id, profile_name: wanted.name },
      })
      const types = typesOf(events)
      const call = events.findIndex((one) => one.type === 'tool_call' && one.tool === 'switch_profile')
      assert.ok(types.indexOf('profile_switched') < call, 'profile_switched comes after the tool_call')
    },
    sabotage: {
      'switches to another profile': onMessage('profile_switched', (message) => {
        message.profile_id = 'other'
      }),
      'switches too late': swapWithNext('profile_switched'),
    },
  },

  'switched-session': {
    level: 'SHOULD',
    text: 'The session shows the profile it was switched to.',
    source: sources.open,
    basis: { because: 'The profile applies from the next message on; the document does not specify what GET shows.' },
    covers: ['N-V11'],
    tier: 'full',
    check: async (context) => {
      const { id, run } = await connect(context)
      const wanted = await otherProfile(context, id)
      await run(context.profile.phrase('switch').replace('PROFILE', wanted.id))
      await run(context.profile.phrase('hello'))
      assertAgree(
        {
          'GET /sessions/{id}': (await context.http.get(`/sessions/${id}`)).json(Session).profile_id,
          'GET /profiles': wanted.id,
        },
        'the profile',
      )
    },
    sabotage: {
      'shows the profile it had': onSuccessOf('GET /sessions/{session_id}', (json) => {
        json.profile_id = 'other'
      }),
    },
  },

  'unknown-profile': {
    level: 'SHOULD',
    text: 'A switch to an unknown profile fails without profile_switched.',
    source: sources.open,
    basis: { because: 'The document does not specify the response to a switch to an unknown profile.' },
    covers: ['N-V11', 'N-A15'],
    tier: 'full',
    check: async (context) => {
      const { run } = await connect(context)
      const events = await run(context.profile.phrase('switch').replace('PROFILE', context.random.word()))
      assert.deepEqual(parseEventsOf(events, 'profile_switched'), [], 'the profile_switched events')
      assert.equal(parseEventsOf(events, 'tool_call')[0]?.success, false, 'success')
    },
    sabotage: {
      'switches to nothing': onMessage('tool_call', (message) => {
        if (message.tool === 'switch_profile') message.success = true
      }),
    },
  },

  'one-end': {
    level: 'MUST',
    text: 'A run ends once, and only context_compressed may follow stream_end.',
    source: sources.flows,
    basis: { states: 'The flows end with stream_end, after which only context_compressed may come.' },
    covers: ['N-G5', 'N-G6', 'N-A4'],
    check: async (context) => {
      const { socket, run } = await connect(context)
      for (const purpose of ['hello', 'tool', 'compress']) await run(context.profile.phrase(purpose))
      await pause(SETTLE_MS)
      let open = false
      for (const [at, one] of socket.messages.entries()) {
        if (one.type === 'stream_start') {
          assert.equal(open, false, 'a run starts within another run')
          open = true
        } else if (ENDS.includes(one.type)) {
          assert.equal(open, true, 'a run ends twice')
          open = false
        } else if (!open) {
          assert.equal(one.type, 'context_compressed', `${one.type} follows the end of a run`)
          assert.equal(socket.messages[at - 1]!.type, 'stream_end', 'the event before context_compressed')
        }
      }
    },
    sabotage: {
      'ends twice': repeatMessages('stream_end', 2),
      'compresses before the end': swapWithNext('stream_end'),
    },
  },

  fill: {
    level: 'MUST',
    text: 'context_tokens grows with the conversation.',
    source: sources.events,
    basis: { states: 'context_tokens shows how much of max_context_tokens the context uses.' },
    covers: ['N-V9'],
    check: async (context) => {
      const { run } = await connect(context)
      const usedAfter = async () =>
        parseEvent((await run(context.profile.phrase('hello'))).at(-1)!, 'stream_end').context_tokens
      const used = [await usedAfter(), await usedAfter()]
      assert.ok(used[1]! > used[0]!, `the context uses ${used.join(' tokens, and with two more messages ')}`)
    },
    sabotage: {
      'always uses as much of the context': onMessage('stream_end', (message) => {
        message.context_tokens = 4913
      }),
    },
  },

  compression: {
    level: 'MUST',
    text: 'At 80 % of the window the context is compressed after the answer; the display keeps every message.',
    source: sources.events,
    basis: {
      states: 'The context is compressed after a response that fills 80 % of the window; the display history stays.',
    },
    covers: ['N-V12', 'N-B6', 'N-B5'],
    needs: ['flow:simple', 'flow:fill'],
    tier: 'full',
    check: async (context) => {
      const { id, before, event } = await compressed(context)
      const { messages_before, messages_after } = event
      assert.ok(messages_after < messages_before, `${messages_before} messages became ${messages_after}`)
      const { context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
      assert.ok(
        items.some((item) => item.is_summary === true),
        'the context has no summary',
      )
      assert.ok((await getMessages(context, id)).length > before.length, 'the display lost messages')
    },
    sabotage: {
      'compresses to more': onMessage('context_compressed', (message) => {
        message.messages_after = message.messages_before
      }),
      'compresses in secret': repeatMessages('context_compressed', 0),
      'forgets summaries': onSuccessOf('GET /sessions/{session_id}/context', (json) => {
        for (const one of json.context) delete one.is_summary
      }),
    },
  },

  'compressed-count': {
    level: 'SHOULD',
    text: 'messages_after is the length of the context, and the next answer fills less of the window.',
    source: sources.open,
    basis: { because: 'The document does not specify the unit of the two numbers.' },
    covers: ['N-V12', 'N-B6'],
    tier: 'full',
    needs: ['flow:simple', 'flow:compression'],
    check: async (context) => {
      const { id, run, end, event } = await compressed(context)
      const { message_count } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
      assertAgree(
        { 'GET /sessions/{id}': message_count, context_compressed: event.messages_after },
        'the number of messages',
      )
      const next_ = parseEvent((await run(context.profile.phrase('hello'))).at(-1)!, 'stream_end')
      assert.ok(next_.context_tokens < end.context_tokens, 'the context is as full as before')
    },
    sabotage: {
      'counts other messages after compressing': onMessage('context_compressed', (message) => {
        message.messages_after++
        message.messages_before += 2
      }),
    },
  },

  recoverable: {
    level: 'MUST',
    text: 'After a recoverable error the run continues to its end.',
    source: sources.events,
    basis: { states: 'Some errors are recoverable, and the stream continues.' },
    covers: ['N-V13', 'N-A3'],
    tier: 'full',
    check: async (context) => {
      const events = await runOf(context, 'stumble')
      assert.ok(parseEventsOf(events, 'error').length > 0, 'prerequisite: the phrase "stumble" met no error')
      assert.equal(events.at(-1)!.type, 'stream_end', 'the last event')
    },
  },

  terminal: {
    level: 'MUST',
    text: 'A terminal error is the last event of its run, and the next message starts a new one.',
    source: sources.events,
    basis: { states: 'Errors that are not recoverable terminate the run.' },
    covers: ['N-V13', 'N-G5', 'N-A3', 'N-C12'],
    tier: 'full',
    check: async (context) => {
      const { socket, sendText, nextEvent, run } = await connect(context)
      sendText(context.profile.phrase('error'))
      const error = await nextEvent('error')
      await pause(300)
      assert.equal(socket.messages.at(-1), error, 'something follows a terminal error')
      await run(context.profile.phrase('hello'))
    },
  },
})

/** Ends the first of two tools only after the second one has ended. */
function startsTogether(): SabotageBehavior {
  return {
    changeMessages: () => {
      let held: JsonMessage | undefined
      return (message) => {
        if (message.type === 'tool_call' && held === undefined) {
          held = message
          return []
        }
        if (held === undefined || (message.type !== 'tool_call' && message.type !== 'stream_delta')) return [message]
        const first = held
        held = undefined
        return [first, message]
      }
    },
  }
}

/** Stops a run at a tool that failed. */
function failsAfterTool(): SabotageBehavior {
  return {
    changeMessages: () => {
      let failed = false
      return (message) => {
        if (message.type === 'tool_call' && message.success === false) failed = true
        return failed && message.type === 'stream_end' ? [{ type: 'stream_stopped' }] : [message]
      }
    },
  }
}

function early(): SabotageBehavior {
  return {
    changeMessages: () => {
      let held: Readonly<Record<string, unknown>> | undefined
      return (message) => {
        if (message.type === 'stream_delta') {
          const before = held
          held = message
          return before ? [before] : []
        }
        if (message.type === 'stream_end' && held) {
          const last = held
          held = undefined
          return [message, last]
        }
        return [message]
      }
    },
  }
}
