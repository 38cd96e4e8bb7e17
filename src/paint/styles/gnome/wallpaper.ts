import type { BackdropStyle, Facet } from '../../frame/backdrop/backdrop-style.ts'
import type { ThemeName } from '../tokens.ts'

/** Folded paper: polygons in front of each other, each of which reaches below the next. Their colours are per shade. */
const FOLDS: readonly Facet['corners'][] = [
  [
    [-0.05, 0.3],
    [1.05, 0.3],
    [1.05, 1.05],
    [-0.05, 1.05],
  ],
  [
    [-0.05, -0.05],
    [0.7, -0.05],
    [0.4, 0.45],
    [-0.05, 0.36],
  ],
  [
    [0.52, -0.05],
    [1.05, -0.05],
    [1.05, 0.6],
    [0.67, 0.75],
    [0.3, 0.43],
  ],
  [
    [0.3, 0.43],
    [0.75, 0.661],
    [0.5, 1.05],
    [0.385, 1.05],
  ],
  [
    [1.05, 0.38],
    [1.05, 1.05],
    [0.385, 1.05],
    [0.67, 0.62],
  ],
]

type Colours = readonly [top: string, bottom: string, rightTop: string, rightBottom: string]

const paper = (colours: readonly Colours[]): readonly Facet[] =>
  FOLDS.map((corners, index) => {
    const [top, bottom, rightTop, rightBottom] = colours[index]!
    return { kind: 'facet', corners, top, bottom, right: { top: rightTop, bottom: rightBottom } }
  })

/** The wallpapers of the GNOME style. */
export const GNOME_WALLPAPERS: Readonly<Record<ThemeName, BackdropStyle>> = {
  light: {
    top: '#4a83ee',
    bottom: '#7a63dc',
    shapes: paper([
      ['#3163d6', '#2747b2', '#3a5fd2', '#3f55c8'],
      ['#4a80ee', '#3a6ce0', '#2f62da', '#5c96f4'],
      ['#92bdf7', '#6f9ff0', '#a9cbf8', '#6a9aee'],
      ['#4f74dd', '#5a55c8', '#7f8cea', '#8a74e0'],
      ['#6f62d6', '#9a80e8', '#7d86ea', '#5c64d6'],
    ]),
  },
  dark: {
    top: '#241a55',
    bottom: '#1c2f78',
    shapes: paper([
      ['#1c2c74', '#152355', '#24398c', '#1f3478'],
      ['#2a1d66', '#21164f', '#35207c', '#2a1d68'],
      ['#432a98', '#2a1d6c', '#33298a', '#1f1f5c'],
      ['#33237c', '#3f2270', '#4a2f92', '#2f3494'],
      ['#22388f', '#2a48a8', '#2b3d98', '#182866'],
    ]),
  },
  'high-contrast': { top: '#241f31', bottom: '#241f31', shapes: [] },
}
