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
      thousandths += combinedWidth(text, at, whole, rows)
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
const IS_FLAG = /[\u{1f1e6}-\u{1f1ff}]/u
const IS_EMOJI = /\p{Emoji_Presentation}/u

function combinedWidth(text: string, at: number, code: number, rows: readonly WidthRow[]): number {
  const character = String.fromCodePoint(code)
  if (WITHOUT_WIDTH.test(character)) return 0
  const known = widthIn(rows, code)
  if (known !== undefined) return known
  const arabic = arabicWidth(text, at)
  if (arabic !== undefined) return arabic
  // The pictures of a family, and the two letters of a flag, are one picture.
  if (code >= FIRST_WIDE && text[at - 1] === JOINER) return 0
  if (IS_FLAG.test(character)) return EMOJI / 2
  if (IS_EMOJI.test(character) || text.charCodeAt(at + character.length) === 0xfe0f) return EMOJI
  return code < FIRST_WIDE ? (KEY_SIGNS[character] ?? OTHER) : WIDE
}

const LAM = 'ل'
const ALEFS = 'اأإآٱ'
/** Lam and alef are one glyph, wider than their forms beside other letters. */
const ALEF_AFTER_LAM = 322

/** The width of an Arabic letter in the form that its neighbours give it. */
function arabicWidth(text: string, at: number): number | undefined {
  const letter = text[at]!
  const [dual, right] = [ARABIC_DUAL[letter], ARABIC_RIGHT[letter]]
  if (!dual && !right) return undefined
  const before = neighbour(text, at, -1)
  const isJoined = before in ARABIC_DUAL
  if (right) return before === LAM && ALEFS.includes(letter) ? ALEF_AFTER_LAM : right[isJoined ? 1 : 0]
  const after = neighbour(text, at, 1)
  const joins = after in ARABIC_DUAL || after in ARABIC_RIGHT
  return dual![(isJoined ? 1 : 0) + (joins ? 2 : 0)]
}

const MAX_MARKS = 4

/** The letter before or after, past marks. */
function neighbour(text: string, at: number, step: 1 | -1): string {
  let place = at + step
  for (let count = 0; count < MAX_MARKS && text[place] !== undefined; count++, place += step)
    if (!WITHOUT_WIDTH.test(text[place]!) || text[place] === '\u200c') break
  return text[place] ?? ''
}
