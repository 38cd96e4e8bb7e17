import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'

/** The fault for actions on the clipboard and files, which belong to the person whose desktop it is. */
export const noStorage = ({ type }: Action): Fault =>
  new Fault('PlatformUnsupported', `${type} needs a synthetic desktop; clipboard and files of this one are a person's`)
