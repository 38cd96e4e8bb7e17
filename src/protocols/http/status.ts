import type { FastifyRequest } from 'fastify'
import { Fault, type FaultCode } from '../../base/fault.ts'

/** The default HTTP status of each fault. Protocols override it where their document differs. */
export const HTTP_STATUS = {
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
  StorageFailed: 507,
} satisfies Record<FaultCode, number>

/** Converts anything thrown while a server handles a request. Fastify's own errors about a request are the caller's mistakes. */
export function requestFault(thrown: unknown, { routeOptions }: FastifyRequest): Fault {
  const status = (thrown as { readonly statusCode?: unknown } | null)?.statusCode
  if (thrown instanceof Fault || typeof status !== 'number' || status < 400 || status > 499) return Fault.from(thrown)
  if (status !== 413) return new Fault('BadRequest', (thrown as Error).message)
  return new Fault('TooLarge', `the body is larger than ${routeOptions.bodyLimit} bytes`)
}
