import type { Fault, FaultCode } from '../../base/fault.ts'

/** The HTTP status of each code; on a socket there is one close code, and otherwise a sentence. */
const status = {
  ElementNotFound: 404,
  ElementOccluded: 409,
  ElementDisabled: 409,
  WindowGone: 404,
  WindowOccluded: 409,
  Timeout: 408,
  PatternUnsupported: 422,
  RateLimited: 429,
  BudgetExceeded: 429,
  PermissionDenied: 403,
  ConfirmationRequired: 412,
  ConfirmationInvalid: 412,
  SnapshotExpired: 404,
  ScenarioInvalid: 400,
  PlatformUnsupported: 501,
  PredicateUnsupported: 501,
  BadRequest: 422,
  Internal: 500,
  SessionNotFound: 404,
  Unauthorized: 401,
  Conflict: 409,
  Busy: 503,
  EventsEvicted: 410,
  TooLarge: 413,
} satisfies Record<FaultCode, number>

/** The status of a fault: 422 for a body that does not fit, 400 only for a blocked file type (Navi document, "Errors"). */
export const statusOf = (fault: Fault): number => (fault.context.blocked === undefined ? status[fault.code] : 400)

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ detail: fault.message })

/** The close code of a socket whose session does not exist, or does not any more (Navi document, "Errors"). */
export const SESSION_NOT_FOUND = 4004
