import type { Point, Rect } from '../desktop/model/geometry.ts'
import type { Picture } from '../paint/picture.ts'

/** The parts that read pictures for a session. A part that is absent is not configured. */
export interface Perception {
  readonly ocr?: Ocr | undefined
  readonly vision?: Vision | undefined
  readonly locator?: VisionLocator | undefined
}

/** Reads text from a picture. Throws `PlatformUnsupported` when a requirement is missing. */
export interface Ocr {
  /** The method: `scene` uses the painted text, `tesseract` reads pixels. */
  readonly name: string
  read(picture: Picture): Promise<readonly Word[]>
}

/** A word with its box in the picture, in pixels, and a confidence from 0 to 100. */
export interface Word {
  readonly text: string
  readonly bounds: Rect
  readonly confidence: number
  /** Equal for words of one line. */
  readonly line: number
  readonly block: number
}

/** Describes a picture. Throws `Timeout` or `PlatformUnsupported` when its endpoint fails. */
export interface Vision {
  readonly model: string
  describe(picture: Picture, prompt: string, signal?: AbortSignal): Promise<{ text: string; tokens: number }>
}

/** Finds the elements of a picture that match a description, best first. Throws `PlatformUnsupported` for unsupported pictures. */
export interface VisionLocator {
  readonly name: string
  locate(picture: Picture, description: string): Promise<readonly LocatedTarget[]>
  /** Describes a picture, or a region of it, in words. */
  describe(picture: Picture, region?: Rect): Promise<string>
}

export interface LocatedTarget {
  /** A label by the locator. */
  readonly description: string
  readonly center: Point
  /** A higher score is better. Scores are comparable within one locator only. */
  readonly score: number
}

/** Embeds texts as vectors. Similar texts have near vectors. */
export interface Embedder {
  /** The provider and its model. With the dimension they identify the vector space. */
  readonly provider: string
  readonly model: string
  readonly dimension: number
  /** One vector of length 1 per text. Throws `PlatformUnsupported` when its provider fails. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}

/** Mono sound: signed 16-bit samples, little endian. */
export interface Sound {
  readonly pcm: Uint8Array
  readonly sampleRate: 22_050
}

/** Synthesizes speech, piece by piece. */
export interface SpeechSynthesizer {
  readonly name: string
  speak(text: string): AsyncIterable<Sound>
}

/** Transcribes speech. */
export interface Transcriber {
  readonly name: string
  /** Starts a transcription stream, which reports each event. */
  listen(languages: Languages, onEvent: (event: TranscriptEvent) => void): TranscriptionStream
}

export interface Languages {
  readonly source: string
  readonly target: string
}

/** `broken`: the stream sends no further events. */
export type TranscriptEvent =
  | { readonly type: 'text'; readonly text: string; readonly final: boolean }
  | { readonly type: 'utterance_end' }
  | { readonly type: 'broken'; readonly message: string }

export interface TranscriptionStream {
  /** Signed 16-bit samples, little endian. */
  write(pcm: Uint8Array, sampleRate: number): void
  /** Discards the current utterance. */
  reset(): void
  close(): void
}

/** Summarizes conversations. Throws `PlatformUnsupported` when its provider fails. */
export interface Summarizer {
  readonly name: string
  /** A summary, and facts that people stated about themselves. */
  summarize(conversations: readonly string[]): Promise<ConversationSummary>
  /** A short title for a conversation that began with this question and answer. */
  title(question: string, answer: string): Promise<string>
}

export interface ConversationSummary {
  readonly summary: string
  readonly facts: readonly string[]
}
