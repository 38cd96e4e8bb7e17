import { directionOf } from '../../desktop/model/bidi.ts'
import type { Element } from '../../desktop/model/element.ts'
import { flowRichText, HEADING_SCALE, type RichFragment } from '../../desktop/model/rich-flow.ts'
import type { TextColour } from '../../desktop/model/rich-text.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { type Mark, solid, text } from '../frame/mark.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { baselineIn, elide } from '../text/text.ts'
import type { Theme } from '../theme.ts'
import { fontFor, inkOf, type PaintContext } from './widget.ts'

const COLOURS: Readonly<Record<TextColour, (theme: Theme) => string>> = {
  accent: ({ accent }) => accent,
  danger: ({ danger }) => danger,
  muted: ({ muted }) => muted,
}
const BOLD = 700

/** A text with styles and links. Undefined for plain text, and for one that changed since it was formatted. */
export function richMarks(element: Element, setting: PaintContext): readonly Mark[] | undefined {
  const { bounds, name, traits } = element
  const { rich } = traits ?? {}
  if (!rich || rich.text !== name || traits?.secret || setting.tone === 'bar') return undefined
  const { text: metrics } = setting.theme.metrics
  const { line: height, body } = metrics
  const blanks = (part: string): number => textWidth(part, body, metrics.family)
  const painted = new Map<RichFragment, readonly Mark[]>()
  const fragments = flowRichText(rich, bounds.width, metrics)
  // Where the painted parts of the current line end.
  let end = { line: -1, x: 0 }
  for (const fragment of fragments.toSorted((a, b) => a.line - b.line || a.x - b.x)) {
    const y = bounds.y + fragment.line * height
    if (y + height > bounds.y + Math.max(bounds.height, height)) break
    const font = fontOf(fragment, setting)
    const { text: whole, isReversed, span } = fragment
    const shownText = whole.trim()
    const before = whole.slice(0, whole.length - whole.trimStart().length)
    const after = whole.slice(whole.trimEnd().length)
    const isNext = metrics.isJoined && end.line === fragment.line
    const x = Math.round(isNext ? end.x : fragment.x) + (shownText === '' ? 0 : blanks(isReversed ? after : before))
    const words = shownText === '' ? '' : elide(shownText, bounds.width - x + 1, font)
    end = {
      line: fragment.line,
      x: shownText === '' ? x + blanks(whole) : x + widthOf(words, font) + blanks(isReversed ? before : after),
    }
    if (words === '') continue
    const line = { x: bounds.x + x, y, width: fragment.width, height }
    const colour = colourOf(element, fragment, setting)
    const shown = text(line.x, baselineIn(line, font), words, font, colour, directionOf(words))
    const underline = solid({ x: line.x, y: y + height - 3, width: shown.run?.bounds.width ?? 0, height: 1 }, colour)
    painted.set(fragment, span?.link === undefined ? [shown] : [shown, underline])
  }
  return fragments.flatMap((fragment) => painted.get(fragment) ?? [])
}

function fontOf({ span }: RichFragment, { theme }: PaintContext): Font {
  const plain = fontFor(theme, 2 * theme.metrics.text.body)
  return {
    ...plain,
    ...((span?.bold || span?.heading) && { weight: BOLD }),
    ...(span?.heading && { size: plain.size * HEADING_SCALE }),
    ...(span?.italic && { isItalic: true as const }),
  }
}

function colourOf(element: Element, { span }: RichFragment, setting: PaintContext): string {
  const plain = inkOf(element, setting)
  if (!element.enabled || setting.tone !== 'plain' || !span) return plain
  if (span.link !== undefined) return setting.theme.link
  return span.colour ? COLOURS[span.colour](setting.theme) : plain
}
