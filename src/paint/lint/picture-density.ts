import type { Desktop } from '../../desktop/model/desktop.ts'
import { walk } from '../../desktop/model/element.ts'
import { type AppKind, appKindOf } from '../../desktop/model/pictures.ts'
import type { Picture } from '../picture.ts'

/** How full a picture of a screen is. Shares are in per cent, with one decimal. */
export interface PictureDensity {
  /** The share of blocks of 8 × 8 and 32 × 32 pixels that have one colour. */
  readonly flat8: number
  readonly flat32: number
  /** The share of pixels whose grey differs by more than 24 of 255 from the pixel to the right or below. */
  readonly edges: number
  /** Colours that each cover at least 0.05 % of the picture. */
  readonly colours: number
  /** The share of pixels whose largest channel exceeds the smallest by more than half of it, and 40 of 255. */
  readonly saturated: number
  /** Sizes of text, words, and elements of the open windows. Undefined for a picture file. */
  readonly textSizes?: number
  readonly words?: number
  readonly nodes?: number
}

export type DensityMeasure = keyof PictureDensity

const EDGE_STEP = 24
const LEAST_SHARE = 0.0005

/** Measures the pixels of a picture, and its texts if they are known. */
export function measureDensity(picture: Picture, desktop?: Desktop): PictureDensity {
  const { width, height } = picture
  const bytes = picture.pixels()
  const pixels = width * height
  const greys = new Uint8Array(pixels)
  const counts = new Map<number, number>()
  let saturated = 0
  for (let at = 0; at < pixels; at++) {
    const red = bytes[at * 4]!
    const green = bytes[at * 4 + 1]!
    const blue = bytes[at * 4 + 2]!
    greys[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
    const colour = (red << 16) | (green << 8) | blue
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
    const most = Math.max(red, green, blue)
    const spread = most - Math.min(red, green, blue)
    if (spread > 40 && spread * 2 > most) saturated++
  }
  let edges = 0
  for (let row = 0, at = 0; row < height; row++)
    for (let column = 0; column < width; column++, at++) {
      const right = column + 1 < width ? Math.abs(greys[at]! - greys[at + 1]!) : 0
      const below = row + 1 < height ? Math.abs(greys[at]! - greys[at + width]!) : 0
      if (right > EDGE_STEP || below > EDGE_STEP) edges++
    }
  return {
    flat8: flatShare(bytes, width, height, 8),
    flat32: flatShare(bytes, width, height, 32),
    edges: percent(edges / Math.max(1, pixels)),
    colours: [...counts.values()].filter((count) => count >= pixels * LEAST_SHARE).length,
    saturated: percent(saturated / Math.max(1, pixels)),
    ...(picture.text && {
      textSizes: new Set(picture.text.map(({ bounds }) => bounds.height)).size,
      words: picture.text.flatMap(({ text }) => text.split(/\s+/).filter((word) => word !== '')).length,
    }),
    ...(desktop && { nodes: nodesIn(desktop) }),
  }
}

const percent = (share: number): number => Math.round(share * 1000) / 10

const nodesIn = ({ windows }: Desktop): number =>
  windows
    .filter(({ state, shell }) => state !== 'minimized' && shell === undefined)
    .reduce((sum, { tree }) => sum + [...walk(tree)].length, 0)

function flatShare(bytes: Uint8Array, width: number, height: number, side: number): number {
  const [across, down] = [Math.floor(width / side), Math.floor(height / side)]
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + width * height * 4))
  let flat = 0
  for (let row = 0; row < down; row++)
    for (let column = 0; column < across; column++) {
      const start = row * side * width + column * side
      const colour = words[start]!
      let isFlat = true
      for (let y = 0; y < side && isFlat; y++)
        for (let x = 0; x < side && isFlat; x++) isFlat = words[start + y * width + x] === colour
      if (isFlat) flat++
    }
  return percent(flat / Math.max(1, across * down))
}

/** A real program that was measured in the same way. */
interface MeasuredProgram extends Partial<PictureDensity> {
  readonly program: string
}

/** Maximised programs on a screen of 1280 × 800, with data of common size. Measured on Debian 12. */
export const REAL_PROGRAMS = {
  mail: [
    {
      program: 'Thunderbird 153',
      ...{ flat8: 71, flat32: 45, edges: 8.7, colours: 26, saturated: 0.6, textSizes: 6, words: 275, nodes: 244 },
    },
  ],
  calendar: [
    { program: 'Thunderbird 153', flat8: 65, flat32: 21, edges: 7.4, colours: 54, saturated: 3.2, nodes: 372 },
    {
      program: 'GNOME Calendar 43',
      ...{ flat8: 71, flat32: 29, edges: 4.3, colours: 17, saturated: 0.1, textSizes: 6, words: 291, nodes: 859 },
    },
  ],
  contacts: [
    {
      program: 'GNOME Contacts 43',
      ...{ flat8: 78, flat32: 52, edges: 3.5, colours: 27, saturated: 2.8, textSizes: 3, words: 85 },
    },
  ],
  chat: [
    {
      program: 'HexChat 2.16',
      ...{ flat8: 80, flat32: 58, edges: 7.3, colours: 32, saturated: 2.5, textSizes: 2, nodes: 72 },
    },
  ],
  files: [
    {
      program: 'Nautilus 43',
      ...{ flat8: 85, flat32: 60, edges: 3.5, colours: 14, saturated: 0.2, textSizes: 3, nodes: 356 },
    },
    {
      program: 'Thunar 4.18',
      ...{ flat8: 73, flat32: 47, edges: 8.3, colours: 39, saturated: 2.8, textSizes: 1, words: 175, nodes: 215 },
    },
  ],
  editor: [
    {
      program: 'Mousepad 0.5',
      ...{ flat8: 63, flat32: 14, edges: 11.7, colours: 59, saturated: 4.6, textSizes: 2, words: 500, nodes: 19 },
    },
    {
      program: 'GNOME Text Editor 43',
      ...{ flat8: 59, flat32: 23, edges: 13, colours: 32, saturated: 4.5, textSizes: 2, words: 500, nodes: 117 },
    },
  ],
  sheet: [
    {
      program: 'LibreOffice Calc 7.4',
      ...{ flat8: 37, flat32: 1, edges: 20.9, colours: 59, saturated: 3.1, textSizes: 2, words: 280, nodes: 243 },
    },
    {
      program: 'Gnumeric 1.12',
      ...{ flat8: 40, flat32: 6, edges: 18.8, colours: 66, saturated: 2.8, textSizes: 1, words: 280, nodes: 188 },
    },
  ],
  photos: [
    {
      program: 'gThumb 3.12, grid',
      ...{ flat8: 53, flat32: 28, edges: 4.6, colours: 21, saturated: 13.9, textSizes: 1, words: 27, nodes: 115 },
    },
    {
      program: 'gThumb 3.12, viewer',
      ...{ flat8: 64, flat32: 53, edges: 2.4, colours: 22, saturated: 13.9, textSizes: 2, nodes: 55 },
    },
  ],
  settings: [
    {
      program: 'MATE control centre 1.26',
      ...{ flat8: 92, flat32: 80, edges: 2, colours: 28, saturated: 2.7, textSizes: 1, words: 9, nodes: 47 },
    },
  ],
  shop: [
    {
      program: 'a shop in Firefox 153',
      ...{ flat8: 49, flat32: 19, edges: 7.9, colours: 23, saturated: 16.4, textSizes: 6, words: 317, nodes: 166 },
    },
  ],
  bank: [
    {
      program: 'a bank in Firefox 153',
      ...{ flat8: 70, flat32: 27, edges: 8.6, colours: 18, saturated: 6.1, textSizes: 6, nodes: 232 },
    },
  ],
  article: [
    {
      program: 'a wiki in Firefox 153',
      ...{ flat8: 63, flat32: 23, edges: 11.1, colours: 22, saturated: 2.8, textSizes: 6, nodes: 194 },
    },
  ],
  board: [
    {
      program: 'Kanboard 1.2 in Firefox 153',
      ...{ flat8: 62, flat32: 20, edges: 10.6, colours: 35, saturated: 37, textSizes: 8, words: 294 },
    },
  ],
} as const satisfies Readonly<Record<string, readonly MeasuredProgram[]>>

export type ProgramKind = keyof typeof REAL_PROGRAMS
export const PROGRAM_KINDS = Object.keys(REAL_PROGRAMS) as readonly ProgramKind[]

const KIND_OF_APP: Partial<Readonly<Record<AppKind, ProgramKind>>> = {
  mail: 'mail',
  calendar: 'calendar',
  contacts: 'contacts',
  chat: 'chat',
  files: 'files',
  document: 'editor',
  notes: 'editor',
  code: 'editor',
  sheet: 'sheet',
  photos: 'photos',
  settings: 'settings',
  store: 'shop',
  browser: 'article',
}

/** The kind of program that a name is about, such as that of a scenario or a window. Undefined if its words do not say. */
export function programKindOf(name: string): ProgramKind | undefined {
  const app = appKindOf(name, '')
  return app && KIND_OF_APP[app]
}

/** A measure beside the real programs of a kind. */
export interface ComparedMeasure {
  readonly measure: DensityMeasure
  readonly here: number
  /** From the least to the most of the real programs. Undefined where none was measured. */
  readonly real: readonly [least: number, most: number] | undefined
  /** More than a quarter below the least of them, or above the most. */
  readonly verdict: 'low' | 'high' | 'alike' | 'unknown'
}

const MARGIN = 0.25

/** Compares a picture with the real programs of a kind. */
export function compareDensity(density: PictureDensity, kind: ProgramKind): readonly ComparedMeasure[] {
  const programs: readonly MeasuredProgram[] = REAL_PROGRAMS[kind]
  return (Object.entries(density) as [DensityMeasure, number][]).map(([measure, here]) => {
    const known = programs.flatMap((program) => program[measure] ?? [])
    if (known.length === 0) return { measure, here, real: undefined, verdict: 'unknown' }
    const real = [Math.min(...known), Math.max(...known)] as const
    const verdict = here < real[0] * (1 - MARGIN) ? 'low' : here > real[1] * (1 + MARGIN) ? 'high' : 'alike'
    return { measure, here, real, verdict }
  })
}
