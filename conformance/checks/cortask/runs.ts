import assert from 'node:assert/strict'
import { parseJson } from '../../probe/failure.ts'
import type { Message } from '../../probe/websocket.ts'
import { check } from '../check.ts'
import { flood } from '../flood.ts'
import { connect, heard, read, settle } from './client.ts'

const ids = (events: readonly Message[], type: string) =>
  events.filter((one) => one.type === type).map((one) => String(one.toolCallId))

check('cortask:run:order', async (bench) => {
  const client = await connect(bench)
  await client.run(bench.profile.phrase('tool'))
  // That all of it names one session is for another check to say.
  const events = heard(client.socket)
  const [started, ended] = [ids(events, 'tool_call_start'), ids(events, 'tool_result')]
  assert.ok(started.length > 0, 'prerequisite: the phrase "tool" used no tool')
  assert.deepEqual([...ended].sort(), [...started].sort())
  for (const id of started) {
    const place = (type: string) => events.findIndex((one) => one.type === type && one.toolCallId === id)
    assert.ok(place('tool_call_start') < place('tool_result'), `the result of ${id} comes first`)
  }
  assert.equal(events.at(-1)!.type, 'done')
})

check('cortask:run:several-tools', async (bench) => {
  const client = await connect(bench)
  const events = await client.run(bench.profile.phrase('two-tools'))
  const started = ids(events, 'tool_call_start')
  assert.ok(started.length >= 2, 'prerequisite: the phrase "two-tools" used fewer than two')
  assert.deepEqual(ids(events, 'tool_result'), started)
})

check('cortask:run:arguments', async (bench) => {
  const client = await connect(bench)
  const events = await client.run(bench.profile.phrase('tool'))
  for (const one of events.filter((seen) => seen.type === 'tool_result')) {
    const { toolCallId, toolArgs } = read(one, 'tool_result')
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

check('cortask:run:ids', async (bench) => {
  const client = await connect(bench)
  const keys = [1, 2, 3].map(() => client.chat(bench.profile.phrase('permission')))
  await client.socket.until('three requests', () => requests().length >= 3)
  const asked = requests().map((one) => read(one, 'permission_request').requestId)
  for (const requestId of asked) client.socket.send({ type: 'permission_response', requestId, approved: true })
  for (const key of keys) await client.end(key)
  const calls = ids(client.socket.messages, 'tool_call_start')
  assert.equal(new Set(asked).size, asked.length, 'a requestId repeats')
  assert.equal(new Set(calls).size, calls.length, 'a toolCallId repeats')

  function requests() {
    return client.socket.messages.filter((one) => one.type === 'permission_request')
  }
})

check('cortask:run:failure', async (bench) => {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('error'))
  const end = await client.end(key)
  assert.equal(end.type, 'error')
})

check('cortask:run:failure-ends', async (bench) => {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('error'))
  const error = await client.next('error')
  await settle()
  assert.equal(client.of(key).at(-1), error, 'something follows the error')
})

check('cortask:run:parallel', async (bench) => {
  const client = await connect(bench)
  const phrases = ['hello', 'tool', 'hello', 'tool'].map((purpose) => bench.profile.phrase(purpose))
  const keys = phrases.map((phrase) => client.chat(phrase))
  for (const key of keys) assert.equal((await client.end(key)).type, 'done')
  for (const key of keys) {
    const mine = client.of(key)
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

const bytesOf = (events: readonly Message[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)
const textOf = (events: readonly Message[]) =>
  events.map((one) => (one.type === 'text_delta' ? read(one, 'text_delta').text : '')).join('')

check(
  'cortask:run:stalled',
  async (bench) => {
    const [reading, stalled] = [await connect(bench), await connect(bench)]
    const { socket } = stalled
    socket.pause()
    const keys: string[] = []
    const texts: string[] = []
    await flood(bench, async (text) => {
      keys.push(stalled.chat(text, { sessionKey: `stalled-${bench.random.word(12)}` }))
      const heard = await reading.run(text)
      texts.push(textOf(heard))
      return bytesOf(heard)
    })
    await reading.run(bench.profile.phrase('hello'))
    socket.resume()
    for (const [at, key] of keys.entries()) {
      const end = await stalled
        .end(key)
        .catch((error) => (socket.closed === undefined ? Promise.reject(error) : undefined))
      // A server may give up a client that does not read.
      if (end === undefined) return
      assert.equal(end.type, 'done')
      // Only an agent that repeats its input says the same twice.
      if (bench.profile.has('flood'))
        assert.equal(textOf(stalled.of(key)).length, texts[at]!.length, 'a piece is missing')
    }
  },
  { timeoutMs: 60_000, lane: 'dangerous' },
)

check('cortask:run:queue', async (bench) => {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('tool'))
  client.chat(bench.profile.phrase('hello'), { sessionKey: key })
  const first = await client.end(key)
  const place = client.socket.messages.indexOf(first) + 1
  const second = await client.end(key, place)
  assert.deepEqual([first.type, second.type], ['done', 'done'])
  const between = client.of(key)
  const calls = ids(between.slice(0, between.indexOf(first)), 'tool_call_start')
  assert.deepEqual(ids(between.slice(0, between.indexOf(first)), 'tool_result'), calls, 'the runs mix')
  assert.deepEqual(ids(between.slice(between.indexOf(first)), 'tool_call_start'), [], 'the runs mix')
})

check('cortask:run:scope', async (bench) => {
  const [asking, other] = [await connect(bench), await connect(bench)]
  await asking.run(bench.profile.phrase('tool'))
  await settle()
  assert.deepEqual(heard(other.socket), [])
})
