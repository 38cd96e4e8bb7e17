import type { StateColours } from '../../pointed.ts'
import type { Theme } from '../../theme/theme.ts'
import type { Colours, Shadows, ShellColours, ShellTokens, StyleTokens, ThemeName } from '../../theme/tokens.ts'
import { BACKLOT_TOKENS } from '../backlot/tokens.ts'
import { LIGHT_SHELL_CONTRAST } from '../shell-contrast.ts'

const light: Colours = {
  wallpaper: { top: '#5b8def', bottom: '#8f7be6' },
  panel: {
    bar: '#000000',
    edge: '#000000',
    button: '#00000000',
    active: '#ffffff26',
    text: '#ffffff',
    muted: '#ffffffb3',
  },
  window: {
    surface: '#fafafb',
    title: '#ffffff',
    titleInactive: '#fafafb',
    titleText: '#000006cc',
    titleTextInactive: '#00000680',
    edge: '#0000061f',
    close: '#00000614',
    maximize: '#00000614',
    minimize: '#00000614',
    idle: '#0000060a',
    titleLine: '#00000612',
  },
  text: '#000006cc',
  muted: '#00000694',
  disabled: '#00000666',
  accent: '#3584e4',
  onAccent: '#ffffff',
  ring: '#3584e480',
  link: '#0461be',
  danger: '#c30000',
  scrim: '#00000040',
  bar: '#ffffff',
  field: '#ffffff',
  fieldDisabled: '#f4f4f5',
  button: '#00000614',
  buttonDisabled: '#0000060a',
  raised: '#ffffff',
  selected: '#3584e438',
  stripe: '#00000000',
  track: '#00000626',
  thumb: '#00000659',
  tooltip: '#33333af0',
  tooltipText: '#ffffff',
  terminal: '#1d1d20',
  onTerminal: '#ffffff',
  line: '#00000614',
  border: '#00000624',
  strong: '#00000640',
  cardEdge: '#00000624',
  highlight: '#3584e44d',
  onRow: '#000006cc',
  header: '#ffffff',
  group: { fill: '#ffffff', edge: '#00000612' },
  rowIcon: '#000006cc',
  rowLine: '#00000614',
  onItem: '#000006cc',
  controls: {
    badge: '#1c71d8',
    onBadge: '#ffffff',
    card: '#ffffff',
    cardLine: '#00000612',
    destructive: '#e01b2426',
    onDestructive: '#c30000',
  },
  chart: ['#3584e4', '#26a269', '#c88800', '#e01b24', '#9141ac', '#77767b'],
}

const dark: Colours = {
  wallpaper: { top: '#1a2a5e', bottom: '#3b2a6e' },
  panel: {
    bar: '#000000',
    edge: '#000000',
    button: '#00000000',
    active: '#ffffff26',
    text: '#ffffff',
    muted: '#ffffffb3',
  },
  window: {
    surface: '#222226',
    title: '#2e2e32',
    titleInactive: '#222226',
    titleText: '#ffffff',
    titleTextInactive: '#ffffff80',
    edge: '#ffffff17',
    close: '#ffffff1a',
    maximize: '#ffffff1a',
    minimize: '#ffffff1a',
    idle: '#ffffff0f',
    titleLine: '#0000065c',
  },
  text: '#ffffff',
  muted: '#ffffff99',
  disabled: '#ffffff66',
  accent: '#3584e4',
  onAccent: '#ffffff',
  ring: '#3584e499',
  link: '#81d0ff',
  danger: '#ff938c',
  scrim: '#00000066',
  bar: '#2e2e32',
  field: '#1d1d20',
  fieldDisabled: '#252529',
  button: '#ffffff1a',
  buttonDisabled: '#ffffff0d',
  raised: '#36363a',
  selected: '#3584e457',
  stripe: '#00000000',
  track: '#ffffff26',
  thumb: '#ffffff66',
  tooltip: '#000006e0',
  tooltipText: '#ffffff',
  terminal: '#1d1d20',
  onTerminal: '#ffffff',
  line: '#ffffff17',
  border: '#ffffff26',
  strong: '#ffffff40',
  cardEdge: '#ffffff17',
  highlight: '#3584e480',
  onRow: '#ffffff',
  header: '#1d1d20',
  group: { fill: '#ffffff14', edge: '#00000640' },
  rowIcon: '#ffffff',
  rowLine: '#ffffff17',
  onItem: '#ffffff',
  controls: {
    badge: '#1c71d8',
    onBadge: '#ffffff',
    card: '#ffffff14',
    cardLine: '#00000640',
    destructive: '#c01c2859',
    onDestructive: '#ff938c',
  },
  chart: ['#3584e4', '#57e389', '#f8e45c', '#ff7b63', '#dc8add', '#c0bfbc'],
}

/** Without the scrim of the light theme, which would take contrast away. */
const { scrim: _, ...clear } = light

const highContrast: Colours = {
  ...clear,
  wallpaper: { top: '#241f31', bottom: '#241f31' },
  window: {
    ...light.window,
    surface: '#ffffff',
    titleInactive: '#ffffff',
    titleText: '#000000',
    titleTextInactive: '#000000',
    edge: '#000000',
    close: '#00000033',
    idle: '#0000001a',
    titleLine: '#000000',
  },
  text: '#000000',
  muted: '#000000cc',
  disabled: '#000000b3',
  accent: '#15559f',
  link: '#0a4a8f',
  danger: '#a00000',
  ring: '#15559f',
  fieldDisabled: '#ffffff',
  selected: '#99c1f1',
  track: '#00000080',
  thumb: '#000000',
  tooltip: '#000000',
  line: '#00000080',
  border: '#000000',
  strong: '#000000',
  cardEdge: '#000000',
  highlight: '#99c1f1',
  onRow: '#000000',
  header: '#ffffff',
  group: { fill: '#ffffff', edge: '#000000' },
  rowIcon: '#000000',
  rowLine: '#00000080',
  onItem: '#000000',
  controls: {
    badge: '#1a5fb4',
    onBadge: '#ffffff',
    card: '#ffffff',
    cardLine: '#000000',
    destructive: '#ffffff',
    onDestructive: '#a51d2d',
    destructiveEdge: '#a51d2d',
    avatarEdge: '#000000',
  },
  chart: ['#1a5fb4', '#1b7a4b', '#8a5a00', '#a51d2d', '#613583', '#3d3846'],
}

/** The colours of the GNOME style. */
export const GNOME_COLOURS: Readonly<Record<ThemeName, Colours>> = { light, dark, 'high-contrast': highContrast }

const shadows = (darkness: number): Shadows => ({
  window: [
    { reach: 28, drop: 4, opacity: 0.22 * darkness },
    { reach: 5, drop: 1, opacity: 0.18 * darkness },
  ],
  inactiveWindow: [
    { reach: 18, drop: 3, opacity: 0.14 * darkness },
    { reach: 5, drop: 1, opacity: 0.12 * darkness },
  ],
  card: [
    { reach: 14, drop: 2, opacity: 0.1 * darkness },
    { reach: 5, drop: 1, opacity: 0.12 * darkness },
  ],
  tooltip: [],
})

/** The shadows of the GNOME style. */
export const GNOME_SHADOWS: Readonly<Record<ThemeName, Shadows>> = {
  light: shadows(1),
  dark: shadows(2),
  'high-contrast': { window: [], inactiveWindow: [], card: [], tooltip: [] },
}

const BODY = 14.67

/** The type and the signs of the GNOME style: buttons, titles and tabs are bold. */
export const GNOME_TOKENS: StyleTokens = {
  ...BACKLOT_TOKENS,
  type: {
    family: 'ui',
    text: { size: BODY, weight: 400 },
    strong: { size: BODY, weight: 700 },
    field: { size: 14, weight: 400 },
    button: { size: BODY, weight: 700 },
    defaultButton: { size: BODY, weight: 700 },
    small: { size: 12.2, weight: 400 },
    caption: { size: 12.2, weight: 400 },
    second: { size: 13.5, weight: 400 },
    menu: { size: BODY, weight: 400 },
    header: { size: 13.5, weight: 700 },
    group: { size: BODY, weight: 700 },
    title: { size: BODY, weight: 700 },
    dialogTitle: { size: 16, weight: 700 },
    heading: { size: 24, weight: 700 },
    tab: { size: BODY, weight: 700 },
    selectedTab: { size: BODY, weight: 700 },
    tooltip: { size: BODY, weight: 400 },
    panel: { size: 13.5, weight: 700 },
  },
  sign: { size: 20, gap: 8 },
  toggle: { width: 46, height: 26, gap: 10 },
  progress: { track: 8, part: 8 },
  hasFieldIcons: true,
  hasLineIcons: true,
  knob: 20,
  hasPointerStates: true,
  hasRoundShadows: true,
  hasCountDiscs: false,
  hasMarkedValues: false,
  hasSoftValues: true,
  hasMenuIcons: false,
}

const shellColours: ShellColours = {
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
  flyout: '#3a3a40',
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

/** The look of the shell of the GNOME style. */
export const GNOME_SHELL: ShellTokens = {
  colours: { light: shellColours, dark: shellColours, 'high-contrast': LIGHT_SHELL_CONTRAST },
  isDarkInside: true,
  flyoutRadius: 20,
  tileRadius: 24,
  icon: { size: 48, weight: 400 },
  folder: { back: ['#4fa6e0', '#2f86c8'], front: ['#86cdf7', '#4aa6ea'], rim: '#b9e4fc' },
}

/** Colours that only the parts of this style use. */
interface OwnColours {
  /** Of buttons, combo boxes and entries, and of faces in the accent colour. */
  readonly faces: StateColours
  readonly accents: StateColours
  /** Behind buttons without a border. */
  readonly flat: StateColours
  /** Over the rows of lists. */
  readonly rows: { readonly selected: string; readonly hovered: string; readonly pressed: string }
  /** Around check boxes and radio buttons that are off. */
  readonly signEdges: StateColours
  /** Of switches that are off and sliders. */
  readonly troughs: StateColours
  /** The knobs of switches and sliders. */
  readonly knob: string
  readonly knobDisabled: string
  readonly knobEdge: string
  readonly knobShadow: string
  /** The chosen one in a group of tabs. */
  readonly chosen: string
  /** The current item of an open menu. */
  readonly item: string
  /** Behind trees, which are beside what they choose. */
  readonly sidebar: string
  /** Around buttons, entries and groups of tabs. Undefined: none. */
  readonly outline?: string
}

const NONE = '#00000000'

const OWN: Readonly<Record<ThemeName, OwnColours>> = {
  light: {
    faces: { normal: '#00000614', hovered: '#0000061f', pressed: '#0000063d', disabled: '#0000060a' },
    accents: { normal: '#3584e4', hovered: '#4a90e7', pressed: '#2b6cbb', disabled: '#3584e480' },
    flat: { normal: NONE, hovered: '#0000060e', pressed: '#00000629', disabled: NONE },
    rows: { selected: '#0000061a', hovered: '#00000608', pressed: '#00000614' },
    signEdges: { normal: '#00000626', hovered: '#00000638', pressed: '#00000640', disabled: '#00000614' },
    troughs: { normal: '#00000626', hovered: '#00000633', pressed: '#00000640', disabled: '#00000614' },
    knob: '#ffffff',
    knobDisabled: '#ffffffb3',
    knobEdge: '#0000001a',
    knobShadow: '#0000002b',
    chosen: '#ffffff',
    item: '#00000612',
    sidebar: '#ebebed',
  },
  dark: {
    faces: { normal: '#ffffff1a', hovered: '#ffffff26', pressed: '#ffffff4d', disabled: '#ffffff0d' },
    accents: { normal: '#3584e4', hovered: '#4a90e7', pressed: '#2b6cbb', disabled: '#3584e480' },
    flat: { normal: NONE, hovered: '#ffffff12', pressed: '#ffffff33', disabled: NONE },
    rows: { selected: '#ffffff1f', hovered: '#ffffff0a', pressed: '#ffffff1a' },
    signEdges: { normal: '#ffffff2e', hovered: '#ffffff45', pressed: '#ffffff54', disabled: '#ffffff17' },
    troughs: { normal: '#ffffff26', hovered: '#ffffff38', pressed: '#ffffff4d', disabled: '#ffffff14' },
    knob: '#d2d2d4',
    knobDisabled: '#8c8c90',
    knobEdge: '#00000033',
    knobShadow: '#00000040',
    chosen: '#ffffff26',
    item: '#ffffff17',
    sidebar: '#2e2e32',
  },
  'high-contrast': {
    faces: { normal: '#0000061f', hovered: '#00000633', pressed: '#00000666', disabled: NONE },
    accents: { normal: '#15559f', hovered: '#124a8a', pressed: '#0d3769', disabled: '#000000b3' },
    flat: { normal: NONE, hovered: '#0000061f', pressed: '#00000652', disabled: NONE },
    rows: { selected: '#99c1f1', hovered: '#0000061f', pressed: '#00000633' },
    signEdges: { normal: '#000000', hovered: '#000000', pressed: '#000000', disabled: '#00000080' },
    troughs: { normal: '#00000640', hovered: '#00000652', pressed: '#00000666', disabled: '#00000614' },
    knob: '#ffffff',
    knobDisabled: '#e6e6e6',
    knobEdge: '#000000',
    knobShadow: NONE,
    chosen: '#ffffff',
    item: '#00000033',
    sidebar: '#ffffff',
    outline: '#000000',
  },
}

/** The colours of this style's own parts in the shade of a theme. */
export const gnomeColours = ({ name }: Theme): OwnColours => OWN[name]
