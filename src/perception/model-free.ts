import { extractiveSummarizer } from './extractive-summarizer.ts'
import { loudnessTranscriber } from './loudness-transcriber.ts'
import { ngramEmbedder } from './ngram-embedder.ts'
import { toneSpeaker } from './tone-synthesizer.ts'

/** What speaks, listens, writes and likens texts without any model, the same on every machine; nothing is seen. */
export const modelFreeServices = {
  perception: {},
  speechSynthesizer: toneSpeaker,
  embedder: ngramEmbedder,
  summarizer: extractiveSummarizer,
  transcriber: loudnessTranscriber(),
}
