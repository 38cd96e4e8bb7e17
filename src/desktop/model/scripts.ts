import { installCommand, isInstalled, type OptionalFeature } from '../../base/optional.ts'

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
