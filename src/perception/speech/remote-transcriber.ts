import { WebSocket } from 'ws'
import * as z from 'zod'
import type { Transcriber, TranscriptEvent, TranscriptionStream } from '../perception.ts'

/** Transcribers that run elsewhere, each spoken to over a socket of its own for each listening. */

const REALTIME_RATE = 24_000
/** A provider that does not take the line in this time is not there. */
const DIAL_MS = 10_000

export interface RealtimeSettings {
  /** Such as `wss://api.openai.com/v1/realtime`. */
  readonly url: string
  readonly key: string
  readonly sessionModel: string
  readonly transcriptionModel: string
  readonly dialMs?: number
}

export interface GatewaySettings {
  readonly url: string
  readonly dialMs?: number
}

const RealtimeEvent = z.looseObject({
  type: z.string(),
  delta: z.string().optional(),
  transcript: z.string().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
})

/** OpenAI's realtime API in transcription mode; it finds the ends of utterances by itself. */
export function realtimeTranscriber(settings: RealtimeSettings): Transcriber {
  return {
    name: 'openai',
    listen({ source }, hear) {
      const url = `${settings.url}?model=${encodeURIComponent(settings.sessionModel)}`
      const line = open(url, { authorization: `Bearer ${settings.key}` }, hear, settings.dialMs)
      let text = ''
      line.say({
        type: 'session.update',
        session: {
          type: 'transcription',
          audio: {
            input: {
              format: { type: 'audio/pcm', rate: REALTIME_RATE },
              transcription: { model: settings.transcriptionModel, language: source },
              turn_detection: { type: 'server_vad' },
            },
          },
        },
      })
      line.onMessage((message) => {
        const event = RealtimeEvent.safeParse(message)
        if (!event.success) return
        const { type, delta = '', transcript, error } = event.data
        if (type.endsWith('input_audio_transcription.delta')) {
          text += delta
          hear({ type: 'text', text, final: false })
        }
        if (type.endsWith('input_audio_transcription.completed')) {
          hear({ type: 'text', text: transcript ?? text, final: true })
          hear({ type: 'utterance_end' })
          text = ''
        }
        if (type === 'error') hear({ type: 'broken', message: error?.message ?? 'the transcriber failed' })
      })
      return {
        write: (pcm, sampleRate) => {
          const audio = Buffer.from(resampled(pcm, sampleRate, REALTIME_RATE)).toString('base64')
          line.say({ type: 'input_audio_buffer.append', audio })
        },
        reset: () => {
          text = ''
          line.say({ type: 'input_audio_buffer.clear' })
        },
        close: line.close,
      }
    },
  }
}

const GatewayEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('realtime'), text: z.string(), is_final: z.boolean() }),
  z.looseObject({ type: z.literal('utterance_end') }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
  z.looseObject({ type: z.literal('status') }),
])

/** A gateway that speaks the same messages as our own socket. */
export function gatewayTranscriber({ url, dialMs }: GatewaySettings): Transcriber {
  return {
    name: 'nova',
    listen({ source, target }, hear) {
      const line = open(url, {}, hear, dialMs)
      line.say({ type: 'set_langs', source_language: source, target_language: target })
      line.onMessage((message) => {
        const event = GatewayEvent.safeParse(message)
        if (!event.success) return
        switch (event.data.type) {
          case 'realtime':
            return hear({ type: 'text', text: event.data.text, final: event.data.is_final })
          case 'utterance_end':
            return hear({ type: 'utterance_end' })
          case 'error':
            return hear({ type: 'broken', message: event.data.message })
          case 'status':
            return
        }
      })
      return {
        write: (pcm, sampleRate) => {
          const metadata = Buffer.from(JSON.stringify({ sampleRate }))
          const length = Buffer.alloc(4)
          length.writeUInt32LE(metadata.length)
          line.send(Buffer.concat([length, metadata, pcm]))
        },
        reset: () => line.say({ type: 'start_over' }),
        close: line.close,
      }
    },
  }
}

interface Line extends Pick<TranscriptionStream, 'close'> {
  /** Kept until the line is open. */
  send(frame: string | Buffer): void
  say(message: object): void
  onMessage(hear: (message: unknown) => void): void
}

/** What waits for a line to open is no more than this. */
const MAX_WAITING = 500

function open(
  url: string,
  headers: Record<string, string>,
  hear: (heard: TranscriptEvent) => void,
  dialMs = DIAL_MS,
): Line {
  const socket = new WebSocket(url, { headers, handshakeTimeout: dialMs })
  const waiting: (string | Buffer)[] = []
  let over = false
  const end = () => {
    if (over) return
    over = true
    hear({ type: 'broken', message: 'the transcriber cannot be reached' })
  }
  socket.on('error', end)
  socket.on('close', end)
  socket.on('open', () => {
    for (const frame of waiting.splice(0)) socket.send(frame)
  })
  const send = (frame: string | Buffer) => {
    if (socket.readyState === socket.OPEN) socket.send(frame)
    else if (socket.readyState === socket.CONNECTING && waiting.length < MAX_WAITING) waiting.push(frame)
  }
  return {
    send,
    say: (message) => send(JSON.stringify(message)),
    onMessage: (listener) =>
      void socket.on('message', (data) => {
        try {
          listener(JSON.parse(String(data)))
        } catch {
          end()
        }
      }),
    close: () => {
      over = true
      socket.terminate()
    },
  }
}

/** The same sound at another rate; samples in between are drawn as straight lines. */
function resampled(pcm: Uint8Array, from: number, to: number): Uint8Array {
  if (from === to) return pcm
  const source = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const count = Math.floor(pcm.byteLength / 2)
  const made = Math.floor((count * to) / from)
  const samples = new DataView(new ArrayBuffer(made * 2))
  const at = (index: number) => source.getInt16(Math.min(index, count - 1) * 2, true)
  for (let index = 0; index < made; index++) {
    const place = (index * from) / to
    const whole = Math.floor(place)
    samples.setInt16(index * 2, Math.round(at(whole) + (at(whole + 1) - at(whole)) * (place - whole)), true)
  }
  return new Uint8Array(samples.buffer)
}
