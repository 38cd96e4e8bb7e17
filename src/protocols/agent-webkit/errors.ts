import type { Fault, FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../status.ts'

/** The HTTP status of each code (agent-webkit document, "Endpoints" and "Race semantics"). */
export const status: Record<FaultCode, number> = {
  ...HTTP_STATUS,
  /** The reply to a request that was decided before. */
  Conflict: 409,
  /** A `Last-Event-ID` that is older than the ring. */
  EventsEvicted: 412,
  /** A queue that is full. */
  Busy: 503,
}

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
