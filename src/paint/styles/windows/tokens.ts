import type { StateColours } from '../../pointed.ts'
import type { Theme } from '../../theme/theme.ts'
import type { Colours, Shadows, ShellTokens, StyleTokens, ThemeName } from '../../theme/tokens.ts'
import { BACKLOT_TOKENS } from '../backlot/tokens.ts'
import { SHELL_CONTRAST } from '../shell-contrast.ts'

const light: Colours = {
  wallpaper: { top: '#dbe8f7', bottom: '#7fb0e8' },
  panel: {
    bar: '#e9eff7',
    edge: '#00000017',
    button: '#00000000',
    active: '#ffffffc0',
    text: '#000000e4',
    muted: '#0000009b',
  },
  window: {
    surface: '#f3f3f3',
    title: '#f3f3f3',
    titleInactive: '#f3f3f3',
    titleText: '#1a1a1a',
    titleTextInactive: '#8d8d8d',
    edge: '#7575756b',
    close: '#c42b1c',
    maximize: '#1a1a1a',
    minimize: '#1a1a1a',
    idle: '#8d8d8d',
  },
  text: '#000000e4',
  muted: '#0000009b',
  disabled: '#0000005c',
  accent: '#005fb8',
  onAccent: '#ffffff',
  ring: '#000000e5',
  link: '#003e92',
  danger: '#c42b1c',
  scrim: '#0000004d',
  isOwnerClear: true,
  bar: '#f3f3f3',
  field: '#ffffff',
  fieldDisabled: '#f6f6f6',
  button: '#fdfdfd',
  buttonDisabled: '#f6f6f6',
  raised: '#fbfbfb',
  selected: '#00000009',
  stripe: '#00000000',
  track: '#00000072',
  thumb: '#00000072',
  tooltip: '#fbfbfb',
  tooltipText: '#000000e4',
  terminal: '#0c0c0c',
  onTerminal: '#cccccc',
  line: '#00000014',
  border: '#0000000f',
  strong: '#00000072',
  lip: '#0000002a',
  cardEdge: '#0000001f',
  highlight: '#99c9ef',
  onRow: '#000000e4',
  header: '#ffffff',
  group: { fill: '#00000000', edge: '#00000000' },
  rowIcon: '#000000e4',
  selectedBranch: '#005fb8',
  onItem: '#000000e4',
  controls: {
    badge: '#005fb8',
    onBadge: '#ffffff',
    card: '#fbfbfb',
    cardLine: '#0000000f',
    destructive: '#c42b1c',
    destructiveHovered: '#ca4032',
    onDestructive: '#ffffff',
  },
  chart: ['#005fb8', '#0f7b0f', '#b86e00', '#c42b1c', '#744da9', '#5d5a58'],
}

const dark: Colours = {
  wallpaper: { top: '#0a1226', bottom: '#12356f' },
  panel: {
    bar: '#1b1f27',
    edge: '#ffffff14',
    button: '#00000000',
    active: '#ffffff1f',
    text: '#ffffff',
    muted: '#ffffffc8',
  },
  window: {
    surface: '#202020',
    title: '#202020',
    titleInactive: '#202020',
    titleText: '#ffffff',
    titleTextInactive: '#8a8a8a',
    edge: '#75757580',
    close: '#c42b1c',
    maximize: '#ffffff',
    minimize: '#ffffff',
    idle: '#8a8a8a',
  },
  text: '#ffffff',
  muted: '#ffffffc8',
  disabled: '#ffffff5c',
  accent: '#60cdff',
  onAccent: '#000000',
  ring: '#ffffff',
  link: '#99ebff',
  danger: '#ff99a4',
  scrim: '#0000004d',
  isOwnerClear: true,
  bar: '#202020',
  field: '#2b2b2b',
  fieldDisabled: '#292929',
  button: '#ffffff10',
  buttonDisabled: '#ffffff0b',
  raised: '#2c2c2c',
  selected: '#ffffff10',
  stripe: '#00000000',
  track: '#ffffff8b',
  thumb: '#ffffff8b',
  tooltip: '#2c2c2c',
  tooltipText: '#ffffff',
  terminal: '#0c0c0c',
  onTerminal: '#cccccc',
  line: '#ffffff15',
  border: '#ffffff12',
  strong: '#ffffff8b',
  lip: '#ffffff18',
  cardEdge: '#00000080',
  highlight: '#1f5f8c',
  onRow: '#ffffff',
  header: '#2b2b2b',
  group: { fill: '#00000000', edge: '#00000000' },
  rowIcon: '#ffffff',
  selectedBranch: '#60cdff',
  onItem: '#ffffff',
  controls: {
    badge: '#60cdff',
    onBadge: '#000000',
    card: '#ffffff0d',
    cardLine: '#0000001a',
    destructive: '#c42b1c',
    onDestructive: '#ffffff',
  },
  chart: ['#60cdff', '#6ccb5f', '#fcb34c', '#ff99a4', '#b4a0ff', '#c8c6c4'],
}

const highContrast: Colours = {
  wallpaper: { top: '#000000', bottom: '#000000' },
  panel: {
    bar: '#202020',
    edge: '#ffffff',
    button: '#202020',
    active: '#1b4f5c',
    text: '#ffffff',
    muted: '#ffffff',
    outline: '#ffffff',
  },
  window: {
    surface: '#202020',
    title: '#1b4f5c',
    titleInactive: '#202020',
    titleText: '#ffffff',
    titleTextInactive: '#ffffff',
    edge: '#8ee3f0',
    close: '#ffffff',
    maximize: '#ffffff',
    minimize: '#ffffff',
    idle: '#ffffff',
    titleLine: '#ffffff',
  },
  text: '#ffffff',
  muted: '#e6e6e6',
  disabled: '#b2b2b2',
  accent: '#8ee3f0',
  onAccent: '#263b50',
  ring: '#8ee3f0',
  link: '#75e9fc',
  danger: '#ff9a9a',
  bar: '#202020',
  field: '#202020',
  fieldDisabled: '#202020',
  button: '#202020',
  buttonDisabled: '#202020',
  raised: '#202020',
  selected: '#1b4f5c',
  stripe: '#00000000',
  track: '#ffffff',
  thumb: '#ffffff',
  tooltip: '#202020',
  tooltipText: '#ffffff',
  terminal: '#000000',
  onTerminal: '#ffffff',
  line: '#ffffff',
  rowLine: '#ffffff',
  border: '#ffffff',
  strong: '#ffffff',
  cardEdge: '#ffffff',
  highlight: '#1b6f82',
  onRow: '#ffffff',
  header: '#202020',
  group: { fill: '#202020', edge: '#ffffff' },
  rowIcon: '#ffffff',
  selectedBranch: '#ffffff',
  onItem: '#ffffff',
  controls: {
    badge: '#8ee3f0',
    onBadge: '#000000',
    card: '#202020',
    cardLine: '#ffffff',
    destructive: '#202020',
    onDestructive: '#ff9a94',
    destructiveEdge: '#ff9a94',
    avatarEdge: '#ffffff',
  },
  chart: ['#8ee3f0', '#8ce08a', '#ffd166', '#ff9a94', '#cbb8ff', '#ffffff'],
}

/** The colours of the Windows style. */
export const WINDOWS_COLOURS: Readonly<Record<ThemeName, Colours>> = { light, dark, 'high-contrast': highContrast }

const shadows = (darkness: number): Shadows => ({
  window: [
    { reach: 32, drop: 16, opacity: 0.24 * darkness },
    { reach: 6, drop: 2, opacity: 0.12 * darkness },
  ],
  inactiveWindow: [
    { reach: 20, drop: 8, opacity: 0.16 * darkness },
    { reach: 6, drop: 2, opacity: 0.1 * darkness },
  ],
  card: [{ reach: 16, drop: 8, opacity: 0.18 * darkness }],
  tooltip: [{ reach: 8, drop: 4, opacity: 0.18 * darkness }],
})

/** The shadows of the Windows style. */
export const WINDOWS_SHADOWS: Readonly<Record<ThemeName, Shadows>> = {
  light: shadows(1),
  dark: shadows(2),
  'high-contrast': { window: [], inactiveWindow: [], card: [], tooltip: [] },
}

/** The type and the signs of the Windows style. */
export const WINDOWS_TOKENS: StyleTokens = {
  ...BACKLOT_TOKENS,
  type: {
    ...BACKLOT_TOKENS.type,
    family: 'humanist',
    button: { size: 14, weight: 400 },
    defaultButton: { size: 14, weight: 400 },
    caption: { size: 12, weight: 400 },
    second: { size: 14, weight: 400 },
    menu: { size: 14, weight: 400 },
    header: { size: 12, weight: 400 },
    group: { size: 14, weight: 600 },
    title: { size: 12, weight: 400 },
    dialogTitle: { size: 20, weight: 600 },
    heading: { size: 20, weight: 600 },
    tab: { size: 14, weight: 400 },
    panel: { size: 12, weight: 400 },
  },
  sign: { size: 20, gap: 8 },
  toggle: { width: 40, height: 20, gap: 10 },
  progress: { track: 1, part: 3 },
  hasFieldIcons: true,
  hasLineIcons: true,
  knob: 20,
  menuIndent: 36,
  hasPointerStates: true,
  hasRoundShadows: true,
  hasCountDiscs: false,
  hasMarkedValues: true,
  hasSoftValues: true,
  hasMenuIcons: true,
}

/** The look of the shell of the Windows style. */
export const WINDOWS_SHELL: ShellTokens = {
  colours: {
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
      flyout: '#f3f6fbdb',
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
      flyout: '#24262ce0',
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
    'high-contrast': SHELL_CONTRAST,
  },
  isDarkInside: false,
  flyoutRadius: 8,
  tileRadius: 4,
  icon: { size: 48, weight: 400 },
  folder: {
    back: ['#dc9a1e', '#c2800f'],
    front: ['#ffe28f', '#f3b23a'],
    rim: '#fff3c9',
    label: ['#3a8ee6', '#2469bd'],
  },
}

/** Colours that only the parts of this style use. */
interface OwnColours {
  /** Inside the focus ring. */
  readonly innerRing: string
  /** Of buttons and combo boxes, and of accent faces with the signs on them. */
  readonly faces: StateColours
  readonly accents: StateColours
  readonly onAccents: StateColours
  /** The words on buttons with and without a border. */
  readonly inks: StateColours
  readonly flatInks: StateColours
  /** The lower edge of accent buttons. */
  readonly accentLip: string
  /** In check boxes, radio buttons and switches that are off. */
  readonly off: StateColours
  /** Behind buttons without a border, and around them. */
  readonly flat: StateColours
  readonly flatEdge?: string
  readonly closeHovered: string
  readonly closePressed: string
  readonly fieldHovered: string
  readonly rowHovered: string
  readonly rowPressed: string
  readonly rowSelectedHovered: string
  /** The middle of the knob of a slider is accent, the rest this. */
  readonly knob: string
  /** The content of dialogs, above the band with their buttons. */
  readonly content: string
  /** Whether a button is raised by its lower edge. Otherwise it has a lighter upper edge. */
  readonly isLipLow: boolean
  /** Around trees, which otherwise have no box. */
  readonly treeEdge?: string
}

const NONE = '#00000000'

const OWN: Readonly<Record<ThemeName, OwnColours>> = {
  light: {
    innerRing: '#ffffff',
    faces: { normal: '#fdfdfd', hovered: '#f6f6f6', pressed: '#f5f5f5', disabled: '#f6f6f6' },
    accents: { normal: '#005fb8', hovered: '#1a6fbf', pressed: '#3380c7', disabled: '#00000038' },
    onAccents: { normal: '#ffffff', hovered: '#ffffff', pressed: '#ffffffb3', disabled: '#ffffff' },
    inks: { normal: '#000000e4', hovered: '#000000e4', pressed: '#0000009b', disabled: '#0000005c' },
    flatInks: { normal: '#000000e4', hovered: '#000000e4', pressed: '#0000009b', disabled: '#0000005c' },
    accentLip: '#00000066',
    off: { normal: '#00000006', hovered: '#0000000f', pressed: '#00000018', disabled: NONE },
    flat: { normal: NONE, hovered: '#00000009', pressed: '#00000006', disabled: NONE },
    closeHovered: '#c42b1c',
    closePressed: '#c83c31',
    fieldHovered: '#f9f9f9',
    rowHovered: '#00000006',
    rowPressed: '#00000009',
    rowSelectedHovered: '#0000000d',
    knob: '#ffffff',
    content: '#ffffff',
    isLipLow: true,
  },
  dark: {
    innerRing: '#000000b3',
    faces: { normal: '#ffffff10', hovered: '#ffffff18', pressed: '#ffffff08', disabled: '#ffffff0b' },
    accents: { normal: '#60cdff', hovered: '#5abce9', pressed: '#52a9d1', disabled: '#ffffff29' },
    onAccents: { normal: '#000000', hovered: '#000000', pressed: '#00000080', disabled: '#ffffff87' },
    inks: { normal: '#ffffff', hovered: '#ffffff', pressed: '#ffffffc8', disabled: '#ffffff5c' },
    flatInks: { normal: '#ffffff', hovered: '#ffffff', pressed: '#ffffffc8', disabled: '#ffffff5c' },
    accentLip: '#00000024',
    off: { normal: '#0000001a', hovered: '#ffffff0b', pressed: '#ffffff12', disabled: NONE },
    flat: { normal: NONE, hovered: '#ffffff0f', pressed: '#ffffff0a', disabled: NONE },
    closeHovered: '#c42b1c',
    closePressed: '#b22a1c',
    fieldHovered: '#323232',
    rowHovered: '#ffffff0b',
    rowPressed: '#ffffff0f',
    rowSelectedHovered: '#ffffff15',
    knob: '#454545',
    content: '#2b2b2b',
    isLipLow: false,
  },
  'high-contrast': {
    innerRing: '#202020',
    faces: { normal: '#202020', hovered: '#1b4f5c', pressed: '#0f2f38', disabled: '#202020' },
    accents: { normal: '#8ee3f0', hovered: '#ffffff', pressed: '#5bb8c8', disabled: '#b2b2b2' },
    onAccents: { normal: '#263b50', hovered: '#202020', pressed: '#000000', disabled: '#202020' },
    inks: { normal: '#ffffff', hovered: '#ffffff', pressed: '#ffffff', disabled: '#b2b2b2' },
    flatInks: { normal: '#ffffff', hovered: '#ffffff', pressed: '#8ee3f0', disabled: '#b2b2b2' },
    accentLip: NONE,
    off: { normal: '#202020', hovered: '#1b4f5c', pressed: '#3a7d8c', disabled: '#202020' },
    flat: { normal: NONE, hovered: '#1b4f5c', pressed: '#202020', disabled: NONE },
    flatEdge: '#8ee3f0',
    closeHovered: '#1b4f5c',
    closePressed: '#1b4f5c',
    fieldHovered: '#1b4f5c',
    rowHovered: '#1b4f5c',
    rowPressed: '#1b4f5c',
    rowSelectedHovered: '#1b4f5c',
    knob: '#202020',
    content: '#202020',
    isLipLow: true,
    treeEdge: '#ffffff',
  },
}

/** The colours of this style's own parts in the shade of a theme. */
export const windowsColours = ({ name }: Theme): OwnColours => OWN[name]
