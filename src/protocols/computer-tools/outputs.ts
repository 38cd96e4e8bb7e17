import type { AnthropicToolDefinition } from './anthropic/definition.ts'
import type { AnthropicToolResult } from './anthropic/wire.ts'
import type { GeminiToolDefinition } from './gemini/definition.ts'
import type { GeminiOutput } from './gemini/wire.ts'
import type { OpenAiToolDefinition } from './openai/definition.ts'
import type { OpenAiCallOutput } from './openai/wire.ts'

/** What a model gets as the answer to a call, by vendor. An array for a request with several calls. */
export interface ComputerOutputs {
  readonly anthropic: AnthropicToolResult | AnthropicToolResult[]
  readonly openai: OpenAiCallOutput
  readonly gemini: GeminiOutput
}

/** The computer tool in a request to the vendor's API, by vendor. */
export interface ComputerDefinitions {
  readonly anthropic: AnthropicToolDefinition
  readonly openai: OpenAiToolDefinition
  readonly gemini: GeminiToolDefinition
}

/** A vendor whose computer tool is served. */
export type ComputerVendor = keyof ComputerOutputs
