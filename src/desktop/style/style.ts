import { BACKLOT_METRICS } from './backlot.ts'
import { GNOME_METRICS } from './gnome.ts'
import { MACOS_METRICS } from './macos.ts'
import type { Metrics } from './metrics.ts'
import { WINDOWS_METRICS } from './windows.ts'

/** The styles of synthetic desktops, the default first. */
export const DESKTOP_STYLES = ['backlot', 'windows', 'macos', 'gnome'] as const

/** The system that a synthetic desktop looks like. */
export type DesktopStyle = (typeof DESKTOP_STYLES)[number]

/** The style of a desktop that names none. */
export const DEFAULT_STYLE = DESKTOP_STYLES[0]

/** What desktops and layouts know of each style: sizes, and what its shell consists of. */
const METRICS: Readonly<Record<DesktopStyle, Metrics>> = {
  backlot: BACKLOT_METRICS,
  windows: WINDOWS_METRICS,
  macos: MACOS_METRICS,
  gnome: GNOME_METRICS,
}

/** The styles with bars, a launcher and icons of their own. */
export const SHELL_STYLES: readonly DesktopStyle[] = DESKTOP_STYLES.filter((style) => METRICS[style].shell)

/** The sizes of a style, of the default one if it is undefined. With a language, its layouts make texts in it. */
export function styleMetrics(style: DesktopStyle | undefined, language?: string): Metrics {
  const plain = METRICS[style ?? DEFAULT_STYLE]
  if (language === undefined) return plain
  const known = inLanguages.get(plain) ?? new Map<string, Metrics>()
  const metrics = known.get(language) ?? { ...plain, language }
  inLanguages.set(plain, known.set(language, metrics))
  return metrics
}

const inLanguages = new Map<Metrics, Map<string, Metrics>>()
