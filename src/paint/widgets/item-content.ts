import {
  avatarSizeOf,
  BADGE_FONT_PX,
  badgeSize,
  badgeWidth,
  DOT_BADGE,
  DOT_PX,
  hasBadge,
  subtitleHeight,
  subtitleLines,
} from '../../desktop/model/control-metrics.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { graphemes } from '../../desktop/model/unicode.ts'
import { box, type DrawOp, picture, solid, text } from '../frame/draw-op.ts'
import { baselineIn, label, labels } from '../frame/label.ts'
import { iconFor } from '../icons.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import type { ControlColours } from '../theme/tokens.ts'
import {
  fontFor,
  iconIn,
  inkOf,
  isFilled,
  type PaintContext,
  pictureInkOf,
  softInkOf,
  squareIn,
  trimEnd,
  trimStart,
} from './widget.ts'

const GAP_PX = 10
const ICON_PX = 16
/** The room for the dot of an item that may be unread, and the dot. */
const UNREAD_GUTTER_PX = 12
const UNREAD_DOT_PX = 8
/** High enough for the largest font of a style. */
const ANY_HEIGHT_PX = 40

/** Whether an item has more to show than an icon, a name and a value. */
export const isRichItem = ({ traits }: Element): boolean =>
  traits?.subtitle !== undefined ||
  traits?.avatar !== undefined ||
  traits?.picture !== undefined ||
  traits?.badge !== undefined ||
  traits?.unread !== undefined

/** The content of an item: a dot, a disc or icon, its name and lines, and its value and badge at the end. */
export function itemContent(element: Element, setting: PaintContext, whole: Rect): readonly DrawOp[] {
  const { traits } = element
  const area = traits?.unread === undefined ? whole : trimStart(whole, UNREAD_GUTTER_PX)
  const lead = leadOf(element, setting, area)
  const words = trimStart(area, lead.width)
  const lines = subtitleLines(element)
  return [
    ...(traits?.unread ? unreadDot(element, setting, whole) : []),
    ...lead.ops,
    ...(lines.length === 0 ? oneLine(element, setting, words) : block(element, setting, words, lines)),
  ]
}

/** The dot of an unread item, at the start of an area. */
export const unreadDot = (element: Element, setting: PaintContext, area: Rect): readonly DrawOp[] => [
  box(squareIn(area, UNREAD_DOT_PX), {
    fill: markColour(element, setting, setting.theme.accent),
    radius: UNREAD_DOT_PX / 2,
  }),
]

/** A colour that marks an item: the accent colour, but the colour of the text on a row that is filled with it. */
export function markColour(element: Element, setting: PaintContext, marked: string): string {
  const ink = inkOf(element, setting)
  if (!element.enabled) return setting.theme.disabled
  return isFilled(setting) && ink !== setting.theme.text ? ink : marked
}

/** The disc, the small picture or the icon of an item, and the width that it takes. */
function leadOf(
  element: Element,
  setting: PaintContext,
  area: Rect,
): { readonly ops: readonly DrawOp[]; readonly width: number } {
  if (element.traits?.avatar !== undefined) {
    const size = Math.min(avatarSizeOf(element), area.height)
    return { ops: drawAvatar(element, setting, squareIn(area, size)), width: size + GAP_PX }
  }
  const small = smallPicture(element, setting, area)
  if (small) return { ops: small, width: small[0]!.bounds.width + GAP_PX }
  const icon = iconFor(element.traits?.icon, setting.theme)
  if (!icon) return { ops: [], width: 0 }
  return {
    ops: [iconIn({ ...area, width: ICON_PX }, icon, ICON_PX, pictureInkOf(element, setting))],
    width: ICON_PX + GAP_PX,
  }
}

/** The middle of the picture of an item or card, in a square at the start of an area. Undefined without one. */
export function smallPicture(
  { enabled, traits }: Element,
  { theme }: PaintContext,
  area: Rect,
): readonly DrawOp[] | undefined {
  if (!traits?.picture || traits.secret) return undefined
  const square = squareIn(area, Math.max(1, Math.min(area.width, area.height, SMALL_PICTURE_PX)))
  const shown = picture(square, traits.picture, 'square')
  return enabled ? [shown] : [shown, solid(square, `${theme.window.surface}${VEIL}`)]
}

const SMALL_PICTURE_PX = 40
/** The opacity of the veil over a disabled picture, as two hex digits. */
export const VEIL = 'a0'

/** An item of one line: its badge at the very end, its value before that. */
function oneLine(element: Element, setting: PaintContext, area: Rect): readonly DrawOp[] {
  const end = drawCount(element, setting, area)
  return [...nameAndValue(element, setting, trimEnd(area, end.width)), ...end.ops]
}

/** The name above its lines, which end before the badge. */
function block(element: Element, setting: PaintContext, area: Rect, lines: readonly string[]): readonly DrawOp[] {
  const { text } = setting.theme.metrics
  const lineHeight = subtitleHeight(text)
  const height = text.line + lines.length * lineHeight
  const top = { ...area, y: area.y + Math.floor((area.height - height) / 2), height: text.line }
  const hasValue = (element.value ?? '') !== ''
  const below = { ...top, y: top.y + text.line, height: lines.length * lineHeight }
  const end = drawCount(element, setting, hasValue ? { ...below, height: lineHeight } : area)
  const style = { font: fontFor(setting.theme, ANY_HEIGHT_PX, 'small'), colour: softInkOf(element, setting) }
  return [
    ...nameAndValue(element, setting, hasValue ? top : trimEnd(top, end.width)),
    ...lines.flatMap((line, index) =>
      label(trimEnd({ ...below, y: below.y + index * lineHeight, height: lineHeight }, end.width), line, style),
    ),
    ...end.ops,
  ]
}

function nameAndValue(element: Element, setting: PaintContext, area: Rect): readonly DrawOp[] {
  const { theme } = setting
  const isUnread = element.traits?.unread === true
  const name = {
    content: element.name,
    font: fontFor(theme, ANY_HEIGHT_PX, isUnread ? 'strong' : 'text'),
    colour: inkOf(element, setting),
  }
  const small = fontFor(theme, ANY_HEIGHT_PX, 'small')
  const value = {
    content: element.value ?? '',
    font: isUnread ? { ...small, weight: name.font.weight } : small,
    colour: isUnread ? markColour(element, setting, setting.theme.link) : softInkOf(element, setting),
  }
  return labels(area, name, value)
}

/** The badge at the end of an area, in a disc or as a text, strong if it is `marked` with a colour, and the width that it takes. */
export function drawCount(
  element: Element,
  setting: PaintContext,
  area: Rect,
  marked?: string,
): { readonly ops: readonly DrawOp[]; readonly width: number } {
  if (!hasBadge(element)) return { ops: [], width: 0 }
  const badge = element.traits!.badge!
  const { width } = badge === DOT_BADGE ? { width: DOT_PX } : badgeSize(badge, setting.theme.metrics.text)
  const place = { ...area, x: area.x + area.width - width, width }
  const taken = width + GAP_PX
  if (badge === DOT_BADGE || setting.theme.hasCountDiscs)
    return { ops: badgeOps(element, setting, place), width: taken }
  const small = fontFor(setting.theme, ANY_HEIGHT_PX, 'small')
  const own = marked ?? (element.traits?.unread ? markColour(element, setting, setting.theme.link) : undefined)
  const font = own === undefined ? small : { ...small, weight: fontFor(setting.theme, ANY_HEIGHT_PX, 'strong').weight }
  const colour = own ?? softInkOf(element, setting)
  return { ops: label(place, badge, { font, colour, align: 'right' }), width: taken }
}

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
export function drawAvatar({ enabled, traits }: Element, { theme }: PaintContext, disc: Rect): readonly DrawOp[] {
  const name = traits?.avatar ?? ''
  if (disc.width <= 0) return []
  if (traits?.picture && !traits.secret) return [picture(disc, traits.picture, 'disc')]
  const { avatarEdge } = theme.controls
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
  const { run: _, ...initials } = text(x, baselineIn(disc, font), letters, font, ink)
  return [face, initials]
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

/** How far a badge reaches over the corner of its icon. */
const OUT_PX = 2

/** The badge of an element, in the middle of the height of an area at its left edge. Nothing without one. */
function badgeOps(element: Element, setting: PaintContext, area: Rect): readonly DrawOp[] {
  if (!hasBadge(element)) return []
  const { theme } = setting
  const badge = element.traits!.badge!
  const { badge: fill, onBadge, badgeEdge } = coloursOn(element, setting)
  const { width, height } = badgeSize(badge, theme.metrics.text)
  const place = { x: area.x, y: area.y + Math.floor((area.height - height) / 2), width, height }
  const disc = box(place, {
    fill: element.enabled ? fill : theme.disabled,
    ...(badgeEdge !== undefined && { border: badgeEdge }),
    radius: height / 2,
  })
  if (badge === DOT_BADGE) return [disc]
  const font: Font = { family: theme.type.family, size: BADGE_FONT_PX, weight: BOLD }
  return [disc, ...label(place, badge, { font, colour: onBadge, align: 'center' })]
}

/** On a background in the accent colour, a badge has the colours of the background the other way round. */
function coloursOn(element: Element, setting: PaintContext): Pick<ControlColours, 'badge' | 'onBadge' | 'badgeEdge'> {
  const ink = inkOf(element, setting)
  if (!isFilled(setting) || ink === setting.theme.text) return setting.theme.controls
  return { badge: ink, onBadge: setting.theme.accent }
}

/** The badge of an element over the upper right corner of its icon, within the bounds of the element. */
export function cornerBadge(element: Element, setting: PaintContext, icon: Rect): readonly DrawOp[] {
  if (!hasBadge(element)) return []
  const { bounds } = element
  const { width, height } = badgeSize(element.traits!.badge!, setting.theme.metrics.text)
  const x = Math.min(icon.x + icon.width - Math.floor(width / 2) + OUT_PX, bounds.x + bounds.width - width)
  const y = Math.max(icon.y - Math.floor(height / 2) - 1, bounds.y)
  return badgeOps(element, setting, { x: Math.max(bounds.x, x), y, width, height })
}

/** The badge of an element after a text, whose operation is the last one with words. */
export function badgeAfter(element: Element, setting: PaintContext, ops: readonly DrawOp[], area: Rect) {
  const run = ops.findLast((op) => op.run)?.run
  if (!hasBadge(element) || !run) return []
  const gap =
    badgeWidth(element, setting.theme.metrics) - badgeSize(element.traits!.badge!, setting.theme.metrics.text).width
  return badgeOps(element, setting, { ...area, x: run.bounds.x + run.bounds.width + gap })
}
