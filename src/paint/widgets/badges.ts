import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { BADGE_FONT_PX, badgeSize, badgeWidth, DOT_BADGE, hasBadge } from '../../desktop/style/control-metrics.ts'
import { box, type Mark } from '../frame/mark.ts'
import { type ControlColours, controlColours } from '../styles/control-colours.ts'
import type { Font } from '../text/fonts.ts'
import { label } from '../text/text.ts'
import { inkOf, isFilled, type PaintContext } from './widget.ts'

const BOLD = 600
/** How far a badge reaches over the corner of its icon. */
const OUT_PX = 2

/** The badge of an element, in the middle of the height of an area at its left edge. No marks without one. */
export function badgeMarks(element: Element, setting: PaintContext, area: Rect): readonly Mark[] {
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
  if (!isFilled(setting) || ink === setting.theme.text) return controlColours(setting.theme)
  return { badge: ink, onBadge: setting.theme.accent }
}

/** The badge of an element over the upper right corner of its icon, within the bounds of the element. */
export function cornerBadge(element: Element, setting: PaintContext, icon: Rect): readonly Mark[] {
  if (!hasBadge(element)) return []
  const { bounds } = element
  const { width, height } = badgeSize(element.traits!.badge!, setting.theme.metrics.text)
  const x = Math.min(icon.x + icon.width - Math.floor(width / 2) + OUT_PX, bounds.x + bounds.width - width)
  const y = Math.max(icon.y - Math.floor(height / 2) - 1, bounds.y)
  return badgeMarks(element, setting, { x: Math.max(bounds.x, x), y, width, height })
}

/** The badge of an element after a text, whose mark is the last one with words. */
export function badgeAfter(element: Element, setting: PaintContext, marks: readonly Mark[], area: Rect) {
  const run = marks.findLast((mark) => mark.run)?.run
  if (!hasBadge(element) || !run) return []
  const gap =
    badgeWidth(element, setting.theme.metrics) - badgeSize(element.traits!.badge!, setting.theme.metrics.text).width
  return badgeMarks(element, setting, { ...area, x: run.bounds.x + run.bounds.width + gap })
}
