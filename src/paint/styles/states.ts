import type { PointerLook } from '../pointed.ts'

/** The states for which a control has a colour. */
export type InteractionState = 'normal' | 'hovered' | 'pressed' | 'disabled'

/** A colour of each state. */
export type StateColours = Readonly<Record<InteractionState, string>>

/** The state of a control. */
export const stateOf = (isEnabled: boolean, { isHovered, isPressed }: Partial<PointerLook>): InteractionState =>
  !isEnabled ? 'disabled' : isPressed ? 'pressed' : isHovered ? 'hovered' : 'normal'
