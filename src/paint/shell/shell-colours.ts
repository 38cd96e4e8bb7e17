import type { ShellStyle } from '../../desktop/shell/shell-places.ts'
import type { ThemeName } from '../theme.ts'

/** The colours of the shell of a style. */
export interface ShellColours {
  /** The bar with the clock, its edge beside the desktop, and the words on it. */
  readonly bar: string
  readonly edge: string | undefined
  readonly text: string
  /** A chosen button on the bar, and a field on it. */
  readonly active: string
  readonly field: string
  readonly accent: string
  /** The mark of an open window that is not active. */
  readonly running: string
  readonly dock: string
  readonly dockEdge: string
  /** The launcher: its surface, edge, words and headings. */
  readonly launcher: string
  readonly launcherEdge: string | undefined
  readonly launcherText: string
  readonly launcherMuted: string
  /** Around the focused button. */
  readonly ring: string
  /** A selected icon of the desktop, and its edge. */
  readonly selected: string
  readonly selectedEdge: string | undefined
}

type ByShade = Readonly<Record<ThemeName, ShellColours>>

const CONTRAST: ShellColours = {
  bar: '#000000',
  edge: '#ffffff',
  text: '#ffffff',
  active: '#1a3fa8',
  field: '#000000',
  accent: '#ffff00',
  running: '#ffffff',
  dock: '#000000',
  dockEdge: '#ffffff',
  launcher: '#000000',
  launcherEdge: '#ffffff',
  launcherText: '#ffffff',
  launcherMuted: '#ffffff',
  ring: '#ffff00',
  selected: '#1a3fa8',
  selectedEdge: '#ffffff',
}

const WINDOWS: ByShade = {
  light: {
    bar: '#eef2f8e0',
    edge: '#00000014',
    text: '#000000e4',
    active: '#ffffffb3',
    field: '#ffffffb3',
    accent: '#005fb8',
    running: '#00000072',
    dock: '#eef2f8e0',
    dockEdge: '#00000014',
    launcher: '#f3f6fb',
    launcherEdge: '#0000001f',
    launcherText: '#000000e4',
    launcherMuted: '#0000009b',
    ring: '#000000e4',
    selected: '#ffffff40',
    selectedEdge: '#ffffff66',
  },
  dark: {
    bar: '#1c1e24e6',
    edge: '#ffffff15',
    text: '#ffffff',
    active: '#ffffff1a',
    field: '#ffffff14',
    accent: '#60cdff',
    running: '#ffffff8b',
    dock: '#1c1e24e6',
    dockEdge: '#ffffff15',
    launcher: '#24262c',
    launcherEdge: '#00000080',
    launcherText: '#ffffff',
    launcherMuted: '#ffffffc8',
    ring: '#ffffff',
    selected: '#ffffff26',
    selectedEdge: '#ffffff59',
  },
  'high-contrast': CONTRAST,
}

const GNOME_LIGHT: ShellColours = {
  bar: '#000000',
  edge: undefined,
  text: '#ffffff',
  active: '#ffffff2e',
  field: '#ffffff1f',
  accent: '#3584e4',
  running: '#ffffff',
  dock: '#3a3a40',
  dockEdge: '#3a3a40',
  launcher: '#222226',
  launcherEdge: undefined,
  launcherText: '#ffffff',
  launcherMuted: '#ffffff8c',
  ring: '#3584e4',
  selected: '#ffffff2e',
  selectedEdge: undefined,
}

const GNOME: ByShade = { light: GNOME_LIGHT, dark: GNOME_LIGHT, 'high-contrast': CONTRAST }

const MACOS: ByShade = {
  light: {
    bar: '#ffffff6b',
    edge: undefined,
    text: '#000000d9',
    active: '#0000001a',
    field: '#ffffff',
    accent: '#007aff',
    running: '#000000b3',
    dock: '#ffffff5c',
    dockEdge: '#ffffff73',
    launcher: '#f0f0f3',
    launcherEdge: '#00000033',
    launcherText: '#000000d9',
    launcherMuted: '#00000080',
    ring: '#007aff80',
    selected: '#00000033',
    selectedEdge: undefined,
  },
  dark: {
    bar: '#14141a6b',
    edge: undefined,
    text: '#ffffffd9',
    active: '#ffffff26',
    field: '#38383b',
    accent: '#0a84ff',
    running: '#ffffffcc',
    dock: '#32323a75',
    dockEdge: '#ffffff33',
    launcher: '#2c2c30',
    launcherEdge: '#00000099',
    launcherText: '#ffffffd9',
    launcherMuted: '#ffffff8c',
    ring: '#0a84ff8c',
    selected: '#00000059',
    selectedEdge: undefined,
  },
  'high-contrast': CONTRAST,
}

export const SHELL_COLOURS: Readonly<Record<ShellStyle, ByShade>> = { windows: WINDOWS, macos: MACOS, gnome: GNOME }

/** The faces of applications, from top to bottom. */
const FACES = [
  ['#49a5f5', '#1f6fe0'],
  ['#35cfae', '#128f7c'],
  ['#f9727b', '#d9394f'],
  ['#ffaa4c', '#e8702a'],
  ['#e66ad0', '#a93bc9'],
  ['#72cf77', '#2f9a43'],
  ['#fbd660', '#d3a017'],
  ['#7f9cfb', '#3e5fdd'],
  ['#8d9aae', '#5b6779'],
  ['#4a5160', '#262b35'],
] as const

/** The faces of icons that have one of their own, by their place in `FACES`. */
const OWN_FACES: Readonly<Record<string, number>> = {
  mail: 0,
  folder: 6,
  calendar: 2,
  image: 3,
  play: 4,
  chat: 5,
  pencil: 7,
  settings: 8,
  cart: 5,
  user: 4,
  file: 1,
}

/** The two colours of the face of an application: those of its icon, otherwise of its name. */
export function faceColoursOf(name: string, icon: string): { readonly top: string; readonly bottom: string } {
  const own = OWN_FACES[icon]
  if (own !== undefined) return { top: FACES[own]![0], bottom: FACES[own]![1] }
  let hash = 7
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 1_000_003
  const [top, bottom] = FACES[hash % FACES.length]!
  return { top, bottom }
}
