import * as z from 'zod'

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
