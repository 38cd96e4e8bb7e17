import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestContext } from '../../run/test-context.ts'
import { type Client, connect, parsePayload, parsePayloadsOf, SETTLE_MS } from '../../windieos/driver.ts'
import { check } from '../check.ts'

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

check('windieos:tool:call', async (context) => {
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
})

check('windieos:tool:inline', async (context) => {
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
})

/** A red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

check('windieos:tool:failure', async (context) => {
  const { client, id, call } = await called(context)
  client.send('tool-result', {
    request_id: call.request_id,
    success: false,
    data: { output: 'No such button.' },
    error: 'failed',
  })
  await ended(client, id)
})

check('windieos:tool:unknown', async (context) => {
  const client = await connect(context)
  client.send('tool-result', succeed(context.random.word(16)))
  await pause(SETTLE_MS)
  assert.ok(!client.socket.messages.some((one) => one.type === 'error'), 'an unknown request_id is an error')
  await client.runTurn(context.profile.phrase('hello'))
})

check('windieos:tool:backend', async (context) => {
  const client = await connect(context)
  const { events } = await client.runTurn(context.profile.phrase('backend-tool'))
  const outputs = parsePayloadsOf(events, 'tool-output')
  assert.ok(outputs.length > 0, 'no tool-output is shown')
  for (const one of outputs) assert.equal(one.success, true)
})

check('windieos:tool:bundle', async (context) => {
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
})

check('windieos:tool:only-bundle', async (context) => {
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
})
