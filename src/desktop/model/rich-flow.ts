import type { TextMetrics } from '../style/metrics.ts'
import type { Rect } from './geometry.ts'
import { unbreakableEnd } from './line-break.ts'
import type { RichText, TextSpan } from './rich-text.ts'
import { textWidth } from './width.ts'

/** A part of a line with one style, in pixels from the left of its text. */
export interface RichFragment {
  readonly text: string
  readonly line: number
  readonly x: number
  readonly width: number
  /** Undefined for plain text. */
  readonly span: TextSpan | undefined
}

/** The letters of formatted text and the height of its lines. */
export type RichMetrics = Pick<TextMetrics, 'family' | 'body' | 'line' | 'bold'>

/** Breaks formatted text between words at a width. Layout, hit tests and paint use the same fragments. */
export function flowRichText(
  { text, spans }: RichText,
  width: number,
  { family, body, bold }: RichMetrics,
): readonly RichFragment[] {
  const widthOf = (part: string, span: TextSpan | undefined): number =>
    Math.ceil(textWidth(part, body, family) * (span?.bold ? bold : 1))
  const found: RichFragment[] = []
  let line = 0
  let x = 0
  for (const paragraph of paragraphsOf(text)) {
    for (const [from, to] of wordsIn(text, paragraph)) {
      const pieces = piecesOf(spans, from, to)
      const room = pieces.reduce(
        (sum, piece) => sum + widthOf(text.slice(piece.from, piece.to).trimEnd(), piece.span),
        0,
      )
      if (x > 0 && x + room > width) {
        line++
        x = 0
      }
      for (const piece of pieces) x = append(text.slice(piece.from, piece.to), piece.span)
    }
    line++
    x = 0
  }
  return found

  function append(part: string, span: TextSpan | undefined): number {
    const last = found.at(-1)
    const joins = last?.line === line && last.span === span
    const words = joins ? last.text + part : part
    const left = joins ? last.x : x
    const fragment = { text: words, line, x: left, width: widthOf(words, span), span }
    if (joins) found[found.length - 1] = fragment
    else found.push(fragment)
    return left + fragment.width
  }
}

/** The size of formatted text in whole pixels, broken at a width. */
export function richTextSize(
  rich: RichText,
  width: number,
  metrics: RichMetrics,
): { readonly width: number; readonly height: number } {
  const fragments = flowRichText(rich, width, metrics)
  const right = fragments.reduce((most, each) => Math.max(most, each.x + each.width), 0)
  return {
    width: right,
    height: Math.max(1, rich.text.split('\n').length, (fragments.at(-1)?.line ?? 0) + 1) * metrics.line,
  }
}

/** Where a link is in a text at a place: around all its fragments. Undefined if the text has no such link. */
export function linkBounds(rich: RichText, id: string, { x, y, width }: Rect, metrics: RichMetrics): Rect | undefined {
  const own = flowRichText(rich, width, metrics).filter(({ span }) => span?.link === id)
  const [first] = own
  if (!first) return undefined
  const left = Math.min(...own.map((each) => each.x))
  const right = Math.max(...own.map((each) => each.x + each.width))
  const lines = own.at(-1)!.line - first.line + 1
  return { x: x + left, y: y + first.line * metrics.line, width: right - left, height: lines * metrics.line }
}

function paragraphsOf(text: string): readonly (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = []
  let from = 0
  for (const part of text.split('\n')) {
    found.push([from, from + part.length])
    from += part.length + 1
  }
  return found
}

/** The parts of a paragraph that no line breaks, each with the blanks after it. */
function* wordsIn(text: string, [from, to]: readonly [number, number]): Iterable<readonly [number, number]> {
  for (let at = from; at < to; ) {
    let end = at
    end = unbreakableEnd(text, at, to)
    while (end < to && text[end] === ' ') end++
    yield [at, end]
    at = end
  }
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly span: TextSpan | undefined
}

/** A word cut where the style changes. */
function piecesOf(spans: readonly TextSpan[], from: number, to: number): readonly Piece[] {
  const pieces: Piece[] = []
  let at = from
  for (const span of spans) {
    if (span.to <= at || span.from >= to) continue
    if (span.from > at) pieces.push({ from: at, to: span.from, span: undefined })
    const start = Math.max(at, span.from)
    at = Math.min(to, span.to)
    pieces.push({ from: start, to: at, span })
  }
  return at < to ? [...pieces, { from: at, to, span: undefined }] : pieces
}
