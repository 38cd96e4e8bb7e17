import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { onMessage, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { type Client, connect, parsePayload, parsePayloadsOf, SETTLE_MS } from '../driver.ts'
import { refuseMessages } from '../sabotage.ts'

/** A turn that waits for a tool of the client. */
async function called(context: TestContext) {
  const client = await connect(context)
  const id = client.send('query', {
    text: context.profile.phrase('client-tool'),
    conversation_ref: `conv-${context.random.word(12)}`,
  })
  const call = parsePayload(await client.nextMessage('tool-call'), 'tool-call')
  return { client, id, call }
}

const ended = (client: Client, id: string) =>
  client.socket.until('the end of the turn', (one) => one.type === 'streaming-complete' && (one.turn_ref ?? id) === id)

const succeed = (request_id: string, output = 'Done.') => ({ request_id, success: true, data: { output }, error: null })

/** A red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

/** Tools that run at the client. */
export const toolRules = defineRules('tool', ['query:stream'], {
  call: {
    level: 'MUST',
    text: 'A tool-call waits for the tool-result with its request_id, and the turn continues with it.',
    source: sources.tools,
    basis: { states: 'tool-result echoes the request_id of its tool-call.' },
    covers: ['S03', 'C06'],
    tier: 'full',
    check: async (context) => {
      const { client, id, call } = await called(context)
      await pause(SETTLE_MS)
      assert.deepEqual(parsePayloadsOf(client.socket.messages, 'streaming-complete'), [], 'the turn does not wait')
      client.send('tool-result', {
        ...succeed(call.request_id),
        data: {
          output: 'Done.',
          capture_meta: { frame_id: 'frame-1' },
          system_state: { active_window: 'Browser', mouse_position: '(1, 2)' },
        },
      })
      await ended(client, id)
    },
    sabotage: {
      'never calls': repeatMessages('tool-call', 0),
      'calls under another id': onMessage('tool-call', (message) => {
        message.payload.request_id = 'other'
      }),
    },
  },

  inline: {
    level: 'MUST',
    text: 'A tool-result may bring its screenshot inline, and fields for the backend only.',
    source: sources.tools,
    basis: { states: 'screenshot, system_state and system_state_internal are optional in the data of a tool-result.' },
    covers: ['C06', 'A10'],
    tier: 'full',
    check: async (context) => {
      const { client, id, call } = await called(context)
      client.send('tool-result', {
        ...succeed(call.request_id),
        data: {
          output: 'Done.',
          screenshot: PIXEL,
          system_state: { active_window: 'Browser', mouse_position: '(1, 2)' },
          system_state_internal: { active_window: 'Browser', mouse_position: '(1, 2)', screen_resolution: '1x1' },
        },
      })
      await ended(client, id)
    },
    sabotage: {
      'takes no inline screenshots': refuseMessages(
        ({ type, payload }) => type === 'tool-result' && payload?.data?.screenshot !== undefined,
      ),
    },
  },

  shown: {
    level: 'MAY',
    text: 'A tool that ran at the client is shown with tool-output.',
    source: sources.tools,
    basis: { because: 'The document lists tool-output among the answers to a query, and not for which tools.' },
    covers: ['A12'],
    unchecked: 'a backend may show them or not',
  },

  failure: {
    level: 'SHOULD',
    text: 'A tool that failed does not end the turn.',
    source: sources.tools,
    basis: { because: 'tool-result has success and error; the document does not specify how the turn continues.' },
    covers: ['C06', 'E05'],
    tier: 'full',
    check: async (context) => {
      const { client, id, call } = await called(context)
      client.send('tool-result', {
        request_id: call.request_id,
        success: false,
        data: { output: 'No such button.' },
        error: 'failed',
      })
      await ended(client, id)
    },
    sabotage: {
      'gives up when a tool fails': refuseMessages(
        ({ type, payload }) => type === 'tool-result' && payload?.success === false,
      ),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'A result for an unknown request, or a second result, has no effect.',
    source: sources.tools,
    basis: { because: 'The document requires the request_id of the call, but does not specify the effect of others.' },
    covers: ['C06', 'A44'],
    check: async (context) => {
      const client = await connect(context)
      client.send('tool-result', succeed(context.random.word(16)))
      await pause(SETTLE_MS)
      assert.ok(!client.socket.messages.some((one) => one.type === 'error'), 'an unknown request_id is an error')
      await client.runTurn(context.profile.phrase('hello'))
    },
    sabotage: {
      'complains of unknown results': refuseMessages(
        ({ type, payload }) => type === 'tool-result' && /^[a-z]{16}$/.test(payload?.request_id),
      ),
    },
  },

  backend: {
    level: 'MUST',
    text: 'A tool that runs in the backend is shown with tool-output.',
    source: sources.tools,
    basis: { states: 'tool-output carries the result of a tool that the backend ran.' },
    covers: ['S04'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const { events } = await client.runTurn(context.profile.phrase('backend-tool'))
      const outputs = parsePayloadsOf(events, 'tool-output')
      assert.ok(outputs.length > 0, 'no tool-output is shown')
      for (const one of outputs) assert.equal(one.success, true, 'success')
    },
    sabotage: {
      'hides what its tools say': repeatMessages('tool-output', 0),
      'calls its tools failed': onMessage('tool-output', (message) => {
        message.payload.success = false
      }),
    },
  },

  bundle: {
    level: 'MUST',
    text: 'A tool-bundle is answered by one tool-bundle-result with its bundle_id.',
    source: sources.tools,
    basis: { states: 'A tool-bundle is answered by one tool-bundle-result with its bundle_id.' },
    covers: ['S11', 'C07'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const id = client.send('query', {
        text: context.profile.phrase('client-tools'),
        conversation_ref: `conv-${context.random.word(12)}`,
      })
      const { bundle_id, tools } = parsePayload(await client.nextMessage('tool-bundle'), 'tool-bundle')
      assert.ok(tools.length >= 2, `a bundle of ${tools.length}`)
      const step_results = tools.map(({ name }) => ({
        tool: name,
        status: 'ok',
        output: { stdout: 'line', exit_code: 0 },
        more: 1,
      }))
      client.send('tool-bundle-result', { bundle_id, status: 'success', step_results, error: null })
      await ended(client, id)
    },
    sabotage: {
      'bundles one tool': onMessage('tool-bundle', (message) => {
        message.payload.tools.length = 1
      }),
    },
  },

  'only-bundle': {
    level: 'SHOULD',
    text: 'A bundle is one message, without a start, an end or calls.',
    source: sources.tools,
    basis: { because: 'The document calls it a replacement of three kinds of messages.' },
    covers: ['A13', 'S11'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const conversation_ref = `conv-${context.random.word(12)}`
      client.send('query', { text: context.profile.phrase('client-tools'), conversation_ref })
      const bundle = await client.nextMessage('tool-bundle')
      await pause(SETTLE_MS)
      const others = client.socket.messages.filter(
        (one) => one !== bundle && /^(tool-bundle|bundle|tool-call)/.test(one.type),
      )
      assert.deepEqual(
        others.map((one) => one.type),
        [],
        'a bundle is one message',
      )
    },
    sabotage: {
      'calls each tool of a bundle too': {
        changeMessages: () => (message) =>
          message.type === 'tool-bundle'
            ? [message, { ...message, type: 'tool-call', payload: { tool_name: 'a', parameters: {}, request_id: 'r' } }]
            : [message],
      },
    },
  },
})
