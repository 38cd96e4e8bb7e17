import type { Fault, FaultCode } from '../../base/fault.ts'

/** The HTTP status of each code (agent-webkit document, "Endpoints" and "Race semantics"). */
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
  ConfirmationRequired: 412,
  ConfirmationInvalid: 412,
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
  EventsEvicted: 412,
  TooLarge: 413,
} satisfies Record<FaultCode, number>

/** The body of an error; a full queue is named, so that clients can wait. */
export const errorBody = (fault: Fault) =>
  fault.code === 'Busy' ? { detail: fault.message, code: 'backpressure' } : { detail: fault.message }

/** The body of a create request that does not fit: one entry for each thing that is wrong. */
export const validationBody = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
) => ({
  detail: issues.map(({ path, message }) => ({
    loc: ['body', ...path.map(String)],
    msg: message,
    type: 'value_error',
  })),
})
