import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { closeOnFrame, onMessage, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { SETTLE_MS } from '../driver.ts'

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

/** Transcription of speech. */
export const transcriptionRules = defineRules('transcription', {
  status: {
    level: 'MUST',
    text: 'The transcription socket accepts without a handshake and reports the id of the client.',
    source: sources.transcription,
    basis: { states: 'There is no handshake, and status has a client_id.' },
    covers: ['W02', 'T01', 'T05'],
    check: async (context) => {
      const socket = await context.socket('/ws/transcription')
      const { client_id } = await socket.until('status', (one) => one.type === 'status')
      assert.match(String(client_id), /^[0-9a-f]{32}$/)
    },
    sabotage: {
      'knows everybody by one id': onMessage('status', (message) => {
        message.client_id = 'client'
      }),
    },
  },

  speech: {
    level: 'SHOULD',
    text: 'Speech produces realtime text, then a final text and utterance_end.',
    source: sources.transcription,
    basis: { because: 'The document does not specify what audio counts as speech; the suite hums.' },
    covers: ['T02', 'T04', 'T06', 'T07'],
    tier: 'full',
    check: async (context) => {
      const { utter } = await listen(context)
      const received = await utter()
      const realtime = received.filter((one) => one.type === 'realtime')
      assert.ok(realtime.length > 0, 'no text was transcribed')
      assert.deepEqual(
        realtime.map((one) => one.is_final),
        realtime.map((_, at) => at === realtime.length - 1),
        'only the last text is final',
      )
      assert.equal(received.at(-1)!.type, 'utterance_end', 'the last event')
    },
    sabotage: {
      'hears without an end': repeatMessages('utterance_end', 0),
      'is never final': onMessage('realtime', (message) => {
        message.is_final = false
      }),
    },
  },

  over: {
    level: 'SHOULD',
    text: 'start_over starts a new utterance.',
    source: sources.transcription,
    basis: { because: 'start_over is listed as a control message, without its effect.' },
    covers: ['T03'],
    tier: 'full',
    check: async (context) => {
      const { socket, utter } = await listen(context)
      await utter()
      socket.send({ type: 'start_over' })
      await utter()
    },
    sabotage: {
      'is over after starting over': closeOnFrame(1000, (_, message) => message?.type === 'start_over'),
    },
  },

  malformed: {
    level: 'SHOULD',
    text: 'Control messages and audio frames that make no sense leave the socket open.',
    source: sources.transcription,
    basis: { because: 'The document does not specify the response to malformed frames.' },
    covers: ['T08', 'T04'],
    pool: 'dangerous',
    check: async (context) => {
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
    sabotage: {
      'hangs up at frames without sense': closeOnFrame(1003, ({ data, binary }) => binary && data.length < 10),
    },
  },
})
