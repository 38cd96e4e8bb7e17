import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { Mark } from '../frame/mark.ts'
import { pointerLook } from '../pointed.ts'
import { label } from '../text/text.ts'
import {
  after,
  focusRing,
  fontFor,
  inkOf,
  isBare,
  type PaintContext,
  squareIn,
  type WidgetDrawing,
  type WidgetPainter,
} from './widget.ts'

const EDGE = 8

/** A box with a check mark, or a dash if it is mixed, and its name. */
export const checkbox: WidgetPainter = (element, setting) => signed(element, setting, 'box')

/** A circle with a dot, and its name. */
export const radio: WidgetPainter = (element, setting) => signed(element, setting, 'circle')

function signed(element: Element, setting: PaintContext, look: 'box' | 'circle'): WidgetDrawing {
  const { theme, parts } = setting
  const square = signPlace(element, setting)
  const radius = look === 'box' ? theme.metrics.radius.sign : square.width / 2
  return {
    marks: [
      ...parts.sign(element, theme, square, { shape: look, ...pointerLook(setting.pointed) }),
      ...named(element, setting, square.width),
      ...focusRing(element, setting, square, radius),
    ],
  }
}

/** The bounds of the box or circle: at the left, but not at the very edge of a window. */
const signPlace = ({ bounds }: Element, { flush, theme }: PaintContext): Rect =>
  squareIn(bounds, Math.min(theme.sign.size, bounds.height), flush ? EDGE : 0)

/** Whether a check box is mixed. */
export const isMixed = ({ value }: Element): boolean => value === 'mixed' || value === 'indeterminate'

function named(element: Element, setting: PaintContext, used: number): readonly Mark[] {
  if (!isBare(element)) return []
  const font = fontFor(setting.theme, element.bounds.height)
  const sign = used + setting.theme.sign.gap + (setting.flush ? EDGE : 0)
  return label(after(element.bounds, sign), element.name, { font, colour: inkOf(element, setting) })
}
