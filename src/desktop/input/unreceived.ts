import { Fault, type FaultContext } from '../../base/fault.ts'

/** Input that nothing on the desktop receives, such as a click beyond the screens. Nothing was done. */
export class UnreceivedInput extends Fault {
  constructor(message: string, context: FaultContext = {}) {
    super('BadRequest', message, context)
  }
}
