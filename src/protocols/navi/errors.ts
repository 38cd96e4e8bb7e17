import type { Fault, FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

const status: Record<FaultCode, number> = { ...HTTP_STATUS, BadRequest: 422 }

/** The status of a fault: 422 for an invalid body, 400 only for a blocked file type (Navi document, "Errors"). */
export const statusOf = (fault: Fault): number => (fault.context.blocked === undefined ? status[fault.code] : 400)

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ detail: fault.message })

/** The close code of a socket whose session does not exist or was deleted (Navi document, "Errors"). */
export const SESSION_NOT_FOUND = 4004
