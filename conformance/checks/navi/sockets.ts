import assert from 'node:assert/strict'
import { check } from '../../check.ts'
import { messagesOf, only, settle, typesOf, visit } from './visitor.ts'

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
