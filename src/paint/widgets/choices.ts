import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { box, type Mark } from '../frame/mark.ts'
import { label } from '../text/text.ts'
import type { Theme } from '../theme.ts'
import {
  after,
  focusRing,
  fontFor,
  iconIn,
  inkOf,
  inset,
  isBare,
  type PaintContext,
  squareIn,
  type WidgetPainter,
} from './widget.ts'

const SIZE = 17
const GAP = 9
const EDGE = 8

/** A box with a check mark, or a dash if it is mixed, and its name. */
export const checkbox: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const square = signPlace(element, setting)
  const mixed = isMixed(element)
  const isOn = mixed || element.selected === true
  const face = faceOf(element, theme, isOn, square, 4)
  const sign = isOn ? [iconIn(square, mixed ? 'dash' : 'check', square.width - 1, theme.onAccent)] : []
  return { marks: [face, ...sign, ...named(element, setting, square.width), ...focusRing(element, setting, square, 4)] }
}

/** The bounds of the box or circle: at the left, but not at the very edge of a window. */
const signPlace = ({ bounds }: Element, { flush }: PaintContext): Rect =>
  squareIn(bounds, Math.min(SIZE, bounds.height), flush ? EDGE : 0)

/** Whether a check box is mixed. */
export const isMixed = ({ value }: Element): boolean => value === 'mixed' || value === 'indeterminate'

/** A circle with a dot, and its name. */
export const radio: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const square = signPlace(element, setting)
  const isOn = element.selected === true
  const face = faceOf(element, theme, isOn, square, square.width / 2)
  const dot = inset(square, Math.round(square.width * 0.32))
  const sign = isOn ? [box(dot, { fill: theme.onAccent, radius: dot.width / 2 })] : []
  return {
    marks: [
      face,
      ...sign,
      ...named(element, setting, square.width),
      ...focusRing(element, setting, square, square.width / 2),
    ],
  }
}

/** The box or circle, filled if it is on. */
function faceOf({ enabled }: Element, theme: Theme, isOn: boolean, square: Rect, radius: number): Mark {
  const on = enabled ? theme.accent : theme.disabled
  const off = enabled ? theme.field : theme.fieldDisabled
  const edge = enabled ? theme.strong : theme.disabled
  return box(square, { fill: isOn ? on : off, border: isOn ? on : edge, radius })
}

function named(element: Element, setting: PaintContext, used: number): readonly Mark[] {
  if (!isBare(element)) return []
  const font = fontFor(element.bounds.height)
  const sign = used + GAP + (setting.flush ? EDGE : 0)
  return label(after(element.bounds, sign), element.name, { font, colour: inkOf(element, setting) })
}
