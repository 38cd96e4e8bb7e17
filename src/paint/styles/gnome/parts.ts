import type { StyleParts } from '../../context.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'

/** The drawing functions of the GNOME style. */
export const GNOME_PARTS: StyleParts = { ...BACKLOT_PARTS }
