import * as z from 'zod'
import type { PictureBudget } from '../../../observer/tools/capture.ts'
import type { PixelSize } from '../screen.ts'

/** The versions of OpenAI's computer tool, the newest last. */
export const OPENAI_VERSIONS = ['computer_use_preview', 'computer'] as const
export type OpenAiVersion = (typeof OPENAI_VERSIONS)[number]

/** The largest screenshot that the models take without scaling. */
export const OPENAI_BUDGET: PictureBudget = { max_pixels: 10_240_000 }

/** An entry of `tools` in a request to OpenAI's Responses API. */
export type OpenAiToolDefinition =
  | { type: 'computer' }
  | {
      type: 'computer_use_preview'
      display_width: number
      display_height: number
      environment: 'linux' | 'mac' | 'windows'
    }

/** The names of platforms in OpenAI's dialect. All others are Linux. */
export const OPENAI_PLATFORMS: Readonly<Record<string, 'mac' | 'windows'>> = { Darwin: 'mac', Windows: 'windows' }

/** The entry of `tools` for a version. */
export const openAiDefinition = (
  version: OpenAiVersion,
  { width, height }: PixelSize,
  platform: string,
): OpenAiToolDefinition =>
  version === 'computer'
    ? { type: version }
    : {
        type: version,
        display_width: width,
        display_height: height,
        environment: OPENAI_PLATFORMS[platform] ?? 'linux',
      }

export const OpenAiToolDefinitionSchema = z.object({
  type: z.enum(OPENAI_VERSIONS),
  display_width: z.int().optional(),
  display_height: z.int().optional(),
  environment: z.enum(['linux', 'mac', 'windows']).optional(),
})
