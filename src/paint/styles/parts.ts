import type { DesktopStyle } from '../../desktop/style/style.ts'
import type { StyleParts } from '../context.ts'
import { BACKLOT_PARTS } from './backlot/parts.ts'
import { GNOME_PARTS } from './gnome/parts.ts'
import { MACOS_PARTS } from './macos/parts.ts'
import { WINDOWS_PARTS } from './windows/parts.ts'

const PARTS: Readonly<Record<DesktopStyle, StyleParts>> = {
  backlot: BACKLOT_PARTS,
  windows: WINDOWS_PARTS,
  macos: MACOS_PARTS,
  gnome: GNOME_PARTS,
}

/** The drawing functions of a style. */
export const stylePartsOf = (style: DesktopStyle): StyleParts => PARTS[style]
