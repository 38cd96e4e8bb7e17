import type { Theme, ThemeName } from '../tokens.ts'

/** The colours that only the macOS style has. */
interface MacosColours {
  /** The light on the upper part of accent faces. Undefined: none. */
  readonly accentTop?: string
  /** The lighter upper edge of buttons. Undefined: none. */
  readonly shine?: string
  readonly pressed: string
  readonly field: string
  readonly fieldEdge: string
  /** The background of trees. */
  readonly sidebar: string
  readonly knob: string
  readonly segment: string
  readonly chosenSegment: string
  /** A selected row, and the edge of one that the keyboard is at. */
  readonly row: string
  readonly currentRow: string
  /** Around the window buttons. */
  readonly closeEdge: string
  readonly minimizeEdge: string
  readonly maximizeEdge: string
  readonly idleEdge: string
}

const dots = { closeEdge: '#e0443e', minimizeEdge: '#dea123', maximizeEdge: '#1aab29' }

const COLOURS: Readonly<Record<ThemeName, MacosColours>> = {
  light: {
    accentTop: '#ffffff09',
    pressed: '#e4e4e4',
    field: '#ffffff',
    fieldEdge: '#00000029',
    sidebar: '#e4e5ea',
    knob: '#ffffff',
    segment: '#0000000f',
    chosenSegment: '#ffffff',
    row: '#0a63e1',
    currentRow: '#ffffff80',
    ...dots,
    idleEdge: '#bdbdbd',
  },
  dark: {
    accentTop: '#ffffff08',
    shine: '#ffffff38',
    pressed: '#7b7b80',
    field: '#38383b',
    fieldEdge: '#ffffff1f',
    sidebar: '#2d2e33',
    knob: '#d8d8da',
    segment: '#ffffff14',
    chosenSegment: '#66666a',
    row: '#0059d1',
    currentRow: '#ffffff73',
    ...dots,
    idleEdge: '#5c5c60',
  },
  'high-contrast': {
    pressed: '#b8b8b8',
    field: '#ffffff',
    fieldEdge: '#000000',
    sidebar: '#ffffff',
    knob: '#ffffff',
    segment: '#e0e0e0',
    chosenSegment: '#ffffff',
    row: '#0040dd',
    currentRow: '#ffffff',
    closeEdge: '#000000',
    minimizeEdge: '#000000',
    maximizeEdge: '#000000',
    idleEdge: '#000000',
  },
}

/** The colours of the macOS style in the shade of a theme. */
export const macosExtras = ({ name }: Theme): MacosColours => COLOURS[name]
