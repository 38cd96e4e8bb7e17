import type { Rect } from '../../desktop/model/geometry.ts'
import { type DrawOp, path } from '../frame/draw-op.ts'
import type { FolderColours } from '../theme/tokens.ts'

/** The side of the grid of the pictures on a desktop. */
const DESK_GRID = 48

const shape = (area: Rect, data: string, colour: string, lower?: string, stroke?: number): DrawOp =>
  path(area, {
    path: data,
    size: { width: DESK_GRID, height: DESK_GRID },
    colour,
    ...(lower !== undefined && { lower }),
    ...(stroke !== undefined && { stroke }),
    isFixed: true,
  })

/** A folder with a pocket, and a label on it in some styles. */
export function folderPicture(area: Rect, { back, front, rim, label }: FolderColours): readonly DrawOp[] {
  const rear = 'M4 12 A3 3 0 0 1 7 9 L17 9 A3 3 0 0 1 19.4 10.2 L22 13 L41 13 A3 3 0 0 1 44 16 L44 30 L4 30 Z'
  const pocket = 'M7 17 L41 17 A3 3 0 0 1 44 20 L44 37 A3 3 0 0 1 41 40 L7 40 A3 3 0 0 1 4 37 L4 20 A3 3 0 0 1 7 17 Z'
  const tag = 'M19 35 L29 35 A2 2 0 0 1 31 37 L31 40 L17 40 L17 37 A2 2 0 0 1 19 35 Z'
  return [
    shape(area, rear, ...back),
    shape(area, pocket, ...front),
    shape(area, 'M7 17.6 L41 17.6', rim, undefined, 1.2),
    ...(label ? [shape(area, tag, ...label)] : []),
  ]
}

const PAGE =
  'M11 3 L30 3 L39 12 L39 43 A2.5 2.5 0 0 1 36.5 45.5 L11 45.5 A2.5 2.5 0 0 1 8.5 43 L8.5 5.5 A2.5 2.5 0 0 1 11 3 Z'
const CORNER = 'M30 3 L39 12 L32 12 A2 2 0 0 1 30 10 Z'

/** What a file contains, as its picture shows it. */
type PicturedContent = 'sheet' | 'words' | 'pdf' | 'image' | 'sound' | 'video' | 'archive' | 'code' | 'text' | 'other'

const ENDINGS: Readonly<Record<string, PicturedContent>> = {
  xlsx: 'sheet',
  xls: 'sheet',
  ods: 'sheet',
  csv: 'sheet',
  docx: 'words',
  doc: 'words',
  odt: 'words',
  rtf: 'words',
  pdf: 'pdf',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  svg: 'image',
  webp: 'image',
  mp3: 'sound',
  wav: 'sound',
  ogg: 'sound',
  flac: 'sound',
  mp4: 'video',
  mov: 'video',
  avi: 'video',
  webm: 'video',
  zip: 'archive',
  gz: 'archive',
  tar: 'archive',
  js: 'code',
  ts: 'code',
  py: 'code',
  html: 'code',
  css: 'code',
  json: 'code',
  yaml: 'code',
  sh: 'code',
  txt: 'text',
  md: 'text',
  log: 'text',
}

/** The kind of a file, by the ending of its name. */
function fileKind(name: string): PicturedContent {
  const dot = name.lastIndexOf('.')
  return (dot < 0 ? undefined : ENDINGS[name.slice(dot + 1).toLowerCase()]) ?? 'other'
}

const BAND = 'M14 20 L34 20 A2 2 0 0 1 36 22 L36 36 A2 2 0 0 1 34 38 L14 38 A2 2 0 0 1 12 36 L12 22 A2 2 0 0 1 14 20 Z'

const CONTENT: Readonly<Record<Exclude<PicturedContent, 'image'>, (area: Rect) => readonly DrawOp[]>> = {
  sheet: (area) => [
    shape(area, BAND, '#35a866', '#14743f'),
    shape(area, 'M15 24.5 L33 24.5 M15 29 L33 29 M15 33.5 L33 33.5', '#ffffff', undefined, 1.8),
  ],
  words: (area) => [
    shape(area, BAND, '#4a9cf5', '#1a5fc4'),
    shape(area, 'M16 25 L19.4 34 L24 26 L28.6 34 L32 25', '#ffffff', undefined, 2),
  ],
  pdf: (area) => [
    shape(area, BAND, '#ef5a5a', '#b8262f'),
    shape(
      area,
      'M17 33 L17 25 L20 25 A2.4 2.4 0 0 1 20 29.8 L17 29.8 M26 25 L26 33 L27.6 33 A4 4 0 0 0 27.6 25 Z',
      '#ffffff',
      undefined,
      1.8,
    ),
  ],
  sound: (area) => [
    shape(
      area,
      'M20 35 L20 21 L32 19 L32 33 M17 32 A3 3 0 1 1 17 38 A3 3 0 1 1 17 32 Z M29 30 A3 3 0 1 1 29 36 A3 3 0 1 1 29 30 Z',
      '#a93bc9',
      undefined,
      2.2,
    ),
  ],
  video: (area) => [shape(area, BAND, '#7f8cf5', '#4a3fc4'), shape(area, 'M21 24 L30 29 L21 34 Z', '#ffffff')],
  archive: (area) => [
    shape(area, 'M22 4 L26 4 L26 8 L22 8 Z M22 11 L26 11 L26 15 L22 15 Z M22 18 L26 18 L26 22 L22 22 Z', '#8a94a6'),
    shape(area, 'M20 25 L28 25 L28 33 A2 2 0 0 1 26 35 L22 35 A2 2 0 0 1 20 33 Z', '#f2b84a', '#c98a1a'),
  ],
  code: (area) => [
    shape(area, 'M19 23 L13.6 29 L19 35 M29 23 L34.4 29 L29 35 M25.6 21.6 L22.4 36.4', '#3a5bdc', undefined, 2),
  ],
  text: (area) => [
    shape(
      area,
      'M14.5 19 L33 19 M14.5 24.4 L33 24.4 M14.5 29.8 L33 29.8 M14.5 35.2 L26 35.2',
      '#8fa3bd',
      undefined,
      1.8,
    ),
  ],
  other: (area) => [
    shape(area, 'M14.5 24.4 L33 24.4 M14.5 29.8 L33 29.8 M14.5 35.2 L26 35.2', '#a9b4c4', undefined, 1.8),
  ],
}

/** A page with what a file contains, or a photo with a white edge. */
export function filePicture(area: Rect, name: string): readonly DrawOp[] {
  const kind = fileKind(name)
  if (kind === 'image')
    return [
      shape(
        area,
        'M8 3 L40 3 A2 2 0 0 1 42 5 L42 43 A2 2 0 0 1 40 45 L8 45 A2 2 0 0 1 6 43 L6 5 A2 2 0 0 1 8 3 Z',
        '#ffffff',
        '#eef1f5',
      ),
      shape(area, 'M9.5 6.5 L38.5 6.5 L38.5 41.5 L9.5 41.5 Z', '#8fc8f0', '#f0b48a'),
      shape(area, 'M30 11 A3.4 3.4 0 1 1 30 17.8 A3.4 3.4 0 1 1 30 11 Z', '#fff3cc'),
      shape(area, 'M9.5 33 L18 23 L25 31 L30 26 L38.5 35 L38.5 41.5 L9.5 41.5 Z', '#4a7fae', '#2f5a84'),
    ]
  return [shape(area, PAGE, '#ffffff', '#eceff4'), shape(area, CORNER, '#ccd4e0', '#b4bfcf'), ...CONTENT[kind](area)]
}

/** A bin of frosted glass with an open top. */
export const binPicture = (area: Rect): readonly DrawOp[] => [
  shape(area, 'M9 9 L39 9 L36 42.4 A3 3 0 0 1 33 45 L15 45 A3 3 0 0 1 12 42.4 Z', '#e6edf6', '#a9b8cc'),
  shape(area, 'M15.5 14 L17.4 40 M24 14 L24 40 M32.5 14 L30.6 40', '#ffffff', undefined, 1.4),
  shape(area, 'M7 4 L41 4 A2.5 2.5 0 0 1 41 9 L7 9 A2.5 2.5 0 0 1 7 4 Z', '#ffffff', '#d5dde8'),
]

/** A bin with two arrows that go round. */
export const recyclePicture = (area: Rect): readonly DrawOp[] => [
  ...binPicture(area),
  shape(
    area,
    'M18.6 27 A6 6 0 0 1 28 23.2 M28.6 19.6 L28.6 23.8 L24.4 23.8 M29.4 29 A6 6 0 0 1 20 32.8 M19.4 36.4 L19.4 32.2 L23.6 32.2',
    '#2f7fd6',
    undefined,
    2,
  ),
]

/** A screen on a foot. */
export const devicePicture = (area: Rect): readonly DrawOp[] => [
  shape(area, 'M20 36 L28 36 L29 42 L19 42 Z', '#b9c2cf', '#8a95a6'),
  shape(area, 'M14 41 L34 41 A1.5 1.5 0 0 1 34 44 L14 44 A1.5 1.5 0 0 1 14 41 Z', '#d5dce6', '#a5b0c0'),
  shape(
    area,
    'M5 6 L43 6 A2.5 2.5 0 0 1 45.5 8.5 L45.5 34 A2.5 2.5 0 0 1 43 36.5 L5 36.5 A2.5 2.5 0 0 1 2.5 34 L2.5 8.5 A2.5 2.5 0 0 1 5 6 Z',
    '#2b3442',
    '#1b222d',
  ),
  shape(area, 'M5.5 9 L42.5 9 L42.5 33.5 L5.5 33.5 Z', '#4ab0f5', '#1560c8'),
  shape(area, 'M5.5 26 L22 9 L30 9 L11 33.5 L5.5 33.5 Z', '#6cc2fa', '#2f7fdc'),
]
