import { BACKLOT_COLOURS, BACKLOT_SHADOWS, BACKLOT_TOKENS } from '../backlot/tokens.ts'

/** The colours of the Windows style. */
export const WINDOWS_COLOURS = BACKLOT_COLOURS

/** The shadows of the Windows style. */
export const WINDOWS_SHADOWS = BACKLOT_SHADOWS

/** The type and the signs of the Windows style. */
export const WINDOWS_TOKENS = BACKLOT_TOKENS
