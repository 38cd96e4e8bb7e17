import type { Direction } from '../../desktop/model/bidi.ts'
import type { CanvasContext } from '../frame/skia.ts'
import { type Font, leadOf, piecesOf, pieceWidth, selectPiece, type TextPiece, widthOf } from './fonts.ts'

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
