import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { graphemes } from '../../desktop/model/unicode.ts'
import { box, type Mark, picture, text } from '../frame/mark.ts'
import { controlColours } from '../styles/control-colours.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { baselineIn } from '../text/text.ts'
import type { PaintContext } from './widget.ts'

/** The colours of discs. White letters have a contrast of at least 4.5 on each. */
export const AVATAR_COLOURS = [
  '#7a4fb5',
  '#b4436c',
  '#b3410e',
  '#0f766e',
  '#2563a8',
  '#4d7310',
  '#963c9f',
  '#5b6472',
] as const

const INK = '#ffffff'
const BOLD = 600
/** A smaller disc has one letter. */
const MIN_TWO_LETTERS_PX = 28

/** The picture of an element in a disc, or the initials of its avatar's name in a colour of their own. */
export function avatarMarks({ enabled, traits }: Element, { theme }: PaintContext, disc: Rect): readonly Mark[] {
  const name = traits?.avatar ?? ''
  if (disc.width <= 0) return []
  if (traits?.picture && !traits.secret) return [picture(disc, traits.picture, true)]
  const { avatarEdge } = controlColours(theme)
  const fill = avatarEdge === undefined ? colourOfName(name) : theme.window.surface
  const ink = avatarEdge ?? INK
  const face = box(disc, {
    fill: enabled ? fill : theme.disabled,
    ...(avatarEdge !== undefined && { border: avatarEdge }),
    radius: disc.width / 2,
  })
  const letters = initialsOf(name, disc.width < MIN_TWO_LETTERS_PX ? 1 : 2)
  if (letters === '') return [face]
  const share = letters.length > 1 ? 0.4 : 0.46
  const font: Font = { family: theme.type.family, size: Math.max(9, Math.round(disc.width * share)), weight: BOLD }
  const x = disc.x + Math.round((disc.width - widthOf(letters, font)) / 2)
  // The letters belong to the picture of the disc. They are no text to read.
  const { run: _, ...mark } = text(x, baselineIn(disc, font), letters, font, ink)
  return [face, mark]
}

/** The first letters of the first and the last word of a name, at most `most`. */
export function initialsOf(name: string, most: number): string {
  const words = name.split(/[\s_.@-]+/u).filter((word) => /^[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(word))
  const chosen = words.length > 1 && most > 1 ? [words[0]!, words.at(-1)!] : words.slice(0, 1)
  return chosen.map((word) => [...graphemes().segment(word)][0]!.segment.toUpperCase()).join('')
}

/** The colour of a name, always the same one. */
export function colourOfName(name: string): string {
  let hash = 2166136261
  for (const character of name) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619) >>> 0
  return AVATAR_COLOURS[(hash >>> 8) % AVATAR_COLOURS.length]!
}
