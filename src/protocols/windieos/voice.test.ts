import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { connectSocket } from '../../../test/support/protocols/socket-client.ts'
import { startWindieos } from '../../../test/support/protocols/windieos.ts'
import type { SpeechSynthesizer } from '../../perception/perception.ts'
import { Transcribed } from './transcription.ts'
import type { Outgoing } from './wire.ts'

// Facts such as [I-T01] are listed in facts.ts.

afterEach(cleanUp)

const RATE = 16_000

/** A frame as the clients make it: a hum of some length, or silence. */
function frame(ms: number, level: number): Buffer {
  const metadata = Buffer.from(JSON.stringify({ sampleRate: RATE }))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(metadata.length)
  const pcm = Buffer.alloc(Math.round((RATE * ms) / 1000) * 2)
  for (let at = 0; at < pcm.length / 2; at++)
    pcm.writeInt16LE(Math.round(32_767 * level * Math.sin((2 * Math.PI * 220 * at) / RATE)), at * 2)
  return Buffer.concat([head, metadata, pcm])
}

async function speaker(options: Parameters<typeof startWindieos>[0] = {}) {
  const { url, logged } = await startWindieos(options)
  const client = await connectSocket(url, '/ws/transcription', Transcribed)
  onCleanup(() => client.socket.terminate())
  return { ...client, logged, sound: (bytes: Buffer) => client.socket.send(bytes) }
}

describe('transcription', () => {
  it('[I-W02] [I-T01] [I-T05] sends the client id on connection', async () => {
    const { until } = await speaker()
    expect(await until('status')).toEqual({ type: 'status', client_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
  })

  it('[I-T02] [I-T04] [I-T06] [I-T07] transcribes speech and marks the end of utterances', async () => {
    const { send, sound, until, received } = await speaker()
    send({ type: 'set_langs', source_language: 'en', target_language: 'en' })
    sound(frame(900, 0.3))
    sound(frame(800, 0))
    await until('utterance_end')
    expect(received.slice(1)).toEqual([
      { type: 'realtime', text: 'open', is_final: false },
      { type: 'realtime', text: 'open the', is_final: false },
      { type: 'realtime', text: 'open the last', is_final: false },
      { type: 'realtime', text: 'open the last invoice', is_final: true },
      { type: 'utterance_end' },
    ])
  })

  it('[I-T03] starts over on request', async () => {
    const { send, sound, until, received } = await speaker()
    sound(frame(200, 0.3))
    send({ type: 'start_over' })
    sound(frame(800, 0))
    sound(frame(400, 0.3))
    sound(frame(800, 0))
    await until('utterance_end')
    expect(received.map(({ type }) => type)).toEqual(['status', 'realtime', 'realtime', 'utterance_end'])
  })

  it('[I-T08] ignores unusable frames and stays open', async () => {
    const { send, sound, until, logged } = await speaker()
    send('{')
    send({ type: 'dance' })
    sound(Buffer.from([1, 2]))
    sound(Buffer.from([255, 255, 255, 255, 0, 0]))
    sound(Buffer.concat([frame(10, 0), Buffer.from([1])]))
    sound(Buffer.from([2, 0, 0, 0, 0x7b, 0x7d, 0, 0]))
    sound(frame(900, 0.3))
    expect((await until('realtime')).type).toBe('realtime')
    expect(logged).toEqual(Array.from({ length: 6 }, () => 'PARSE_VALIDATION_ERROR'))
  })

  it('[I-T08] reports a failing provider', async () => {
    const { sound, until } = await speaker({
      transcriber: {
        name: 'broken',
        listen: (_languages, hear) => {
          hear({ type: 'broken', message: 'the transcriber cannot be reached' })
          return { write: () => {}, reset: () => {}, close: () => {} }
        },
      },
    })
    sound(frame(10, 0.3))
    expect(await until('error')).toEqual({ type: 'error', message: 'the transcriber cannot be reached' })
  })
})

describe('speech', () => {
  it('[I-C08] [I-S12] [I-S13] greets after the wake word', async () => {
    const { client } = await startWindieos()
    const { sendMessage, next, reply, received } = await client()
    const activated = await reply(sendMessage('wakeword-detected'))
    await next('wakeword-greeting')
    await reply(sendMessage('list-models'))
    expect([activated.payload, received.map(({ type }) => type)]).toEqual([
      { speech_mode_enabled: false, greeting: "Hello! I'm listening.", status: 'listening' },
      ['remote-tool-catalog', 'wakeword-activated', 'wakeword-greeting', 'models-listed'],
    ])
  })

  it('[I-S02] [I-A11] is sent beside the turn if enabled, without a number', async () => {
    const { client } = await startWindieos()
    const { sendMessage, query, next, received } = await client()
    sendMessage('update-settings', { speech_mode_enabled: true })
    const events = await query('hello')
    const { payload, ...chunk } = await next('audio-chunk')
    expect(Object.keys(chunk).toSorted()).toEqual(['id', 'timestamp', 'type', 'user_id'])
    expect([payload.sample_rate, Buffer.from(String(payload.audio), 'base64').length % 2]).toEqual([22_050, 0])
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    expect(received.some(({ type }) => type === 'wakeword-greeting')).toBe(false)
  })

  /** Speaks a text in a number of pieces. Each sample is the text's length. */
  const voice = (pieces: number, bytes: number): SpeechSynthesizer => ({
    name: 'a voice',
    async *speak(text: string) {
      for (let piece = 0; piece < pieces; piece++)
        yield { pcm: new Uint8Array(bytes).fill(text.length), sampleRate: 22_050 }
    },
  })
  const lengthIn = ({ payload }: Outgoing) => Buffer.from(String(payload.audio), 'base64')[0]

  it('[I-S02] of a long text comes as fast as it is read, one text after the other', async () => {
    const { client } = await startWindieos({ speechSynthesizer: voice(100, 50_000) })
    const { sendMessage, reply, read, received } = await client()
    await reply(sendMessage('update-settings', { speech_mode_enabled: true }))
    for (const text of ['a', 'bc']) sendMessage('query', { text, conversation_ref: text })
    const chunks = () => received.filter(({ type }) => type === 'audio-chunk')
    await read(() => chunks().length === 200)
    expect(chunks().map(lengthIn)).toEqual([...Array(100).fill(11), ...Array(100).fill(12)])
  })

  it('[I-S02] ends when its turn is stopped', async () => {
    const { client } = await startWindieos(
      { speechSynthesizer: voice(100_000, 10) },
      { script: { turns: [{ steps: [{ say: 'Wait.' }, { call: 'screenshot' }] }] } },
    )
    const { sendMessage, reply, next, received } = await client()
    await reply(sendMessage('update-settings', { speech_mode_enabled: true }))
    sendMessage('query', { text: 'go', conversation_ref: 'conv' })
    await next('audio-chunk')
    await reply(sendMessage('stop-query', { conversation_ref: 'conv' }))
    const from = received.length
    await reply(sendMessage('list-models'))
    await reply(sendMessage('list-models'))
    expect(received.slice(from).map(({ type }) => type)).toEqual(['models-listed', 'models-listed'])
  })
})
