import type { DesktopStyle } from '../../desktop/style/style.ts'
import type { Theme, ThemeName } from '../theme/tokens.ts'

/** The colours of badges, cards and destructive buttons in a style and shade. */
export interface ControlColours {
  readonly badge: string
  readonly onBadge: string
  /** Around badges. Undefined: none. */
  readonly badgeEdge?: string
  readonly card: string
  readonly cardLine: string
  /** The face of a destructive button. Undefined: that of other buttons. */
  readonly destructive?: string
  /** The face below the pointer, where a tint of it would not be seen. */
  readonly destructiveHovered?: string
  readonly onDestructive: string
  /** Around a destructive button. Undefined: none. */
  readonly destructiveEdge?: string
  /** Around the discs of people. Undefined: none, and the disc has the colour of the name. */
  readonly avatarEdge?: string
}

const CONTROL_COLOURS: Readonly<Record<DesktopStyle, Readonly<Record<ThemeName, ControlColours>>>> = {
  backlot: {
    light: {
      badge: '#2f6fe4',
      onBadge: '#ffffff',
      card: '#ffffff',
      cardLine: '#dfe3ea',
      destructive: '#d92d20',
      onDestructive: '#ffffff',
    },
    dark: {
      badge: '#2f6fe4',
      onBadge: '#ffffff',
      card: '#2a2f3b',
      cardLine: '#343a47',
      destructive: '#c4281c',
      onDestructive: '#ffffff',
    },
    'high-contrast': {
      badge: '#ffd400',
      onBadge: '#000000',
      card: '#000000',
      cardLine: '#ffffff',
      destructive: '#000000',
      onDestructive: '#ff8a82',
      destructiveEdge: '#ff8a82',
      avatarEdge: '#ffffff',
    },
  },
  windows: {
    light: {
      badge: '#005fb8',
      onBadge: '#ffffff',
      card: '#fbfbfb',
      cardLine: '#0000000f',
      destructive: '#c42b1c',
      destructiveHovered: '#ca4032',
      onDestructive: '#ffffff',
    },
    dark: {
      badge: '#60cdff',
      onBadge: '#000000',
      card: '#ffffff0d',
      cardLine: '#0000001a',
      destructive: '#c42b1c',
      onDestructive: '#ffffff',
    },
    'high-contrast': {
      badge: '#8ee3f0',
      onBadge: '#000000',
      card: '#202020',
      cardLine: '#ffffff',
      destructive: '#202020',
      onDestructive: '#ff9a94',
      destructiveEdge: '#ff9a94',
      avatarEdge: '#ffffff',
    },
  },
  macos: {
    light: { badge: '#d70015', onBadge: '#ffffff', card: '#ffffff', cardLine: '#0000001a', onDestructive: '#c8001a' },
    dark: { badge: '#d70015', onBadge: '#ffffff', card: '#ffffff0d', cardLine: '#ffffff1a', onDestructive: '#ff8a80' },
    'high-contrast': {
      badge: '#a00010',
      onBadge: '#ffffff',
      card: '#ffffff',
      cardLine: '#000000',
      onDestructive: '#a00010',
      destructiveEdge: '#a00010',
      avatarEdge: '#000000',
    },
  },
  gnome: {
    light: {
      badge: '#1c71d8',
      onBadge: '#ffffff',
      card: '#ffffff',
      cardLine: '#00000612',
      destructive: '#e01b2426',
      onDestructive: '#c30000',
    },
    dark: {
      badge: '#1c71d8',
      onBadge: '#ffffff',
      card: '#ffffff14',
      cardLine: '#00000640',
      destructive: '#c01c2859',
      onDestructive: '#ff938c',
    },
    'high-contrast': {
      badge: '#1a5fb4',
      onBadge: '#ffffff',
      card: '#ffffff',
      cardLine: '#000000',
      destructive: '#ffffff',
      onDestructive: '#a51d2d',
      destructiveEdge: '#a51d2d',
      avatarEdge: '#000000',
    },
  },
}

/** The colours of badges, cards and destructive buttons of a theme. */
export const controlColours = ({ style, name }: Theme): ControlColours => CONTROL_COLOURS[style][name]

/** Whether the rows of a style show counts in a disc, or as a text. */
const COUNTS_IN_DISCS: ReadonlySet<DesktopStyle> = new Set<DesktopStyle>(['backlot'])

/** Whether the rows of a style show the values at the end of unread rows in the accent colour. */
export const hasMarkedValues = ({ style }: Theme): boolean => style === 'backlot' || style === 'windows'

/** Whether tables show texts at the end of rows, such as dates, in the second colour. */
export const hasSoftValues = ({ style }: Theme): boolean => style !== 'backlot'

/** Whether the items of open menus show their icons. */
export const hasMenuIcons = ({ style }: Theme): boolean => style === 'backlot' || style === 'windows'

/** Whether a count at the end of a row is in a disc. */
export const hasCountDiscs = ({ style }: Theme): boolean => COUNTS_IN_DISCS.has(style)

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
