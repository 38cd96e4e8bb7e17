import type { Metrics } from '../desktop/style/metrics.ts'
import { type DesktopStyle, styleMetrics } from '../desktop/style/style.ts'

/** The look of a desktop: its style and sizes, and its colours as `#rrggbb` or `#rrggbbaa`. */
export interface Theme extends Colours {
  readonly style: DesktopStyle
  readonly metrics: Metrics
}

interface Colours {
  readonly name: ThemeName
  /** The wallpaper: one colour per row, from the top to the bottom of each monitor. */
  readonly wallpaper: { readonly top: string; readonly bottom: string }
  readonly panel: {
    readonly bar: string
    readonly edge: string
    readonly button: string
    readonly active: string
    readonly text: string
    readonly muted: string
  }
  readonly window: {
    readonly surface: string
    readonly title: string
    readonly titleInactive: string
    readonly titleText: string
    readonly titleTextInactive: string
    readonly edge: string
    readonly close: string
    readonly maximize: string
    readonly minimize: string
    readonly idle: string
  }
  /** Darkness of shadows, 0 to 1. */
  readonly shadow: number
  readonly text: string
  readonly muted: string
  readonly disabled: string
  readonly accent: string
  readonly onAccent: string
  /** Around the focused control. */
  readonly ring: string
  readonly link: string
  readonly danger: string
  /** Backgrounds: of bars, fields, buttons, unfocused selections, every other row. */
  readonly bar: string
  readonly field: string
  readonly fieldDisabled: string
  readonly button: string
  readonly buttonDisabled: string
  readonly raised: string
  readonly selected: string
  readonly stripe: string
  readonly track: string
  readonly thumb: string
  readonly tooltip: string
  readonly tooltipText: string
  readonly terminal: string
  readonly onTerminal: string
  /** Lines: between areas, around controls, around controls that must stand out. */
  readonly line: string
  readonly border: string
  readonly strong: string
  /** Selected text in a field. */
  readonly highlight: string
}

export type ThemeName = 'light' | 'dark' | 'high-contrast'

const light: Colours = {
  name: 'light',
  wallpaper: { top: '#23407f', bottom: '#63b3cf' },
  panel: { bar: '#1c2230', edge: '#2c3446', button: '#2a3244', active: '#465270', text: '#f4f6fa', muted: '#c3cad8' },
  window: {
    surface: '#f7f8fa',
    title: '#e6e9ef',
    titleInactive: '#f0f2f5',
    titleText: '#1d2433',
    titleTextInactive: '#8a93a3',
    edge: '#10182838',
    close: '#f2554d',
    maximize: '#2fbf5b',
    minimize: '#f5b52e',
    idle: '#cdd2db',
  },
  shadow: 0.34,
  text: '#1d2433',
  muted: '#667085',
  disabled: '#a4abb8',
  accent: '#2f6fe4',
  onAccent: '#ffffff',
  ring: '#2f6fe466',
  link: '#1d5fd1',
  danger: '#d92d20',
  bar: '#eef0f4',
  field: '#ffffff',
  fieldDisabled: '#f1f3f6',
  button: '#ffffff',
  buttonDisabled: '#f1f3f6',
  raised: '#ffffff',
  selected: '#dbe7fd',
  stripe: '#f8f9fb',
  track: '#dfe3ea',
  thumb: '#b3bac7',
  tooltip: '#242b3a',
  tooltipText: '#f4f6fa',
  terminal: '#1d2230',
  onTerminal: '#dfe6f2',
  line: '#dfe3ea',
  border: '#c5cbd6',
  strong: '#98a1b2',
  highlight: '#b9d2fb',
}

const dark: Colours = {
  name: 'dark',
  wallpaper: { top: '#10162b', bottom: '#2b4a6f' },
  panel: { bar: '#0d1018', edge: '#1e2431', button: '#1c2230', active: '#38425a', text: '#eef1f6', muted: '#a9b2c3' },
  window: {
    surface: '#1f232c',
    title: '#2a2f3b',
    titleInactive: '#23272f',
    titleText: '#eef1f6',
    titleTextInactive: '#7f8898',
    edge: '#ffffff2e',
    close: '#f2554d',
    maximize: '#2fbf5b',
    minimize: '#f5b52e',
    idle: '#474e5d',
  },
  shadow: 0.6,
  text: '#e8ebf1',
  muted: '#9aa3b4',
  disabled: '#626b7b',
  accent: '#4a8af4',
  onAccent: '#ffffff',
  ring: '#4a8af480',
  link: '#7db0ff',
  danger: '#f97066',
  bar: '#262b35',
  field: '#171a21',
  fieldDisabled: '#20242d',
  button: '#333a48',
  buttonDisabled: '#282d38',
  raised: '#2a2f3b',
  selected: '#2b4270',
  stripe: '#1b1f27',
  track: '#383f4d',
  thumb: '#5a6375',
  tooltip: '#e8ebf1',
  tooltipText: '#1d2433',
  terminal: '#12151c',
  onTerminal: '#dfe6f2',
  line: '#343a47',
  border: '#454d5d',
  strong: '#6d778a',
  highlight: '#2f5596',
}

const highContrast: Colours = {
  name: 'high-contrast',
  wallpaper: { top: '#000000', bottom: '#000000' },
  panel: { bar: '#000000', edge: '#ffffff', button: '#000000', active: '#1a6fff', text: '#ffffff', muted: '#ffffff' },
  window: {
    surface: '#000000',
    title: '#1a3fa8',
    titleInactive: '#000000',
    titleText: '#ffffff',
    titleTextInactive: '#ffffff',
    edge: '#ffffff',
    close: '#ff5a50',
    maximize: '#3ff23f',
    minimize: '#ffd400',
    idle: '#ffffff',
  },
  shadow: 0,
  text: '#ffffff',
  muted: '#c8c8c8',
  disabled: '#3ff23f',
  accent: '#ffd400',
  onAccent: '#000000',
  ring: '#00e5ff',
  link: '#ffff00',
  danger: '#ff5a50',
  bar: '#000000',
  field: '#000000',
  fieldDisabled: '#000000',
  button: '#000000',
  buttonDisabled: '#000000',
  raised: '#000000',
  selected: '#1a3fa8',
  stripe: '#000000',
  track: '#404040',
  thumb: '#ffffff',
  tooltip: '#ffff00',
  tooltipText: '#000000',
  terminal: '#000000',
  onTerminal: '#ffffff',
  line: '#ffffff',
  border: '#ffffff',
  strong: '#ffffff',
  highlight: '#1a6fff',
}

const COLOURS: Readonly<Record<ThemeName, Colours>> = { light, dark, 'high-contrast': highContrast }

const themes = new Map<string, Theme>()

/** The theme of a style, the default one if it is undefined. Always the same object. */
export function themeOf(style: DesktopStyle = 'backlot', name: ThemeName = 'light'): Theme {
  const key = `${style} ${name}`
  const theme = themes.get(key) ?? { ...COLOURS[name], style, metrics: styleMetrics(style) }
  themes.set(key, theme)
  return theme
}

/** Red, green, blue and alpha of a colour, 0 to 255, not premultiplied. */
export function channelsOf(colour: string): readonly [number, number, number, number] {
  const digits = Number.parseInt(colour.slice(1).padEnd(8, 'f'), 16)
  return [(digits >>> 24) & 255, (digits >>> 16) & 255, (digits >>> 8) & 255, digits & 255]
}

const pixels = new Map<string, number>()

/** A colour as one premultiplied pixel, red in the lowest byte. */
export function pixelOf(colour: string): number {
  const known = pixels.get(colour)
  if (known !== undefined) return known
  const [red, green, blue, alpha] = channelsOf(colour)
  const scaled = (channel: number) => Math.round((channel * alpha) / 255)
  const pixel = ((alpha << 24) | (scaled(blue) << 16) | (scaled(green) << 8) | scaled(red)) >>> 0
  pixels.set(colour, pixel)
  return pixel
}
