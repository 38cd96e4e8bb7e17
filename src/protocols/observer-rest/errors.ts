import type { FaultCode } from '../../base/fault.ts'

/** The HTTP status of each code (observer document, "Codes"). Codes of other protocols cannot come up here. */
export const status = {
  ElementNotFound: 404,
  ElementOccluded: 409,
  ElementDisabled: 409,
  WindowGone: 404,
  WindowOccluded: 409,
  Timeout: 408,
  PatternUnsupported: 501,
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
  StorageFailed: 507,
} satisfies Record<FaultCode, number>

/** The first version's routes know two statuses only (observer document, "HTTP status codes"). */
export const legacyStatus = (code: FaultCode): number => (code === 'Internal' || code === 'StorageFailed' ? 500 : 400)
