import * as z from 'zod'
import type { IdSource } from '../../base/ids.ts'
import type { Languages, Transcriber, TranscriptionStream } from '../../perception/perception.ts'
import { tryParseJson } from '../http/json.ts'
import type { Socket } from '../http/sockets.ts'

/** The speech-to-text socket (WindieOS document, "Transcription"). Its messages have no envelope. */

/** Control messages of clients. */
export const TranscriptionControl = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('set_langs'),
    source_language: z.string().min(1),
    target_language: z.string().min(1),
  }),
  z.looseObject({ type: z.literal('start_over') }),
])

const Metadata = z.looseObject({ sampleRate: z.int().min(8000).max(192_000) })

/** Server messages. */
export const Transcribed = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('status'), client_id: z.string().regex(/^[0-9a-f]{32}$/) }),
  z.strictObject({ type: z.literal('realtime'), text: z.string(), is_final: z.boolean() }),
  z.strictObject({ type: z.literal('utterance_end') }),
  z.strictObject({ type: z.literal('error'), message: z.string() }),
])
export type Transcribed = z.infer<typeof Transcribed>

const MAX_METADATA_BYTES = 64 * 1024

/** Options of the socket. */
export interface TranscriptionOptions {
  readonly transcriber: Transcriber
  readonly ids: IdSource
  /** Called with a message for each unusable frame. The socket stays open. */
  readonly warn: (message: string) => void
}

/** Transcribes one client. Transcription starts with the first audio frame and restarts when the languages change. */
export function serveTranscription(socket: Socket, { transcriber, ids, warn }: TranscriptionOptions): void {
  let languages: Languages = { source: 'en', target: 'en' }
  let listening: TranscriptionStream | undefined
  const send = (message: Transcribed) => socket.send(JSON.stringify(message))

  const listen = (): TranscriptionStream =>
    transcriber.listen(languages, (heard) => {
      switch (heard.type) {
        case 'text':
          return send({ type: 'realtime', text: heard.text, is_final: heard.final })
        case 'utterance_end':
          return send({ type: 'utterance_end' })
        case 'broken':
          return send({ type: 'error', message: heard.message })
      }
    })

  function handleControl(text: string): void {
    const control = TranscriptionControl.safeParse(text.length > MAX_METADATA_BYTES ? undefined : tryParseJson(text))
    if (!control.success) warn('a control message is invalid')
    else if (control.data.type === 'start_over') listening?.reset()
    else {
      languages = { source: control.data.source_language, target: control.data.target_language }
      listening?.close()
      listening = undefined
    }
  }

  function handleAudio(frame: Buffer): void {
    const audio = readFrame(frame)
    if (!audio) {
      warn('an audio frame is invalid')
      return
    }
    listening ??= listen()
    listening.write(audio.pcm, audio.sampleRate)
  }

  socket.onFrame((data, binary) => (binary ? handleAudio(data) : handleControl(String(data))))
  socket.onClose(() => listening?.close())
  send({ type: 'status', client_id: ids.hex(32) })
}

/** Parses an audio frame: the length of the metadata as four little-endian bytes, the metadata, the samples. */
function readFrame(frame: Buffer): { readonly pcm: Uint8Array; readonly sampleRate: number } | undefined {
  if (frame.length < 4) return undefined
  const length = frame.readUInt32LE(0)
  const pcm = frame.subarray(4 + length)
  if (length > MAX_METADATA_BYTES || 4 + length > frame.length || pcm.length % 2 !== 0) return undefined
  const metadata = Metadata.safeParse(tryParseJson(frame.toString('utf8', 4, 4 + length)))
  return metadata.success ? { pcm, sampleRate: metadata.data.sampleRate } : undefined
}
