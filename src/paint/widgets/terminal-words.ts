import type { Rect } from '../../desktop/model/geometry.ts'
import type { TerminalSpan, TerminalStyle, TerminalText } from '../../desktop/model/terminal-text.ts'
import { type Mark, solid, text } from '../frame/mark.ts'
import type { Font } from '../text/fonts.ts'
import { baselineIn } from '../text/text.ts'
import type { Theme } from '../theme.ts'

/** The colours 0 to 15 of a terminal, which can be read on its dark background. */
export const TERMINAL_PALETTE: readonly string[] = [
  '#45475a',
  '#f0716c',
  '#7ec86a',
  '#e0b95a',
  '#6fa8ff',
  '#d58be8',
  '#56c7cf',
  '#c9d1dc',
  '#8a93a3',
  '#ff9b95',
  '#a5e38f',
  '#ffd97d',
  '#9cc4ff',
  '#ebb2f7',
  '#86e1e6',
  '#ffffff',
]
const BRIGHT = 8

/** A line of a terminal: its range in the text, and where it is painted. */
interface TerminalLine {
  readonly from: number
  readonly to: number
  readonly place: Rect
  /** The left edge of the letter at an offset from the start of the line. */
  readonly leftAt: (offset: number) => number
}

/** The parts of a line in their colours. Bold letters are painted twice and bright, as there is one weight. */
export function terminalMarks(
  { spans }: TerminalText,
  written: string,
  { from, to, place, leftAt }: TerminalLine,
  font: Font,
  theme: Theme,
): readonly Mark[] {
  return partsOf(spans, from, to).flatMap((part) => {
    const [left, right] = [leftAt(part.from - from), leftAt(part.to - from)]
    const { ink, back } = coloursOf(part, theme)
    const area = { ...place, x: left, width: Math.max(0, right - left) }
    const words = written.slice(part.from, part.to)
    const lead = words.length - words.trimStart().length
    const shown = words.trim()
    const x = leftAt(part.from - from + lead)
    const baseline = baselineIn(place, font)
    const mark = shown === '' ? [] : [text(x, baseline, shown, font, ink, 'ltr')]
    return [
      ...(back === undefined ? [] : [solid(area, back)]),
      ...mark,
      ...(part.bold ? mark.map(({ run: _, ...each }) => ({ ...each, ink: { ...each.ink, x: each.ink.x + 1 } })) : []),
      ...(part.underline ? [solid({ ...area, y: baseline + 2, height: 1 }, ink)] : []),
    ]
  })
}

/** The styled parts of a line and the plain ones between them. */
function partsOf(spans: readonly TerminalSpan[], from: number, to: number): readonly TerminalSpan[] {
  const parts: TerminalSpan[] = []
  let at = from
  for (const span of spans) {
    const [start, end] = [Math.max(from, span.from), Math.min(to, span.to)]
    if (start >= end) continue
    if (start > at) parts.push({ from: at, to: start })
    parts.push({ ...span, from: start, to: end })
    at = end
  }
  if (at < to) parts.push({ from: at, to })
  return parts
}

/** The colours of a style: of the letters, and behind them if it is not the background of the terminal. */
function coloursOf({ ink, back, bold, inverse }: TerminalStyle, theme: Theme) {
  const bright = bold && typeof ink === 'number' && ink < BRIGHT ? ink + BRIGHT : ink
  const letters = hexOf(bright) ?? theme.onTerminal
  const behind = hexOf(back)
  return inverse ? { ink: behind ?? theme.terminal, back: letters } : { ink: letters, back: behind }
}

const hexOf = (colour: number | string | undefined): string | undefined =>
  typeof colour === 'number' ? TERMINAL_PALETTE[colour] : colour
