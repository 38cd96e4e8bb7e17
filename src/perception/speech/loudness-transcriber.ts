import type { Transcriber, TranscriptEvent } from '../perception.ts'

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
