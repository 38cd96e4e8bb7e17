import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestContext } from '../../run/test-context.ts'
import { SETTLE_MS } from '../../windieos/driver.ts'
import { check } from '../check.ts'

const RATE = 16_000

/** A frame of audio: a hum of some length and loudness, from 0 to 1. */
function frame(ms: number, level: number): Buffer {
  const metadata = Buffer.from(JSON.stringify({ sampleRate: RATE }))
  const pcm = Buffer.alloc(Math.round((RATE * ms) / 1000) * 2)
  for (let at = 0; at < pcm.length / 2; at++)
    pcm.writeInt16LE(Math.round(32_767 * level * Math.sin((2 * Math.PI * 220 * at) / RATE)), at * 2)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(metadata.length)
  return Buffer.concat([head, metadata, pcm])
}

async function listen(context: TestContext) {
  const socket = await context.socket('/ws/transcription')
  await socket.until('status', (one) => one.type === 'status')
  socket.send({ type: 'set_langs', source_language: 'en', target_language: 'en' })
  return {
    socket,
    utter: async () => {
      const after = socket.messages.length
      for (let piece = 0; piece < 10; piece++) socket.sendRaw(frame(100, 0.4))
      for (let piece = 0; piece < 15; piece++) socket.sendRaw(frame(100, 0))
      await socket.until('utterance_end', (one) => one.type === 'utterance_end', { after })
      return socket.messages.slice(after)
    },
  }
}

check('windieos:transcription:status', async (context) => {
  const socket = await context.socket('/ws/transcription')
  const { client_id } = await socket.until('status', (one) => one.type === 'status')
  assert.match(String(client_id), /^[0-9a-f]{32}$/)
})

check('windieos:transcription:speech', async (context) => {
  const { utter } = await listen(context)
  const received = await utter()
  const realtime = received.filter((one) => one.type === 'realtime')
  assert.ok(realtime.length > 0, 'no text was transcribed')
  assert.deepEqual(
    realtime.map((one) => one.is_final),
    realtime.map((_, at) => at === realtime.length - 1),
    'only the last text is final',
  )
  assert.equal(received.at(-1)!.type, 'utterance_end')
})

check('windieos:transcription:over', async (context) => {
  const { socket, utter } = await listen(context)
  await utter()
  socket.send({ type: 'start_over' })
  await utter()
})

check(
  'windieos:transcription:malformed',
  async (context) => {
    const { socket } = await listen(context)
    for (const raw of ['{"type":', 'null', '{"type":"dance"}', '[]']) socket.sendRaw(raw)
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from([1, 2]),
      Buffer.from([255, 255, 255, 127, 1]),
      Buffer.from([2, 0, 0, 0, 1, 2]),
    ])
      socket.sendRaw(bytes)
    await pause(SETTLE_MS)
    assert.equal(socket.closed, undefined, 'the socket closed')
  },
  { pool: 'dangerous' },
)
