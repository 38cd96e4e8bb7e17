import { extractiveScribe } from './extract.ts'
import { loudnessTranscriber } from './loudness.ts'
import { ngramEmbedder } from './ngrams.ts'
import { toneSpeaker } from './tones.ts'

/** What speaks, listens, writes and likens texts without any model, the same on every machine; nothing is seen. */
export const withoutModels = {
  perception: {},
  speechSynthesizer: toneSpeaker,
  embedder: ngramEmbedder,
  summarizer: extractiveScribe,
  transcriber: loudnessTranscriber(),
}
