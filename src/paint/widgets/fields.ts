import { type Direction, directionOf, type LineSpan, visualLine } from '../../desktop/model/bidi.ts'
import { type Element, valueText } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import type { TerminalSpan, TerminalStyle, TerminalText } from '../../desktop/model/terminal-text.ts'
import { spinnerArrows } from '../../desktop/roles/range.ts'
import { lineAt } from '../../desktop/widgets/text.ts'
import {
  firstLineOf,
  isMultiline,
  isUnwrapped,
  lineDirection,
  lineLeft,
  lineNumbersWidth,
  paintedLines,
  scrolledAcross,
} from '../../desktop/widgets/text-view.ts'
import { box, type DrawOp, solid, text } from '../frame/draw-op.ts'
import { baselineIn, label } from '../frame/label.ts'
import { type IconName, knownIcon } from '../icons.ts'
import { type Font, replaceUnprintable, widthOf } from '../text/fonts.ts'
import type { Theme } from '../theme/theme.ts'
import { scrollThumb } from './ranges.ts'
import {
  focusRing,
  fontFor,
  iconIn,
  inkOf,
  inset,
  isBare,
  MIN_TEXT_SIZE_PX,
  type PaintContext,
  softInkOf,
  trimEnd,
  trimStart,
  type WidgetDrawing,
  type WidgetPainter,
} from './widget.ts'

const PADDING = 9
/** The space of the icon at the end of a field. */
const SIGN = 24

/** A field for one line of text, or for several. */
export const edit: WidgetPainter = (element, setting) => {
  const multiline = isMultiline(element)
  const { before: lead = 0, after: tail = 0 } = (multiline ? undefined : element.traits?.fieldText) ?? {}
  const isSearch = lead + tail > 0
  const written = isSearch ? (element.traits?.icon ?? 'search') : element.traits?.icon
  const sign = setting.theme.hasFieldIcons && !multiline ? knownIcon(written) : undefined
  const whole = inset(element.bounds, PADDING, multiline ? 7 : 1)
  const area = isSearch ? trimStart(trimEnd(whole, tail), lead) : sign ? trimEnd(whole, SIGN) : whole
  const words = multiline
    ? paragraphs(element, setting, area, fieldFont(element, setting, 22))
    : oneLine(element, setting, area)
  if (BOXES.has(setting.parent)) return { ops: words }
  const over = [...scrollThumb(element, setting), ...focusRing(element, setting)]
  const { x, width } = element.bounds
  const place = { ...element.bounds, x: lead > 0 ? x + 4 : x + width - SIGN - 4, width: SIGN }
  const icons = sign ? [iconIn(place, sign, 16, softInkOf(element, setting))] : []
  return { ops: [...fieldFace(element, setting), ...words, ...icons], over }
}

/** The font of the text of a field. */
function fieldFont({ traits }: Element, { theme }: PaintContext, height: number): Font {
  const font = fontFor(theme, height, 'field')
  const size = traits?.fieldText?.size
  return size === undefined
    ? font
    : { ...font, size: Math.max(MIN_TEXT_SIZE_PX, Math.min(size, Math.floor(height * 0.7))) }
}

/** A field in one of these has the frame and focus ring of the box. */
const BOXES = rolesWith('framesField')

/** The field in a box with an arrow. Most boxes have none and show their value themselves. */
const fieldIn = (box: Element): Element | undefined =>
  box.children.find((child) => roleKind(child.role) === 'edit' && child.traits?.hidden !== true)

/** A cell while it is edited: a field without a frame. */
export function editInPlace(element: Element, setting: PaintContext): WidgetDrawing {
  const focused = { ...element, focused: true }
  const words = oneLine(focused, { ...setting, tone: 'plain' }, inset(element.bounds, 8, 1))
  const { field, accent } = setting.theme
  return { ops: [box(element.bounds, { fill: field, border: accent, thickness: 2, radius: 2 }), ...words] }
}

/** The background of every field. Its border is coloured while it has the focus. */
export const fieldFace = (
  element: Element,
  setting: PaintContext,
  radius = setting.theme.metrics.radius.control,
): readonly DrawOp[] =>
  setting.chrome.fieldFace(element, setting, Math.min(radius, Math.floor(element.bounds.height / 3)))

/** The shown text of a field: its value, dots for a secret, otherwise its placeholder. */
function shownIn(element: Element, setting: PaintContext): { readonly content: string; readonly hint: boolean } {
  const value = element.value ?? ''
  if (value !== '') return { content: element.traits?.secret ? dotted(value) : value, hint: false }
  const hint = element.traits?.placeholder ?? (setting.naming === 'inside' ? element.name : '')
  return { content: hint, hint: true }
}

const dotted = (text: string): string => '•'.repeat(Array.from(text).length)

function oneLine(element: Element, setting: PaintContext, area: Rect): readonly DrawOp[] {
  const { content, hint } = shownIn(element, setting)
  const font = fieldFont(element, setting, element.bounds.height)
  const colour = hint ? softInkOf(element, setting) : inkOf(element, setting)
  if (hint || !element.focused) {
    const caret = element.focused ? [caretAt(area.x, area, font, setting)] : []
    const align = directionOf(content) === 'rtl' ? 'right' : 'left'
    return [...label(area, content, { font, colour, align }), ...caret]
  }
  const line = replaceUnprintable(content)
  const { at, from } = caretIn(element, line.length)
  const { first, last } = shownAround(line, at, area.width - 2, font)
  const words = line.slice(first, last)
  const direction = element.traits?.secret ? 'ltr' : directionOf(line)
  const place = (offset: number) => Math.min(words.length, Math.max(0, offset - first))
  const { left, caretAtX, chosen } = placed(words, direction, area, font)
  return [
    ...chosen(place(Math.min(at, from)), place(Math.max(at, from))).map((each) =>
      solid(span(each.left, each.right, area, font), setting.theme.highlight),
    ),
    ...(words === '' ? [] : [text(left, baselineIn(area, font), words, font, colour, direction)]),
    caretAt(caretAtX(place(at)), area, font, setting),
  ]
}

/** A line in a field, in pixels of the window: where its text, its carets and its selections are. */
function placed(words: string, direction: Direction, area: Rect, font: Font) {
  const line = visualLine(words, (part) => widthOf(part, font), direction)
  const left = area.x + Math.round(lineLeft(direction, Math.ceil(line.width), area.width))
  return {
    left,
    caretAtX: (offset: number): number => left + Math.round(line.caretAt(offset)),
    chosen: (from: number, to: number): readonly LineSpan[] =>
      line
        .spansOf(from, to)
        .map((each) => ({ left: left + Math.round(each.left), right: left + Math.round(each.right) })),
  }
}

const UNTOUCHED = { at: Number.POSITIVE_INFINITY, from: Number.POSITIVE_INFINITY }

/** The caret and the other end of the selection; at the end of the value by default. */
function caretIn({ value, traits }: Element, length: number): { readonly at: number; readonly from: number } {
  const { at, from } = traits?.caret ?? UNTOUCHED
  // Dots stand for code points.
  const before = (units: number) => (traits?.secret ? Array.from((value ?? '').slice(0, units)).length : units)
  return { at: Math.min(before(at), length), from: Math.min(before(from), length) }
}

/** No letter is narrower than this share of the font size. */
const MIN_CHARACTER_WIDTH = 0.2

/** The shown part of a line in a field: from its start, or as much before the caret as fits. */
function shownAround(
  line: string,
  at: number,
  width: number,
  font: Font,
): { readonly first: number; readonly last: number } {
  const most = Math.ceil(width / (font.size * MIN_CHARACTER_WIDTH)) + 1
  const fits = (first: number, last: number) => widthOf(line.slice(first, last), font) <= width
  const first = firstOf(Math.max(0, at - most), at, (place) => fits(place, at))
  const last = firstOf(at, Math.min(line.length, first + most), (place) => !fits(first, place + 1))
  return { first, last }
}

/** Binary search: the first number in a range for which a monotonic condition holds, otherwise the end of the range. */
function firstOf(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const span = (from: number, to: number, area: Rect, font: Font): Rect => {
  const height = Math.min(area.height, Math.round(font.size * 1.4))
  return { x: from, y: area.y + Math.floor((area.height - height) / 2), width: Math.max(0, to - from), height }
}

const caretAt = (x: number, area: Rect, font: Font, { theme, tone }: PaintContext): DrawOp =>
  solid({ ...span(x, x + 1, area, font), width: 1 }, tone === 'terminal' ? theme.onTerminal : theme.text)

/** A multi-line text with caret and selection, from the line to which it is scrolled. */
function paragraphs(element: Element, setting: PaintContext, room: Rect, font: Font): readonly DrawOp[] {
  const numbers = lineNumbersWidth(element)
  const area = trimStart(room, numbers)
  const across = scrolledAcross(element)
  const wraps = !isUnwrapped(element)
  const { content, hint } = shownIn(element, setting)
  const written = hint ? content : (element.value ?? '')
  const colour = hint ? softInkOf(element, setting) : inkOf(element, setting)
  const lineHeight = Math.round(font.size * 1.45)
  const shown = Math.max(1, Math.floor(area.height / lineHeight))
  const first = firstLineOf(element)
  const lines = paintedLines(element, written)
  const part = (from: number, to: number): string => {
    const slice = replaceUnprintable(written.slice(from, to))
    return element.traits?.secret && !hint ? dotted(slice) : slice
  }
  const { at, from } = hint ? { at: 0, from: 0 } : (element.traits?.caret ?? UNTOUCHED)
  const caretLine = element.focused ? lineAt(lines, at) : undefined
  const chosen = { start: Math.min(at, from), end: Math.max(at, from) }
  const ops: DrawOp[] = []
  let number = numbers > 0 ? written.slice(0, lines[first]?.from ?? 0).split('\n').length : 0
  lines.slice(first, first + shown).forEach((line, row) => {
    const place = { ...area, y: area.y + row * lineHeight, height: lineHeight }
    const whole = part(line.from, line.to)
    const offsetIn = (offset: number): number => part(line.from, Math.min(offset, line.to)).length
    const direction = lineDirection(element, written, line)
    const { left, caretAtX, chosen: spans } = placed(whole, direction, { ...area, x: area.x - across }, font)
    const [start, end] = [Math.max(line.from, chosen.start), Math.min(line.to, chosen.end)]
    if (element.focused && start < end)
      for (const each of spans(offsetIn(start), offsetIn(end))) {
        const x = wraps ? each.left : Math.max(each.left, area.x)
        const right = wraps ? each.right : Math.min(each.right, area.x + area.width)
        if (x < right) ops.push(solid({ ...place, x, width: right - x }, setting.theme.highlight))
      }
    const words = whole.trimEnd()
    if (numbers > 0 && startsParagraph(written, line.from)) {
      const inkOfNumber =
        line.from <= at && !written.slice(line.from, at).includes('\n') ? colour : softInkOf(element, setting)
      const sign = String(number)
      const x = area.x - NUMBER_GAP_PX - Math.ceil(widthOf(sign, font))
      ops.push(text(x, baselineIn(place, font), sign, font, inkOfNumber, 'ltr'))
    }
    if (line.to >= written.length || written[line.to] === '\n') number++
    const { terminal } = element.traits ?? {}
    if (terminal && !hint && direction === 'ltr' && written.startsWith(terminal.text)) {
      const range = { from: line.from, to: line.from + whole.length, place, leftAt: caretAtX }
      ops.push(...terminalOps(terminal, replaceUnprintable(written), range, font, setting.theme))
    } else if (words !== '' && !wraps && direction === 'ltr') {
      const { first: from, last } = shownAcross(words, across, area.width, font)
      const x = left + Math.round(widthOf(words.slice(0, from), font))
      if (from < last) ops.push(text(x, baselineIn(place, font), words.slice(from, last), font, colour, direction))
    } else if (words !== '') {
      const blanks = direction === 'rtl' ? Math.ceil(widthOf(whole, font)) - Math.ceil(widthOf(words, font)) : 0
      ops.push(text(left + blanks, baselineIn(place, font), words, font, colour, direction))
    }
    if (first + row === caretLine && (wraps || caretAtX(offsetIn(at)) >= area.x))
      ops.push(caretAt(Math.min(caretAtX(offsetIn(at)), area.x + area.width), place, font, setting))
  })
  return ops
}

const startsParagraph = (written: string, from: number): boolean => from === 0 || written[from - 1] === '\n'

/** The space between the number of a line and its text. */
const NUMBER_GAP_PX = 12

/** The characters of a line that are wholly in view, `across` pixels from its start. */
function shownAcross(
  line: string,
  across: number,
  width: number,
  font: Font,
): { readonly first: number; readonly last: number } {
  const widthTo = (place: number) => widthOf(line.slice(0, place), font)
  const first = across === 0 ? 0 : firstOf(0, line.length, (place) => widthTo(place) >= across)
  const last = firstOf(first, line.length, (place) => widthTo(place + 1) > across + width)
  return { first, last }
}

const MONO: Font = { family: 'mono', size: 13, weight: 400 }

/** A page of text. Editors and terminals are monospaced; a terminal is light on dark. */
export const document: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds, value } = element
  const role = element.role.toLowerCase()
  const isTerminal = role.includes('terminal')
  const font = isTerminal || role.includes('editor') ? MONO : fieldFont(element, setting, 22)
  const fill = isTerminal ? theme.terminal : element.enabled ? theme.field : theme.fieldDisabled
  const inside: PaintContext = isTerminal ? { ...setting, tone: 'terminal' } : setting
  // A browser marks what has the focus on its page, not the page.
  const isPage = element.traits?.look === 'page'
  const edge = isPage ? [] : [box(bounds, { border: element.focused ? theme.accent : theme.line, radius: 0 })]
  const words =
    isBare(element) || value ? paragraphs(element, { ...inside, naming: 'shown' }, inset(bounds, 12, 10), font) : []
  return {
    ops: [solid(bounds, fill), ...words],
    over: [...edge, ...scrollThumb(element, setting)],
    covers: bounds,
    tone: inside.tone,
  }
}

const ARROW = 28

/** A field that shows the chosen option and an arrow. */
export const combo: WidgetPainter = (element, setting) => {
  const chosen = element.children.find((child) => child.selected === true)?.name ?? null
  const { content, hint } = shownIn({ ...element, value: element.value ?? chosen }, setting)
  const colour = hint ? softInkOf(element, setting) : inkOf(element, setting)
  const area = trimEnd(inset(element.bounds, PADDING, 1), ARROW - PADDING)
  const font = fontFor(setting.theme, element.bounds.height)
  const words = isRowEnd(element)
    ? label(trimEnd(area, 2), content, { font, colour: softInkOf(element, setting), align: 'right' })
    : label(area, content, { font, colour })
  return boxed(element, setting, words, element.expanded ? 'chevron-up' : 'chevron-down')
}

/** Whether a control is at the end of a row in a card, whose start has its name. */
export const isRowEnd = ({ traits }: Element): boolean => traits?.formLabel?.isEnd === false

/** A box with text and an icon after it. If it contains a field, the field shows the text. */
function boxed(element: Element, setting: PaintContext, words: readonly DrawOp[], sign: IconName): WidgetDrawing {
  const { bounds } = element
  const field = fieldIn(element)
  const around = field?.focused ? { ...element, focused: true } : element
  const end = { ...bounds, x: bounds.x + bounds.width - ARROW, width: ARROW }
  return {
    ops: [
      ...fieldFace(around, setting),
      ...(field ? [] : words),
      ...setting.chrome.comboArrow(element, setting, end, sign),
    ],
    over: focusRing(around, setting),
  }
}

/** A field for a number with two arrow buttons. */
export const spinner: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  const value = valueText(element) ?? ''
  const { up, down } = spinnerArrows(element)
  const colour = softInkOf(element, setting)
  return {
    ops: [
      ...fieldFace(element, setting),
      ...oneLine({ ...element, value }, setting, trimEnd(inset(bounds, PADDING, 1), up.width)),
      solid({ x: up.x, y: bounds.y + 1, width: 1, height: bounds.height - 2 }, theme.line),
      solid({ ...down, height: 1, width: down.width - 1 }, theme.line),
      iconIn(up, 'chevron-up', 12, colour),
      iconIn(down, 'chevron-down', 12, colour),
    ],
    over: focusRing(element, setting),
  }
}

/** A field for a date. */
export const date: WidgetPainter = (element, setting) => {
  const area = trimEnd(inset(element.bounds, PADDING, 1), ARROW - PADDING)
  return boxed(element, setting, oneLine(element, setting, area), 'calendar')
}

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
function terminalOps(
  { spans }: TerminalText,
  written: string,
  { from, to, place, leftAt }: TerminalLine,
  font: Font,
  theme: Theme,
): readonly DrawOp[] {
  return partsOf(spans, from, to).flatMap((part) => {
    const [left, right] = [leftAt(part.from - from), leftAt(part.to - from)]
    const { ink, back } = coloursOf(part, theme)
    const area = { ...place, x: left, width: Math.max(0, right - left) }
    const words = written.slice(part.from, part.to)
    const lead = words.length - words.trimStart().length
    const shown = words.trim()
    const x = leftAt(part.from - from + lead)
    const baseline = baselineIn(place, font)
    const op = shown === '' ? [] : [text(x, baseline, shown, font, ink, 'ltr')]
    return [
      ...(back === undefined ? [] : [solid(area, back)]),
      ...op,
      ...(part.bold
        ? op.map(({ run: _, ...each }) => ({ ...each, bounds: { ...each.bounds, x: each.bounds.x + 1 } }))
        : []),
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
