import { directionOf } from '../../desktop/model/bidi.ts'
import type { Element } from '../../desktop/model/element.ts'
import { flowRichText, type RichFragment } from '../../desktop/model/rich-flow.ts'
import type { TextColour } from '../../desktop/model/rich-text.ts'
import { textWidth } from '../../desktop/model/width.ts'
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
  const marks: Mark[] = []
  // Where the painted parts of the current line end.
  let end = { line: -1, x: 0 }
  for (const fragment of flowRichText(rich, bounds.width, metrics)) {
    const y = bounds.y + fragment.line * height
    if (y + height > bounds.y + Math.max(bounds.height, height)) break
    const plain = fontFor(setting.theme, 2 * body)
    const font: Font = { ...plain, ...(fragment.span?.bold && { weight: BOLD }) }
    const shownText = fragment.text.trim()
    const blanks = (count: number): number => textWidth(' '.repeat(count), body, metrics.family)
    const isNext = metrics.isJoined && end.line === fragment.line
    const x = Math.round(isNext ? end.x : fragment.x) + blanks(fragment.text.indexOf(shownText))
    const words = elide(shownText, bounds.width - x + 1, font)
    if (words === '') continue
    const line = { x: bounds.x + x, y, width: fragment.width, height }
    const colour = colourOf(element, fragment, setting)
    const shown = text(line.x, baselineIn(line, font), words, font, colour, directionOf(words))
    marks.push(shown)
    end = {
      line: fragment.line,
      x: x + widthOf(words, font) + blanks(fragment.text.length - fragment.text.trimEnd().length),
    }
    if (fragment.span?.link !== undefined)
      marks.push(solid({ x: line.x, y: y + height - 3, width: shown.run?.bounds.width ?? 0, height: 1 }, colour))
  }
  return marks
}

function colourOf(element: Element, { span }: RichFragment, setting: PaintContext): string {
  const plain = inkOf(element, setting)
  if (!element.enabled || setting.tone !== 'plain' || !span) return plain
  if (span.link !== undefined) return setting.theme.link
  return span.colour ? COLOURS[span.colour](setting.theme) : plain
}
