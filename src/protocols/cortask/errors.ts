import type { Fault } from '../../base/fault.ts'

/** The HTTP status of each code. Errors on the socket have only a message. */
export { HTTP_STATUS as status } from '../http/status.ts'

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ error: fault.message })
