import { LruCache } from '../../base/lru-cache.ts'
import { type Direction, directionOf, hasRightToLeft, visualLine } from '../model/bidi.ts'
import type { Element } from '../model/element.ts'
import type { Point, Rect } from '../model/geometry.ts'
import { roleKind, roleRowOf } from '../model/role.ts'
import { textWidth } from '../model/text-width.ts'
import type { FieldText } from '../model/traits.ts'
import { graphemes, unbreakableEnd } from '../model/unicode.ts'
import { withTraits } from '../tree/element-ref.ts'
import { clusterStart, editStateOf, lineAt, type TextLine } from './text.ts'

/** The text layout of a field, for hit tests and paint: its origin, font size, lines and first visible line. */

interface TextGeometry {
  readonly area: Rect
  /** The width at which lines break: that of the area, or none for a document that does not wrap. */
  readonly breakWidth: number
  /** Pixels of a line. */
  readonly line: number
  /** The width of a text in pixels. */
  readonly measure: (text: string) => number
  /** What tells the letters of one field from those of another. */
  readonly letters: string
}

/** The width of monospaced letters, as a share of the font size. */
const MONO_WIDTH = 0.6
const MONO_SIZE = 13
const DEFAULT_TEXT: FieldText = { family: 'ui', size: 14 }
const MIN_TEXT_SIZE_PX = 9
const WHEEL_LINES = 3
/** A field of at least this height is multi-line by default. */
const MIN_MULTILINE_HEIGHT_PX = 64

/** Whether a text field is multi-line, so that Enter inserts a line break. */
export function isMultiline({ role, traits, bounds }: Element): boolean {
  if (traits?.multiline !== undefined) return traits.multiline
  const { text } = roleRowOf(role)
  return text === 'lines' || (text === 'line' && bounds.height >= MIN_MULTILINE_HEIGHT_PX)
}

/** The index of the first visible line. Multi-line fields scroll by whole lines. */
export const firstLineOf = (element: Element): number =>
  Math.round((element.traits?.scrolled?.y ?? 0) / geometryOf(element).line)

/** The offset in a field's text nearest to a point, in UTF-16 units. */
export function offsetAt(element: Element, at: Point): number {
  const text = element.value ?? ''
  const geometry = geometryOf(element)
  const across = at.x - geometry.area.x + scrolledAcross(element)
  if (!isMultiline(element)) {
    const shown = { from: firstShown(element, text, geometry), to: text.length }
    return nearestTo(text, shown, across, geometry, lineDirection(element, text, WHOLE))
  }
  const lines = linesOf(text, geometry)
  const row = firstLineOf(element) + Math.floor((at.y - geometry.area.y) / geometry.line)
  if (row >= lines.length) return text.length
  const line = lines[Math.max(0, row)]!
  return nearestTo(text, line, across, geometry, lineDirection(element, text, line))
}

/** The only line of a single-line field. */
const WHOLE: TextLine = { from: 0, to: Number.POSITIVE_INFINITY }

/** All lines of a multi-line field: of its value, or of its placeholder. */
export const paintedLines = (element: Element, text = element.value ?? ''): readonly TextLine[] =>
  linesOf(text, geometryOf(element))

/** Scrolls a field until its caret is visible. An untouched field shows its start. */
export function withCaretShown(element: Element): Element {
  if (!element.traits?.caret) return element
  const geometry = geometryOf(element)
  const row = lineAt(paintedLines(element), editStateOf(element).at)
  const first = firstLineOf(element)
  const room = roomIn(geometry)
  const shown = withCaretAcross(element, geometry)
  if (row < first) return scrolledTo(shown, row, geometry)
  return row >= first + room ? scrolledTo(shown, row - room + 1, geometry) : shown
}

/** The pixels by which a document that does not wrap is scrolled sideways; 0 for other fields. */
export const scrolledAcross = (element: Element): number =>
  isUnwrapped(element) ? (element.traits?.scrolled?.x ?? 0) : 0

/** Whether long lines of a document do not wrap but scroll sideways. */
export const isUnwrapped = ({ role, traits }: Element): boolean =>
  traits?.wrap === false && roleKind(role) === 'document'

/** How much of a line is shown beside the caret after scrolling sideways. */
const ACROSS_MARGIN_PX = 40

/** Scrolls a document that does not wrap sideways until its caret is visible. */
function withCaretAcross(element: Element, geometry: TextGeometry): Element {
  if (!isUnwrapped(element)) return element
  const text = element.value ?? ''
  const { at } = editStateOf(element)
  const lines = linesOf(text, geometry)
  const line = lines[lineAt(lines, at)]!
  const left = scrolledAcross(element)
  const { width } = geometry.area
  if (lineDirection(element, text, line) === 'rtl') return scrolledAcrossTo(element, 0)
  const caret = geometry.measure(text.slice(line.from, Math.min(at, line.to)))
  if (caret < left) return scrolledAcrossTo(element, caret - ACROSS_MARGIN_PX)
  return caret > left + width - 2 ? scrolledAcrossTo(element, caret - width + ACROSS_MARGIN_PX) : element
}

function scrolledAcrossTo(element: Element, left: number): Element {
  const x = Math.max(0, Math.round(left))
  const y = element.traits?.scrolled?.y ?? 0
  if (x === scrolledAcross(element)) return element
  return withTraits(element, { scrolled: x === 0 && y === 0 ? undefined : { x, y } })
}

const WHEEL_ACROSS_PX = 60

/** Scrolls a document that does not wrap by wheel clicks sideways, positive to the left. Returns undefined at the end. */
export function scrolledAcrossBy(element: Element, clicks: number): Element | undefined {
  if (!isUnwrapped(element)) return undefined
  const geometry = geometryOf(element)
  const text = element.value ?? ''
  const widest = linesOf(text, geometry).reduce(
    (most, { from, to }) => Math.max(most, geometry.measure(text.slice(from, to))),
    0,
  )
  const end = Math.max(0, widest - geometry.area.width + ACROSS_MARGIN_PX)
  const next = scrolledAcrossTo(element, Math.min(end, scrolledAcross(element) - Math.round(clicks * WHEEL_ACROSS_PX)))
  return next === element ? undefined : next
}

/** Scrolls a field by wheel clicks, positive up. Returns undefined at the end. */
export function scrolledBy(element: Element, clicks: number): Element | undefined {
  const { line } = geometryOf(element)
  const next = scrolledTextTo(element, textView(element).offset - Math.round(clicks * WHEEL_LINES) * line)
  return next === element ? undefined : next
}

/** The scroll offset of a multi-line field and its maximum, in pixels. */
export function textView(element: Element): { readonly offset: number; readonly most: number } {
  const geometry = geometryOf(element)
  const most = Math.max(0, paintedLines(element).length - roomIn(geometry))
  return { offset: firstLineOf(element) * geometry.line, most: most * geometry.line }
}

/** Scrolls a field to the line nearest to an offset in pixels, clamped to the text. */
export function scrolledTextTo(element: Element, offset: number): Element {
  const geometry = geometryOf(element)
  const first = Math.round(Math.max(0, Math.min(offset, textView(element).most)) / geometry.line)
  return first === firstLineOf(element) ? element : scrolledTo(element, first, geometry)
}

function scrolledTo(element: Element, first: number, { line }: TextGeometry): Element {
  const x = scrolledAcross(element)
  return withTraits(element, { scrolled: first === 0 && x === 0 ? undefined : { x, y: first * line } })
}

const roomIn = ({ area, line }: TextGeometry): number => Math.max(1, Math.floor(area.height / line))

const DIGIT_PX = 8
const NUMBERS_GAP_PX = 16
const MIN_NUMBER_DIGITS = 2

/** The width of the line numbers of a document, with the gap after them; 0 without. */
export function lineNumbersWidth({ role, value, traits }: Element): number {
  if (!traits?.lineNumbers || roleKind(role) !== 'document') return 0
  let count = 1
  for (let at = value?.indexOf('\n') ?? -1; at >= 0; at = value!.indexOf('\n', at + 1)) count++
  return Math.max(MIN_NUMBER_DIGITS, String(count).length) * DIGIT_PX + NUMBERS_GAP_PX
}

function geometryOf(element: Element): TextGeometry {
  const role = element.role.toLowerCase()
  const multiline = isMultiline(element)
  const isPage = roleKind(element.role) === 'document'
  const [across, down] = isPage ? [12, 10] : [9, multiline ? 7 : 1]
  const { x, y, width, height } = element.bounds
  const own = element.traits?.fieldText ?? DEFAULT_TEXT
  const [before, after] = multiline ? [0, 0] : [own.before ?? 0, own.after ?? 0]
  const numbers = lineNumbersWidth(element)
  const area = {
    x: x + across + before + numbers,
    y: y + down,
    width: Math.max(0, width - 2 * across - before - after - numbers),
    height: Math.max(0, height - 2 * down),
  }
  const breakWidth = isUnwrapped(element) ? Number.POSITIVE_INFINITY : area.width
  if (isPage && (role.includes('editor') || role.includes('terminal')))
    return {
      area,
      breakWidth,
      line: Math.round(MONO_SIZE * 1.45),
      measure: (text) => [...text].length * MONO_SIZE * MONO_WIDTH,
      letters: 'mono',
    }
  const size = multiline ? own.size : Math.max(MIN_TEXT_SIZE_PX, Math.min(own.size, Math.floor(height * 0.7)))
  const dots = element.traits?.secret === true
  return {
    area,
    breakWidth,
    line: Math.round(size * 1.45),
    measure: (text) => textWidth(dots ? '•'.repeat([...text].length) : text, size, own.family),
    letters: `${dots ? 'dots' : own.family} ${size}`,
  }
}

/** The first shown offset of a single-line field: its start, or as much before the caret as fits. */
function firstShown(element: Element, text: string, { area, measure }: TextGeometry): number {
  const at = element.traits?.caret ? editStateOf(element).at : 0
  let [low, high] = [0, at]
  while (low < high) {
    const middle = (low + high) >> 1
    if (measure(text.slice(middle, at)) <= area.width - 2) high = middle
    else low = middle + 1
  }
  return low
}

/** Where a line of a field starts: lines from right to left are at the right edge of its text. */
export const lineLeft = (direction: Direction, width: number, room: number): number =>
  direction === 'rtl' ? room - width : 0

/** The direction of a line of a field: that of its paragraph. Dots of a secret go from left to right. */
export function lineDirection(element: Element, text: string, { from, to }: TextLine): Direction {
  if (element.traits?.secret || !hasRightToLeft(text)) return 'ltr'
  const start = text.lastIndexOf('\n', from - 1) + 1
  const end = text.indexOf('\n', to)
  return directionOf(text.slice(from === 0 ? 0 : start, end < 0 ? text.length : end))
}

function nearestTo(
  text: string,
  { from, to }: TextLine,
  across: number,
  geometry: TextGeometry,
  direction: Direction,
): number {
  const line = visualLine(text.slice(from, to), geometry.measure, direction)
  const offset = line.offsetAt(across - lineLeft(direction, line.width, geometry.area.width))
  return clusterStart(text, from + offset)
}

/** The lines of a text in a width. */
interface Broken extends Pick<TextGeometry, 'letters'> {
  readonly width: number
  readonly lines: readonly TextLine[]
}

/** Lines of recent texts: one action and its picture need the lines of the same text several times. */
const MAX_CACHED_LINES = 50_000
/** The last one is kept however many lines it has. */
const broken = new LruCache<string, Broken>(MAX_CACHED_LINES, ({ lines }) => Math.min(lines.length, MAX_CACHED_LINES))

function linesOf(text: string, geometry: TextGeometry): readonly TextLine[] {
  const { letters, breakWidth: width } = geometry
  const known = broken.get(text)
  if (known?.width === width && known.letters === letters) return known.lines
  return broken.keep(text, { letters, width, lines: breakLines(text, geometry) }).lines
}

/** Breaks a text between words. Lines do not include their line feeds. */
function breakLines(text: string, geometry: TextGeometry): readonly TextLine[] {
  const lines: TextLine[] = []
  const places = { wordEnd: wordEnds(text), characterEnd: characterEnds(text) }
  let from = 0
  while (true) {
    const feed = text.indexOf('\n', from)
    const to = feed < 0 ? text.length : feed
    breakUp(text, from, to, geometry, places, lines)
    if (feed < 0) break
    from = feed + 1
  }
  return lines
}

function breakUp(
  text: string,
  from: number,
  to: number,
  geometry: TextGeometry,
  places: Places,
  lines: TextLine[],
): void {
  if (from === to) {
    lines.push({ from, to })
    return
  }
  const { breakWidth, measure } = geometry
  const { wordEnd, characterEnd } = places
  const most = Math.min(MAX_LINE_CHARACTERS, Math.max(MAX_WORD_CHARACTERS, breakWidth * MAX_UNITS_PER_PIXEL))
  let start = from
  let used = 0
  let at = from
  const finish = () => {
    lines.push({ from: start, to: at })
    start = at
    used = 0
  }
  while (at < to) {
    const end = wordEnd(at, to)
    const word = text.slice(at, end)
    const advance = measure(word)
    const isFull = used + advance > breakWidth && used + measure(word.trimEnd()) > breakWidth
    if (at > start && ((used > 0 && isFull) || end - start > most)) {
      finish()
      continue
    }
    const fits = used === 0 && breakWidth > 0 && end - at > 1 ? fitting(word, breakWidth, measure) : word.length
    if (fits === word.length) {
      used += advance
      at = end
      continue
    }
    // A word wider than the line breaks at the end of the line.
    at = characterEnd(at, at + fits, end)
    finish()
  }
  lines.push({ from: start, to })
}

const MAX_WORD_CHARACTERS = 200
/** No letters with their usual marks are so narrow. More marks, or characters without width, would be one endless line. */
const MAX_UNITS_PER_PIXEL = 4
/** Longer lines break also where a document does not wrap. */
const MAX_LINE_CHARACTERS = 20_000

/** Ends of words and characters, for offsets in ascending order. */
interface Places {
  /** The end of the word at `from`, including the blanks after it, at most `to`. */
  readonly wordEnd: (from: number, to: number) => number
  /** The last end of a character, including marks, up to `at`; otherwise the end of the first one after `from`. */
  readonly characterEnd: (from: number, at: number, to: number) => number
}

/** Searches for each place where a line may break once. */
function wordEnds(text: string): Places['wordEnd'] {
  let end = -1
  return (from, to) => {
    const limit = Math.min(to, from + MAX_WORD_CHARACTERS)
    if (end <= from) end = unbreakableEnd(text, from, text.length)
    let at = Math.min(end, limit)
    while (at < limit && text[at] === ' ') at++
    return at
  }
}

/** How much text a segmenter gets at once, because creating one is expensive. */
const SEGMENTED = 20 * MAX_WORD_CHARACTERS
/** Letters without marks, kana and ideographs: each is one character, which needs no segmenter. */
const ALONE = /^[\u0000-\u02ff\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{2}$/

function characterEnds(text: string): Places['characterEnd'] {
  let start = 0
  let segments: Intl.Segments | undefined
  return (from, at, to) => {
    if (at > from && ALONE.test(text.slice(at - 1, at + 1))) return at
    if (!segments || to > start + SEGMENTED) {
      start = from
      segments = graphemes().segment(text.slice(start, start + SEGMENTED))
    }
    const { index, segment } = segments.containing(at - start)!
    const found = start + index
    return found > from ? found : Math.min(to, found + segment.length)
  }
}

const PREFIX_FIRST = 8

/** How many units of a word fit a width. Reads little more than these. */
function fitting(word: string, width: number, measure: TextGeometry['measure']): number {
  const fits = (length: number): boolean => measure(word.slice(0, length)) <= width
  let low = 0
  let high = Math.min(word.length, PREFIX_FIRST)
  while (fits(high)) {
    if (high === word.length) return high
    low = high
    high = Math.min(word.length, high * 2)
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
