import type { StateColours } from '../../pointed.ts'
import type { Colours, Shadows, StyleTokens, Theme, ThemeName } from '../../theme/tokens.ts'
import { BACKLOT_TOKENS } from '../backlot/tokens.ts'

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
