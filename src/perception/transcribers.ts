import { WebSocket } from 'ws'
import * as z from 'zod'
import type { Transcriber, TranscriptEvent, TranscriptionStream } from './perception.ts'

/** The level above which sound counts as speech, as a share of full scale. */
const SPEECH_LEVEL = 0.02
const WINDOW_MS = 20
const SILENCE_ENDS_MS = 700
const SPEECH_BEGINS_MS = 100
const PARTIAL_EVERY_MS = 300
/** The words of a script are returned at the pace of speech. */
const WORDS_PER_SECOND = 3

/**
 * A transcriber that detects speech without recognising it. It returns the given lines, one per utterance, in a cycle;
 * without lines it returns the length of the utterance. It counts time in samples, so it repeats exactly.
 */
export function loudnessTranscriber(lines: readonly string[] = []): Transcriber {
  return {
    name: 'loudness',
    listen(_languages, onEvent) {
      let utterances = 0
      let detector = new SpeechDetector((spokenMs, whole) => wordsOf(lines, utterances, spokenMs, whole), emit)
      function emit(event: TranscriptEvent): void {
        if (event.type === 'utterance_end') utterances += 1
        onEvent(event)
      }
      return {
        write: (pcm, sampleRate) => detector.take(pcm, sampleRate),
        reset: () => {
          detector = new SpeechDetector((spokenMs, whole) => wordsOf(lines, utterances, spokenMs, whole), emit)
        },
        close: () => {},
      }
    },
  }
}

function wordsOf(lines: readonly string[], utterance: number, spokenMs: number, whole: boolean): string {
  const line = lines[utterance % Math.max(1, lines.length)]
  if (line === undefined) return `(${(spokenMs / 1000).toFixed(1)} s of speech)`
  if (whole) return line
  return line
    .split(' ')
    .slice(0, Math.max(1, Math.ceil((spokenMs / 1000) * WORDS_PER_SECOND)))
    .join(' ')
}

/** Detects the start and the end of each utterance. */
class SpeechDetector {
  readonly #words: (spokenMs: number, whole: boolean) => string
  readonly #onEvent: (event: TranscriptEvent) => void
  #rest = new Uint8Array()
  #spokenMs = 0
  #silentMs = 0
  #toldMs = 0
  #speaking = false

  constructor(words: (spokenMs: number, whole: boolean) => string, onEvent: (event: TranscriptEvent) => void) {
    this.#words = words
    this.#onEvent = onEvent
  }

  take(pcm: Uint8Array, sampleRate: number): void {
    const bytes = Math.round((sampleRate * WINDOW_MS) / 1000) * 2
    const all = Buffer.concat([this.#rest, pcm])
    let at = 0
    for (; at + bytes <= all.length; at += bytes) this.#window(levelOf(all.subarray(at, at + bytes)))
    this.#rest = all.subarray(at)
  }

  #window(level: number): void {
    if (level >= SPEECH_LEVEL) {
      this.#spokenMs += WINDOW_MS + (this.#speaking ? this.#silentMs : 0)
      this.#silentMs = 0
      if (this.#spokenMs >= SPEECH_BEGINS_MS) this.#speaking = true
      if (this.#speaking && this.#spokenMs - this.#toldMs >= PARTIAL_EVERY_MS) {
        this.#toldMs = this.#spokenMs
        this.#onEvent({ type: 'text', text: this.#words(this.#spokenMs, false), final: false })
      }
      return
    }
    this.#silentMs += WINDOW_MS
    if (!this.#speaking) {
      // A click or a cough is not speech.
      this.#spokenMs = 0
      return
    }
    if (this.#silentMs >= SILENCE_ENDS_MS) this.#end()
  }

  #end(): void {
    this.#onEvent({ type: 'text', text: this.#words(this.#spokenMs, true), final: true })
    this.#onEvent({ type: 'utterance_end' })
    this.#spokenMs = 0
    this.#silentMs = 0
    this.#toldMs = 0
    this.#speaking = false
  }
}

/** The root mean square as a share of full scale. */
function levelOf(pcm: Buffer): number {
  let sum = 0
  for (let at = 0; at < pcm.length; at += 2) sum += (pcm.readInt16LE(at) / 32_768) ** 2
  return Math.sqrt(sum / Math.max(1, pcm.length / 2))
}

/** Remote transcribers. Each stream has its own socket. */

const REALTIME_RATE = 24_000
/** A provider that does not accept the connection within this time is unreachable. */
const CONNECT_TIMEOUT_MS = 10_000

export interface RealtimeSettings {
  /** Such as `wss://api.openai.com/v1/realtime`. */
  readonly url: string
  readonly key: string
  readonly sessionModel: string
  readonly transcriptionModel: string
  readonly connectTimeoutMs?: number
}

export interface GatewaySettings {
  readonly url: string
  readonly connectTimeoutMs?: number
}

const RealtimeEvent = z.looseObject({
  type: z.string(),
  delta: z.string().optional(),
  transcript: z.string().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
})

/** OpenAI's realtime API in transcription mode. It detects the ends of utterances itself. */
export function realtimeTranscriber(settings: RealtimeSettings): Transcriber {
  return {
    name: 'openai',
    listen({ source }, onEvent) {
      const url = `${settings.url}?model=${encodeURIComponent(settings.sessionModel)}`
      const connection = open(url, { authorization: `Bearer ${settings.key}` }, onEvent, settings.connectTimeoutMs)
      let text = ''
      connection.sendJson({
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
      connection.onMessage((message) => {
        const event = RealtimeEvent.safeParse(message)
        if (!event.success) return
        const { type, delta = '', transcript, error } = event.data
        if (type.endsWith('input_audio_transcription.delta')) {
          text += delta
          onEvent({ type: 'text', text, final: false })
        }
        if (type.endsWith('input_audio_transcription.completed')) {
          onEvent({ type: 'text', text: transcript ?? text, final: true })
          onEvent({ type: 'utterance_end' })
          text = ''
        }
        if (type === 'error') onEvent({ type: 'broken', message: error?.message ?? 'the transcriber failed' })
      })
      return {
        write: (pcm, sampleRate) => {
          const audio = Buffer.from(resampled(pcm, sampleRate, REALTIME_RATE)).toString('base64')
          connection.sendJson({ type: 'input_audio_buffer.append', audio })
        },
        reset: () => {
          text = ''
          connection.sendJson({ type: 'input_audio_buffer.clear' })
        },
        close: connection.close,
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

/** A gateway with the same messages as our own socket. */
export function gatewayTranscriber({ url, connectTimeoutMs }: GatewaySettings): Transcriber {
  return {
    name: 'nova',
    listen({ source, target }, onEvent) {
      const connection = open(url, {}, onEvent, connectTimeoutMs)
      connection.sendJson({ type: 'set_langs', source_language: source, target_language: target })
      connection.onMessage((message) => {
        const event = GatewayEvent.safeParse(message)
        if (!event.success) return
        switch (event.data.type) {
          case 'realtime':
            return onEvent({ type: 'text', text: event.data.text, final: event.data.is_final })
          case 'utterance_end':
            return onEvent({ type: 'utterance_end' })
          case 'error':
            return onEvent({ type: 'broken', message: event.data.message })
          case 'status':
            return
        }
      })
      return {
        write: (pcm, sampleRate) => {
          const metadata = Buffer.from(JSON.stringify({ sampleRate }))
          const length = Buffer.alloc(4)
          length.writeUInt32LE(metadata.length)
          connection.send(Buffer.concat([length, metadata, pcm]))
        },
        reset: () => connection.sendJson({ type: 'start_over' }),
        close: connection.close,
      }
    },
  }
}

interface Line extends Pick<TranscriptionStream, 'close'> {
  /** Buffered until the socket is open. */
  send(frame: string | Buffer): void
  sendJson(message: object): void
  onMessage(onEvent: (message: unknown) => void): void
}

/** The most frames that are buffered until a socket is open. */
const MAX_PENDING_MESSAGES = 500

function open(
  url: string,
  headers: Record<string, string>,
  onEvent: (event: TranscriptEvent) => void,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
): Line {
  const socket = new WebSocket(url, { headers, handshakeTimeout: connectTimeoutMs })
  const waiting: (string | Buffer)[] = []
  let over = false
  const end = () => {
    if (over) return
    over = true
    onEvent({ type: 'broken', message: 'the transcriber cannot be reached' })
  }
  socket.on('error', end)
  socket.on('close', end)
  socket.on('open', () => {
    for (const frame of waiting.splice(0)) socket.send(frame)
  })
  const send = (frame: string | Buffer) => {
    if (socket.readyState === socket.OPEN) socket.send(frame)
    else if (socket.readyState === socket.CONNECTING && waiting.length < MAX_PENDING_MESSAGES) waiting.push(frame)
  }
  return {
    send,
    sendJson: (message) => send(JSON.stringify(message)),
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

/** The same sound at another rate, with linear interpolation. */
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
