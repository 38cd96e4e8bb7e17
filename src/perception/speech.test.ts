import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Sound, Transcriber, TranscriptEvent } from './perception.ts'
import { espeakSynthesizer, toneSynthesizer } from './synthesizers.ts'
import { gatewayTranscriber, loudnessTranscriber, realtimeTranscriber } from './transcribers.ts'

// Rules such as [PC24] are stated in SPEC.md beside this file.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const RATE = 16_000

/** A tone of some length, or silence. */
function sound(ms: number, level = 0.3): Uint8Array {
  const pcm = Buffer.alloc(Math.round((RATE * ms) / 1000) * 2)
  for (let at = 0; at < pcm.length / 2; at++)
    pcm.writeInt16LE(Math.round(32_767 * level * Math.sin((2 * Math.PI * 220 * at) / RATE)), at * 2)
  return pcm
}

function startTranscription(transcriber: Transcriber) {
  const events: TranscriptEvent[] = []
  const waiting = new Set<() => void>()
  const stream = transcriber.listen({ source: 'en', target: 'de' }, (event) => {
    events.push(event)
    for (const wake of waiting) wake()
  })
  closers.push(stream.close)
  const until = (count: number) =>
    new Promise<readonly TranscriptEvent[]>((resolve) => {
      const look = () => events.length >= count && resolve(events.slice())
      waiting.add(look)
      look()
    })
  return { events, stream, until }
}

it('[PC24] transcribes words during speech, the whole line after 700 ms of silence, and then the end', () => {
  const { events, stream } = startTranscription(loudnessTranscriber(['open the last invoice please']))
  stream.write(sound(1000), RATE)
  stream.write(sound(690, 0), RATE)
  expect(events.map((what) => ('text' in what ? what.text : what.type))).toEqual(['open', 'open the', 'open the last'])
  stream.write(sound(20, 0), RATE)
  expect(events.slice(3)).toEqual([
    { type: 'text', text: 'open the last invoice please', final: true },
    { type: 'utterance_end' },
  ])
})

it('[PC24] gives the same transcript for any chunking, and uses the next line for the next utterance', () => {
  const whole = startTranscription(loudnessTranscriber(['one', 'two']))
  const cut = startTranscription(loudnessTranscriber(['one', 'two']))
  const audio = Buffer.concat([sound(500), sound(800, 0), sound(500), sound(800, 0)])
  whole.stream.write(audio, RATE)
  for (let at = 0; at < audio.length; at += 334) cut.stream.write(audio.subarray(at, at + 334), RATE)
  expect(cut.events).toEqual(whole.events)
  expect(whole.events.flatMap((what) => ('text' in what && what.final ? what.text : []))).toEqual(['one', 'two'])
})

it('[PC24] ignores silence and clicks, and discards an utterance on restart', () => {
  const { events, stream } = startTranscription(loudnessTranscriber())
  stream.write(sound(2000, 0), RATE)
  stream.write(sound(40), RATE)
  stream.write(sound(1000, 0), RATE)
  stream.write(sound(200), RATE)
  stream.reset()
  stream.write(sound(1000, 0), RATE)
  expect(events).toEqual([])
  stream.write(sound(500), RATE)
  stream.write(sound(700, 0), RATE)
  expect(events.at(-2)).toEqual({ type: 'text', text: '(0.5 s of speech)', final: true })
})

const REALTIME = { key: 'k3y', sessionModel: 'm', transcriptionModel: 'm' }

/** A server for one test that sends `answers` to the first frame of a type. */
async function gateway(talk: (socket: WebSocket, frame: Buffer, binary: boolean) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  closers.push(() => server.close())
  const headers: unknown[] = []
  server.on('connection', (socket, request) => {
    headers.push(request.headers.authorization, request.url)
    socket.on('message', (data, binary) => talk(socket, data as Buffer, binary))
  })
  await once(server, 'listening')
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/listen`, headers }
}

it('[PC25] uses the realtime API at its sample rate', async () => {
  const got: { type: string; audio?: string; session?: unknown }[] = []
  const { url, headers } = await gateway((socket, frame) => {
    const message = JSON.parse(String(frame))
    got.push(message)
    if (message.type !== 'input_audio_buffer.append') return
    const say = (event: object) => socket.send(JSON.stringify(event))
    say({ type: 'conversation.item.input_audio_transcription.delta', delta: 'Hel' })
    say({ type: 'conversation.item.input_audio_transcription.delta', delta: 'lo' })
    say({ type: 'conversation.item.input_audio_transcription.completed', transcript: 'Hello.' })
  })
  const { stream, until } = startTranscription(
    realtimeTranscriber({ url, key: 'k3y', sessionModel: 'gpt-realtime', transcriptionModel: 'whisper-1' }),
  )
  stream.write(sound(100), RATE)
  expect(await until(4)).toEqual([
    { type: 'text', text: 'Hel', final: false },
    { type: 'text', text: 'Hello', final: false },
    { type: 'text', text: 'Hello.', final: true },
    { type: 'utterance_end' },
  ])
  expect([headers, got.map(({ type }) => type), Buffer.from(got[1]!.audio!, 'base64').length]).toEqual([
    ['Bearer k3y', '/listen?model=gpt-realtime'],
    ['session.update', 'input_audio_buffer.append'],
    2400 * 2,
  ])
})

it('[PC25] sends sound and languages to a gateway', async () => {
  const got: unknown[] = []
  const { url } = await gateway((socket, frame, binary) => {
    got.push(binary ? [frame.readUInt32LE(0), frame.length] : JSON.parse(String(frame)))
    if (!binary) return
    socket.send(JSON.stringify({ type: 'realtime', text: 'Guten Tag', is_final: true }))
    socket.send(JSON.stringify({ type: 'utterance_end' }))
  })
  const { stream, until } = startTranscription(gatewayTranscriber({ url }))
  stream.write(sound(10), RATE)
  expect(await until(2)).toEqual([{ type: 'text', text: 'Guten Tag', final: true }, { type: 'utterance_end' }])
  expect(got).toEqual([{ type: 'set_langs', source_language: 'en', target_language: 'de' }, [20, 4 + 20 + 320]])
})

it.each([
  ['the realtime API', (url: string) => realtimeTranscriber({ ...REALTIME, url }), { error: { message: 'too fast' } }],
  ['a gateway', (url: string) => gatewayTranscriber({ url }), { message: 'too fast' }],
])('[PC25] reports errors of %s and ignores unknown messages', async (_what, make, failure) => {
  const { url } = await gateway((socket) => {
    socket.send('{"type":"rate_limits.updated"}')
    socket.send(JSON.stringify({ type: 'error', ...failure }))
  })
  const { stream, until } = startTranscription(make(url))
  stream.write(sound(10), RATE)
  expect((await until(1))[0]).toEqual({ type: 'broken', message: 'too fast' })
})

it.each([
  ['the realtime API', (url: string) => realtimeTranscriber({ ...REALTIME, url, connectTimeoutMs: 50 })],
  ['a gateway', (url: string) => gatewayTranscriber({ url, connectTimeoutMs: 50 })],
])(
  '[PC25] reports %s as broken once when it disconnects, sends invalid messages or never connects',
  async (_what, make) => {
    const lost = [{ type: 'broken', message: 'the transcriber cannot be reached' }]
    const leaving = await gateway((socket) => socket.terminate())
    const mad = await gateway((socket) => socket.send('<html>'))
    const silent = createServer(() => {})
    closers.push(() => silent.close())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    for (const url of [leaving.url, mad.url, `ws://127.0.0.1:${port}/`]) {
      const { events, stream, until } = startTranscription(make(url))
      stream.write(sound(10), RATE)
      await until(1)
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      expect(events).toEqual(lost)
    }
  },
)

it('[PC25] reports an unreachable provider without its key', async () => {
  const { until } = startTranscription(
    realtimeTranscriber({ url: 'ws://127.0.0.1:9/', key: 'k3y', sessionModel: 'm', transcriptionModel: 'm' }),
  )
  expect(await until(1)).toEqual([{ type: 'broken', message: 'the transcriber cannot be reached' }])
})

async function spoken(pieces: AsyncIterable<Sound>) {
  const all: Sound[] = []
  for await (const piece of pieces) all.push(piece)
  return { pieces: all.length, bytes: all.reduce((sum, { pcm }) => sum + pcm.length, 0) }
}

it('[PC26] plays tones for the duration of reading aloud when no voice is installed', async () => {
  const text = 'x'.repeat(30)
  expect(await spoken(toneSynthesizer.speak(text))).toEqual({ pieces: 4, bytes: 2 * 22_050 * 2 })
  expect(await spoken(espeakSynthesizer(toneSynthesizer, 'no-such-program').speak(text))).toEqual(
    await spoken(toneSynthesizer.speak(text)),
  )
})

it('[PC26] synthesizes speech with a program and removes the header of its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voice-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'voice')
  writeFileSync(program, '#!/bin/sh\ncat > /dev/null\nhead -c 30044 /dev/zero\n')
  chmodSync(program, 0o755)
  expect(await spoken(espeakSynthesizer(toneSynthesizer, program).speak('hello'))).toEqual({ pieces: 2, bytes: 30_000 })
})
