import * as z from 'zod'
import type { IdSource } from '../../../base/ids.ts'
import type { Languages, Transcriber, TranscriptionStream } from '../../../perception/perception.ts'
import { tryParseJson } from '../../http/json.ts'
import type { Socket } from '../../http/sockets.ts'

/** The socket that writes down what somebody says (WindieOS document, "Transcription"). It has no envelope. */

/** What a client says besides sound. */
export const TranscriptionControl = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('set_langs'),
    source_language: z.string().min(1),
    target_language: z.string().min(1),
  }),
  z.looseObject({ type: z.literal('start_over') }),
])

const Metadata = z.looseObject({ sampleRate: z.int().min(8000).max(192_000) })

/** What the server says. */
export const Transcribed = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('status'), client_id: z.string().regex(/^[0-9a-f]{32}$/) }),
  z.strictObject({ type: z.literal('realtime'), text: z.string(), is_final: z.boolean() }),
  z.strictObject({ type: z.literal('utterance_end') }),
  z.strictObject({ type: z.literal('error'), message: z.string() }),
])
export type Transcribed = z.infer<typeof Transcribed>

const MAX_METADATA_BYTES = 64 * 1024

export interface TranscriptionOptions {
  readonly transcriber: Transcriber
  readonly ids: IdSource
  /** Is told of frames that cannot be used; the socket stays. */
  readonly warn: (message: string) => void
}

/** Serves one speaker: from the first sound on one listening, begun anew when the languages change. */
export function serveTranscription(socket: Socket, { transcriber, ids, warn }: TranscriptionOptions): void {
  let languages: Languages = { source: 'en', target: 'en' }
  let listening: TranscriptionStream | undefined
  const tell = (message: Transcribed) => socket.send(JSON.stringify(message))

  const listen = (): TranscriptionStream =>
    transcriber.listen(languages, (heard) => {
      switch (heard.type) {
        case 'text':
          return tell({ type: 'realtime', text: heard.text, is_final: heard.final })
        case 'utterance_end':
          return tell({ type: 'utterance_end' })
        case 'broken':
          return tell({ type: 'error', message: heard.message })
      }
    })

  function obey(text: string): void {
    const control = TranscriptionControl.safeParse(text.length > MAX_METADATA_BYTES ? undefined : tryParseJson(text))
    if (!control.success) warn('a control message cannot be used')
    else if (control.data.type === 'start_over') listening?.reset()
    else {
      languages = { source: control.data.source_language, target: control.data.target_language }
      listening?.close()
      listening = undefined
    }
  }

  function hear(frame: Buffer): void {
    const sound = readFrame(frame)
    if (!sound) {
      warn('an audio frame cannot be used')
      return
    }
    listening ??= listen()
    listening.write(sound.pcm, sound.sampleRate)
  }

  socket.onFrame((data, binary) => (binary ? hear(data) : obey(String(data))))
  socket.onClose(() => listening?.close())
  tell({ type: 'status', client_id: ids.hex(32) })
}

/** Sound out of a frame: the length of the metadata in four bytes, little endian, the metadata, the samples. */
function readFrame(frame: Buffer): { readonly pcm: Uint8Array; readonly sampleRate: number } | undefined {
  if (frame.length < 4) return undefined
  const length = frame.readUInt32LE(0)
  const pcm = frame.subarray(4 + length)
  if (length > MAX_METADATA_BYTES || 4 + length > frame.length || pcm.length % 2 !== 0) return undefined
  const metadata = Metadata.safeParse(tryParseJson(frame.toString('utf8', 4, 4 + length)))
  return metadata.success ? { pcm, sampleRate: metadata.data.sampleRate } : undefined
}
