import { type Direction, directionOf, directionRuns } from '../../desktop/model/bidi.ts'
import { graphemes } from '../../desktop/model/unicode.ts'
import { type CanvasContext, measuringContext, selectFace } from '../frame/skia.ts'
import { facesFor } from './coverage.ts'
import { EMOJI, FACES, type Face, type Family } from './faces.ts'

/** A bundled font: family, size in pixels and weight (400, 500, 600 or 700). */
export interface Font {
  readonly family: Family
  readonly size: number
  readonly weight: number
  /** Its letters lean to the right. They are as wide as upright ones. */
  readonly isItalic?: true
}

/** A part of a line in one face and direction, or a single character without a glyph. */
export interface TextPiece {
  readonly text: string
  readonly face: Face | 'missing'
  readonly direction: Direction
}

/** The height of a capital letter, as a share of the font size. */
export const CAP_HEIGHT = 0.7275

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
  if (piece.face === 'missing') return Math.round(font.size * MISSING_WIDTH)
  const context = measuringContext()
  selectPiece(context, piece.face, piece.direction, font)
  const lead = leadOf(piece)
  return context.measureText(lead + piece.text).width - (lead === '' ? 0 : context.measureText(lead).width)
}

const LEAD = '😀'

/**
 * What a piece is drawn after, out of sight. The shaper splits pictures that begin with a character that is text by default,
 * such as the rainbow flag, at the start of a run, and nowhere else.
 */
export const leadOf = ({ face, text }: TextPiece): string =>
  face === EMOJI && text.includes('\u200d') && !/^\p{Emoji_Presentation}/u.test(text) ? LEAD : ''

/** Selects the face and the direction of a piece for measuring or drawing. */
export function selectPiece(context: CanvasContext, face: Face, direction: Direction, font: Font): void {
  selectFace(context, face, font.weight, font.size)
  context.direction = direction
}

/**
 * Splits a line into pieces by direction and by the face that has their glyphs, from left to right. Most lines are one
 * piece.
 */
export function piecesOf(text: string, family: Family, direction: Direction = directionOf(text)): readonly TextPiece[] {
  if (isPlain(text) && direction === 'ltr') return [{ text, face: FACES[family][0]!, direction }]
  const faceOf = facesFor(text, family)
  return directionRuns(text, direction).flatMap((run) => {
    const pieces = facesIn(text.slice(run.from, run.to), faceOf, run.direction)
    return run.direction === 'ltr' ? pieces : pieces.toReversed()
  })
}

/** The pieces of a run in the order of its text. */
function facesIn(
  text: string,
  faceOf: (character: string) => Face | undefined,
  direction: Direction,
): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  for (const { segment } of graphemes().segment(text)) {
    const face = faceOf(segment) ?? 'missing'
    const last = pieces.at(-1)
    if (last && last.face === face && face !== 'missing')
      pieces[pieces.length - 1] = { text: last.text + segment, face, direction }
    else pieces.push({ text: segment, face, direction })
  }
  return pieces
}

/** The characters of a text that no installed font has, each once. */
export const charactersWithoutGlyph = (text: string, family: Family = 'ui'): readonly string[] => [
  ...new Set(
    piecesOf(replaceUnprintable(text), family).flatMap(({ face, text: each }) => (face === 'missing' ? [each] : [])),
  ),
]

/** Replaces control characters by blanks. */
export const replaceUnprintable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g, ' ')

/** The grapheme clusters of a text. */
export function charactersOf(text: string): readonly string[] {
  if (isPlain(text)) return text.split('')
  return Array.from(graphemes().segment(text), ({ segment }) => segment)
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
