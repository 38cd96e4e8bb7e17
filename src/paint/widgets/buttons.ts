import { formLabelPlace } from '../../desktop/caption.ts'
import { badgeWidth } from '../../desktop/model/control-metrics.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { rolesWith } from '../../desktop/model/role.ts'
import type { ElementLook } from '../../desktop/model/traits.ts'
import { box, type DrawOp, icon, solid } from '../frame/draw-op.ts'
import { label } from '../frame/label.ts'
import { type IconName, iconFor } from '../icons.ts'
import { pointerFeedback } from '../pointed.ts'
import { widthOf } from '../text/fonts.ts'
import { elide } from '../text/text.ts'
import type { Theme } from '../theme/theme.ts'
import { cardFace } from './containers.ts'
import { badgeAfter, cornerBadge, itemContent } from './item-content.ts'
import { menuItem } from './menus.ts'
import {
  focusRing,
  fontFor,
  iconIn,
  inkOf,
  inset,
  isBare,
  linkInkOf,
  type PaintContext,
  pointedBack,
  softInkOf,
  trimEnd,
  trimStart,
  type WidgetPainter,
  withColon,
} from './widget.ts'

const ICON = 16
const TILE_HEIGHT = 56

/** Strips in which buttons have no border. */
const FLAT_IN = rolesWith('flatButtons')

/** A push button. The one that Enter presses has the accent colour; one in a bar has no border. */
export const button: WidgetPainter = (element, setting) => {
  if (element.traits?.inMore) return menuItem(element, setting)
  const { bounds, enabled } = element
  const { presses, look, compact } = element.traits ?? {}
  const isDefault = (presses === 'enter' || look === 'primary') && look !== 'destructive' && enabled && !compact
  const isFlat = (FLAT_IN.has(setting.parent) && look !== 'destructive') || FLAT_LOOKS.has(look)
  const tone = !enabled ? setting.tone : isDefault ? 'accent' : look === 'destructive' ? 'destructive' : setting.tone
  const radius = Math.min(setting.theme.metrics.radius.control, Math.floor(Math.min(bounds.width, bounds.height) / 3))
  const face = { isDefault, isFlat, radius, ...pointerFeedback(setting.pointed) }
  const ink = setting.chrome.buttonInk(element, { ...setting, tone }, face)
  return {
    ops: [
      ...(ownFace(element, setting, radius) ?? setting.chrome.buttonFace(element, setting, face)),
      ...(isBare(element) ? buttonContent(element, { ...setting, tone }, ink, isDefault) : []),
      ...focusRing(element, setting, bounds, radius),
    ],
    tone,
  }
}

const FLAT_LOOKS: ReadonlySet<ElementLook | undefined> = new Set<ElementLook>(['flat', 'breadcrumb'])

/** The face of a card or a destructive button. Undefined for that of others. */
function ownFace(
  { bounds, enabled, selected, traits }: Element,
  setting: PaintContext,
  radius: number,
): readonly DrawOp[] | undefined {
  const { theme } = setting
  if (traits?.look === 'card') return [cardFace(bounds, theme), ...pointedBack(bounds, setting)]
  if (traits?.look === 'breadcrumb' && selected) return []
  if (traits?.look !== 'destructive' || !enabled) return undefined
  const { destructive, destructiveHovered, destructiveEdge } = theme.controls
  if (destructive === undefined) return undefined
  const { isHovered, isPressed } = pointerFeedback(setting.pointed)
  const fill = isHovered && !isPressed ? (destructiveHovered ?? destructive) : destructive
  const face = { fill, ...(destructiveEdge !== undefined && { border: destructiveEdge }), radius }
  return [box(bounds, face), ...pointedBack(bounds, setting)]
}

const CARD_PADDING = 12
const CRUMB_PADDING = 6
const CRUMB_ARROW = 18

/** What is on the face of a button, by its look. */
function buttonContent(element: Element, setting: PaintContext, colour: string, isDefault: boolean): readonly DrawOp[] {
  const { bounds, traits } = element
  const { theme } = setting
  const area = inset(bounds, 6, 2)
  const picture = iconFor(traits?.icon, theme)
  if (traits?.look === 'card') return itemContent(element, setting, inset(bounds, CARD_PADDING, 0))
  if (traits?.look === 'breadcrumb') return crumb(element, setting)
  if ((traits?.iconOnly || traits?.compact) && picture) {
    const op = iconIn(area, picture, ICON, colour)
    return [op, ...cornerBadge(element, setting, op.bounds)]
  }
  const words = trimEnd(area, badgeWidth(element, theme.metrics))
  const ops = content(element, theme, words, colour, isDefault)
  return [...ops, ...badgeAfter(element, setting, ops, bounds)]
}

/** A step of a path, and the arrow to the next one. The last step is the selected one. */
function crumb(element: Element, setting: PaintContext): readonly DrawOp[] {
  const { bounds, selected } = element
  const area = inset(bounds, CRUMB_PADDING, 0)
  const font = fontFor(setting.theme, bounds.height, selected ? 'strong' : 'text')
  const words = selected ? area : trimEnd(area, CRUMB_ARROW)
  const picture = iconFor(element.traits?.icon, setting.theme)
  const soft = softInkOf(element, setting)
  const colour = selected ? inkOf(element, setting) : soft
  const ops = [
    ...(picture ? [iconIn({ ...words, width: ICON }, picture, ICON, colour)] : []),
    ...label(picture ? trimStart(words, ICON + 6) : words, element.name, { font, colour }),
  ]
  if (selected) return ops
  const arrow = { ...area, x: area.x + area.width - CRUMB_ARROW + 4, width: CRUMB_ARROW }
  return [...ops, iconIn(arrow, 'chevron-right', 12, soft)]
}

/** The icon and the name, side by side or, on a tall button, one above the other. */
function content(element: Element, theme: Theme, area: Rect, colour: string, strong: boolean): readonly DrawOp[] {
  const name = iconFor(element.traits?.icon, theme) ?? arrowOf(element, area)
  const font = fontFor(theme, area.height + 4, strong ? 'defaultButton' : 'button')
  if (!name) return label(area, element.name, { font, colour, align: 'center' })
  if (element.name === '' || area.width < ICON + 24) return [iconIn(area, name, ICON, colour)]
  if (area.height >= TILE_HEIGHT) {
    const words = { ...area, y: area.y + area.height - 22, height: 20 }
    const picture = { ...area, height: area.height - 22 }
    return [
      iconIn(picture, name, 24, colour),
      ...label(words, element.name, { font: fontFor(theme, 18, 'button'), colour, align: 'center' }),
    ]
  }
  const gap = 6
  const words = elide(element.name, area.width - ICON - gap, font)
  const whole = ICON + gap + Math.ceil(widthOf(words, font))
  const x = area.x + Math.max(0, Math.floor((area.width - whole) / 2))
  const top = area.y + Math.floor((area.height - ICON) / 2)
  const rest = { ...area, x: x + ICON + gap, width: area.x + area.width - x - ICON - gap }
  return [icon({ x, y: top }, name, ICON, colour), ...label(rest, element.name, { font, colour })]
}

/** An arrow for a small button without space for text, by the direction that its name starts with. */
function arrowOf({ name }: Element, area: Rect): IconName | undefined {
  if (area.width > 40) return undefined
  if (/^(previous|back|left)\b/i.test(name)) return 'chevron-left'
  return /^(next|forward|right)\b/i.test(name) ? 'chevron-right' : undefined
}

const ARROW = 22

/** A button with an arrow that opens a menu. */
export const splitButton: WidgetPainter = (element, setting) => {
  const { bounds } = element
  const plain = button(
    { ...element, name: '', children: [], ...(element.traits ? { traits: { ...element.traits, icon: '' } } : {}) },
    setting,
  )
  const colour = inkOf(element, { ...setting, tone: plain.tone ?? setting.tone })
  const arrow = { ...bounds, x: bounds.x + bounds.width - ARROW - 2, width: ARROW }
  return {
    ops: [
      ...plain.ops,
      ...content(element, setting.theme, trimEnd(inset(bounds, 6, 2), ARROW - 4), colour, false),
      iconIn(arrow, 'chevron-down', 14, colour),
    ],
  }
}

/** A switch with its name to the right, or a button that stays down. */
export const toggle: WidgetPainter = (element, setting) => {
  if (element.role.toLowerCase().includes('button')) return button(element, setting)
  const { theme } = setting
  const { bounds } = element
  const { width, gap } = theme.toggle
  const height = Math.min(theme.toggle.height, bounds.height)
  const inForm = element.traits?.formLabel
  const x = inForm ? bounds.x + bounds.width - width : bounds.x
  const track = { x, y: bounds.y + Math.floor((bounds.height - height) / 2), width, height }
  const words = inForm ? formLabelPlace(element) : trimStart(bounds, width + gap)
  const style = { font: fontFor(setting.theme, bounds.height), colour: inkOf(element, setting) }
  return {
    ops: [
      ...setting.chrome.toggle(element, theme, track, pointerFeedback(setting.pointed)),
      ...(inForm?.isEnd
        ? label(words, withColon(element.name), { ...style, align: 'right' })
        : label(words, element.name, style)),
      ...focusRing(element, setting, track, height / 2),
    ],
  }
}

/** Underlined text. Bold in the look `primary`; in a band of a web page without a line. */
export const link: WidgetPainter = (element, setting) => {
  const { bounds } = element
  if (element.traits?.inText) return { ops: focusRing(element, setting, inset(bounds, -1), 3) }
  const isPlain = setting.tone === 'band'
  const colour = isPlain ? inkOf(element, setting) : linkInkOf(element, setting)
  const font = fontFor(setting.theme, bounds.height, element.traits?.look === 'primary' ? 'strong' : 'text')
  const ops = isBare(element) ? label(bounds, element.name, { font, colour }) : []
  const run = ops[0]?.run
  const line =
    run && !isPlain
      ? [solid({ x: run.bounds.x, y: run.bounds.y + font.size + 2, width: run.bounds.width, height: 1 }, colour)]
      : []
  return { ops: [...ops, ...line, ...focusRing(element, setting, inset(bounds, -1), 3)] }
}
