import type { TextMetrics } from '../style/metrics.ts'
import { directionOf } from './bidi.ts'
import type { Rect } from './geometry.ts'
import { BULLET, type RichText, type TextSpan } from './rich-text.ts'
import { boldTextWidth, textWidth } from './text-width.ts'
import { graphemes, unbreakableEnd } from './unicode.ts'

/** A part of a line with one style, in pixels from the left of its text. */
export interface RichFragment {
  readonly text: string
  readonly line: number
  readonly x: number
  readonly width: number
  /** Undefined for plain text. */
  readonly span: TextSpan | undefined
  /** Set in a line whose parts are placed from its end to its start. */
  readonly isReversed?: true
}

/** The letters of formatted text and the height of its lines. */
export type RichMetrics = Pick<TextMetrics, 'family' | 'body' | 'line' | 'bold' | 'boldRtl' | 'isJoined'>

/** The size of headings, in relation to that of other text. */
export const HEADING_SCALE = 1.2

/**
 * Breaks formatted text between words at a width, and inside of a word that is wider. Layout, hit tests and paint use the same
 * fragments, which are in the order of the text.
 */
export function flowRichText(
  { text, spans, isMirrored }: RichText,
  width: number,
  metrics: RichMetrics,
): readonly RichFragment[] {
  const { family, body } = metrics
  const widthOf = (part: string, span: TextSpan | undefined): number => {
    const size = span?.heading ? body * HEADING_SCALE : body
    return span?.bold || span?.heading ? boldTextWidth(part, size, metrics) : textWidth(part, size, family)
  }
  const roomOf = (pieces: readonly Piece[]): number =>
    pieces.reduce((sum, piece) => sum + widthOf(text.slice(piece.from, piece.to).trimEnd(), piece.span), 0)
  const found: RichFragment[] = []
  let line = 0
  for (const [start, end] of paragraphsOf(text)) {
    const content = text.slice(start, end)
    // The first line of an item begins with a bullet, the others behind it.
    const indent = content.startsWith(BULLET) ? widthOf(BULLET, undefined) : 0
    const isReversed = (directionOf(content) === 'rtl') !== (isMirrored === true)
    let left = 0
    let x = 0
    let first = found.length
    const endLine = (): void => {
      if (isReversed) for (let at = first; at < found.length; at++) found[at] = turned(found[at]!, left + x)
      first = found.length
      line++
      left = indent
      x = indent
    }
    const append = (part: string, span: TextSpan | undefined): void => {
      const last = found.at(-1)
      const joins = found.length > first && last?.span === span
      const fragment = {
        text: joins ? last!.text + part : part,
        line,
        x: joins ? last!.x : x,
        width: widthOf(joins ? last!.text + part : part, span),
        span,
      }
      found.splice(joins ? found.length - 1 : found.length, 1, fragment)
      x = fragment.x + fragment.width
    }
    for (const [from, to] of wordsIn(text, [start, end])) {
      let at = from
      if (x > left && x + roomOf(piecesOf(spans, at, to)) > width) endLine()
      // Hidden elements have no width, and keep their words whole.
      while (width > 0 && x === left && left + roomOf(piecesOf(spans, at, to)) > width) {
        const cut =
          at + longestPart(text.slice(at, to), (part) => left + roomOf(piecesOf(spans, at, at + part)) <= width)
        if (cut >= to) break
        for (const piece of piecesOf(spans, at, cut)) append(text.slice(piece.from, piece.to), piece.span)
        endLine()
        at = cut
      }
      for (const piece of piecesOf(spans, at, to)) append(text.slice(piece.from, piece.to), piece.span)
    }
    endLine()
  }
  return found
}

/** A fragment at the other end of its line, whose sides add up to `sides`. */
const turned = (fragment: RichFragment, sides: number): RichFragment => ({
  ...fragment,
  x: sides - fragment.x - fragment.width,
  isReversed: true,
})

/** The length of the longest start of a word that fits, at least one character. */
function longestPart(word: string, fits: (length: number) => boolean): number {
  let length = 0
  for (const { segment } of graphemes().segment(word)) {
    if (length > 0 && !fits(length + segment.length)) break
    length += segment.length
  }
  return length
}

const lastLine = (fragments: readonly RichFragment[]): number => fragments.at(-1)?.line ?? 0

/** How much wider words are than the text of them, since the width of each is rounded up. */
const ROUNDING_PX = 2

/** The size of formatted text in whole pixels, broken at a width. */
export function richTextSize(
  rich: RichText,
  width: number,
  metrics: RichMetrics,
): { readonly width: number; readonly height: number } {
  const fragments = flowRichText(rich, width, metrics)
  const right = fragments.reduce((most, each) => Math.max(most, each.x + each.width), 0)
  const isTight =
    metrics.isJoined &&
    right + ROUNDING_PX <= width &&
    lastLine(flowRichText(rich, right, metrics)) > lastLine(fragments)
  return {
    width: isTight ? right + ROUNDING_PX : right,
    height: Math.max(1, rich.text.split('\n').length, lastLine(fragments) + 1) * metrics.line,
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

const MAX_WORD_CHARACTERS = 200

/** The parts of a paragraph that no line breaks, each with the blanks after it. */
function* wordsIn(text: string, [from, to]: readonly [number, number]): Iterable<readonly [number, number]> {
  for (let at = from; at < to; ) {
    let end = unbreakableEnd(text, at, Math.min(to, at + MAX_WORD_CHARACTERS))
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
