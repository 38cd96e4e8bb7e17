import type { Theme, ThemeName } from './tokens.ts'

type Shades = Readonly<Record<ThemeName, readonly string[]>>

/** The colours of the sectors of a pie. Styles without a list use those of their window buttons. */
const CHART_COLOURS: Readonly<Partial<Record<Theme['style'], Partial<Shades>>>> = {
  windows: {
    light: ['#005fb8', '#0f7b0f', '#b86e00', '#c42b1c', '#744da9', '#5d5a58'],
    dark: ['#60cdff', '#6ccb5f', '#fcb34c', '#ff99a4', '#b4a0ff', '#c8c6c4'],
    'high-contrast': ['#8ee3f0', '#8ce08a', '#ffd166', '#ff9a94', '#cbb8ff', '#ffffff'],
  },
  gnome: {
    light: ['#3584e4', '#26a269', '#c88800', '#e01b24', '#9141ac', '#77767b'],
    dark: ['#3584e4', '#57e389', '#f8e45c', '#ff7b63', '#dc8add', '#c0bfbc'],
    'high-contrast': ['#1a5fb4', '#1b7a4b', '#8a5a00', '#a51d2d', '#613583', '#3d3846'],
  },
  macos: { 'high-contrast': ['#0040dd', '#1b7a4b', '#8a5a00', '#a00010', '#613583', '#3d3846'] },
}

/** The colours of the values of a chart, the first for the first value. Further values begin again. */
export function chartColours(theme: Theme): readonly string[] {
  const { style, name, accent, danger, muted, window, strong } = theme
  return CHART_COLOURS[style]?.[name] ?? [accent, window.maximize, window.minimize, danger, muted, strong]
}
