import type { BackdropStyle } from '../../frame/draw-op.ts'
import type { StateColours } from '../../pointed.ts'
import type { Theme } from '../../theme/theme.ts'
import type { ThemeName } from '../../theme/tokens.ts'

/** The colours that only the macOS style has. */
interface MacosColours {
  readonly wallpaper: BackdropStyle
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
  readonly knob: string
  readonly segment: string
  readonly chosenSegment: string
  /** Behind the chosen tab in the band of a title, and around it. */
  readonly bandTab: string
  readonly bandTabEdge?: string
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
      top: '#7cc0ea',
      bottom: '#e4f3f7',
      shapes: [
        {
          kind: 'wave',
          top: '#f8b878',
          bottom: '#ee7f6a',
          right: { top: '#f29a68', bottom: '#e86f6d' },
          edge: [0.36, 0.14, 0.5, 0.56],
        },
        {
          kind: 'wave',
          top: '#f3a06c',
          bottom: '#ea6f70',
          right: { top: '#ea7470', bottom: '#d95a78' },
          edge: [0.74, 0.6, 0.1, 0.42],
        },
        {
          kind: 'wave',
          top: '#ef8a80',
          bottom: '#d85f8e',
          right: { top: '#d65c86', bottom: '#b8509c' },
          edge: [0.56, 0.34, 0.74, 0.32],
        },
        {
          kind: 'wave',
          top: '#b877da',
          bottom: '#8f62d8',
          right: { top: '#7f70e2', bottom: '#6a66da' },
          edge: [0.6, 0.52, 0.84, 0.52],
        },
        {
          kind: 'wave',
          top: '#6f9df2',
          bottom: '#4478de',
          right: { top: '#4a72dc', bottom: '#3463cc' },
          edge: [0.68, 0.98, 0.44, 0.79],
        },
        {
          kind: 'wave',
          top: '#4a86e0',
          bottom: '#2f66cc',
          right: { top: '#3269cf', bottom: '#2256b8' },
          edge: [1.08, 0.92, 0.86, 0.76],
        },
        {
          kind: 'wave',
          top: '#4fb4e6',
          bottom: '#3a94d8',
          right: { top: '#3f9ada', bottom: '#2f7fcb' },
          edge: [0.915, 0.94, 1.0, 1.16],
        },
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
    knob: '#ffffff',
    segment: '#0000000f',
    chosenSegment: '#ffffff',
    bandTab: '#00000013',
    row: '#0a63e1',
    currentRow: '#ffffff80',
    ...dots,
    idleEdge: '#bdbdbd',
  },
  dark: {
    wallpaper: {
      top: '#070b22',
      bottom: '#2b2a66',
      shapes: [
        {
          kind: 'wave',
          top: '#4a2c52',
          bottom: '#7a3a56',
          right: { top: '#3a2452', bottom: '#5c2c58' },
          edge: [0.36, 0.14, 0.5, 0.56],
        },
        {
          kind: 'wave',
          top: '#5a2f58',
          bottom: '#8c3c58',
          right: { top: '#5c2a5c', bottom: '#7a345c' },
          edge: [0.74, 0.6, 0.1, 0.42],
        },
        {
          kind: 'wave',
          top: '#7c3558',
          bottom: '#6a2f6c',
          right: { top: '#4e2a70', bottom: '#5a2f78' },
          edge: [0.56, 0.34, 0.74, 0.32],
        },
        {
          kind: 'wave',
          top: '#4a2c80',
          bottom: '#33287c',
          right: { top: '#332c84', bottom: '#2b2872' },
          edge: [0.6, 0.52, 0.84, 0.52],
        },
        {
          kind: 'wave',
          top: '#24408c',
          bottom: '#1a2f74',
          right: { top: '#1f2f78', bottom: '#18265e' },
          edge: [0.68, 0.98, 0.44, 0.79],
        },
        {
          kind: 'wave',
          top: '#142a62',
          bottom: '#0e1f4e',
          right: { top: '#101f50', bottom: '#0b173c' },
          edge: [1.08, 0.92, 0.86, 0.76],
        },
        {
          kind: 'wave',
          top: '#12356c',
          bottom: '#0c2450',
          right: { top: '#0e2858', bottom: '#0a1c44' },
          edge: [0.915, 0.94, 1.0, 1.16],
        },
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
    knob: '#d8d8da',
    segment: '#ffffff14',
    chosenSegment: '#66666a',
    bandTab: '#ffffff1a',
    row: '#0059d1',
    currentRow: '#ffffff73',
    ...dots,
    idleEdge: '#5c5c60',
  },
  'high-contrast': {
    wallpaper: { top: '#c9d6ea', bottom: '#8fa6cc', shapes: [] },
    faces: { normal: '#ffffff', hovered: '#ffffff', pressed: '#c8c8c8', disabled: '#e4e4e4' },
    pressShade: '#00000040',
    flat: { normal: NONE, hovered: '#e0e0e0', pressed: '#c8c8c8', disabled: NONE },
    flatEdge: '#000000',
    accentDisabled: '#8a8a8a',
    knobDisabled: '#e4e4e4',
    knobEdge: '#000000',
    field: '#ffffff',
    fieldEdge: '#000000',
    knob: '#ffffff',
    segment: '#e0e0e0',
    chosenSegment: '#ffffff',
    bandTab: '#ffffff',
    bandTabEdge: '#000000',
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
