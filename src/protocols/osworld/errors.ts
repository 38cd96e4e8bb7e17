import { Fault, type FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** The HTTP status of each code. What a desktop cannot do is a failure of the server in this protocol. */
export const status: Readonly<Record<FaultCode, number>> = {
  ...HTTP_STATUS,
  PlatformUnsupported: 500,
  PatternUnsupported: 500,
  Timeout: 500,
  // A recording that runs already, or does not run.
  Conflict: 400,
}

/** A request for something that does not exist: status 404. */
export class MissingFault extends Fault {
  constructor(message: string) {
    super('BadRequest', message)
  }
}

export const statusOf = (fault: Fault): number => (fault instanceof MissingFault ? 404 : status[fault.code])

/** The body of every error. */
export const errorBody = ({ message }: Fault) => ({ status: 'error', message })
