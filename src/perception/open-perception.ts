import type { EnvironmentVariables } from '../base/host.ts'
import { localEmbedder, ngramEmbedder, openaiEmbedder, serviceEmbedder } from './embedders.ts'
import { openaiVision } from './openai-vision.ts'
import type { Embedder, Perception, Summarizer, Transcriber } from './perception.ts'
import { sceneOcr } from './scene-index.ts'
import { extractiveSummarizer, openaiSummarizer } from './summarizers.ts'
import { toneSynthesizer } from './synthesizers.ts'
import { tesseractOcr } from './tesseract.ts'
import { gatewayTranscriber, loudnessTranscriber, realtimeTranscriber } from './transcribers.ts'

export interface PerceptionSettings {
  readonly ocr: { readonly enabled: boolean }
  readonly vlm: {
    readonly enabled: boolean
    readonly base_url: string
    readonly api_key: string | null
    readonly model: string | null
    readonly max_tokens: number
    readonly temperature: number
    readonly timeout_s: number
  }
}

/** Selects the readers of pictures: the scene's own text on synthetic desktops, Tesseract on real ones, a vision model if configured. */
export function openPerception(
  settings: PerceptionSettings,
  { synthetic, key }: { readonly synthetic: boolean; readonly key: string | undefined },
): Perception {
  const { ocr, vlm } = settings
  const vision =
    vlm.enabled && vlm.model !== null
      ? openaiVision({
          baseUrl: vlm.base_url,
          model: vlm.model,
          key: vlm.api_key ?? key,
          maxTokens: vlm.max_tokens,
          temperature: vlm.temperature,
          timeoutMs: vlm.timeout_s * 1000,
        })
      : undefined
  return { ocr: ocr.enabled ? (synthetic ? sceneOcr : tesseractOcr()) : undefined, vision }
}

/**
 * Selects the embedder: the internal service at `WINDIE_EMBEDDING_SERVICE_URL`; a model `WINDIEOS_EMBEDDING_MODEL`
 * in the folder `WINDIEOS_EMBEDDING_MODELS`, or else behind `OPENAI_BASE_URL`; otherwise the built-in one, which needs no model.
 */
export function openEmbedder(environment: EnvironmentVariables): Embedder {
  const { WINDIE_EMBEDDING_SERVICE_URL: service, WINDIE_EMBEDDING_SERVICE_API_KEY: key } = environment
  const { dimension: usual, model: own } = ngramEmbedder
  if (service) return serviceEmbedder({ baseUrl: service, key, model: own, dimension: usual })
  const { WINDIEOS_EMBEDDING_MODEL: model, WINDIEOS_EMBEDDING_DIMENSION: dimension } = environment
  if (!model) return ngramEmbedder
  const { WINDIEOS_EMBEDDING_MODELS: folder, OPENAI_API_KEY: secret } = environment
  if (folder) return localEmbedder({ folder, model, dimension: Number(dimension) || usual })
  const { OPENAI_BASE_URL: baseUrl = 'https://api.openai.com/v1' } = environment
  return openaiEmbedder({ baseUrl, key: secret, model, dimension: Number(dimension) || usual })
}

/** Selects the summarizer: a model `WINDIEOS_SUMMARY_MODEL` behind `OPENAI_BASE_URL`, or else the built-in one, which needs no model. */
export function openSummarizer(environment: EnvironmentVariables): Summarizer {
  const { WINDIEOS_SUMMARY_MODEL: model, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key = '' } = environment
  return model ? openaiSummarizer({ model, key, baseUrl }) : extractiveSummarizer
}

/**
 * Selects the transcriber: a gateway at `WINDIEOS_NOVA_URL`, a model `WINDIEOS_REALTIME_MODEL` of OpenAI's realtime
 * API, or else the built-in one, which detects speech and returns `lines`.
 */
export function openTranscriber(environment: EnvironmentVariables, lines: readonly string[] = []): Transcriber {
  const { WINDIEOS_NOVA_URL: nova, WINDIEOS_REALTIME_MODEL: sessionModel, OPENAI_API_KEY: key = '' } = environment
  if (nova) return gatewayTranscriber({ url: nova })
  if (!sessionModel) return loudnessTranscriber(lines)
  const { WINDIEOS_REALTIME_URL: url = 'wss://api.openai.com/v1/realtime' } = environment
  const transcriptionModel = environment.WINDIEOS_TRANSCRIPTION_MODEL ?? 'gpt-4o-mini-transcribe'
  return realtimeTranscriber({ url, key, sessionModel, transcriptionModel })
}

/** Speech, transcription, summaries and embeddings without any model, the same on every machine. Pictures are not read. */
export const modelFreeServices = {
  perception: {},
  speechSynthesizer: toneSynthesizer,
  embedder: ngramEmbedder,
  summarizer: extractiveSummarizer,
  transcriber: loudnessTranscriber(),
}
