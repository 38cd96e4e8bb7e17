import type { WavesStyle } from '../../frame/mark.ts'
import type { StateColours } from '../states.ts'
import type { Theme, ThemeName } from '../tokens.ts'

/** The colours that only the macOS style has. */
interface MacosColours {
  readonly wallpaper: WavesStyle
  /** The light on the upper part of accent faces. Undefined: none. */
  readonly accentTop?: string
  /** The lighter upper edge of buttons. Undefined: none. */
  readonly shine?: string
  /** Of buttons and combo boxes. Those below the pointer look as usual. */
  readonly faces: StateColours
  /** Over accent faces, signs and segments while they are pressed. */
  readonly pressShade: string
  /** Behind buttons without a border, and around them. */
  readonly flat: StateColours
  readonly flatEdge?: string
  /** The filled part of disabled switches and sliders. */
  readonly accentDisabled: string
  readonly knobDisabled: string
  readonly knobEdge: string
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

const NONE = '#00000000'

const dots = { closeEdge: '#e0443e', minimizeEdge: '#dea123', maximizeEdge: '#1aab29' }

const COLOURS: Readonly<Record<ThemeName, MacosColours>> = {
  light: {
    wallpaper: {
      top: '#86c8ee',
      bottom: '#dff0f5',
      waves: [
        { top: '#ffd9a0', bottom: '#f08a6c', edge: [0.62, 0.3, 0.78, 0.34] },
        { top: '#f2a08a', bottom: '#c65f9a', edge: [0.5, 0.86, 0.44, 0.66] },
        { top: '#8fa6f5', bottom: '#5a62d8', edge: [0.86, 0.52, 0.74, 0.6] },
        { top: '#4fa3ea', bottom: '#1f55bd', edge: [0.78, 1.02, 0.72, 0.84] },
      ],
    },
    accentTop: '#ffffff09',
    faces: { normal: '#ffffff', hovered: '#ffffff', pressed: '#e4e4e4', disabled: '#f4f4f4' },
    pressShade: '#0000001f',
    flat: { normal: NONE, hovered: '#0000000f', pressed: '#00000024', disabled: NONE },
    accentDisabled: '#a9cdf5',
    knobDisabled: '#f4f4f4',
    knobEdge: '#0000001f',
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
    wallpaper: {
      top: '#0b1030',
      bottom: '#26255c',
      waves: [
        { top: '#5a3a52', bottom: '#7c3f55', edge: [0.62, 0.3, 0.78, 0.34] },
        { top: '#4a2f63', bottom: '#5d2b62', edge: [0.5, 0.86, 0.44, 0.66] },
        { top: '#2c2f7c', bottom: '#2b2a78', edge: [0.86, 0.52, 0.74, 0.6] },
        { top: '#173a72', bottom: '#0d1f4d', edge: [0.78, 1.02, 0.72, 0.84] },
      ],
    },
    accentTop: '#ffffff08',
    shine: '#ffffff38',
    faces: { normal: '#626266', hovered: '#626266', pressed: '#7b7b80', disabled: '#39393c' },
    pressShade: '#ffffff26',
    flat: { normal: NONE, hovered: '#ffffff14', pressed: '#ffffff29', disabled: NONE },
    accentDisabled: '#2a4a70',
    knobDisabled: '#5c5c60',
    knobEdge: '#00000038',
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
    wallpaper: { top: '#c9d6ea', bottom: '#8fa6cc', waves: [] },
    faces: { normal: '#ffffff', hovered: '#ffffff', pressed: '#c8c8c8', disabled: '#e4e4e4' },
    pressShade: '#00000040',
    flat: { normal: NONE, hovered: '#e0e0e0', pressed: '#c8c8c8', disabled: NONE },
    flatEdge: '#000000',
    accentDisabled: '#8a8a8a',
    knobDisabled: '#e4e4e4',
    knobEdge: '#000000',
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
