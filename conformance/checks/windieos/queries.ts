import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { notOffered } from '../../probe/failure.ts'
import { flood } from '../../probe/flood.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import type { TestContext } from '../../run/test-context.ts'
import { connect, parsePayload, parsePayloadsOf, SETTLE_MS } from '../../windieos/driver.ts'
import { check } from '../check.ts'

const ask = async (context: TestContext, purpose: string) =>
  (await connect(context)).runTurn(context.profile.phrase(purpose))
const textOf = (events: readonly SocketMessage[]) =>
  parsePayloadsOf(events, 'streaming-response')
    .map((one) => one.text)
    .join('')

check('windieos:query:stream', async (context) => {
  const client = await connect(context)
  const { events, end } = await client.runTurn(context.profile.phrase('hello'))
  assert.equal(end.type, 'streaming-complete')
  assert.ok(textOf(events).length > 0, 'no text is streamed')
  await pause(SETTLE_MS)
  assert.equal(parsePayloadsOf(client.socket.messages, 'streaming-complete').length, 1)
})

check('windieos:query:transparency', async (context) => {
  const { events } = await ask(context, 'hello')
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
  assert.ok(parsePayloadsOf(events, 'user-message-full')[0]!.content.includes(context.profile.phrase('hello')))
})

check('windieos:query:whole', async (context) => {
  const { events } = await ask(context, 'hello')
  const [whole] = parsePayloadsOf(events, 'assistant-message-full')
  assert.equal(whole?.content, textOf(events))
})

/** Fails unless the events of a turn carry its identity and count from 1. */
function assertIdentity(id: string, conversation: string, events: readonly SocketMessage[]): void {
  for (const one of events) {
    assert.equal(one.conversation_ref, conversation, `${one.type} names another conversation`)
    assert.equal(one.turn_ref, id, `${one.type} names another turn`)
  }
  assert.deepEqual(
    events.map((one) => one.sequence),
    events.map((_, at) => at + 1),
    'the sequence has gaps',
  )
  assert.equal(new Set(events.map((one) => one.event_id)).size, events.length, 'an event_id repeats')
}

check('windieos:query:identity', async (context) => {
  const { id, conversation, events } = await ask(context, 'hello')
  assertIdentity(id, conversation, events)
})

check('windieos:query:second', async (context) => {
  const client = await connect(context)
  const first = await client.runTurn(context.profile.phrase('hello'))
  const second = await client.runTurn(context.profile.phrase('hello'), { conversation_ref: first.conversation })
  assertIdentity(second.id, second.conversation, second.events)
})

check('windieos:query:full', async (context) => {
  const client = await connect(context)
  const text = context.profile.phrase('hello')
  const { end } = await client.runTurn(text, {
    content: `<episodic_memory>\nNone\n</episodic_memory>\n<semantic_memory>\nNone\n</semantic_memory>\n<user_query>\n${text}\n</user_query>`,
    screenshot_refs: [],
    system_state_internal: { screen_resolution: '1920x1080' },
  })
  assert.equal(end.type, 'streaming-complete')
})

check('windieos:query:sdk-keys', async (context) => {
  const client = await connect(context)
  const { end } = await client.runTurn(context.profile.phrase('hello'), {
    query_context: { episodic: [], semantic: [] },
    revision_id: 'revision-1',
    workspace_path: '/absolute/workspace/path',
    repo_instruction_messages: [],
    client_prompt_layers: [],
    agent_definition: { version: 1 },
  })
  assert.equal(end.type, 'streaming-complete')
})

check('windieos:query:thought', async (context) => {
  const { events } = await ask(context, 'think')
  assert.ok(parsePayloadsOf(events, 'llm-thought').length > 0, 'no thought is shown')
})

check('windieos:query:tokens', async (context) => {
  const counts = parsePayloadsOf((await ask(context, 'hello')).events, 'token-count')
  assert.ok(counts.length > 0, 'no tokens are counted')
  for (const one of counts)
    assert.ok(one.output_tokens_total >= one.visible_output_tokens, 'visible output is left out')
})

check('windieos:query:token-sums', async (context) => {
  for (const one of parsePayloadsOf((await ask(context, 'hello')).events, 'token-count')) {
    assert.equal(one.output_tokens_total, one.visible_output_tokens + (one.thinking_tokens ?? 0))
    assert.equal(one.total_tokens, one.prompt_tokens + one.output_tokens_total)
  }
})

check('windieos:query:serial', async (context) => {
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
})

check('windieos:query:failure', async (context) => {
  const client = await connect(context)
  const { end } = await client.runTurn(context.profile.phrase('error'))
  parsePayload(end, 'error')
})

check('windieos:query:after-failure', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('error'))
  assert.equal((await client.runTurn(context.profile.phrase('hello'))).end.type, 'streaming-complete')
})

const CODES =
  /CONFIG_ERROR|LLM_(API_)?ERROR|LLM_RATE_LIMIT|TOOL_(EXECUTION|VALIDATION)_ERROR|TOOL_NOT_FOUND|MEMORY_(STORE_)?ERROR|EMBEDDING_ERROR|SESSION_ERROR|INPUT_SIZE_LIMIT_ERROR|PARSE_(TIMEOUT|VALIDATION)_ERROR/

check(
  'windieos:query:codes',
  async (context) => {
    const client = await connect(context)
    const { end } = await client.runTurn(context.profile.phrase('error'))
    client.send('query', {})
    client.send(context.random.word())
    await pause(500)
    const errors = client.socket.messages.filter((one) => one === end || one.type === 'error')
    for (const one of errors) assert.doesNotMatch(JSON.stringify(one.payload), CODES)
  },
  { pool: 'dangerous' },
)

check('windieos:query:side', async (context) => {
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
})

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

check(
  'windieos:query:slow',
  async (context) => {
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
  { timeoutMs: 60_000, pool: 'dangerous' },
)

check(
  'windieos:query:stalled',
  async (context) => {
    const { reading } = await stall(context)
    const other = await connect(context)
    await Promise.all([reading, other].map(({ runTurn }) => runTurn(context.profile.phrase('hello'))))
  },
  { timeoutMs: 60_000, pool: 'dangerous' },
)

check('windieos:query:accepted', async (context) => {
  const { events } = await ask(context, 'hello')
  assert.equal(events[0]?.type, 'query-accepted')
})

check('windieos:stop:query', async (context) => {
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
  assert.deepEqual(parsePayloadsOf(client.socket.messages, 'streaming-complete'), [])
})

check('windieos:stop:compact', async (context) => {
  const client = await connect(context)
  const { conversation } = await client.runTurn(context.profile.phrase('hello'))
  client.send('compact-history', { force: true, conversation_ref: conversation })
  await client.socket.until('the end of the compaction', (one) =>
    /^context-compaction-(completed|failed)$/.test(one.type),
  )
})

check('windieos:rehydrate:silent', async (context) => {
  const client = await connect(context)
  const conversation_ref = `conv-${context.random.word(12)}`
  const messages = [
    { role: 'user', content: 'Earlier prompt', message_type: 'user_query', screenshot_ref: 'gone.jpg' },
    { role: 'assistant', content: 'Earlier reply', message_type: 'assistant_response' },
  ]
  const id = client.send('rehydrate-conversation', { conversation_ref, messages, rehydrate_mode: 'replace' })
  const { end } = await client.runTurn(context.profile.phrase('hello'), { conversation_ref })
  assert.equal(end.type, 'streaming-complete')
  assert.ok(!client.socket.messages.some((one) => one.id === id), 'it is answered')
})

check(
  'windieos:rehydrate:failure',
  async (context) => {
    const client = await connect(context)
    const messages = [{ role: 'nobody', content: 7 }]
    const id = client.send('rehydrate-conversation', { conversation_ref: 'c', messages })
    parsePayload(await client.nextResponse(id, 'error'), 'error')
  },
  { pool: 'dangerous' },
)
