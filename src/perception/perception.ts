import type { Point, Rect } from '../desktop/model/geometry.ts'
import type { Picture } from '../paint/picture.ts'

/** What looks at pictures for a session. A part that is absent is not configured. */
export interface Perception {
  readonly ocr?: Ocr | undefined
  readonly vision?: Vision | undefined
  readonly locator?: VisionLocator | undefined
}

/** Reads text off a picture. Throws `PlatformUnsupported` when what it needs is missing. */
export interface Ocr {
  /** How it reads: `scene` knows what was painted, `tesseract` looks at pixels. */
  readonly name: string
  read(picture: Picture): Promise<readonly Word[]>
}

/** A word with its box in the picture, in pixels, and how sure the reader is, 0 to 100. */
export interface Word {
  readonly text: string
  readonly bounds: Rect
  readonly confidence: number
  /** Words of one line share it. */
  readonly line: number
  readonly block: number
}

/** Describes a picture in words. Throws `Timeout` or `PlatformUnsupported` when its endpoint does not serve. */
export interface Vision {
  readonly model: string
  describe(picture: Picture, prompt: string, signal?: AbortSignal): Promise<{ text: string; tokens: number }>
}

/** Finds in a picture what a description means, best first. Throws `PlatformUnsupported` where it cannot look. */
export interface VisionLocator {
  readonly name: string
  locate(picture: Picture, description: string): Promise<readonly LocatedTarget[]>
  /** In words, for somebody who does not see it; of a part only, where one is given. */
  describe(picture: Picture, region?: Rect): Promise<string>
}

export interface LocatedTarget {
  /** What it is, in the finder's words. */
  readonly description: string
  readonly center: Point
  /** The higher the better; of one finder only are scores comparable. */
  readonly score: number
}

/** Turns text into points of a space in which similar texts are near each other. */
export interface Embedder {
  /** Who serves it, and with which model; together with the dimension they name the space. */
  readonly provider: string
  readonly model: string
  readonly dimension: number
  /** One vector of length 1 for each text. Throws `PlatformUnsupported` when its provider does not serve. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}

/** Mono sound: signed 16-bit samples, little endian. */
export interface Sound {
  readonly pcm: Uint8Array
  readonly sampleRate: 22_050
}

/** Says a text aloud, piece by piece. */
export interface SpeechSynthesizer {
  readonly name: string
  speak(text: string): AsyncIterable<Sound>
}

/** Writes down what it hears. */
export interface Transcriber {
  readonly name: string
  /** Begins to listen; what is heard is told as it is understood. */
  listen(languages: Languages, hear: (heard: TranscriptEvent) => void): TranscriptionStream
}

export interface Languages {
  readonly source: string
  readonly target: string
}

/** `broken`: nothing more will come of this listening. */
export type TranscriptEvent =
  | { readonly type: 'text'; readonly text: string; readonly final: boolean }
  | { readonly type: 'utterance_end' }
  | { readonly type: 'broken'; readonly message: string }

export interface TranscriptionStream {
  /** Signed 16-bit samples, little endian. */
  write(pcm: Uint8Array, sampleRate: number): void
  /** Forgets what was heard of the utterance so far. */
  reset(): void
  close(): void
}

/** Says in few words what conversations were about. Throws `PlatformUnsupported` when its provider does not serve. */
export interface Summarizer {
  readonly name: string
  /** What was talked about, and what people said of themselves. */
  summarize(conversations: readonly string[]): Promise<ConversationSummary>
  /** A short title for a conversation that began with this question and this answer. */
  title(question: string, answer: string): Promise<string>
}

export interface ConversationSummary {
  readonly summary: string
  readonly facts: readonly string[]
}
