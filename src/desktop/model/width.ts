import { ARABIC_DUAL, ARABIC_RIGHT, HEBREW, INTER, KEY_SIGNS, NOTO_SANS, type WidthRow } from './font-widths.ts'

/** The proportional text families of paint that layout measures. */
export type TextFamily = 'ui' | 'humanist'

const ROWS: Readonly<Record<TextFamily, readonly WidthRow[]>> = {
  ui: [...INTER, HEBREW],
  humanist: [...NOTO_SANS, HEBREW],
}

/** For all other characters: wide enough for most letters, and for the box of a missing one. */
const OTHER = 660
const WIDE = 1000
const EMOJI = 1245
const FIRST = 32
const FIRST_WIDE = 0x2e80
const LAST_ASCII = 126

/** Characters from here on may combine, join or be wide; those before have a width of their own. */
const FIRST_COMBINED = 0x300

/** The width of a line of text in whole pixels, rounded up. */
export function textWidth(text: string, fontSize: number, family: TextFamily = 'ui'): number {
  const rows = ROWS[family]
  const [ascii] = rows
  let thousandths = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // A tab has no glyph and counts as a space.
    if (code <= LAST_ASCII) thousandths += ascii!.widths[Math.max(0, code - FIRST)]!
    else if (code < FIRST_COMBINED) thousandths += widthIn(rows, code) ?? OTHER
    else {
      const whole = text.codePointAt(at)!
      thousandths += combinedWidth(text, at, whole, family)
      if (whole > 0xffff) at++
    }
  }
  return Math.ceil((thousandths * fontSize) / 1000)
}

/** A family, and how much wider its bold letters are than plain ones, those of right-to-left scripts too. */
interface BoldMetrics {
  readonly family: TextFamily
  readonly bold: number
  readonly boldRtl?: number
}

const IS_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The width of a line of bold text in whole pixels, rounded up. */
export function boldTextWidth(text: string, fontSize: number, { family, bold, boldRtl = bold }: BoldMetrics): number {
  return Math.ceil(textWidth(text, fontSize, family) * (boldRtl !== bold && IS_RTL.test(text) ? boldRtl : bold))
}

function widthIn(rows: readonly WidthRow[], code: number): number | undefined {
  for (const { first, widths } of rows) {
    const index = code - first
    if (index >= 0 && index < widths.length) return widths[index]
  }
  return undefined
}

/** Marks, joiners, selectors and skin tones have no width: they belong to the character before. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200f]|[\u{1f3fb}-\u{1f3ff}]/u
const JOINER = '\u200d'
const FIRST_FLAG = 0x1f1e6
const LAST_FLAG = 0x1f1ff
const IS_EMOJI = /\p{Emoji_Presentation}/u

/** Widths that the characters beside it decide. */
const UNREAD = 0
const OF_DUAL = -1
const OF_RIGHT = -2
const OF_PICTURE = -3
const OF_OTHER = -4

/** Widths of characters of the first two planes, plus one, or what decides them: long texts repeat the same ones. */
const known: Readonly<Record<TextFamily, Int16Array>> = {
  ui: new Int16Array(0x20000),
  humanist: new Int16Array(0x20000),
}

function combinedWidth(text: string, at: number, code: number, family: TextFamily): number {
  const width = ownWidth(code, family)
  if (width >= 0) return width
  if (width === OF_DUAL || width === OF_RIGHT) return arabicWidth(text, at, width === OF_RIGHT)
  // The pictures of a family, and the two letters of a flag, are one picture.
  if (code >= FIRST_WIDE && text[at - 1] === JOINER) return 0
  if (width === OF_PICTURE) return code >= FIRST_FLAG && code <= LAST_FLAG ? EMOJI / 2 : EMOJI
  if (text.charCodeAt(at + (code > 0xffff ? 2 : 1)) === 0xfe0f) return EMOJI
  return code < FIRST_WIDE ? (KEY_SIGNS[String.fromCodePoint(code)] ?? OTHER) : WIDE
}

/** The width of a character, or what decides it. */
function ownWidth(code: number, family: TextFamily): number {
  const kept = known[family]
  const before = kept[code]
  if (before) return before > UNREAD ? before - 1 : before
  const width = readWidth(String.fromCodePoint(code), code, ROWS[family])
  if (code < kept.length) kept[code] = width < 0 ? width : width + 1
  return width
}

function readWidth(character: string, code: number, rows: readonly WidthRow[]): number {
  if (WITHOUT_WIDTH.test(character)) return 0
  const width = widthIn(rows, code)
  if (width !== undefined) return width
  if (ARABIC_DUAL[character]) return OF_DUAL
  if (ARABIC_RIGHT[character]) return OF_RIGHT
  return (code >= FIRST_FLAG && code <= LAST_FLAG) || IS_EMOJI.test(character) ? OF_PICTURE : OF_OTHER
}

const LAM = 0x644
const ALEFS = 'اأإآٱ'
/** Lam and alef are one glyph, wider than their forms beside other letters. */
const ALEF_AFTER_LAM = 322

/** The width of an Arabic letter in the form that its neighbours give it. Some join only the letter at their right. */
function arabicWidth(text: string, at: number, isRight: boolean): number {
  const letter = text[at]!
  const before = neighbour(text, at, -1)
  const isJoined = ownWidth(before, 'ui') === OF_DUAL
  if (isRight)
    return before === LAM && ALEFS.includes(letter) ? ALEF_AFTER_LAM : ARABIC_RIGHT[letter]![isJoined ? 1 : 0]
  const after = ownWidth(neighbour(text, at, 1), 'ui')
  return ARABIC_DUAL[letter]![(isJoined ? 1 : 0) + (after === OF_DUAL || after === OF_RIGHT ? 2 : 0)]!
}

const MAX_MARKS = 4
const NON_JOINER = 0x200c

/** The code of the letter before or after, past marks, but not past the one that says that letters do not join. 0 at an end. */
function neighbour(text: string, at: number, step: 1 | -1): number {
  for (let count = 0, place = at + step; ; count++, place += step) {
    if (place < 0 || place >= text.length) return 0
    const code = text.charCodeAt(place)
    if (count === MAX_MARKS || code < FIRST_COMBINED || code === NON_JOINER || ownWidth(code, 'ui') !== 0) return code
  }
}
