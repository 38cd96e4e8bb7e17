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

/** Messages name what a client sent, which may be long. */
const MAX_MESSAGE_CHARACTERS = 1000

/** The body of every error. */
export const errorBody = ({ message }: { readonly message: string }) => ({
  status: 'error',
  message: message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message,
})
