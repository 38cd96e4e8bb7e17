import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, getMessages, parseEvent, parseEventsOf, SETTLE_MS, typesOf } from '../../navi/driver.ts'
import { flood } from '../../probe/flood.ts'
import type { Socket, SocketMessage } from '../../probe/websocket.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

check('navi:socket:unknown', async (context) => {
  const socket = await context.socket(`/ws/sessions/${context.random.word(16)}`)
  assert.equal(await socket.closing(), 4004)
})

const WRONG = [
  '{"type":',
  'null',
  '[]',
  '7',
  '{}',
  '{"type":"dance"}',
  '{"type":"message"}',
  '{"type":"message","content":""}',
  '{"type":"message","content":7}',
  '{"type":"message","content":"hi","images":"x"}',
]

check(
  'navi:socket:malformed',
  async (context) => {
    const { socket, run, nextEvent } = await connect(context)
    for (const [at, raw] of WRONG.entries()) {
      socket.sendRaw(raw)
      await nextEvent('error', at)
    }
    await pause(SETTLE_MS)
    assert.deepEqual(
      typesOf(socket.messages).filter((type) => type !== 'error'),
      [],
      'a run began',
    )
    await run(context.profile.phrase('hello'))
  },
  { pool: 'dangerous' },
)

check(
  'navi:socket:binary',
  async (context) => {
    const { socket, nextEvent } = await connect(context)
    socket.sendRaw(Buffer.from(JSON.stringify({ type: 'message', content: context.profile.phrase('hello') })))
    await nextEvent('stream_end')
  },
  { pool: 'dangerous' },
)

check(
  'navi:socket:huge',
  async (context) => {
    const { id, socket } = await connect(context)
    socket.sendRaw(JSON.stringify({ type: 'message', content: 'A'.repeat(110 * 1024 * 1024) }))
    const code = await socket.closing(6000).catch(() => undefined)
    assert.ok(code === undefined || code === 1009, `the socket closes with ${code}`)
    await context.http.post(`/sessions/${id}/stop`)
    const other = await connect(context)
    await other.run(context.profile.phrase('hello'))
  },
  { timeoutMs: 30_000, pool: 'dangerous' },
)

check(
  'navi:socket:stop',
  async (context) => {
    const { socket, sendText, nextEvent, path } = await connect(context)
    sendText(context.profile.phrase('endless'))
    await nextEvent('stream_delta')
    socket.sendRaw('{"type":"stop"}')
    await pause(300)
    assert.ok(!typesOf(socket.messages).includes('stream_stopped'), 'the run stopped')
    await context.http.post(`${path}/stop`)
  },
  { pool: 'dangerous' },
)

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

check('navi:socket:images', async (context) => {
  const { id, run } = await connect(context)
  await run(context.profile.phrase('hello'), { images: [PIXEL, `data:image/png;base64,${PIXEL}`] })
  const asked = (await getMessages(context, id)).find((item) => item.role === 'user')
  assert.deepEqual(asked?.images, [PIXEL, PIXEL])
})

check('navi:socket:two', async (context) => {
  const one = await connect(context)
  const other = await connect(context, one.id)
  await pause(50)
  const events = await one.run(context.profile.phrase('hello'))
  await other.nextEvent('stream_end')
  assert.deepEqual(typesOf(other.socket.messages).slice(0, events.length), typesOf(events))
  const place = other.socket.messages.length
  await context.http.post(`${one.path}/messages`, { content: context.profile.phrase('hello') })
  await other.nextEvent('stream_end', place)
})

const bytesOf = (events: readonly SocketMessage[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)

/** Two sessions with the same messages; the socket of one stopped reading while the agent sent several megabytes. */
async function stall(context: TestContext) {
  const [reading, stalled] = [await connect(context), await connect(context)]
  stalled.socket.pause()
  await flood(context, async (text) => {
    stalled.sendText(text)
    const bytes = bytesOf(await reading.run(text))
    // The other run ends about now; the server may refuse an earlier message, which is harmless.
    await pause(100)
    return bytes
  })
  return { reading, stalled: stalled.socket }
}

const countOf = ({ messages }: Socket, type: string) => messages.filter((one) => one.type === type).length

/** Milliseconds in which a server delivers its pending data to a reader. */
const CATCH_UP_MS = 15_000

check(
  'navi:socket:slow',
  async (context) => {
    const { stalled } = await stall(context)
    stalled.resume()
    const startedAt = performance.now()
    for (
      let received = -1;
      received !== stalled.messages.length || countOf(stalled, 'stream_end') === 0;
      await pause(500)
    ) {
      // A server may close a socket whose client does not read.
      if (stalled.closed !== undefined || performance.now() - startedAt > CATCH_UP_MS) break
      received = stalled.messages.length
    }
    if (stalled.closed === undefined)
      assert.equal(
        countOf(stalled, 'stream_end'),
        countOf(stalled, 'stream_start'),
        'a late reader does not receive the end of a run',
      )
    let joined = ''
    for (const one of stalled.messages) {
      if (one.type === 'stream_start') joined = ''
      if (one.type === 'stream_delta') joined += parseEvent(one, 'stream_delta').delta
      if (one.type === 'stream_end') assert.ok(parseEvent(one, 'stream_end').content === joined, 'a delta is missing')
    }
  },
  { timeoutMs: 60_000, pool: 'dangerous' },
)

check(
  'navi:socket:stalled',
  async (context) => {
    const { reading } = await stall(context)
    const other = await connect(context)
    await Promise.all([reading, other].map(({ run }) => run(context.profile.phrase('hello'))))
  },
  { timeoutMs: 60_000, pool: 'dangerous' },
)

check('navi:socket:busy', async (context) => {
  const { id, socket, sendText, nextEvent, path } = await connect(context)
  sendText(context.profile.phrase('endless'))
  await nextEvent('stream_delta')
  const hello = context.profile.phrase('hello')
  sendText(hello)
  await pause(300)
  const types = typesOf(socket.messages)
  assert.equal(types.filter((type) => type === 'stream_start').length, 1, 'a second run began within the first')
  assert.ok(!types.includes('stream_end') && !types.includes('stream_stopped'), 'the run ended')
  await context.http.post(`${path}/stop`)
  await nextEvent('stream_stopped')
  assert.ok((await getMessages(context, id)).length > 0)
})

check(
  'navi:socket:reconnect',
  async (context) => {
    const first = await connect(context)
    first.sendText(context.profile.phrase('slow'))
    await first.nextEvent('stream_delta')
    // After a complete closing handshake, no message to this socket is in transit.
    first.socket.close()
    await first.socket.closing()
    const received = parseEventsOf(first.socket.messages, 'stream_delta')
      .map((one) => one.delta)
      .join('')
    await pause(150)
    const again = await connect(context, first.id)
    const ended = await again.socket.until('the end of the run', (one) => one.type === 'stream_end', {
      timeoutMs: 20_000,
    })
    const [end] = parseEventsOf([ended], 'stream_end')
    const rest = parseEventsOf(again.socket.messages, 'stream_delta')
      .map((one) => one.delta)
      .join('')
    const whole = end!.content
    assert.ok(rest.length > 0, 'no missed event arrived')
    assert.ok(whole.endsWith(rest), 'what came after the reconnect is not the rest of the answer')
    assert.ok(received.length + rest.length >= whole.length, 'a piece between the two sockets is missing')
  },
  { timeoutMs: 40_000 },
)

check('navi:socket:missed-end', async (context) => {
  const first = await connect(context)
  first.sendText(context.profile.phrase('hello'))
  await first.nextEvent('stream_start')
  first.socket.close()
  await first.socket.closing()
  await pause(500)
  const again = await connect(context, first.id)
  const end = await again.socket
    .until('stream_end', (one) => one.type === 'stream_end', { timeoutMs: 1500 })
    .catch(() => undefined)
  const last = (await getMessages(context, first.id)).at(-1)
  assert.ok(end !== undefined || last?.role === 'assistant', 'the answer is neither sent nor in the session')
})
