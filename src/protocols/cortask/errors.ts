import type { Fault } from '../../base/fault.ts'

/** The HTTP status of each code; on the socket there are no codes, only a sentence. */
export { HTTP_STATUS as status } from '../http/status.ts'

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ error: fault.message })
