import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { Kind } from '../../desktop/model/role.ts'
import type { NamePlacement } from '../../desktop/tree/caption.ts'
import { type Visibility, visibilityOf } from '../../desktop/tree/visibility.ts'
import { box, icon, type Mark } from '../frame/mark.ts'
import type { IconName } from '../icons.ts'
import type { Font } from '../text/fonts.ts'
import type { Theme } from '../theme.ts'

/** The context of a control. Its appearance depends only on this and the control itself. */
export interface PaintContext {
  readonly theme: Theme
  /** The kind of its parent. */
  readonly parent: Kind
  /** The tone of its background: `selected` rows are filled with the accent colour. */
  readonly tone: Tone
  /** Whether its index among its siblings is odd. */
  readonly odd: boolean
  readonly naming: NamePlacement
  /** The id of the current item of the list, tree, table or menu around it. */
  readonly current: string | undefined
  /** The bounds of the popup card that it shares with others. */
  readonly card: Rect | undefined
  /** Whether it starts at the left edge of its window, where elements without a frame are indented. */
  readonly flush?: boolean | undefined
  /** In the header of a table: for each column `r` if its cells are numbers, otherwise `l`. */
  readonly columns?: string | undefined
}

export type Tone = 'plain' | 'selected' | 'bar' | 'dark' | 'terminal'

/** The appearance of a control: `marks` below its children, `over` above them. */
export interface WidgetDrawing {
  readonly marks: readonly Mark[]
  readonly over?: readonly Mark[]
  /** The area that it covers completely, if it may be above others. */
  readonly covers?: Rect
  /** The tone of its children's background, if different from its own. */
  readonly tone?: Tone
}

export type WidgetPainter = (element: Element, setting: PaintContext) => WidgetDrawing

export const RADIUS = 6

const BODY = 14
const MIN_TEXT_SIZE_PX = 9

/** The interface font at the size that suits a control of this height. */
export const fontFor = (height: number, weight = 400, largest = BODY): Font => ({
  family: 'ui',
  size: Math.max(MIN_TEXT_SIZE_PX, Math.min(largest, Math.floor(height * 0.7))),
  weight,
})

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
export const after = (area: Rect, by: number): Rect => ({
  ...area,
  x: area.x + by,
  width: Math.max(0, area.width - by),
})

/** The rectangle without its last `by` columns. */
export const before = (area: Rect, by: number): Rect => ({ ...area, width: Math.max(0, area.width - by) })

/** An icon in the middle of an area. */
export const iconIn = (area: Rect, name: IconName, size: number, colour: string): Mark =>
  icon(
    { x: area.x + Math.floor((area.width - size) / 2), y: area.y + Math.floor((area.height - size) / 2) },
    name,
    size,
    colour,
  )

/** The text colour of a control. */
export function inkOf(element: Element, { theme, tone }: PaintContext): string {
  if (tone === 'selected') return theme.onAccent
  if (tone === 'dark') return theme.tooltipText
  if (tone === 'terminal') return theme.onTerminal
  return element.enabled ? theme.text : theme.disabled
}

/** The colour of secondary text. */
export function softInkOf(element: Element, setting: PaintContext): string {
  if (setting.tone !== 'plain' && setting.tone !== 'bar') return inkOf(element, setting)
  return element.enabled ? setting.theme.muted : setting.theme.disabled
}

/** The colour of an icon beside text. */
export const pictureInkOf = (element: Element, { theme, tone }: PaintContext): string =>
  tone === 'selected' ? theme.onAccent : element.enabled ? theme.accent : theme.disabled

/** Whether this item is focused, or the current item of its container. */
export const isCurrent = (element: Element, setting: PaintContext): boolean =>
  element.focused || setting.current === element.id

/** The focus ring around the focused control. */
export function focusRing(
  element: Element,
  setting: PaintContext,
  area = element.bounds,
  radius = RADIUS,
): readonly Mark[] {
  if (!element.focused) return []
  return [box(inset(area, -3), { border: setting.theme.ring, thickness: 3, radius: radius + 3 })]
}

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
