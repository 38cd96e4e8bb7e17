import { openaiVision } from './openai.ts'
import type { Perception } from './perception.ts'
import { sceneOcr } from './scene.ts'
import { tesseractOcr } from './tesseract.ts'

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

/** What looks at pictures: the scene's own text on synthetic desktops, Tesseract on real ones, a vision model if configured. */
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
