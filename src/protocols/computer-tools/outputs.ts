import type { AnthropicToolDefinition } from './anthropic/definition.ts'
import type { AnthropicToolResult } from './anthropic/wire.ts'

/** What a model gets as the answer to a call, by vendor. An array for a request with several calls. */
export interface ComputerOutputs {
  readonly anthropic: AnthropicToolResult | AnthropicToolResult[]
}

/** The computer tool in a request to the vendor's API, by vendor. */
export interface ComputerDefinitions {
  readonly anthropic: AnthropicToolDefinition
}

/** A vendor whose computer tool is served. */
export type ComputerVendor = keyof ComputerOutputs
