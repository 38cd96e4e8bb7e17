import type { Direction } from '../../desktop/model/bidi.ts'
import { unbreakableEnd } from '../../desktop/model/unicode.ts'
import type { CanvasContext } from '../canvas/skia.ts'
import {
  charactersOf,
  type Font,
  leadOf,
  piecesOf,
  pieceWidth,
  replaceUnprintable,
  selectPiece,
  type TextPiece,
  widthOf,
} from './fonts.ts'

const ELLIPSIS = '…'
/** No character is narrower than this share of the font size; longer text is cut before it is measured. */
const MIN_CHARACTER_WIDTH = 0.2

/** The text, or as much of its start as fits with an ellipsis. Empty if not even that fits. */
export function elide(content: string, width: number, font: Font): string {
  const most = Math.ceil(width / (font.size * MIN_CHARACTER_WIDTH)) + 1
  const line = replaceUnprintable(content.length > most * 4 ? content.slice(0, most * 4) : content)
  if (line.length <= most && widthOf(line, font) <= width) return line
  const characters = charactersOf(line).slice(0, most)
  let fits = -1
  let over = characters.length + 1
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (widthOf(shortened(characters, middle), font) <= width) fits = middle
    else over = middle
  }
  return fits < 0 ? '' : shortened(characters, fits)
}

const shortened = (characters: readonly string[], count: number): string =>
  characters.slice(0, count).join('').trimEnd() + ELLIPSIS

/** A line of a longer text, as a range of UTF-16 offsets. */
export interface WrappedLine {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Wraps a text between words at `width` into at most `most` lines. */
export function wrap(content: string, width: number, font: Font, most: number): readonly WrappedLine[] {
  const lines: WrappedLine[] = []
  let from = 0
  while (lines.length < most) {
    const end = content.indexOf('\n', from)
    const to = end < 0 ? content.length : end
    for (const line of wrapParagraph(content, from, to, width, font, most - lines.length)) lines.push(line)
    if (end < 0) break
    from = end + 1
  }
  return lines
}

function wrapParagraph(
  content: string,
  from: number,
  to: number,
  width: number,
  font: Font,
  most: number,
): readonly WrappedLine[] {
  const lines: WrappedLine[] = []
  let start = from
  let at = from
  let used = 0
  const finish = (end: number) => {
    lines.push({ text: replaceUnprintable(content.slice(start, end)), from: start, to: end })
    start = end
    used = 0
  }
  while (at < to && lines.length < most) {
    const end = wordEnd(content, at, to)
    const advance = widthOf(replaceUnprintable(content.slice(at, end)), font)
    if (used > 0 && used + widthOf(replaceUnprintable(content.slice(at, end)).trimEnd(), font) > width) finish(at)
    else if (advance > width && end - at > 1 && used === 0) {
      // A word wider than the line breaks at the end of the line.
      const fits = longestPrefix(content.slice(at, end), width, font)
      at += fits
      finish(at)
    } else {
      used += advance
      at = end
    }
  }
  if (lines.length < most) finish(to)
  return lines
}

const MAX_WORD_CHARACTERS = 200

/** The end of a part that no line breaks, and of the blanks after it. */
function wordEnd(content: string, from: number, to: number): number {
  const limit = Math.min(to, from + MAX_WORD_CHARACTERS)
  let at = unbreakableEnd(content, from, limit)
  while (at < limit && content[at] === ' ') at++
  return Math.max(at, Math.min(from + 1, to))
}

function longestPrefix(word: string, width: number, font: Font): number {
  const characters = charactersOf(word)
  let taken = 0
  let length = 0
  for (const character of characters) {
    const next = length + character.length
    if (taken > 0 && widthOf(replaceUnprintable(word.slice(0, next)), font) > width) break
    length = next
    taken++
  }
  return length
}

/** How far italic letters lean to the right for each pixel above the baseline. */
const SLANT = 0.2

/** Draws a line in the colours of the context, starting at `x` on `baseline`, and boxes for characters without a glyph. */
export function drawLine(
  context: CanvasContext,
  x: number,
  baseline: number,
  text: string,
  font: Font,
  direction?: Direction,
): void {
  if (font.isItalic) {
    const { isItalic: _, ...upright } = font
    context.save()
    context.transform(1, 0, -SLANT, 1, SLANT * baseline, 0)
    drawLine(context, x, baseline, text, upright, direction)
    context.restore()
    return
  }
  const pieces = piecesOf(text, font.family, direction)
  let at = x
  for (const piece of pieces) {
    const advance = pieces.length === 1 ? widthOf(text, font) : pieceWidth(piece, font)
    if (piece.face === 'missing') drawMissing(context, Math.round(at), baseline, advance, font)
    else {
      selectPiece(context, piece.face, piece.direction, font)
      drawPiece(context, at, baseline, piece, advance, font.size)
    }
    at += advance
  }
}

/** Draws a piece, and what the shaper needs before it outside of the area that is painted. */
function drawPiece(
  context: CanvasContext,
  x: number,
  baseline: number,
  piece: TextPiece,
  advance: number,
  size: number,
): void {
  const lead = leadOf(piece)
  if (lead === '') {
    context.fillText(piece.text, x, baseline)
    return
  }
  context.save()
  context.beginPath()
  context.rect(x, baseline - 2 * size, advance, 3 * size)
  context.clip()
  context.fillText(lead + piece.text, x - context.measureText(lead).width, baseline)
  context.restore()
}

/** Draws a box for a character that no bundled font has. */
function drawMissing(context: CanvasContext, x: number, baseline: number, advance: number, font: Font): void {
  const height = Math.round(font.size * 0.72)
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(x + 1.5, baseline - height + 0.5, advance - 3, height - 1, 2)
  context.stroke()
}
