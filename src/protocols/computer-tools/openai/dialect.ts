import type { Fault } from '../../../base/fault.ts'
import type { ComputerDialect } from '../dialect.ts'
import { modelScreen } from '../screen.ts'
import {
  OPENAI_BUDGET,
  OPENAI_VERSIONS,
  type OpenAiToolDefinition,
  OpenAiToolDefinitionSchema,
  type OpenAiVersion,
  openAiDefinition,
} from './definition.ts'
import { runOpenAi } from './run.ts'
import { type OpenAiCallOutput, OpenAiCallOutputSchema, OpenAiComputerCall } from './wire.ts'

/** OpenAI: `computer_call` items, `computer_call_output` items as answers. */
export const openAiComputer: ComputerDialect<OpenAiCallOutput, OpenAiToolDefinition> = {
  versions: OPENAI_VERSIONS,
  run: runOpenAi,
  define: async (session, options) => {
    const { size } = await modelScreen(session, OPENAI_BUDGET, options.display)
    const version = (options.version ?? OPENAI_VERSIONS.at(-1)!) as OpenAiVersion
    return openAiDefinition(version, size, session.computer.info.platform)
  },
  errorOf: openAiError,
  pendingOf: ({ id, message, checks }, fault) => ({
    ...openAiError(fault),
    pending_safety_checks: checks ?? [{ id, code: 'confirmation_required', message }],
  }),
  wire: { request: OpenAiComputerCall, response: OpenAiCallOutputSchema, definition: OpenAiToolDefinitionSchema },
}

/** The body of an HTTP error of OpenAI's API. */
function openAiError({ code, message }: Fault) {
  const isServer = code === 'Internal' || code === 'StorageFailed'
  return { error: { message, type: isServer ? 'server_error' : 'invalid_request_error', param: null, code } }
}
