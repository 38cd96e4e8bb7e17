import type { StyleParts } from '../../context.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'

/** The drawing functions of the Windows style. */
export const WINDOWS_PARTS: StyleParts = { ...BACKLOT_PARTS }
