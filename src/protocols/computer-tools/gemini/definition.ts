import * as z from 'zod'
import type { PictureBudget } from '../../../observer/tools/capture.ts'

/** The APIs of Gemini, which describe the tool differently. The newest is last. */
export const GEMINI_VERSIONS = ['generateContent', 'interactions'] as const
export type GeminiVersion = (typeof GEMINI_VERSIONS)[number]

/** Coordinates do not depend on the size of screenshots, which only limits the cost. */
export const GEMINI_BUDGET: PictureBudget = { max_pixels: 10_240_000 }

/** An entry of `tools` in a request to Gemini's API. */
export type GeminiToolDefinition =
  | { computerUse: { environment: 'ENVIRONMENT_DESKTOP' } }
  | { type: 'computer_use'; environment: 'desktop' }

/** The entry of `tools` for an API. */
export const geminiDefinition = (version: GeminiVersion): GeminiToolDefinition =>
  version === 'interactions'
    ? { type: 'computer_use', environment: 'desktop' }
    : { computerUse: { environment: 'ENVIRONMENT_DESKTOP' } }

export const GeminiToolDefinitionSchema = z.union([
  z.object({ computerUse: z.object({ environment: z.literal('ENVIRONMENT_DESKTOP') }) }),
  z.object({ type: z.literal('computer_use'), environment: z.literal('desktop') }),
])
