import type { StyleParts } from '../../context.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'

/** The drawing functions of the macOS style. */
export const MACOS_PARTS: StyleParts = { ...BACKLOT_PARTS }
