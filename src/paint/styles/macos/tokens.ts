import { BACKLOT_COLOURS, BACKLOT_SHADOWS, BACKLOT_TOKENS } from '../backlot/tokens.ts'

/** The colours of the macOS style. */
export const MACOS_COLOURS = BACKLOT_COLOURS

/** The shadows of the macOS style. */
export const MACOS_SHADOWS = BACKLOT_SHADOWS

/** The type and the signs of the macOS style. */
export const MACOS_TOKENS = BACKLOT_TOKENS
