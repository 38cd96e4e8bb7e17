import type { Fault, FaultCode } from '../../base/fault.ts'

/** The HTTP status of each code; on the socket there are no codes, only a sentence. */
export const status = {
  ElementNotFound: 404,
  ElementOccluded: 409,
  ElementDisabled: 409,
  WindowGone: 404,
  WindowOccluded: 409,
  Timeout: 408,
  PatternUnsupported: 400,
  RateLimited: 429,
  BudgetExceeded: 429,
  PermissionDenied: 403,
  ConfirmationRequired: 409,
  ConfirmationInvalid: 409,
  SnapshotExpired: 410,
  ScenarioInvalid: 400,
  PlatformUnsupported: 501,
  PredicateUnsupported: 501,
  BadRequest: 400,
  Internal: 500,
  SessionNotFound: 404,
  Unauthorized: 401,
  Conflict: 409,
  Busy: 503,
  EventsEvicted: 410,
  TooLarge: 413,
} satisfies Record<FaultCode, number>

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ error: fault.message })
