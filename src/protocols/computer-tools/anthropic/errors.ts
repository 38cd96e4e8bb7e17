import type { Fault, FaultCode } from '../../../base/fault.ts'

const TYPES: Partial<Record<FaultCode, string>> = {
  Unauthorized: 'authentication_error',
  PermissionDenied: 'permission_error',
  SessionNotFound: 'not_found_error',
  TooLarge: 'request_too_large',
  RateLimited: 'rate_limit_error',
  Busy: 'overloaded_error',
  Internal: 'api_error',
  StorageFailed: 'api_error',
}

/** The body of an HTTP error of Anthropic's API. */
export const anthropicError = ({ code, message }: Fault) => ({
  type: 'error',
  error: { type: TYPES[code] ?? 'invalid_request_error', message },
})
