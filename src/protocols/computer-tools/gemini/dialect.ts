import type { Fault, FaultCode } from '../../../base/fault.ts'
import { HTTP_STATUS } from '../../http/status.ts'
import type { ComputerDialect } from '../dialect.ts'
import { modelScreen } from '../screen.ts'
import {
  GEMINI_BUDGET,
  GEMINI_VERSIONS,
  type GeminiToolDefinition,
  GeminiToolDefinitionSchema,
  type GeminiVersion,
  geminiDefinition,
} from './definition.ts'
import { runGemini } from './run.ts'
import { type GeminiOutput, GeminiOutputSchema, GeminiRequest } from './wire.ts'

/** Gemini: function calls of both of its APIs, function responses as answers. */
export const geminiComputer: ComputerDialect<GeminiOutput, GeminiToolDefinition> = {
  versions: GEMINI_VERSIONS,
  run: runGemini,
  define: async (session, options) => {
    await modelScreen(session, GEMINI_BUDGET, options.display)
    return geminiDefinition((options.version ?? GEMINI_VERSIONS.at(-1)!) as GeminiVersion)
  },
  errorOf: geminiError,
  wire: { request: GeminiRequest, response: GeminiOutputSchema, definition: GeminiToolDefinitionSchema },
}

const STATUSES: Partial<Record<FaultCode, string>> = {
  Unauthorized: 'UNAUTHENTICATED',
  PermissionDenied: 'PERMISSION_DENIED',
  SessionNotFound: 'NOT_FOUND',
  Busy: 'UNAVAILABLE',
  Internal: 'INTERNAL',
  StorageFailed: 'INTERNAL',
}

/** The body of an HTTP error of Gemini's API. */
function geminiError({ code, message }: Fault) {
  return { error: { code: HTTP_STATUS[code], message, status: STATUSES[code] ?? 'INVALID_ARGUMENT' } }
}
