import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import {
  avatarSizeOf,
  badgeSize,
  DOT_BADGE,
  DOT_PX,
  hasBadge,
  subtitleHeight,
  subtitleLines,
} from '../../desktop/style/control-metrics.ts'
import { box, type Mark } from '../frame/mark.ts'
import { iconFor } from '../icons.ts'
import { hasCountDiscs } from '../styles/control-colours.ts'
import { label, labels } from '../text/text.ts'
import { avatarMarks } from './avatars.ts'
import { badgeMarks } from './badges.ts'
import {
  after,
  before,
  fontFor,
  iconIn,
  inkOf,
  isFilled,
  type PaintContext,
  pictureInkOf,
  softInkOf,
  squareIn,
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
  traits?.badge !== undefined ||
  traits?.unread !== undefined

/** The content of an item: a dot, a disc or icon, its name and lines, and its value and badge at the end. */
export function itemContent(element: Element, setting: PaintContext, whole: Rect): readonly Mark[] {
  const { traits } = element
  const area = traits?.unread === undefined ? whole : after(whole, UNREAD_GUTTER_PX)
  const lead = leadOf(element, setting, area)
  const words = after(area, lead.width)
  const lines = subtitleLines(element)
  return [
    ...(traits?.unread ? unreadDot(element, setting, whole) : []),
    ...lead.marks,
    ...(lines.length === 0 ? oneLine(element, setting, words) : block(element, setting, words, lines)),
  ]
}

/** The dot of an unread item, at the start of an area. */
export const unreadDot = (element: Element, setting: PaintContext, area: Rect): readonly Mark[] => [
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

/** The disc or the icon of an item, and the width that it takes. */
function leadOf(
  element: Element,
  setting: PaintContext,
  area: Rect,
): { readonly marks: readonly Mark[]; readonly width: number } {
  if (element.traits?.avatar !== undefined) {
    const size = Math.min(avatarSizeOf(element), area.height)
    return { marks: avatarMarks(element, setting, squareIn(area, size)), width: size + GAP_PX }
  }
  const icon = iconFor(element.traits?.icon, setting.theme)
  if (!icon) return { marks: [], width: 0 }
  return {
    marks: [iconIn({ ...area, width: ICON_PX }, icon, ICON_PX, pictureInkOf(element, setting))],
    width: ICON_PX + GAP_PX,
  }
}

/** An item of one line: its badge at the very end, its value before that. */
function oneLine(element: Element, setting: PaintContext, area: Rect): readonly Mark[] {
  const end = countMarks(element, setting, area)
  return [...nameAndValue(element, setting, before(area, end.width)), ...end.marks]
}

/** The name above its lines, which end before the badge. */
function block(element: Element, setting: PaintContext, area: Rect, lines: readonly string[]): readonly Mark[] {
  const { text } = setting.theme.metrics
  const lineHeight = subtitleHeight(text)
  const height = text.line + lines.length * lineHeight
  const top = { ...area, y: area.y + Math.floor((area.height - height) / 2), height: text.line }
  const hasValue = (element.value ?? '') !== ''
  const below = { ...top, y: top.y + text.line, height: lines.length * lineHeight }
  const end = countMarks(element, setting, hasValue ? { ...below, height: lineHeight } : area)
  const style = { font: fontFor(setting.theme, ANY_HEIGHT_PX, 'small'), colour: softInkOf(element, setting) }
  return [
    ...nameAndValue(element, setting, hasValue ? top : before(top, end.width)),
    ...lines.flatMap((line, index) =>
      label(before({ ...below, y: below.y + index * lineHeight, height: lineHeight }, end.width), line, style),
    ),
    ...end.marks,
  ]
}

function nameAndValue(element: Element, setting: PaintContext, area: Rect): readonly Mark[] {
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
export function countMarks(
  element: Element,
  setting: PaintContext,
  area: Rect,
  marked?: string,
): { readonly marks: readonly Mark[]; readonly width: number } {
  if (!hasBadge(element)) return { marks: [], width: 0 }
  const badge = element.traits!.badge!
  const { width } = badge === DOT_BADGE ? { width: DOT_PX } : badgeSize(badge, setting.theme.metrics.text)
  const place = { ...area, x: area.x + area.width - width, width }
  const taken = width + GAP_PX
  if (badge === DOT_BADGE || hasCountDiscs(setting.theme))
    return { marks: badgeMarks(element, setting, place), width: taken }
  const small = fontFor(setting.theme, ANY_HEIGHT_PX, 'small')
  const own = marked ?? (element.traits?.unread ? markColour(element, setting, setting.theme.link) : undefined)
  const font = own === undefined ? small : { ...small, weight: fontFor(setting.theme, ANY_HEIGHT_PX, 'strong').weight }
  const colour = own ?? softInkOf(element, setting)
  return { marks: label(place, badge, { font, colour, align: 'right' }), width: taken }
}
