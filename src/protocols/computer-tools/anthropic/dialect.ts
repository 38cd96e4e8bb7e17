import type { ComputerDialect } from '../dialect.ts'
import { modelScreen } from '../screen.ts'
import {
  ANTHROPIC_VERSIONS,
  type AnthropicToolDefinition,
  AnthropicToolDefinitionSchema,
  type AnthropicVersion,
  anthropicBudget,
  anthropicDefinition,
} from './definition.ts'
import { anthropicError } from './errors.ts'
import { runAnthropic } from './run.ts'
import { AnthropicRequest, type AnthropicToolResult, AnthropicToolResultSchema } from './wire.ts'

/** Anthropic: `tool_use` blocks of the single tool and of the toolset, `tool_result` blocks as answers. */
export const anthropicComputer: ComputerDialect<AnthropicToolResult | AnthropicToolResult[], AnthropicToolDefinition> =
  {
    versions: ANTHROPIC_VERSIONS,
    run: runAnthropic,
    define: async (session, options) => {
      const version = (options.version ?? ANTHROPIC_VERSIONS.at(-1)!) as AnthropicVersion
      const { size } = await modelScreen(session, anthropicBudget(version), options.display)
      return anthropicDefinition(version, size)
    },
    errorOf: anthropicError,
    wire: {
      request: AnthropicRequest,
      response: AnthropicToolResultSchema.or(AnthropicToolResultSchema.array()),
      definition: AnthropicToolDefinitionSchema,
    },
  }
