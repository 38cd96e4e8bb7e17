import type { ShellStyle } from '../../desktop/style/style.ts'
import type { ThemeName } from '../styles/styles.ts'

/** The colours of the shell of a style. */
export interface ShellColours {
  /** The bar with the clock, its edge beside the desktop, and the words on it. */
  readonly bar: string
  readonly edge: string | undefined
  readonly text: string
  /** A chosen button on the bar, and a field on it. */
  readonly active: string
  readonly activeEdge: string
  /** Behind a button that the pointer is on, or is pressed on. */
  readonly hover: string
  readonly pressed: string
  readonly field: string
  readonly fieldEdge: string
  /** The words in the field of the bar. */
  readonly muted: string
  readonly accent: string
  /** The upper dots of the launcher button. */
  readonly startTop: string
  /** The mark of an open window that is not active. */
  readonly running: string
  readonly dock: string
  readonly dockEdge: string
  /** The launcher: its surface, edge, words and headings. */
  readonly launcher: string
  readonly launcherEdge: string | undefined
  readonly launcherText: string
  readonly launcherMuted: string
  /** A field, a tile and their edge, a button that the pointer is on, the footer and lines of a launcher or flyout. */
  readonly launcherField: string
  readonly launcherFieldEdge: string
  readonly launcherHover: string
  readonly launcherFooter: string
  readonly launcherLine: string
  /** Words on the accent. */
  readonly onAccent: string
  /** Around the focused button. */
  readonly ring: string
  /** A selected icon of the desktop, and its edge. */
  readonly selected: string
  readonly selectedEdge: string | undefined
  /** An icon of the desktop that the pointer is on. */
  readonly hoveredIcon: string
  /** Behind the words of a selected icon. Undefined: nothing. */
  readonly labelFill?: string
}

type ByShade = Readonly<Record<ThemeName, ShellColours>>

const CONTRAST: ShellColours = {
  bar: '#000000',
  edge: '#ffffff',
  text: '#ffffff',
  active: '#1a3fa8',
  activeEdge: '#ffffff',
  hover: '#1a3fa8',
  pressed: '#ffff00',
  field: '#000000',
  fieldEdge: '#ffffff',
  muted: '#ffffff',
  accent: '#ffff00',
  startTop: '#ffff00',
  running: '#ffffff',
  dock: '#000000',
  dockEdge: '#ffffff',
  launcher: '#000000',
  launcherEdge: '#ffffff',
  launcherText: '#ffffff',
  launcherMuted: '#ffffff',
  launcherField: '#000000',
  launcherFieldEdge: '#ffffff',
  launcherHover: '#1a3fa8',
  launcherFooter: '#000000',
  launcherLine: '#ffffff',
  onAccent: '#000000',
  ring: '#ffff00',
  selected: '#1a3fa8',
  selectedEdge: '#ffffff',
  hoveredIcon: '#1a3fa880',
}

/** Of the styles whose windows are white in high contrast: fields and sliders of the launcher and flyouts have their colours. */
const LIGHT_CONTRAST: ShellColours = {
  ...CONTRAST,
  accent: '#0040dd',
  onAccent: '#ffffff',
  ring: '#c84a00',
  launcher: '#ffffff',
  launcherEdge: '#000000',
  launcherText: '#000000',
  launcherMuted: '#000000',
  launcherField: '#ffffff',
  launcherFieldEdge: '#000000',
  launcherHover: '#99c1f1',
  launcherFooter: '#ffffff',
  launcherLine: '#000000',
}

const WINDOWS: ByShade = {
  light: {
    bar: '#eef2f8d1',
    edge: '#00000014',
    text: '#000000e4',
    active: '#ffffffb3',
    activeEdge: '#00000010',
    hover: '#ffffff80',
    pressed: '#ffffff50',
    field: '#ffffffb3',
    fieldEdge: '#00000012',
    muted: '#0000009b',
    accent: '#005fb8',
    startTop: '#2f8fe6',
    running: '#00000072',
    dock: '#eef2f8d1',
    dockEdge: '#00000014',
    launcher: '#f3f6fbdb',
    launcherEdge: '#0000001f',
    launcherText: '#000000e4',
    launcherMuted: '#0000009b',
    launcherField: '#ffffffb3',
    launcherFieldEdge: '#00000014',
    launcherHover: '#00000009',
    launcherFooter: '#00000009',
    launcherLine: '#00000014',
    onAccent: '#ffffff',
    ring: '#000000e4',
    selected: '#ffffff40',
    selectedEdge: '#ffffff66',
    hoveredIcon: '#ffffff26',
  },
  dark: {
    bar: '#1c1e24d6',
    edge: '#ffffff15',
    text: '#ffffff',
    active: '#ffffff1a',
    activeEdge: '#ffffff1f',
    hover: '#ffffff14',
    pressed: '#ffffff0d',
    field: '#ffffff14',
    fieldEdge: '#ffffff1a',
    muted: '#ffffffc8',
    accent: '#60cdff',
    startTop: '#7fd8ff',
    running: '#ffffff8b',
    dock: '#1c1e24d6',
    dockEdge: '#ffffff15',
    launcher: '#24262ce0',
    launcherEdge: '#00000080',
    launcherText: '#ffffff',
    launcherMuted: '#ffffffc8',
    launcherField: '#ffffff12',
    launcherFieldEdge: '#ffffff17',
    launcherHover: '#ffffff10',
    launcherFooter: '#00000038',
    launcherLine: '#00000066',
    onAccent: '#000000',
    ring: '#ffffff',
    selected: '#ffffff26',
    selectedEdge: '#ffffff59',
    hoveredIcon: '#ffffff14',
  },
  'high-contrast': CONTRAST,
}

const GNOME_LIGHT: ShellColours = {
  bar: '#000000',
  edge: undefined,
  text: '#ffffff',
  active: '#ffffff2e',
  activeEdge: '#ffffff2e',
  hover: '#ffffff26',
  pressed: '#ffffff40',
  field: '#ffffff1f',
  fieldEdge: '#ffffff00',
  muted: '#ffffff8c',
  accent: '#3584e4',
  startTop: '#3584e4',
  running: '#ffffff',
  dock: '#3a3a40',
  dockEdge: '#3a3a40',
  launcher: '#222226',
  launcherEdge: undefined,
  launcherText: '#ffffff',
  launcherMuted: '#ffffff8c',
  launcherField: '#ffffff1f',
  launcherFieldEdge: '#ffffff00',
  launcherHover: '#ffffff1a',
  launcherFooter: '#00000000',
  launcherLine: '#ffffff1a',
  onAccent: '#ffffff',
  ring: '#3584e4',
  selected: '#ffffff2e',
  selectedEdge: undefined,
  hoveredIcon: '#ffffff1a',
}

const GNOME: ByShade = { light: GNOME_LIGHT, dark: GNOME_LIGHT, 'high-contrast': LIGHT_CONTRAST }

const MACOS: ByShade = {
  light: {
    bar: '#ffffff6b',
    edge: undefined,
    text: '#000000d9',
    active: '#0000001a',
    activeEdge: '#0000001a',
    hover: '#0000001a',
    pressed: '#00000026',
    field: '#ffffff',
    fieldEdge: '#00000029',
    muted: '#00000080',
    accent: '#007aff',
    startTop: '#007aff',
    running: '#000000b3',
    dock: '#ffffff5c',
    dockEdge: '#ffffff73',
    launcher: '#f6f6f8db',
    launcherEdge: '#00000033',
    launcherText: '#000000d9',
    launcherMuted: '#00000080',
    launcherField: '#0000000f',
    launcherFieldEdge: '#00000012',
    launcherHover: '#0000000f',
    launcherFooter: '#00000000',
    launcherLine: '#0000001f',
    onAccent: '#ffffff',
    ring: '#007aff80',
    selected: '#00000033',
    selectedEdge: undefined,
    hoveredIcon: '#00000000',
    labelFill: '#0a63e1',
  },
  dark: {
    bar: '#14141a6b',
    edge: undefined,
    text: '#ffffffd9',
    active: '#ffffff26',
    activeEdge: '#ffffff26',
    hover: '#ffffff26',
    pressed: '#ffffff33',
    field: '#38383b',
    fieldEdge: '#ffffff1f',
    muted: '#ffffff8c',
    accent: '#0a84ff',
    startTop: '#0a84ff',
    running: '#ffffffcc',
    dock: '#32323a75',
    dockEdge: '#ffffff33',
    launcher: '#2c2c30e0',
    launcherEdge: '#00000099',
    launcherText: '#ffffffd9',
    launcherMuted: '#ffffff8c',
    launcherField: '#ffffff14',
    launcherFieldEdge: '#ffffff14',
    launcherHover: '#ffffff14',
    launcherFooter: '#00000000',
    launcherLine: '#ffffff1f',
    onAccent: '#ffffff',
    ring: '#0a84ff8c',
    selected: '#00000059',
    selectedEdge: undefined,
    hoveredIcon: '#00000000',
    labelFill: '#0059d1',
  },
  'high-contrast': LIGHT_CONTRAST,
}

export const SHELL_COLOURS: Readonly<Record<ShellStyle, ByShade>> = { windows: WINDOWS, macos: MACOS, gnome: GNOME }
