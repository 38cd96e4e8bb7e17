import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'

/** The faults that several adapters have in common. */

/** The fault for actions on files, and on the clipboard where only keys reach it. Both belong to the person whose desktop it is. */
export const noStorage = ({ type }: Action): Fault =>
  new Fault(
    'PlatformUnsupported',
    `${type} needs a synthetic desktop; ${type === 'write_file' ? 'files' : 'the clipboard'} of this one ${type === 'write_file' ? 'are' : 'is'} a person's`,
  )

/** The fault of an action that was aborted because all input was stopped. */
export const inputStopped = (): Fault => new Fault('PermissionDenied', 'all input was stopped by the operator')

/** The fault for keys that would reach another window than the one that had the keyboard. `typed` characters were sent. */
export const keyboardTaken = (typed: number): Fault =>
  new Fault(
    'WindowOccluded',
    typed === 0
      ? 'another window took the keyboard; nothing was typed into it'
      : `another window took the keyboard after ${typed} characters; nothing was typed into it`,
    { typed },
  )
