import type { Direction } from '../../desktop/model/bidi.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { CAP_HEIGHT, type Font, widthOf } from '../text/fonts.ts'
import { elide, wrap } from '../text/text.ts'
import { type DrawOp, text } from './draw-op.ts'

/** Operations that draw texts that fit into areas. */

export interface LabelStyle {
  readonly font: Font
  readonly colour: string
  readonly align?: 'left' | 'center' | 'right'
  /** The direction of its paragraph; by default that of the text. */
  readonly direction?: Direction
}

/** One line of text in a rectangle, cut with an ellipsis, vertically centred by its capitals. */
export function label(
  area: Rect,
  content: string,
  { font, colour, align = 'left', direction }: LabelStyle,
): readonly DrawOp[] {
  const line = elide(content, area.width, font)
  if (line === '' || area.height <= 0) return []
  const spare = area.width - widthOf(line, font)
  const before = align === 'left' ? 0 : align === 'right' ? spare : spare / 2
  return [text(area.x + Math.max(0, Math.floor(before)), baselineIn(area, font), line, font, colour, direction)]
}

/** A text and its style. */
type Words = { readonly content: string } & Pick<LabelStyle, 'font' | 'colour'>

const LABEL_GAP_PX = 12

/** Texts at the left and right of an area. If both do not fit, each gets at least half. */
export function labels(area: Rect, left: Words, right: Words): readonly DrawOp[] {
  const alone = label(area, left.content, left)
  if (right.content === '') return alone
  const room = Math.max(area.width >> 1, area.width - spanOf(alone))
  const behind = label({ ...area, x: area.x + area.width - room, width: room }, right.content, {
    ...right,
    align: 'right',
  })
  return [...label({ ...area, width: Math.max(0, area.width - spanOf(behind)) }, left.content, left), ...behind]
}

/** The width of a label and the gap after it; 0 without a label. */
const spanOf = ([op]: readonly DrawOp[]): number => (op?.run ? op.run.bounds.width + LABEL_GAP_PX : 0)

/** The baseline of a vertically centred line. */
export const baselineIn = (area: Rect, font: Font): number =>
  area.y + Math.round((area.height + font.size * CAP_HEIGHT) / 2)

/** The font and the colour of lines. */
type LineStyle = Pick<LabelStyle, 'font' | 'colour'>

/**
 * The lines of a text, at most `most`. The last has all the rest, so that it ends with an ellipsis if it does not fit.
 */
export function linesOf(content: string, width: number, style: LineStyle, most: number) {
  if (most <= 0 || content === '') return []
  return wrap(content, width, style.font, most).map(({ text, from }, place) => ({
    content: place === most - 1 ? content.slice(from) : text.trimEnd(),
    style,
  }))
}
