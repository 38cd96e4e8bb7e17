import type { Rect } from '../../desktop/model/geometry.ts'
import type { AppKind } from '../../desktop/model/pictures.ts'
import type { ShellStyle } from '../../desktop/style/style.ts'
import { face, type Mark, path } from '../frame/mark.ts'
import { inset } from '../widgets/widget.ts'

/** The side of the grid that the paths of pictures are on. */
const APP_GRID = 24

const GEAR =
  'M10.1 2.6 L13.9 2.6 L14.1 5.3 L15.3 5.8 L17.3 4 L20 6.7 L18.2 8.7 L18.7 9.9 L21.4 10.1 L21.4 13.9 L18.7 14.1 L18.2 15.3 L20 17.3 L17.3 20 L15.3 18.2 L14.1 18.7 L13.9 21.4 L10.1 21.4 L9.9 18.7 L8.7 18.2 L6.7 20 L4 17.3 L5.8 15.3 L5.3 14.1 L2.6 13.9 L2.6 10.1 L5.3 9.9 L5.8 8.7 L4 6.7 L6.7 4 L8.7 5.8 L9.9 5.3 Z'

/** A filled gear with a hole. */
const GEAR_FILLED = `${GEAR} M12 8.6 A3.4 3.4 0 1 0 12 15.4 A3.4 3.4 0 1 0 12 8.6 Z`

/** The outlines of applications, drawn as lines. */
const GLYPHS: Readonly<Record<AppKind | 'other', string>> = {
  mail: 'M5 5 L19 5 A2 2 0 0 1 21 7 L21 17 A2 2 0 0 1 19 19 L5 19 A2 2 0 0 1 3 17 L3 7 A2 2 0 0 1 5 5 Z M3.6 7.4 L12 13 L20.4 7.4',
  files:
    'M3 17 L3 7 A2 2 0 0 1 5 5 L8.8 5 A2 2 0 0 1 10.3 5.7 L11.7 7.2 A2 2 0 0 0 13.2 8 L19 8 A2 2 0 0 1 21 10 L21 17 A2 2 0 0 1 19 19 L5 19 A2 2 0 0 1 3 17 Z',
  browser: 'M12 3 A9 9 0 0 1 12 21 A9 9 0 0 1 12 3 Z M3 12 L21 12 M12 3 A4.2 9 0 0 1 12 21 A4.2 9 0 0 1 12 3 Z',
  calendar:
    'M6 5 L18 5 A2 2 0 0 1 20 7 L20 18 A2 2 0 0 1 18 20 L6 20 A2 2 0 0 1 4 18 L4 7 A2 2 0 0 1 6 5 Z M4 10 L20 10 M8.2 3 L8.2 7 M15.8 3 L15.8 7',
  photos:
    'M6 4 L18 4 A2 2 0 0 1 20 6 L20 18 A2 2 0 0 1 18 20 L6 20 A2 2 0 0 1 4 18 L4 6 A2 2 0 0 1 6 4 Z M9.2 7.4 A1.8 1.8 0 0 1 9.2 11 A1.8 1.8 0 0 1 9.2 7.4 Z M6.4 19.6 L16 11.4 L20 15',
  music:
    'M9 18 L9 5.4 L20 3.4 L20 16 M6.5 15.6 A2.5 2.5 0 0 1 6.5 20.6 A2.5 2.5 0 0 1 6.5 15.6 Z M17.5 13.5 A2.5 2.5 0 0 1 17.5 18.5 A2.5 2.5 0 0 1 17.5 13.5 Z',
  video:
    'M4.5 6 L13.5 6 A1.5 1.5 0 0 1 15 7.5 L15 16.5 A1.5 1.5 0 0 1 13.5 18 L4.5 18 A1.5 1.5 0 0 1 3 16.5 L3 7.5 A1.5 1.5 0 0 1 4.5 6 Z M15 10.6 L21 7 L21 17 L15 13.4',
  maps: 'M9 4 L3.4 6.6 L3.4 20 L9 17.4 L15 20 L20.6 17.4 L20.6 4 L15 6.6 Z M9 4 L9 17.4 M15 6.6 L15 20',
  notes:
    'M20 12 L20 18 A2 2 0 0 1 18 20 L7.6 20 A2 2 0 0 1 5.6 18 L5.6 6 A2 2 0 0 1 7.6 4 L13 4 M3.4 8 L7.4 8 M3.4 12 L7.4 12 M3.4 16 L7.4 16 M18.6 3.2 L20.8 5.4 L14.4 11.8 L11.4 12.6 L12.2 9.6 Z',
  document:
    'M7 3 L14 3 L18.6 7.6 L18.6 19.4 A1.6 1.6 0 0 1 17 21 L7 21 A1.6 1.6 0 0 1 5.4 19.4 L5.4 4.6 A1.6 1.6 0 0 1 7 3 Z M14 3 L14 7.6 L18.6 7.6 M8.8 12 L15.2 12 M8.8 16 L15.2 16',
  terminal: 'M5 6.4 L10.6 12 L5 17.6 M12.4 18 L19.4 18',
  settings: `${GEAR} M12 9 A3 3 0 1 0 12 15 A3 3 0 1 0 12 9 Z`,
  sheet:
    'M6 4 L18 4 A2 2 0 0 1 20 6 L20 18 A2 2 0 0 1 18 20 L6 20 A2 2 0 0 1 4 18 L4 6 A2 2 0 0 1 6 4 Z M4 9.4 L20 9.4 M4 14.7 L20 14.7 M10 9.4 L10 20',
  chart: 'M3.6 20 L20.4 20 M7 16.4 L7 12 M12 16.4 L12 5 M17 16.4 L17 8.6',
  chat: 'M5 4 L19 4 A2 2 0 0 1 21 6 L21 14.4 A2 2 0 0 1 19 16.4 L11 16.4 L6.6 20.4 L6.6 16.4 L5 16.4 A2 2 0 0 1 3 14.4 L3 6 A2 2 0 0 1 5 4 Z M8 10.2 L8 10.3 M12 10.2 L12 10.3 M16 10.2 L16 10.3',
  store: 'M5.2 8 L18.8 8 L20 20.6 L4 20.6 Z M8.4 10.6 L8.4 7 A3.6 3.6 0 0 1 15.6 7 L15.6 10.6',
  contacts: 'M12 4 A4 4 0 0 1 12 12 A4 4 0 0 1 12 4 Z M4.6 20.4 A7.4 6.4 0 0 1 19.4 20.4',
  calculator:
    'M7 3 L17 3 A2 2 0 0 1 19 5 L19 19 A2 2 0 0 1 17 21 L7 21 A2 2 0 0 1 5 19 L5 5 A2 2 0 0 1 7 3 Z M8.4 6.4 L15.6 6.4 L15.6 9.4 L8.4 9.4 Z M8.6 13 L8.6 13.1 M12 13 L12 13.1 M15.4 13 L15.4 13.1 M8.6 17 L8.6 17.1 M12 17 L12 17.1 M15.4 17 L15.4 17.1',
  code: 'M8 6.4 L2.6 12 L8 17.6 M16 6.4 L21.4 12 L16 17.6',
  parcel: 'M12 2.8 L20.4 7.4 L20.4 16.6 L12 21.2 L3.6 16.6 L3.6 7.4 Z M3.6 7.4 L12 12 L20.4 7.4 M12 12 L12 21.2',
  security:
    'M6.6 11 L17.4 11 A1.6 1.6 0 0 1 19 12.6 L19 19 A1.6 1.6 0 0 1 17.4 20.6 L6.6 20.6 A1.6 1.6 0 0 1 5 19 L5 12.6 A1.6 1.6 0 0 1 6.6 11 Z M8 11 L8 7.4 A4 4 0 0 1 16 7.4 L16 11',
  help: 'M12 3 A9 9 0 0 1 12 21 A9 9 0 0 1 12 3 Z M9.4 9.6 A2.6 2.6 0 1 1 12 12.4 L12 13.8 M12 17 L12 17.1',
  other:
    'M5.4 4.4 L18.6 4.4 A2 2 0 0 1 20.6 6.4 L20.6 17.6 A2 2 0 0 1 18.6 19.6 L5.4 19.6 A2 2 0 0 1 3.4 17.6 L3.4 6.4 A2 2 0 0 1 5.4 4.4 Z M3.4 9 L20.6 9',
}

/** An application: what it is for, and its name, which gives others a colour. */
export interface PicturedApp {
  readonly kind: AppKind | undefined
  readonly name: string
}

/** The picture of an application in a square. */
export function appPicture(area: Rect, app: PicturedApp, style: ShellStyle): readonly Mark[] {
  const colours = appColoursOf(app.kind, app.name)
  if (style === 'windows') return flatPicture(area, app.kind, colours)
  if (style === 'macos') return squircle(area, app.kind, colours)
  return block(area, app.kind, colours)
}

const onGrid = { width: APP_GRID, height: APP_GRID }

const layerOf = (area: Rect, data: string, colour: string, lower?: string, stroke?: number): Mark =>
  path(area, {
    path: data,
    size: onGrid,
    colour,
    ...(lower !== undefined && { lower }),
    ...(stroke !== undefined && { stroke }),
    isFixed: true,
  })

/** A glyph in the middle of a face, as wide as a share of it. */
function glyph(area: Rect, kind: AppKind | undefined, share: number, stroke: number): Mark {
  const margin = Math.round((area.width * (1 - share)) / 2)
  return layerOf(inset(area, margin), GLYPHS[kind ?? 'other'], '#ffffff', undefined, stroke)
}

/** A face with round corners, lighter at the top, and white lines. */
const squircle = (area: Rect, kind: AppKind | undefined, { top, bottom }: AppColours): readonly Mark[] => [
  face(area, { top, bottom, radius: Math.max(2, Math.round(area.width * 0.235)) }),
  glyph(area, kind, 0.58, 2),
]

/** A face on a darker one that shows below it, and heavy white lines. */
function block(area: Rect, kind: AppKind | undefined, { top, bottom }: AppColours): readonly Mark[] {
  const step = Math.max(1, Math.round(area.height / 13))
  const upper = { ...area, height: area.height - step }
  const radius = Math.max(2, Math.round(area.width * 0.2))
  const dark = darker(bottom)
  const square = { ...area, x: area.x + (step >> 1), width: area.width - step, height: area.height - step }
  return [
    face(area, { top: dark, bottom: dark, radius }),
    face(upper, { top, bottom, radius }),
    glyph(square, kind, 0.56, 2.4),
  ]
}

/** The colour with three quarters of its light. */
function darker(colour: string): string {
  const part = (at: number) => ((Number.parseInt(colour.slice(at, at + 2), 16) * 3) >> 2).toString(16).padStart(2, '0')
  return `#${part(1)}${part(3)}${part(5)}`
}

const FLAT: Partial<Record<AppKind, (area: Rect) => readonly Mark[]>> = {
  mail: (area) => [
    layerOf(
      area,
      'M3.5 4 L20.5 4 A2 2 0 0 1 22.5 6 L22.5 18 A2 2 0 0 1 20.5 20 L3.5 20 A2 2 0 0 1 1.5 18 L1.5 6 A2 2 0 0 1 3.5 4 Z',
      '#2f86e8',
      '#0f56b4',
    ),
    layerOf(
      area,
      'M1.5 6 A2 2 0 0 1 3.5 4 L20.5 4 A2 2 0 0 1 22.5 6 L12.9 13.6 A1.5 1.5 0 0 1 11.1 13.6 Z',
      '#a3dbff',
      '#3f9bf2',
    ),
  ],
  files: (area) => [
    layerOf(
      area,
      'M1.5 6 A2 2 0 0 1 3.5 4 L8 4 A2 2 0 0 1 9.4 4.6 L11.2 6.4 L20.5 6.4 A2 2 0 0 1 22.5 8.4 L22.5 14 L1.5 14 Z',
      '#d9971c',
      '#c98410',
    ),
    layerOf(
      area,
      'M3.5 8.4 L20.5 8.4 A2 2 0 0 1 22.5 10.4 L22.5 18.4 A2 2 0 0 1 20.5 20.4 L3.5 20.4 A2 2 0 0 1 1.5 18.4 L1.5 10.4 A2 2 0 0 1 3.5 8.4 Z',
      '#ffe08a',
      '#f2b134',
    ),
    layerOf(
      area,
      'M8.4 17 L15.6 17 A1 1 0 0 1 16.6 18 L16.6 20.4 L7.4 20.4 L7.4 18 A1 1 0 0 1 8.4 17 Z',
      '#3a8ee6',
      '#256fc4',
    ),
  ],
  browser: (area) => [
    layerOf(area, 'M12 1.5 A10.5 10.5 0 0 1 12 22.5 A10.5 10.5 0 0 1 12 1.5 Z', '#3ad6b2', '#0f8c7a'),
    layerOf(inset(area, Math.max(1, Math.round(area.width / 6))), GLYPHS.browser, '#ffffff', undefined, 1.7),
  ],
  terminal: (area) => [
    layerOf(
      area,
      'M3 3 L21 3 A2 2 0 0 1 23 5 L23 19 A2 2 0 0 1 21 21 L3 21 A2 2 0 0 1 1 19 L1 5 A2 2 0 0 1 3 3 Z',
      '#3b4150',
      '#1c2029',
    ),
    layerOf(area, 'M3 3 L21 3 A2 2 0 0 1 23 5 L23 7 L1 7 L1 5 A2 2 0 0 1 3 3 Z', '#6d7686', '#565e6e'),
    layerOf(area, 'M4.6 10.4 L8.4 13.6 L4.6 16.8 M10.6 17.2 L16.4 17.2', '#ffffff', undefined, 1.8),
  ],
  settings: (area) => [layerOf(area, GEAR_FILLED, '#a3aebf', '#66748a')],
  document: (area) => [
    layerOf(
      area,
      'M6 1.5 L14.5 1.5 L20 7 L20 20.5 A2 2 0 0 1 18 22.5 L6 22.5 A2 2 0 0 1 4 20.5 L4 3.5 A2 2 0 0 1 6 1.5 Z',
      '#4aa5f7',
      '#1a65cf',
    ),
    layerOf(area, 'M14.5 1.5 L20 7 L15.5 7 A1 1 0 0 1 14.5 6 Z', '#bfe1ff', '#8cc6fb'),
    layerOf(area, 'M7.6 12 L16.4 12 M7.6 15.4 L16.4 15.4 M7.6 18.8 L13 18.8', '#ffffff', undefined, 1.5),
  ],
  notes: (area) => [
    layerOf(
      area,
      'M5 2 L19 2 A2 2 0 0 1 21 4 L21 15.5 L14.5 22 L5 22 A2 2 0 0 1 3 20 L3 4 A2 2 0 0 1 5 2 Z',
      '#ffe07c',
      '#efb62c',
    ),
    layerOf(area, 'M21 15.5 L14.5 22 L14.5 17 A1.5 1.5 0 0 1 16 15.5 Z', '#fff3cc', '#ffe69c'),
    layerOf(area, 'M7 7.4 L17 7.4 M7 11.2 L17 11.2 M7 15 L11.6 15', '#8a6412', undefined, 1.5),
  ],
  sheet: (area) => [
    layerOf(
      area,
      'M6 1.5 L18 1.5 A2 2 0 0 1 20 3.5 L20 20.5 A2 2 0 0 1 18 22.5 L6 22.5 A2 2 0 0 1 4 20.5 L4 3.5 A2 2 0 0 1 6 1.5 Z',
      '#45c27c',
      '#137a48',
    ),
    layerOf(area, 'M7 6 L17 6 L17 18 L7 18 Z M7 10 L17 10 M7 14 L17 14 M11 6 L11 18', '#ffffff', undefined, 1.3),
  ],
  chat: (area) => [
    layerOf(
      area,
      'M5 3 L19 3 A3 3 0 0 1 22 6 L22 14 A3 3 0 0 1 19 17 L12 17 L7 21.6 L7 17 L5 17 A3 3 0 0 1 2 14 L2 6 A3 3 0 0 1 5 3 Z',
      '#78d77e',
      '#2b9a42',
    ),
    layerOf(area, 'M7.4 10 L7.4 10.1 M12 10 L12 10.1 M16.6 10 L16.6 10.1', '#ffffff', undefined, 2.4),
  ],
  photos: (area) => [
    layerOf(
      area,
      'M5 2 L19 2 A3 3 0 0 1 22 5 L22 19 A3 3 0 0 1 19 22 L5 22 A3 3 0 0 1 2 19 L2 5 A3 3 0 0 1 5 2 Z',
      '#ffb04e',
      '#e5682a',
    ),
    layerOf(
      area,
      'M4.6 18.6 L10 11.6 L13.4 15.4 L15.6 13 L19.4 18.6 Z M15.4 6 A2.2 2.2 0 0 1 15.4 10.4 A2.2 2.2 0 0 1 15.4 6 Z',
      '#ffffff',
    ),
  ],
  calendar: (area) => [
    layerOf(
      area,
      'M5 3 L19 3 A2.5 2.5 0 0 1 21.5 5.5 L21.5 19 A2.5 2.5 0 0 1 19 21.5 L5 21.5 A2.5 2.5 0 0 1 2.5 19 L2.5 5.5 A2.5 2.5 0 0 1 5 3 Z',
      '#ffffff',
      '#e6e9ef',
    ),
    layerOf(
      area,
      'M5 3 L19 3 A2.5 2.5 0 0 1 21.5 5.5 L21.5 8.6 L2.5 8.6 L2.5 5.5 A2.5 2.5 0 0 1 5 3 Z',
      '#ff7a7c',
      '#d93a52',
    ),
    layerOf(
      area,
      'M7 12.4 L7 12.5 M12 12.4 L12 12.5 M17 12.4 L17 12.5 M7 17 L7 17.1 M12 17 L12 17.1',
      '#5a6678',
      undefined,
      2.6,
    ),
  ],
}

/** A picture without a background, or a coloured face with white lines. */
function flatPicture(area: Rect, kind: AppKind | undefined, { top, bottom }: AppColours): readonly Mark[] {
  const own = kind && FLAT[kind]
  if (own) return own(area)
  const inner = inset(area, Math.round(area.width / 16))
  return [face(inner, { top, bottom, radius: Math.max(2, Math.round(inner.width * 0.18)) }), glyph(inner, kind, 0.6, 2)]
}

/** The colours of the face of an application at its upper and lower edge. */
interface AppColours {
  readonly top: string
  readonly bottom: string
}

const BLUE = { top: '#4aacfb', bottom: '#1a6fe2' }
const TEAL = { top: '#3ad6b2', bottom: '#0f8c7a' }
const RED = { top: '#ff7a7c', bottom: '#d93a52' }
const ORANGE = { top: '#ffb04e', bottom: '#e5682a' }
const PURPLE = { top: '#ec6bd2', bottom: '#a236ca' }
const GREEN = { top: '#78d77e', bottom: '#2b9a42' }
const YELLOW = { top: '#fbd968', bottom: '#cfa016' }
const GOLD = { top: '#fcd362', bottom: '#dc9c1c' }
const INDIGO = { top: '#7f9cff', bottom: '#3a5bdc' }
const GREY = { top: '#94a0b3', bottom: '#5a6678' }
const SLATE = { top: '#6887ad', bottom: '#344d70' }
const DARK = { top: '#4a5160', bottom: '#22262f' }
const LEAF = { top: '#45c27c', bottom: '#137a48' }
const VIOLET = { top: '#9d8bff', bottom: '#5b45d6' }

const OF_KIND: Readonly<Record<AppKind, AppColours>> = {
  mail: BLUE,
  files: GOLD,
  browser: TEAL,
  calendar: RED,
  photos: ORANGE,
  music: PURPLE,
  video: VIOLET,
  maps: GREEN,
  notes: YELLOW,
  document: BLUE,
  terminal: DARK,
  settings: GREY,
  sheet: LEAF,
  chart: VIOLET,
  chat: GREEN,
  store: INDIGO,
  contacts: ORANGE,
  calculator: SLATE,
  code: INDIGO,
  parcel: ORANGE,
  security: SLATE,
  help: BLUE,
}

const OTHERS = [BLUE, TEAL, RED, ORANGE, PURPLE, GREEN, INDIGO, GREY, SLATE, VIOLET] as const

/** The colours of the face of an application: those of its kind, otherwise of its name. */
function appColoursOf(kind: AppKind | undefined, name: string): AppColours {
  if (kind) return OF_KIND[kind]
  let hash = 7
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 1_000_003
  return OTHERS[hash % OTHERS.length]!
}
