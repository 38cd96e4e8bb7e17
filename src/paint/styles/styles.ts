import type { ShellMetrics } from '../../desktop/style/metrics.ts'
import { DEFAULT_STYLE, type DesktopStyle, styleMetrics } from '../../desktop/style/style.ts'
import type { ShellTheme, StyleChrome, Theme } from '../theme/theme.ts'
import type { Colours, Shadows, ShellTokens, StyleTokens, ThemeName } from '../theme/tokens.ts'
import { BACKLOT_CHROME } from './backlot/chrome.ts'
import { BACKLOT_COLOURS, BACKLOT_SHADOWS, BACKLOT_TOKENS } from './backlot/tokens.ts'
import { GNOME_CHROME } from './gnome/chrome.ts'
import { GNOME_COLOURS, GNOME_SHADOWS, GNOME_SHELL, GNOME_TOKENS } from './gnome/tokens.ts'
import { MACOS_CHROME } from './macos/chrome.ts'
import { MACOS_COLOURS, MACOS_SHADOWS, MACOS_SHELL, MACOS_TOKENS } from './macos/tokens.ts'
import { WINDOWS_CHROME } from './windows/chrome.ts'
import { WINDOWS_COLOURS, WINDOWS_SHADOWS, WINDOWS_SHELL, WINDOWS_TOKENS } from './windows/tokens.ts'

/** How a style is painted. */
interface PaintedStyle {
  readonly colours: Readonly<Record<ThemeName, Colours>>
  readonly shadows: Readonly<Record<ThemeName, Shadows>>
  readonly tokens: StyleTokens
  readonly chrome: StyleChrome
  /** Of a style whose metrics have a shell. */
  readonly shell?: ShellTokens
}

const STYLES: Readonly<Record<DesktopStyle, PaintedStyle>> = {
  backlot: { colours: BACKLOT_COLOURS, shadows: BACKLOT_SHADOWS, tokens: BACKLOT_TOKENS, chrome: BACKLOT_CHROME },
  windows: {
    colours: WINDOWS_COLOURS,
    shadows: WINDOWS_SHADOWS,
    tokens: WINDOWS_TOKENS,
    chrome: WINDOWS_CHROME,
    shell: WINDOWS_SHELL,
  },
  macos: {
    colours: MACOS_COLOURS,
    shadows: MACOS_SHADOWS,
    tokens: MACOS_TOKENS,
    chrome: MACOS_CHROME,
    shell: MACOS_SHELL,
  },
  gnome: {
    colours: GNOME_COLOURS,
    shadows: GNOME_SHADOWS,
    tokens: GNOME_TOKENS,
    chrome: GNOME_CHROME,
    shell: GNOME_SHELL,
  },
}

const themes = new Map<string, Theme>()

/** The theme of a style, the default one if it is undefined. Always the same object. */
export function themeOf(style: DesktopStyle = DEFAULT_STYLE, name: ThemeName = 'light'): Theme {
  const key = `${style} ${name}`
  const known = themes.get(key)
  if (known) return known
  const { colours, shadows, tokens, chrome, shell } = STYLES[style]
  const metrics = styleMetrics(style)
  const theme: Theme = {
    ...colours[name],
    ...tokens,
    style,
    name,
    metrics,
    shadows: shadows[name],
    chrome,
    ...(shell && metrics.shell && { shell: shellTheme(style, name, shell, metrics.shell) }),
  }
  themes.set(key, theme)
  return theme
}

function shellTheme(
  style: DesktopStyle,
  name: ThemeName,
  { isDarkInside, colours, ...tokens }: ShellTokens,
  { bars, launcher }: ShellMetrics,
): ShellTheme {
  const inside = isDarkInside && name === 'light' ? themeOf(style, 'dark') : undefined
  return { ...tokens, bars, launcher, colours: colours[name], ...(inside && { inside }) }
}
