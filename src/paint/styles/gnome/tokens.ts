import { BACKLOT_COLOURS, BACKLOT_SHADOWS, BACKLOT_TOKENS } from '../backlot/tokens.ts'

/** The colours of the GNOME style. */
export const GNOME_COLOURS = BACKLOT_COLOURS

/** The shadows of the GNOME style. */
export const GNOME_SHADOWS = BACKLOT_SHADOWS

/** The type and the signs of the GNOME style. */
export const GNOME_TOKENS = BACKLOT_TOKENS
