import type { Rect } from '../../desktop/model/geometry.ts'
import type { AppKind } from '../../desktop/model/pictures.ts'
import { type DrawOp, path } from '../frame/draw-op.ts'
import type { PicturedApp } from '../theme/theme.ts'
import { inset } from '../widgets/widget.ts'

/** The side of the grid that the paths of pictures are on. */
const APP_GRID = 24

/** The outline of a gear. */
export const GEAR =
  'M10.1 2.6 L13.9 2.6 L14.1 5.3 L15.3 5.8 L17.3 4 L20 6.7 L18.2 8.7 L18.7 9.9 L21.4 10.1 L21.4 13.9 L18.7 14.1 L18.2 15.3 L20 17.3 L17.3 20 L15.3 18.2 L14.1 18.7 L13.9 21.4 L10.1 21.4 L9.9 18.7 L8.7 18.2 L6.7 20 L4 17.3 L5.8 15.3 L5.3 14.1 L2.6 13.9 L2.6 10.1 L5.3 9.9 L5.8 8.7 L4 6.7 L6.7 4 L8.7 5.8 L9.9 5.3 Z'

/** The outlines of applications, drawn as lines. */
export const GLYPHS: Readonly<Record<AppKind | 'other', string>> = {
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

const onGrid = { width: APP_GRID, height: APP_GRID }

/** A path on the grid of pictures, filled or, with a width of lines, drawn. */
export const onPicture = (area: Rect, data: string, colour: string, lower?: string, stroke?: number): DrawOp =>
  path(area, {
    path: data,
    size: onGrid,
    colour,
    ...(lower !== undefined && { lower }),
    ...(stroke !== undefined && { stroke }),
    isFixed: true,
  })

/** A glyph in the middle of a face, as wide as a share of it. */
export function glyph(area: Rect, kind: AppKind | undefined, share: number, stroke: number): DrawOp {
  const margin = Math.round((area.width * (1 - share)) / 2)
  return onPicture(inset(area, margin), GLYPHS[kind ?? 'other'], '#ffffff', undefined, stroke)
}

/** The colours of the face of an application at its upper and lower edge. */
export interface AppColours {
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
export function appColoursOf({ kind, name }: PicturedApp): AppColours {
  if (kind) return OF_KIND[kind]
  let hash = 7
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 1_000_003
  return OTHERS[hash % OTHERS.length]!
}
