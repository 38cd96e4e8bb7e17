import { installCommand, isInstalled, type OptionalFeature } from '../../base/optional.ts'

/** Where lines may break: after blanks, and between the letters of Chinese, Japanese and Korean texts (subset of UAX #14). */

/** Most texts have none of the characters between which a line may break without a blank. */
const FIRST_EAST_ASIAN = 0x2e80
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u30ff\uff01-\uff60]|\p{Emoji_Presentation}/u
/** Small letters, closing brackets and punctuation: never at the start of a line. */
const NEVER_FIRST =
  /[!%),.:;?\]}\u2019\u201d\u2025\u2026\u2030\u2103ー々〻‐–〜ゝゞヽヾ、。〉》」』】〕〗〙〛〟ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ・！％），．：；？］｝～｡｣､･°′″]|[\p{M}\u200d]|[\u{1f3fb}-\u{1f3ff}]/u
/** Opening brackets and currency signs: never at the end of a line. */
const NEVER_LAST = /[$(£¥[{\u2018\u201c〈《「『【〔〖〘〚〝＄（［｛￡￥\u200d]/u
const IS_FLAG = /[\u{1f1e6}-\u{1f1ff}]/u
const IS_MARK = /[\p{M}\u200d]|[\u{1f3fb}-\u{1f3ff}]/u

/** What lines ask of a character, as bits. */
const READ = 1
const NEVER_BEGINS = 2
const NEVER_ENDS = 4
const FLAG = 8
const BREAKS = 16
const MARK = 32

/** The bits of the characters of the first two planes: a long text asks for the same ones again and again. */
const known = new Uint8Array(0x20000)

function traitsOf(code: number): number {
  const read = known[code]
  if (read) return read
  const character = String.fromCodePoint(code)
  const traits =
    READ |
    (NEVER_FIRST.test(character) ? NEVER_BEGINS : 0) |
    (NEVER_LAST.test(character) ? NEVER_ENDS : 0) |
    (IS_FLAG.test(character) ? FLAG : 0) |
    (EAST_ASIAN.test(character) ? BREAKS : 0) |
    (IS_MARK.test(character) ? MARK : 0)
  if (code < known.length) known[code] = traits
  return traits
}

/** Whether a line may break before the character at an offset, which is not a blank. */
export function breaksBefore(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  if (text.charCodeAt(at) < FIRST_EAST_ASIAN && text.charCodeAt(at - 1) < FIRST_EAST_ASIAN) return false
  const code = codeAt(text, at)
  // Not in the middle of a character.
  if (code === undefined) return false
  const after = traitsOf(code)
  const before = traitsOf(codeAt(text, at - 1) ?? codeAt(text, at - 2) ?? 0)
  if (before & NEVER_ENDS || after & NEVER_BEGINS) return false
  if (before & FLAG && after & FLAG) return false
  return (after & BREAKS) !== 0 || (traitsWithoutMarks(text, at) & BREAKS) !== 0
}

/** The code point of the character at an offset. Undefined in the middle of one. */
function codeAt(text: string, at: number): number | undefined {
  const code = text.codePointAt(at)
  return code === undefined || (code >= 0xdc00 && code <= 0xdfff) ? undefined : code
}

const MAX_MARKS = 4

/** The traits of the last character before an offset that is not a mark, a selector or a skin tone. */
function traitsWithoutMarks(text: string, at: number): number {
  let place = at
  for (let count = 0; count < MAX_MARKS && place > 0; count++) {
    const traits = traitsOf(codeAt(text, place - 1) ?? codeAt(text, place - 2) ?? 0)
    if (!(traits & MARK)) return traits
    place -= codeAt(text, place - 1) === undefined ? 2 : 1
  }
  return 0
}

/** The end of the part from an offset that no line breaks, at most `limit`, without the blanks after it. */
export function unbreakableEnd(text: string, from: number, limit: number): number {
  let at = from
  while (at < limit && text[at] !== ' ') {
    at++
    if (at < limit && breaksBefore(text, at)) break
  }
  return at
}

let segmenter: Intl.Segmenter | undefined

/** Splits text into grapheme clusters. Created on first use, because loading its tables takes some milliseconds. */
export function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}

/** The optional packages with fonts. */
export const FONT_FEATURES = ['japanese', 'chinese', 'korean', 'emoji'] as const satisfies readonly OptionalFeature[]
export type FontFeature = (typeof FONT_FEATURES)[number]

/** Characters that are pictures by default, or become one: with a selector, a joiner, or as a key. */
const IS_EMOJI = /^\p{Emoji_Presentation}(?!\ufe0e)|\ufe0f|\p{Extended_Pictographic}\u200d|\p{Emoji_Modifier}/u
const IS_KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const IS_HANGUL = /\p{Script=Hangul}/u
/** Ideographs, syllables, their punctuation and their wide forms. */
const IS_EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u30ff\uff01-\uffee]/u

/** Whether a grapheme is shown as a picture. */
export const isEmoji = (character: string): boolean => IS_EMOJI.test(character)
export const isKana = (text: string): boolean => IS_KANA.test(text)
export const isHangul = (text: string): boolean => IS_HANGUL.test(text)
/** Whether a grapheme belongs to Chinese, Japanese or Korean text. */
export const isEastAsian = (character: string): boolean => IS_EAST_ASIAN.test(character)

/** The optional packages one of which has a grapheme. Empty for others. */
export function fontsWith(character: string): readonly FontFeature[] {
  if (isEmoji(character)) return ['emoji']
  if (isHangul(character)) return ['korean']
  if (isKana(character)) return ['japanese']
  if (isEastAsian(character)) return ['japanese', 'chinese']
  return /\p{Extended_Pictographic}/u.test(character) ? ['emoji'] : []
}

/** How to get glyphs for a grapheme that is shown as a box. */
export function glyphAdvice(character: string): string {
  const missing = fontsWith(character).filter((feature) => !isInstalled(feature))
  return missing.length === 0 ? 'no font has them' : `run: ${missing.map(installCommand).join(', or ')}`
}
