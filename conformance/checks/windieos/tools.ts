import assert from 'node:assert/strict'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { type Client, connect, only, read, settle } from './client.ts'

/** A turn that waits for a tool of the client. */
async function called(bench: Bench) {
  const client = await connect(bench)
  const id = client.say('query', {
    text: bench.profile.phrase('client-tool'),
    conversation_ref: `conv-${bench.random.word(12)}`,
  })
  const call = read(await client.next('tool-call'), 'tool-call')
  return { client, id, call }
}

const ended = (client: Client, id: string) =>
  client.socket.until('the end of the turn', (one) => one.type === 'streaming-complete' && (one.turn_ref ?? id) === id)

const succeed = (request_id: string, output = 'Done.') => ({ request_id, success: true, data: { output }, error: null })

check('windieos:tool:call', async (bench) => {
  const { client, id, call } = await called(bench)
  await settle()
  assert.deepEqual(only(client.socket.messages, 'streaming-complete'), [], 'the turn does not wait')
  client.say('tool-result', {
    ...succeed(call.request_id),
    data: {
      output: 'Done.',
      capture_meta: { frame_id: 'frame-1' },
      system_state: { active_window: 'Browser', mouse_position: '(1, 2)' },
    },
  })
  await ended(client, id)
})

check('windieos:tool:inline', async (bench) => {
  const { client, id, call } = await called(bench)
  client.say('tool-result', {
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

check('windieos:tool:failure', async (bench) => {
  const { client, id, call } = await called(bench)
  client.say('tool-result', {
    request_id: call.request_id,
    success: false,
    data: { output: 'No such button.' },
    error: 'failed',
  })
  await ended(client, id)
})

check('windieos:tool:unknown', async (bench) => {
  const client = await connect(bench)
  client.say('tool-result', succeed(bench.random.word(16)))
  await settle()
  assert.ok(!client.socket.messages.some((one) => one.type === 'error'), 'an unknown request_id is an error')
  await client.turn(bench.profile.phrase('hello'))
})

check('windieos:tool:backend', async (bench) => {
  const client = await connect(bench)
  const { events } = await client.turn(bench.profile.phrase('backend-tool'))
  const outputs = only(events, 'tool-output')
  assert.ok(outputs.length > 0, 'no tool-output is shown')
  for (const one of outputs) assert.equal(one.success, true)
})

check('windieos:tool:bundle', async (bench) => {
  const client = await connect(bench)
  const id = client.say('query', {
    text: bench.profile.phrase('client-tools'),
    conversation_ref: `conv-${bench.random.word(12)}`,
  })
  const { bundle_id, tools } = read(await client.next('tool-bundle'), 'tool-bundle')
  assert.ok(tools.length >= 2, `a bundle of ${tools.length}`)
  const step_results = tools.map(({ name }) => ({
    tool: name,
    status: 'ok',
    output: { stdout: 'line', exit_code: 0 },
    more: 1,
  }))
  client.say('tool-bundle-result', { bundle_id, status: 'success', step_results, error: null })
  await ended(client, id)
})

check('windieos:tool:only-bundle', async (bench) => {
  const client = await connect(bench)
  const conversation_ref = `conv-${bench.random.word(12)}`
  client.say('query', { text: bench.profile.phrase('client-tools'), conversation_ref })
  const bundle = await client.next('tool-bundle')
  await settle()
  const others = client.socket.messages.filter(
    (one) => one !== bundle && /^(tool-bundle|bundle|tool-call)/.test(one.type),
  )
  assert.deepEqual(
    others.map((one) => one.type),
    [],
    'a bundle is one message',
  )
})
