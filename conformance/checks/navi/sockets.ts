import assert from 'node:assert/strict'
import type { Message, Socket } from '../../probe/websocket.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { flood } from '../flood.ts'
import { messagesOf, only, read, settle, typesOf, visit } from './client.ts'

check('navi:socket:unknown', async (bench) => {
  const socket = await bench.socket(`/ws/sessions/${bench.random.word(16)}`)
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
  async (bench) => {
    const { socket, run, next } = await visit(bench)
    for (const [at, raw] of WRONG.entries()) {
      socket.sendRaw(raw)
      await next('error', at)
    }
    await settle()
    assert.deepEqual(
      typesOf(socket.messages).filter((type) => type !== 'error'),
      [],
      'a run began',
    )
    await run(bench.profile.phrase('hello'))
  },
  { lane: 'dangerous' },
)

check(
  'navi:socket:binary',
  async (bench) => {
    const { socket, next } = await visit(bench)
    socket.sendRaw(Buffer.from(JSON.stringify({ type: 'message', content: bench.profile.phrase('hello') })))
    await next('stream_end')
  },
  { lane: 'dangerous' },
)

check(
  'navi:socket:huge',
  async (bench) => {
    const { id, socket } = await visit(bench)
    socket.sendRaw(JSON.stringify({ type: 'message', content: 'A'.repeat(110 * 1024 * 1024) }))
    const code = await socket.closing(6000).catch(() => undefined)
    assert.ok(code === undefined || code === 1009, `the socket closes with ${code}`)
    await bench.http.post(`/sessions/${id}/stop`)
    const other = await visit(bench)
    await other.run(bench.profile.phrase('hello'))
  },
  { timeoutMs: 30_000, lane: 'dangerous' },
)

check(
  'navi:socket:stop',
  async (bench) => {
    const { socket, say, next, path } = await visit(bench)
    say(bench.profile.phrase('endless'))
    await next('stream_delta')
    socket.sendRaw('{"type":"stop"}')
    await settle(300)
    assert.ok(!typesOf(socket.messages).includes('stream_stopped'), 'the run stopped')
    await bench.http.post(`${path}/stop`)
  },
  { lane: 'dangerous' },
)

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

check('navi:socket:images', async (bench) => {
  const { id, run } = await visit(bench)
  await run(bench.profile.phrase('hello'), { images: [PIXEL, `data:image/png;base64,${PIXEL}`] })
  const asked = (await messagesOf(bench, id)).find((item) => item.role === 'user')
  assert.deepEqual(asked?.images, [PIXEL, PIXEL])
})

check('navi:socket:two', async (bench) => {
  const one = await visit(bench)
  const other = await visit(bench, one.id)
  await settle(50)
  const events = await one.run(bench.profile.phrase('hello'))
  await other.next('stream_end')
  assert.deepEqual(typesOf(other.socket.messages).slice(0, events.length), typesOf(events))
  const place = other.socket.messages.length
  await bench.http.post(`${one.path}/messages`, { content: bench.profile.phrase('hello') })
  await other.next('stream_end', place)
})

const bytesOf = (events: readonly Message[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)

/** Two sessions that receive the same; the socket of one has stopped reading while the agent said several megabytes. */
async function stall(bench: Bench) {
  const [reading, stalled] = [await visit(bench), await visit(bench)]
  stalled.socket.pause()
  await flood(bench, async (text) => {
    stalled.say(text)
    const bytes = bytesOf(await reading.run(text))
    // The other run ends about now; a message before that may be refused, which does no harm.
    await settle(100)
    return bytes
  })
  return { reading, stalled: stalled.socket }
}

const countOf = ({ messages }: Socket, type: string) => messages.filter((one) => one.type === type).length

/** Milliseconds in which a server gets rid of what it has kept for a reader. */
const CATCH_UP_MS = 15_000

check(
  'navi:socket:slow',
  async (bench) => {
    const { stalled } = await stall(bench)
    stalled.resume()
    const startedAt = performance.now()
    for (let heard = -1; heard !== stalled.messages.length || countOf(stalled, 'stream_end') === 0; await settle(500)) {
      // A server may close a socket that does not read.
      if (stalled.closed !== undefined || performance.now() - startedAt > CATCH_UP_MS) break
      heard = stalled.messages.length
    }
    if (stalled.closed === undefined)
      assert.equal(
        countOf(stalled, 'stream_end'),
        countOf(stalled, 'stream_start'),
        'a run has no end for whoever reads late',
      )
    let joined = ''
    for (const one of stalled.messages) {
      if (one.type === 'stream_start') joined = ''
      if (one.type === 'stream_delta') joined += read(one, 'stream_delta').delta
      if (one.type === 'stream_end') assert.ok(read(one, 'stream_end').content === joined, 'a delta is missing')
    }
  },
  { timeoutMs: 60_000, lane: 'dangerous' },
)

check(
  'navi:socket:stalled',
  async (bench) => {
    const { reading } = await stall(bench)
    const other = await visit(bench)
    await Promise.all([reading, other].map(({ run }) => run(bench.profile.phrase('hello'))))
  },
  { timeoutMs: 60_000, lane: 'dangerous' },
)

check('navi:socket:busy', async (bench) => {
  const { id, socket, say, next, path } = await visit(bench)
  say(bench.profile.phrase('endless'))
  await next('stream_delta')
  const hello = bench.profile.phrase('hello')
  say(hello)
  await settle(300)
  const types = typesOf(socket.messages)
  assert.equal(types.filter((type) => type === 'stream_start').length, 1, 'a second run began within the first')
  assert.ok(!types.includes('stream_end') && !types.includes('stream_stopped'), 'the run ended')
  await bench.http.post(`${path}/stop`)
  await next('stream_stopped')
  assert.ok((await messagesOf(bench, id)).length > 0)
})

check(
  'navi:socket:reconnect',
  async (bench) => {
    const first = await visit(bench)
    first.say(bench.profile.phrase('slow'))
    await first.next('stream_delta')
    // After a whole closing handshake nothing that was sent to this socket is still on its way.
    first.socket.close()
    await first.socket.closing()
    const heard = only(first.socket.messages, 'stream_delta')
      .map((one) => one.delta)
      .join('')
    await settle(150)
    const again = await visit(bench, first.id)
    const ended = await again.socket.until('the end of the run', (one) => one.type === 'stream_end', {
      timeoutMs: 20_000,
    })
    const [end] = only([ended], 'stream_end')
    const rest = only(again.socket.messages, 'stream_delta')
      .map((one) => one.delta)
      .join('')
    const whole = end!.content
    assert.ok(rest.length > 0, 'nothing of the missed events came')
    assert.ok(whole.endsWith(rest), 'what came after the reconnect is not the rest of the answer')
    assert.ok(heard.length + rest.length >= whole.length, 'a piece between the two sockets is missing')
  },
  { timeoutMs: 40_000 },
)

check('navi:socket:missed-end', async (bench) => {
  const first = await visit(bench)
  first.say(bench.profile.phrase('hello'))
  await first.next('stream_start')
  first.socket.close()
  await first.socket.closing()
  await settle(500)
  const again = await visit(bench, first.id)
  const end = await again.socket
    .until('stream_end', (one) => one.type === 'stream_end', { timeoutMs: 1500 })
    .catch(() => undefined)
  const last = (await messagesOf(bench, first.id)).at(-1)
  assert.ok(end !== undefined || last?.role === 'assistant', 'the answer is neither told nor shown')
})
