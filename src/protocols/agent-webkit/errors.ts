import type * as z from 'zod'
import { problemWords } from '../../base/external-values.ts'
import type { Fault } from '../../base/fault.ts'

/**
 * The HTTP status of each code (agent-webkit document, "Endpoints" and "Race semantics"): 409 for a reply to a decided
 * request, 412 for a `Last-Event-ID` older than the buffer, 503 for a full queue.
 */
export { HTTP_STATUS as status } from '../http/status.ts'

/** The body of an error. A full queue has a code, so that clients can retry. */
export const errorBody = (fault: Fault) =>
  fault.code === 'Busy' ? { detail: fault.message, code: 'backpressure' } : { detail: fault.message }

/** The error body of an invalid create request, with one entry per problem. */
export const validationBody = (issues: readonly z.core.$ZodIssue[]) => ({
  detail: issues.map((issue) => ({
    loc: ['body', ...issue.path.map(String)],
    msg: problemWords(issue),
    type: 'value_error',
  })),
})
