import type { Element } from '../../desktop/model/element.ts'
import { type Rect, translate } from '../../desktop/model/geometry.ts'
import type { AppKind } from '../../desktop/model/pictures.ts'
import type { Banner } from '../../desktop/windows/banner.ts'
import { box, type Mark, shadow } from '../frame/mark.ts'
import { knownIcon } from '../icons.ts'
import { appPicture } from '../shell/pictures/app-picture.ts'
import { label, labels, linesOf } from '../text/text.ts'
import { avatarMarks } from './avatars.ts'
import { after, fontFor, iconIn, inkOf, type PaintContext, softInkOf, squareIn } from './widget.ts'

const APP_ICON = 16
const ROW_GAP = 10
const MORE_ICON = 16
const MAX_PILL_RADIUS = 23

/** A notification with the row of its application, a picture, its name in bold and its text. */
export function bannerMarks(element: Element, banner: Banner, setting: PaintContext): readonly Mark[] {
  const { x, y } = element.bounds
  const { theme } = setting
  const at = (rect: Rect) => translate(rect, x, y)
  const { app, row, picture, words, more } = banner
  const small = { font: fontFor(theme, 20, 'small'), colour: inkOf(element, setting) }
  return [
    ...(isPill(setting) ? pill(element.bounds, setting) : setting.parts.card(element.bounds, theme, 'toast')),
    ...(row && app ? appMarks(squareIn(at(row), APP_ICON), app, setting) : []),
    ...(row && app ? label(after(at(row), APP_ICON + ROW_GAP), app.name, small) : []),
    ...(picture ? pictureMarks(element, at(picture), app, setting) : []),
    ...(more ? [iconIn(at(more), 'more', MORE_ICON, softInkOf(element, setting))] : []),
    ...wordMarks(element, at(words), banner, setting),
  ]
}

/** Whether notifications are dark pills. */
export const isPill = ({ theme }: PaintContext): boolean => theme.metrics.notification.banner?.look === 'pill'

const pill = (bounds: Rect, { theme }: PaintContext): readonly Mark[] => {
  const radius = Math.min(MAX_PILL_RADIUS, bounds.height >> 1)
  return [
    ...theme.shadows.card.map((each) => shadow(bounds, { ...each, radius })),
    box(bounds, { fill: theme.tooltip, border: theme.cardEdge, radius }),
  ]
}

type App = NonNullable<Banner['app']>

const appMarks = (
  area: Rect,
  { name, kind }: { readonly name: string; readonly kind?: AppKind },
  { theme }: PaintContext,
) => (theme.style === 'backlot' ? [] : appPicture(area, { name, kind }, theme.style))

/** The initials of a person, the picture of the application or, without one, the icon. */
function pictureMarks(element: Element, area: Rect, app: App | undefined, setting: PaintContext): readonly Mark[] {
  const { traits } = element
  if (traits?.avatar !== undefined) return avatarMarks(element, setting, area)
  if (app?.kind) return appMarks(area, app, setting)
  return [iconIn(area, knownIcon(traits?.icon) ?? 'info', Math.min(24, area.width), inkOf(element, setting))]
}

function wordMarks(element: Element, area: Rect, { time }: Banner, setting: PaintContext): readonly Mark[] {
  const { line = 20 } = setting.theme.metrics.notification.banner ?? {}
  const name = { font: fontFor(setting.theme, line + 4, 'strong'), colour: inkOf(element, setting) }
  const rest = { font: fontFor(setting.theme, line + 4, 'second'), colour: softInkOf(element, setting) }
  const room = Math.max(1, Math.floor(area.height / line))
  const titled = element.value === null ? [] : linesOf(element.name, area.width, name, 1)
  const clock = { content: time ?? '', font: fontFor(setting.theme, 18, 'small'), colour: softInkOf(element, setting) }
  const lines = [
    ...titled,
    ...linesOf(element.value ?? element.name, area.width, element.value === null ? name : rest, room - titled.length),
  ]
  // A text can need fewer lines than were measured.
  const top = isPill(setting) ? area.y + Math.floor((area.height - lines.length * line) / 2) : area.y
  return lines.flatMap(({ content, style }, place) => {
    const row = { ...area, y: top + place * line, height: line }
    return place < titled.length ? labels(row, { content, ...style }, clock) : label(row, content, style)
  })
}
