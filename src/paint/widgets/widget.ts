import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { type Visibility, visibilityOf } from '../../desktop/tree/visibility.ts'
import { type DrawOp, icon } from '../frame/draw-op.ts'
import type { DrawnIcon } from '../icons.ts'
import { pointerFeedback } from '../pointed.ts'
import type { Font } from '../text/fonts.ts'
import type { PaintContext, Theme, Tone } from '../theme/theme.ts'
import type { TextUse } from '../theme/tokens.ts'

export type { PaintContext } from '../theme/theme.ts'

/** The appearance of a control: `ops` below its children, `over` above them. */
export interface WidgetDrawing {
  readonly ops: readonly DrawOp[]
  readonly over?: readonly DrawOp[]
  /** The area that it covers completely, if it may be above others. */
  readonly covers?: Rect
  /** The tone of its children's background, if different from its own. */
  readonly tone?: Tone
}

export type WidgetPainter = (element: Element, setting: PaintContext) => WidgetDrawing

export const MIN_TEXT_SIZE_PX = 9

/** The font of a style for a use, at the size that suits a control of this height. */
export function fontFor({ type }: Theme, height: number, use: TextUse = 'text'): Font {
  const { size, weight } = type[use]
  return {
    family: type.family,
    size: Math.max(MIN_TEXT_SIZE_PX, Math.min(size, Math.floor(height * 0.7))),
    weight,
  }
}

/** Shrinks a rectangle on each side, to at least size 0. */
export const inset = (area: Rect, across: number, down = across): Rect => ({
  x: area.x + across,
  y: area.y + down,
  width: Math.max(0, area.width - 2 * across),
  height: Math.max(0, area.height - 2 * down),
})

/** A square in the middle of the height of an area, `from` pixels from its left. */
export const squareIn = (area: Rect, size: number, from = 0): Rect => ({
  x: area.x + from,
  y: area.y + Math.floor((area.height - size) / 2),
  width: size,
  height: size,
})

/** The rectangle without its first `by` columns. */
export const trimStart = (area: Rect, by: number): Rect => ({
  ...area,
  x: area.x + by,
  width: Math.max(0, area.width - by),
})

/** The rectangle without its last `by` columns. */
export const trimEnd = (area: Rect, by: number): Rect => ({ ...area, width: Math.max(0, area.width - by) })

/** The name of a control before a line that names end at. */
export const withColon = (name: string): string => (/[:?!.…：]$/.test(name) ? name : `${name}:`)

/** An icon in the middle of an area. */
export const iconIn = (area: Rect, name: DrawnIcon, size: number, colour: string): DrawOp =>
  icon(
    { x: area.x + Math.floor((area.width - size) / 2), y: area.y + Math.floor((area.height - size) / 2) },
    name,
    size,
    colour,
  )

/** The colour that a filled background gives to what is on it. Undefined where it is as on the surface. */
function onFill({ theme, tone }: PaintContext): string | undefined {
  if (tone === 'accent') return theme.onAccent
  if (tone === 'destructive') return theme.controls.onDestructive
  const ink = tone === 'selected' ? theme.onRow : tone === 'item' ? theme.onItem : undefined
  return ink === theme.text ? undefined : ink
}

/** Whether texts have another colour on the background than on the surface. */
export const hasOwnInk = (setting: PaintContext): boolean => onFill(setting) !== undefined

/** The text colour of a control. */
export function inkOf(element: Element, setting: PaintContext): string {
  const { theme, tone } = setting
  if (tone === 'dark') return theme.tooltipText
  if (tone === 'terminal') return theme.onTerminal
  return onFill(setting) ?? (element.enabled ? theme.text : theme.disabled)
}

/** The colour of secondary text. */
export function softInkOf(element: Element, setting: PaintContext): string {
  const { theme, tone } = setting
  if (tone === 'dark' || tone === 'terminal') return inkOf(element, setting)
  return onFill(setting) ?? (element.enabled ? theme.muted : theme.disabled)
}

/** The colour of an icon beside text. */
export const pictureInkOf = (element: Element, setting: PaintContext): string =>
  onFill(setting) ?? (element.enabled ? (setting.theme.rowIcon ?? setting.theme.accent) : setting.theme.disabled)

/** The colour of a link. */
export const linkInkOf = (element: Element, setting: PaintContext): string =>
  onFill(setting) ?? (element.enabled ? setting.theme.link : setting.theme.disabled)

/** Whether the background is that of a selected row, a current item or a default button. */
export const isFilled = ({ tone }: PaintContext): boolean => tone === 'selected' || tone === 'item' || tone === 'accent'

/** Whether this item is focused, or the current item of its container. */
export const isCurrent = (element: Element, setting: PaintContext): boolean =>
  element.focused || setting.current === element.id

/** The focus ring around the focused control. */
export function focusRing(
  element: Element,
  setting: PaintContext,
  area = element.bounds,
  radius = setting.theme.metrics.radius.control,
): readonly DrawOp[] {
  return element.focused ? setting.chrome.focusRing(area, radius, setting.theme, element) : []
}

/** The background of a part that only shows what the pointer does. */
export const pointedBack = (area: Rect, { chrome, theme, pointed }: PaintContext): readonly DrawOp[] =>
  pointed
    ? chrome.rowBack(area, theme, { isSelected: false, isCurrent: false, isInPopup: true, ...pointerFeedback(pointed) })
    : []

/** Whether an element has no shown children, except popups such as a tooltip or menu. */
export const isBare = (element: Element): boolean =>
  element.children.every((child) => child.traits?.hidden === true || COMES_UP.has(visibilityOf(element, child)))

const COMES_UP: ReadonlySet<Visibility> = new Set<Visibility>(['folded', 'popup'])

/** The position of a control's number in its range, 0 to 1. Undefined without a number. */
export function fractionOf({ valueNow, valueMin = 0, valueMax = 100, value }: Element): number | undefined {
  const now = valueNow ?? numberIn(value)
  if (now === undefined || valueMax <= valueMin) return undefined
  return Math.min(1, Math.max(0, (now - valueMin) / (valueMax - valueMin)))
}

function numberIn(value: string | null): number | undefined {
  const found = value === null ? null : /-?\d+(?:\.\d+)?/.exec(value)
  return found ? Number(found[0]) : undefined
}
