import { ngramEmbedder } from './embeddings/ngram-embedder.ts'
import { loudnessTranscriber } from './speech/loudness-transcriber.ts'
import { toneSynthesizer } from './speech/tone-synthesizer.ts'
import { extractiveSummarizer } from './summaries/extractive-summarizer.ts'

/** Speech, transcription, summaries and embeddings without any model, the same on every machine. Pictures are not read. */
export const modelFreeServices = {
  perception: {},
  speechSynthesizer: toneSynthesizer,
  embedder: ngramEmbedder,
  summarizer: extractiveSummarizer,
  transcriber: loudnessTranscriber(),
}
