import { type DesktopStyle, styleMetrics } from '../../desktop/style/style.ts'
import type { StyleParts } from '../theme/theme.ts'
import type { Colours, Shadows, StyleTokens, Theme, ThemeName } from '../theme/tokens.ts'
import { BACKLOT_PARTS } from './backlot/chrome.ts'
import { BACKLOT_COLOURS, BACKLOT_SHADOWS, BACKLOT_TOKENS } from './backlot/tokens.ts'
import { GNOME_PARTS } from './gnome/chrome.ts'
import { GNOME_COLOURS, GNOME_SHADOWS, GNOME_TOKENS } from './gnome/tokens.ts'
import { MACOS_PARTS } from './macos/chrome.ts'
import { MACOS_COLOURS, MACOS_SHADOWS, MACOS_TOKENS } from './macos/tokens.ts'
import { WINDOWS_PARTS } from './windows/chrome.ts'
import { WINDOWS_COLOURS, WINDOWS_SHADOWS, WINDOWS_TOKENS } from './windows/tokens.ts'

export type { Theme, ThemeName } from '../theme/tokens.ts'

interface StyleLook {
  readonly colours: Readonly<Record<ThemeName, Colours>>
  readonly shadows: Readonly<Record<ThemeName, Shadows>>
  readonly tokens: StyleTokens
}

const LOOKS: Readonly<Record<DesktopStyle, StyleLook>> = {
  backlot: { colours: BACKLOT_COLOURS, shadows: BACKLOT_SHADOWS, tokens: BACKLOT_TOKENS },
  windows: { colours: WINDOWS_COLOURS, shadows: WINDOWS_SHADOWS, tokens: WINDOWS_TOKENS },
  macos: { colours: MACOS_COLOURS, shadows: MACOS_SHADOWS, tokens: MACOS_TOKENS },
  gnome: { colours: GNOME_COLOURS, shadows: GNOME_SHADOWS, tokens: GNOME_TOKENS },
}

const themes = new Map<string, Theme>()

/** The theme of a style, the default one if it is undefined. Always the same object. */
export function themeOf(style: DesktopStyle = 'backlot', name: ThemeName = 'light'): Theme {
  const key = `${style} ${name}`
  const known = themes.get(key)
  if (known) return known
  const { colours, shadows, tokens } = LOOKS[style]
  const theme = { ...colours[name], ...tokens, style, name, metrics: styleMetrics(style), shadows: shadows[name] }
  themes.set(key, theme)
  return theme
}

const PARTS: Readonly<Record<DesktopStyle, StyleParts>> = {
  backlot: BACKLOT_PARTS,
  windows: WINDOWS_PARTS,
  macos: MACOS_PARTS,
  gnome: GNOME_PARTS,
}

/** The drawing functions of a style. */
export const stylePartsOf = (style: DesktopStyle): StyleParts => PARTS[style]
