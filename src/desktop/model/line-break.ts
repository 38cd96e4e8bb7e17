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

/** Whether a line may break before the character at an offset, which is not a blank. */
export function breaksBefore(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  if (text.charCodeAt(at) < FIRST_EAST_ASIAN && text.charCodeAt(at - 1) < FIRST_EAST_ASIAN) return false
  const after = characterAt(text, at)
  // Not in the middle of a character.
  if (after === undefined) return false
  const before = characterAt(text, at - 1) ?? characterAt(text, at - 2) ?? ''
  if (NEVER_LAST.test(before) || NEVER_FIRST.test(after)) return false
  if (IS_FLAG.test(before) && IS_FLAG.test(after)) return false
  return EAST_ASIAN.test(after) || EAST_ASIAN.test(characterWithoutMarks(text, at))
}

/** The character at an offset. Undefined in the middle of one. */
function characterAt(text: string, at: number): string | undefined {
  const code = text.codePointAt(at)
  return code === undefined || (code >= 0xdc00 && code <= 0xdfff) ? undefined : String.fromCodePoint(code)
}

const MAX_MARKS = 4

/** The last character before an offset that is not a mark, a selector or a skin tone. */
function characterWithoutMarks(text: string, at: number): string {
  let place = at
  for (let count = 0; count < MAX_MARKS; count++) {
    const length = characterAt(text, place - 1) === undefined ? 2 : 1
    const character = text.slice(place - length, place)
    if (!/[\p{M}\u200d]|[\u{1f3fb}-\u{1f3ff}]/u.test(character)) return character
    place -= length
  }
  return ''
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
