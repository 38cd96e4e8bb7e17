import { graphemes } from '../../desktop/model/grapheme.ts'
import { FAMILIES, type Family, fontFile, measuringContext } from '../frame/skia.ts'

/** A bundled font: family, size in pixels and weight (400, 500, 600 or 700). */
export interface Font {
  readonly family: Family
  readonly size: number
  readonly weight: number
}

/** A run of text in one family, or a single character without a glyph. */
export interface TextPiece {
  readonly text: string
  readonly family: Family | 'missing'
}

/** The height of a capital letter, as a share of the font size. */
export const CAP_HEIGHT = 0.7275

/** The CSS font of a run. */
export const cssFont = (font: Font, family: Family = font.family): string =>
  `${font.weight} ${font.size}px "${FAMILIES[family]}"`

/** The width of the box for a character without a glyph, as a share of the font size. */
const MISSING_WIDTH = 0.8

const widths = new Map<string, number>()
const MAX_CACHED_WIDTHS = 20_000

/** The width of a line of text in fractional pixels. */
export function widthOf(text: string, font: Font): number {
  if (text === '') return 0
  const key = `${font.family}${font.weight}/${font.size}/${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const width = piecesOf(text, font.family).reduce((sum, piece) => sum + pieceWidth(piece, font), 0)
  if (widths.size >= MAX_CACHED_WIDTHS) widths.clear()
  widths.set(key, width)
  return width
}

export function pieceWidth(piece: TextPiece, font: Font): number {
  if (piece.family === 'missing') return Math.round(font.size * MISSING_WIDTH)
  const context = measuringContext()
  context.font = cssFont(font, piece.family)
  return context.measureText(piece.text).width
}

/** Splits a line into runs by the family that has their glyphs. Most lines are one run. */
export function piecesOf(text: string, family: Family): readonly TextPiece[] {
  if (isPlain(text)) return [{ text, family }]
  const pieces: TextPiece[] = []
  for (const { segment } of graphemes().segment(text)) {
    const owner = ownerOf(segment, family)
    const last = pieces.at(-1)
    if (last && last.family === owner && owner !== 'missing')
      pieces[pieces.length - 1] = { text: last.text + segment, family: owner }
    else pieces.push({ text: segment, family: owner })
  }
  return pieces
}

/** Replaces control characters by blanks. */
export const replaceUnprintable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g, ' ')

/** The grapheme clusters of a text. */
export function charactersOf(text: string): readonly string[] {
  if (isPlain(text)) return text.split('')
  return Array.from(graphemes().segment(text), ({ segment }) => segment)
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

function ownerOf(character: string, preferred: Family): Family | 'missing' {
  const other: Family = preferred === 'ui' ? 'mono' : 'ui'
  if (hasGlyphs(character, preferred)) return preferred
  return hasGlyphs(character, other) ? other : 'missing'
}

const VARIATION_SELECTOR_TEXT = 0xfe0e

function hasGlyphs(character: string, family: Family): boolean {
  const known = coverageOf(family)
  for (const sign of character) {
    const code = sign.codePointAt(0)!
    if (code !== VARIATION_SELECTOR_TEXT && !known.has(code)) return false
  }
  return true
}

const coverages = new Map<Family, ReadonlySet<number>>()

function coverageOf(family: Family): ReadonlySet<number> {
  const known = coverages.get(family)
  if (known) return known
  const coverage = readCharacters(fontFile(family))
  coverages.set(family, coverage)
  return coverage
}

/** The code points of a font's `cmap` table (OpenType specification, formats 4 and 12). */
function readCharacters(file: Uint8Array): ReadonlySet<number> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const start = tableStart(view, 'cmap')
  const codes = new Set<number>()
  const count = view.getUint16(start + 2)
  for (let table = 0; table < count; table++) {
    const at = start + view.getUint32(start + 4 + table * 8 + 4)
    const format = view.getUint16(at)
    if (format === 4) readFormat4(view, at, codes)
    if (format === 12) readFormat12(view, at, codes)
  }
  return codes
}

function tableStart(view: DataView, tag: string): number {
  const count = view.getUint16(4)
  for (let table = 0; table < count; table++) {
    const entry = 12 + table * 16
    const name = String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(entry + offset)))
    if (name === tag) return view.getUint32(entry + 8)
  }
  throw new Error(`the font has no table ${tag}`)
}

function readFormat4(view: DataView, at: number, codes: Set<number>): void {
  const segments = view.getUint16(at + 6) / 2
  const ends = at + 14
  const starts = ends + segments * 2 + 2
  const deltas = starts + segments * 2
  const offsets = deltas + segments * 2
  for (let segment = 0; segment < segments; segment++) {
    const first = view.getUint16(starts + segment * 2)
    const last = view.getUint16(ends + segment * 2)
    const delta = view.getUint16(deltas + segment * 2)
    const offset = view.getUint16(offsets + segment * 2)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const place = offsets + segment * 2 + offset + (code - first) * 2
      const glyph = offset === 0 ? (code + delta) & 0xffff : view.getUint16(place)
      if (glyph !== 0) codes.add(code)
    }
  }
}

function readFormat12(view: DataView, at: number, codes: Set<number>): void {
  const groups = view.getUint32(at + 12)
  for (let group = 0; group < groups; group++) {
    const entry = at + 16 + group * 12
    const last = view.getUint32(entry + 4)
    for (let code = view.getUint32(entry); code <= last; code++) codes.add(code)
  }
}
