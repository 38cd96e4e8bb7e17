import type { Fault } from '../../base/fault.ts'

/**
 * The HTTP status of each code (agent-webkit document, "Endpoints" and "Race semantics"): 409 for a reply to a request that
 * was decided before, 412 for a `Last-Event-ID` that is older than the ring, 503 for a full queue.
 */
export { HTTP_STATUS as status } from '../http/status.ts'

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
