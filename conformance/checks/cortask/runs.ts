import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, ownMessages, parseEvent, SETTLE_MS } from '../../cortask/driver.ts'
import { parseJson } from '../../probe/failure.ts'
import { flood } from '../../probe/flood.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import { check } from '../check.ts'

const ids = (events: readonly SocketMessage[], type: string) =>
  events.filter((one) => one.type === type).map((one) => String(one.toolCallId))

check('cortask:run:order', async (context) => {
  const client = await connect(context)
  await client.run(context.profile.phrase('tool'))
  // Another check tests that all events name one session.
  const events = ownMessages(client.socket)
  const [started, ended] = [ids(events, 'tool_call_start'), ids(events, 'tool_result')]
  assert.ok(started.length > 0, 'prerequisite: the phrase "tool" used no tool')
  assert.deepEqual([...ended].sort(), [...started].sort())
  for (const id of started) {
    const place = (type: string) => events.findIndex((one) => one.type === type && one.toolCallId === id)
    assert.ok(place('tool_call_start') < place('tool_result'), `the result of ${id} comes first`)
  }
  assert.equal(events.at(-1)!.type, 'done')
})

check('cortask:run:several-tools', async (context) => {
  const client = await connect(context)
  const events = await client.run(context.profile.phrase('two-tools'))
  const started = ids(events, 'tool_call_start')
  assert.ok(started.length >= 2, 'prerequisite: the phrase "two-tools" used fewer than two')
  assert.deepEqual(ids(events, 'tool_result'), started)
})

check('cortask:run:arguments', async (context) => {
  const client = await connect(context)
  const events = await client.run(context.profile.phrase('tool'))
  for (const one of events.filter((seen) => seen.type === 'tool_result')) {
    const { toolCallId, toolArgs } = parseEvent(one, 'tool_result')
    const mine = events.filter((seen) => seen.toolCallId === toolCallId)
    const deltas = mine.filter((seen) => seen.type === 'tool_call_delta')
    assert.ok(deltas.length > 0, `no tool_call_delta names ${toolCallId}`)
    const text = deltas.map((seen) => String(seen.text)).join('')
    assert.deepEqual(parseJson(text, `the text of the deltas of ${toolCallId}`), toolArgs)
    const order = mine.map((seen) => seen.type)
    assert.equal(order[0], 'tool_call_start')
    assert.ok(
      order.lastIndexOf('tool_call_delta') < order.indexOf('tool_call_end'),
      `tool_call_end is misplaced: ${order}`,
    )
    assert.ok(order.indexOf('tool_call_end') < order.indexOf('tool_result'))
  }
})

check('cortask:run:ids', async (context) => {
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
})

check('cortask:run:failure', async (context) => {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('error'))
  const end = await client.end(key)
  assert.equal(end.type, 'error')
})

check('cortask:run:failure-ends', async (context) => {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('error'))
  const error = await client.nextEvent('error')
  await pause(SETTLE_MS)
  assert.equal(client.eventsOf(key).at(-1), error, 'something follows the error')
})

check('cortask:run:parallel', async (context) => {
  const client = await connect(context)
  const phrases = ['hello', 'tool', 'hello', 'tool'].map((purpose) => context.profile.phrase(purpose))
  const keys = phrases.map((phrase) => client.chat(phrase))
  for (const key of keys) assert.equal((await client.end(key)).type, 'done')
  for (const key of keys) {
    const mine = client.eventsOf(key)
    assert.ok(
      mine.some((one) => one.type === 'text_delta'),
      `${key} got no answer`,
    )
    assert.equal(mine.at(-1)!.type, 'done', `something follows the done of ${key}`)
    assert.deepEqual(
      [...ids(mine, 'tool_result')].sort(),
      [...ids(mine, 'tool_call_start')].sort(),
      `the tools of ${key} end in another session`,
    )
  }
})

const bytesOf = (events: readonly SocketMessage[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)
const textOf = (events: readonly SocketMessage[]) =>
  events.map((one) => (one.type === 'text_delta' ? parseEvent(one, 'text_delta').text : '')).join('')

check(
  'cortask:run:stalled',
  async (context) => {
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
      assert.equal(end.type, 'done')
      // Only an agent that repeats its input sends the same text twice.
      if (context.profile.has('flood'))
        assert.equal(textOf(stalled.eventsOf(key)).length, texts[at]!.length, 'a piece is missing')
    }
  },
  { timeoutMs: 60_000, pool: 'dangerous' },
)

check('cortask:run:queue', async (context) => {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('tool'))
  client.chat(context.profile.phrase('hello'), { sessionKey: key })
  const first = await client.end(key)
  const place = client.socket.messages.indexOf(first) + 1
  const second = await client.end(key, place)
  assert.deepEqual([first.type, second.type], ['done', 'done'])
  const between = client.eventsOf(key)
  const calls = ids(between.slice(0, between.indexOf(first)), 'tool_call_start')
  assert.deepEqual(ids(between.slice(0, between.indexOf(first)), 'tool_result'), calls, 'the runs mix')
  assert.deepEqual(ids(between.slice(between.indexOf(first)), 'tool_call_start'), [], 'the runs mix')
})

check('cortask:run:scope', async (context) => {
  const [asking, other] = [await connect(context), await connect(context)]
  await asking.run(context.profile.phrase('tool'))
  await pause(SETTLE_MS)
  assert.deepEqual(ownMessages(other.socket), [])
})
