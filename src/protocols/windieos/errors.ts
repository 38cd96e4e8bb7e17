import type { Fault, FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** The HTTP status of each code: 422 for invalid requests, 503 for services that are not configured or fail. */
export const status: Readonly<Record<FaultCode, number>> = {
  ...HTTP_STATUS,
  BadRequest: 422,
  PlatformUnsupported: 503,
  Timeout: 503,
}

/** The body of an error. `detail` is a sentence, an object with choices, or a list of validation errors. */
export const errorBody = (fault: Fault) => ({ detail: fault.context.detail ?? fault.message })

/** The codes of log entries, which are never sent to clients (WindieOS document, "Error codes"). */
const LOG_CODES = [
  'CONFIG_ERROR',
  'LLM_ERROR',
  'LLM_API_ERROR',
  'LLM_RATE_LIMIT',
  'TOOL_EXECUTION_ERROR',
  'TOOL_VALIDATION_ERROR',
  'TOOL_NOT_FOUND',
  'MEMORY_ERROR',
  'MEMORY_STORE_ERROR',
  'EMBEDDING_ERROR',
  'SESSION_ERROR',
  'INPUT_SIZE_LIMIT_ERROR',
  'PARSE_TIMEOUT_ERROR',
  'PARSE_VALIDATION_ERROR',
] as const
export type LogCode = (typeof LOG_CODES)[number]

/** Logs failures for the operator. Messages must not contain secrets of requests. */
export type FailureLog = (code: LogCode, message: string) => void

const MODEL_FAILURES: readonly (readonly [LogCode, readonly string[]])[] = [
  ['LLM_RATE_LIMIT', ['rate_limit', 'model_rate_limited', 'RateLimited', 'Busy']],
  [
    'LLM_API_ERROR',
    [
      'api_error',
      'model_unreachable',
      'model_timeout',
      'model_unauthorized',
      'model_bad_request',
      'model_unavailable',
      'Timeout',
      'PlatformUnsupported',
      'Unauthorized',
    ],
  ],
]

/** The log code of a model failure, from the engine's code. */
export const modelFailureCode = (code: string): LogCode =>
  MODEL_FAILURES.find(([, words]) => words.includes(code))?.[0] ?? 'LLM_ERROR'
