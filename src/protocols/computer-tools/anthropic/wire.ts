import * as z from 'zod'
import type { PictureBudget } from '../../../observer/tools/capture.ts'
import type { PixelSize } from '../screen.ts'
import { ANTHROPIC_ACTIONS } from './actions.ts'

/** A `tool_use` block of Anthropic's Messages API, of the single tool or of the toolset. */
export const AnthropicToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(500),
  name: z.string(),
  input: z.unknown().optional(),
  toolset_name: z.string().nullish(),
})
export type AnthropicToolUse = z.infer<typeof AnthropicToolUse>

/** One call, several calls, or the message of a model that contains them. */
export const AnthropicRequest = z.union([
  AnthropicToolUse,
  z.array(z.looseObject({ type: z.string() })),
  z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
])

/** Text for the model. */
export interface AnthropicText {
  type: 'text'
  text: string
}

/** A screenshot for the model. */
export interface AnthropicImage {
  type: 'image'
  source: { type: 'base64'; media_type: 'image/png'; data: string }
}

/** The `tool_result` block that answers a `tool_use` block. */
export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  /** Repeated from calls of the toolset. */
  toolset_name?: string
  content: (AnthropicText | AnthropicImage)[]
  is_error?: true
}

export const AnthropicToolResultSchema = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  toolset_name: z.string().optional(),
  content: z.array(z.looseObject({ type: z.enum(['text', 'image']) })),
  is_error: z.literal(true).optional(),
})

/** The versions of Anthropic's computer tool, the newest last. */
export const ANTHROPIC_VERSIONS = [
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'computer_toolset_20260801',
] as const
export type AnthropicVersion = (typeof ANTHROPIC_VERSIONS)[number]

/** The name of the toolset in its calls. */
export const ANTHROPIC_TOOLSET = 'computer'

/** An entry of `tools` in a request to Anthropic's API. */
export type AnthropicToolDefinition =
  | { type: 'computer_20241022'; name: 'computer'; display_width_px: number; display_height_px: number }
  | { type: 'computer_20250124'; name: 'computer'; display_width_px: number; display_height_px: number }
  | {
      type: 'computer_20251124'
      name: 'computer'
      display_width_px: number
      display_height_px: number
      enable_zoom: boolean
    }
  | { type: 'computer_toolset_20260801' }

/** The entry of `tools` for a version. */
export function anthropicDefinition(version: AnthropicVersion, { width, height }: PixelSize): AnthropicToolDefinition {
  if (version === 'computer_toolset_20260801') return { type: version }
  const entry = { name: 'computer' as const, display_width_px: width, display_height_px: height }
  return version === 'computer_20251124' ? { type: version, ...entry, enable_zoom: true } : { type: version, ...entry }
}

/** The names of a version's actions. */
export const anthropicActionNames = (version: AnthropicVersion | undefined): readonly string[] => {
  const dated = version === undefined || version === 'computer_toolset_20260801' ? Infinity : Number(version.slice(9))
  return [...ANTHROPIC_ACTIONS].flatMap(([name, { since }]) => (since <= dated ? [name] : []))
}

/** The models of the toolset take larger pictures than those of the single tool before it. */
export const anthropicBudget = (version: AnthropicVersion): PictureBudget =>
  version === 'computer_toolset_20260801'
    ? { max_width: 2576, max_height: 2576 }
    : { max_width: 1568, max_height: 1568, max_pixels: 1_150_000 }

export const AnthropicToolDefinitionSchema = z.object({
  type: z.enum(ANTHROPIC_VERSIONS),
  name: z.literal('computer').optional(),
  display_width_px: z.int().optional(),
  display_height_px: z.int().optional(),
  enable_zoom: z.boolean().optional(),
})
