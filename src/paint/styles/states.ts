import type { PointerLook } from '../pointed.ts'

/** The states for which a control has a colour. */
export type ControlState = 'normal' | 'hovered' | 'pressed' | 'disabled'

/** A colour of each state. */
export type StateColours = Readonly<Record<ControlState, string>>

/** The state of a control. */
export const stateOf = (isEnabled: boolean, { isHovered, isPressed }: Partial<PointerLook>): ControlState =>
  !isEnabled ? 'disabled' : isPressed ? 'pressed' : isHovered ? 'hovered' : 'normal'
