import type { Rect } from '../../../desktop/model/geometry.ts'
import type { AppKind } from '../../../desktop/model/pictures.ts'
import { type DrawOp, roundedGradient } from '../../frame/draw-op.ts'
import type { PicturedApp } from '../../theme/theme.ts'
import { inset } from '../../widgets/widget.ts'
import { appColoursOf, GEAR, GLYPHS, glyph, onPicture } from '../app-picture.ts'

/** A filled gear with a hole. */
const GEAR_FILLED = `${GEAR} M12 8.6 A3.4 3.4 0 1 0 12 15.4 A3.4 3.4 0 1 0 12 8.6 Z`

const FLAT: Partial<Record<AppKind, (area: Rect) => readonly DrawOp[]>> = {
  mail: (area) => [
    onPicture(
      area,
      'M3.5 4 L20.5 4 A2 2 0 0 1 22.5 6 L22.5 18 A2 2 0 0 1 20.5 20 L3.5 20 A2 2 0 0 1 1.5 18 L1.5 6 A2 2 0 0 1 3.5 4 Z',
      '#2f86e8',
      '#0f56b4',
    ),
    onPicture(
      area,
      'M1.5 6 A2 2 0 0 1 3.5 4 L20.5 4 A2 2 0 0 1 22.5 6 L12.9 13.6 A1.5 1.5 0 0 1 11.1 13.6 Z',
      '#a3dbff',
      '#3f9bf2',
    ),
  ],
  files: (area) => [
    onPicture(
      area,
      'M1.5 6 A2 2 0 0 1 3.5 4 L8 4 A2 2 0 0 1 9.4 4.6 L11.2 6.4 L20.5 6.4 A2 2 0 0 1 22.5 8.4 L22.5 14 L1.5 14 Z',
      '#d9971c',
      '#c98410',
    ),
    onPicture(
      area,
      'M3.5 8.4 L20.5 8.4 A2 2 0 0 1 22.5 10.4 L22.5 18.4 A2 2 0 0 1 20.5 20.4 L3.5 20.4 A2 2 0 0 1 1.5 18.4 L1.5 10.4 A2 2 0 0 1 3.5 8.4 Z',
      '#ffe08a',
      '#f2b134',
    ),
    onPicture(
      area,
      'M8.4 17 L15.6 17 A1 1 0 0 1 16.6 18 L16.6 20.4 L7.4 20.4 L7.4 18 A1 1 0 0 1 8.4 17 Z',
      '#3a8ee6',
      '#256fc4',
    ),
  ],
  browser: (area) => [
    onPicture(area, 'M12 1.5 A10.5 10.5 0 0 1 12 22.5 A10.5 10.5 0 0 1 12 1.5 Z', '#3ad6b2', '#0f8c7a'),
    onPicture(inset(area, Math.max(1, Math.round(area.width / 6))), GLYPHS.browser, '#ffffff', undefined, 1.7),
  ],
  terminal: (area) => [
    onPicture(
      area,
      'M3 3 L21 3 A2 2 0 0 1 23 5 L23 19 A2 2 0 0 1 21 21 L3 21 A2 2 0 0 1 1 19 L1 5 A2 2 0 0 1 3 3 Z',
      '#3b4150',
      '#1c2029',
    ),
    onPicture(area, 'M3 3 L21 3 A2 2 0 0 1 23 5 L23 7 L1 7 L1 5 A2 2 0 0 1 3 3 Z', '#6d7686', '#565e6e'),
    onPicture(area, 'M4.6 10.4 L8.4 13.6 L4.6 16.8 M10.6 17.2 L16.4 17.2', '#ffffff', undefined, 1.8),
  ],
  settings: (area) => [onPicture(area, GEAR_FILLED, '#a3aebf', '#66748a')],
  document: (area) => [
    onPicture(
      area,
      'M6 1.5 L14.5 1.5 L20 7 L20 20.5 A2 2 0 0 1 18 22.5 L6 22.5 A2 2 0 0 1 4 20.5 L4 3.5 A2 2 0 0 1 6 1.5 Z',
      '#4aa5f7',
      '#1a65cf',
    ),
    onPicture(area, 'M14.5 1.5 L20 7 L15.5 7 A1 1 0 0 1 14.5 6 Z', '#bfe1ff', '#8cc6fb'),
    onPicture(area, 'M7.6 12 L16.4 12 M7.6 15.4 L16.4 15.4 M7.6 18.8 L13 18.8', '#ffffff', undefined, 1.5),
  ],
  notes: (area) => [
    onPicture(
      area,
      'M5 2 L19 2 A2 2 0 0 1 21 4 L21 15.5 L14.5 22 L5 22 A2 2 0 0 1 3 20 L3 4 A2 2 0 0 1 5 2 Z',
      '#ffe07c',
      '#efb62c',
    ),
    onPicture(area, 'M21 15.5 L14.5 22 L14.5 17 A1.5 1.5 0 0 1 16 15.5 Z', '#fff3cc', '#ffe69c'),
    onPicture(area, 'M7 7.4 L17 7.4 M7 11.2 L17 11.2 M7 15 L11.6 15', '#8a6412', undefined, 1.5),
  ],
  sheet: (area) => [
    onPicture(
      area,
      'M6 1.5 L18 1.5 A2 2 0 0 1 20 3.5 L20 20.5 A2 2 0 0 1 18 22.5 L6 22.5 A2 2 0 0 1 4 20.5 L4 3.5 A2 2 0 0 1 6 1.5 Z',
      '#45c27c',
      '#137a48',
    ),
    onPicture(area, 'M7 6 L17 6 L17 18 L7 18 Z M7 10 L17 10 M7 14 L17 14 M11 6 L11 18', '#ffffff', undefined, 1.3),
  ],
  chat: (area) => [
    onPicture(
      area,
      'M5 3 L19 3 A3 3 0 0 1 22 6 L22 14 A3 3 0 0 1 19 17 L12 17 L7 21.6 L7 17 L5 17 A3 3 0 0 1 2 14 L2 6 A3 3 0 0 1 5 3 Z',
      '#78d77e',
      '#2b9a42',
    ),
    onPicture(area, 'M7.4 10 L7.4 10.1 M12 10 L12 10.1 M16.6 10 L16.6 10.1', '#ffffff', undefined, 2.4),
  ],
  photos: (area) => [
    onPicture(
      area,
      'M5 2 L19 2 A3 3 0 0 1 22 5 L22 19 A3 3 0 0 1 19 22 L5 22 A3 3 0 0 1 2 19 L2 5 A3 3 0 0 1 5 2 Z',
      '#ffb04e',
      '#e5682a',
    ),
    onPicture(
      area,
      'M4.6 18.6 L10 11.6 L13.4 15.4 L15.6 13 L19.4 18.6 Z M15.4 6 A2.2 2.2 0 0 1 15.4 10.4 A2.2 2.2 0 0 1 15.4 6 Z',
      '#ffffff',
    ),
  ],
  calendar: (area) => [
    onPicture(
      area,
      'M5 3 L19 3 A2.5 2.5 0 0 1 21.5 5.5 L21.5 19 A2.5 2.5 0 0 1 19 21.5 L5 21.5 A2.5 2.5 0 0 1 2.5 19 L2.5 5.5 A2.5 2.5 0 0 1 5 3 Z',
      '#ffffff',
      '#e6e9ef',
    ),
    onPicture(
      area,
      'M5 3 L19 3 A2.5 2.5 0 0 1 21.5 5.5 L21.5 8.6 L2.5 8.6 L2.5 5.5 A2.5 2.5 0 0 1 5 3 Z',
      '#ff7a7c',
      '#d93a52',
    ),
    onPicture(
      area,
      'M7 12.4 L7 12.5 M12 12.4 L12 12.5 M17 12.4 L17 12.5 M7 17 L7 17.1 M12 17 L12 17.1',
      '#5a6678',
      undefined,
      2.6,
    ),
  ],
}

/** The picture of an application in the Windows style: without a background, or a coloured face with white lines. */
export function flatPicture(area: Rect, app: PicturedApp): readonly DrawOp[] {
  const { kind } = app
  const own = kind && FLAT[kind]
  if (own) return own(area)
  const { top, bottom } = appColoursOf(app)
  const inner = inset(area, Math.round(area.width / 16))
  return [
    roundedGradient(inner, { top, bottom, radius: Math.max(2, Math.round(inner.width * 0.18)) }),
    glyph(inner, kind, 0.6, 2),
  ]
}
