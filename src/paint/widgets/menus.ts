import { shortcutText } from '../../desktop/input/shortcut.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import { box, type DrawOp, solid } from '../frame/draw-op.ts'
import { label, labels } from '../frame/label.ts'
import { type DrawnIcon, iconFor } from '../icons.ts'
import { pointerFeedback } from '../pointed.ts'
import {
  focusRing,
  fontFor,
  iconIn,
  inkOf,
  inset,
  isBare,
  isCurrent,
  type PaintContext,
  softInkOf,
  squareIn,
  trimEnd,
  trimStart,
  type WidgetDrawing,
  type WidgetPainter,
} from './widget.ts'

/** The strip of a window's menus. */
export const menuBar: WidgetPainter = (element, { theme }) => {
  const { bounds } = element
  return {
    ops: [solid(bounds, theme.bar), solid({ ...bounds, y: bounds.y + bounds.height - 1, height: 1 }, theme.line)],
    tone: 'bar',
  }
}

/** The name of a menu that is an item of a bar or menu. Any other menu is painted by its items when it is open. */
export const menu: WidgetPainter = (element, setting) =>
  setting.parent !== 'menubar' && setting.parent !== 'menu' && element.expanded === true
    ? { ops: [] }
    : menuItem(element, setting)

/** An item of a menu bar or an open menu: check mark or icon, name, shortcut, arrow. */
export const menuItem: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  if (setting.parent === 'menubar') return { ops: inBar(element, setting) }
  // The pointer makes the item that it is moved to the current one.
  const isPointed = element.traits?.inMore === true && pointerFeedback(setting.pointed).isHovered
  const isLit = isCurrent(element, setting) || element.expanded === true || isPointed
  const lit: PaintContext = isLit ? { ...setting, tone: 'item' } : setting
  const colour = inkOf(element, lit)
  const sign = signOf(element, setting)
  const opens = element.children.some((child) => roleKind(child.role) !== 'text')
  const words = trimEnd(trimStart(bounds, theme.menuIndent), opens ? 26 : 12)
  const font = fontFor(theme, bounds.height + 2, 'menu')
  return {
    ops: [
      ...(isLit ? setting.chrome.rowBack(bounds, theme, { isSelected: false, isCurrent: true, isInPopup: true }) : []),
      ...(sign ? [iconIn({ ...bounds, width: theme.menuIndent }, sign, 14, colour)] : []),
      ...labels(
        words,
        { content: element.name, font, colour },
        {
          content: shortcutText(element.keyboardShortcut ?? '', theme.metrics.popup.keySigns),
          font,
          colour: softInkOf(element, lit),
        },
      ),
      ...(opens
        ? [iconIn({ ...bounds, x: bounds.x + bounds.width - 24, width: 20 }, 'chevron-right', 14, colour)]
        : []),
    ],
  }
}

/** The icon before a name: a check mark, a radio dot, a dash if it is mixed, or its own icon if the style has such. */
function signOf(element: Element, { theme }: PaintContext): DrawnIcon | undefined {
  if (isMixed(element)) return 'dash'
  if (element.selected === true) return roleKind(element.role) === 'radio' ? 'dot' : 'check'
  return theme.hasMenuIcons ? iconFor(element.traits?.icon, theme) : undefined
}

const MENUS = rolesWith('menu')

/** A check box or radio button, which in a menu is an item like the others. */
export const inMenu =
  (outside: WidgetPainter): WidgetPainter =>
  (element, setting) =>
    MENUS.has(setting.parent) ? menuItem(element, setting) : outside(element, setting)

function inBar(element: Element, setting: PaintContext): readonly DrawOp[] {
  const { bounds } = element
  const isLit =
    element.expanded === true || isCurrent(element, setting) || pointerFeedback(setting.pointed, true).isHovered
  const font = fontFor(setting.theme, bounds.height, 'menu')
  const back = isLit
    ? [box(inset(bounds, 1, 2), { fill: setting.theme.selected, radius: setting.theme.metrics.radius.row })]
    : []
  return [
    ...back,
    ...label(inset(bounds, 4, 0), element.name, { font, colour: inkOf(element, setting), align: 'center' }),
  ]
}

const EDGE = 8

/** A box with a check mark, or a dash if it is mixed, and its name. */
export const checkbox: WidgetPainter = (element, setting) => signed(element, setting, 'box')

/** A circle with a dot, and its name. */
export const radio: WidgetPainter = (element, setting) => signed(element, setting, 'circle')

function signed(element: Element, setting: PaintContext, shape: 'box' | 'circle'): WidgetDrawing {
  const { theme, chrome } = setting
  const square = signPlace(element, setting)
  const radius = shape === 'box' ? theme.metrics.radius.sign : square.width / 2
  return {
    ops: [
      ...chrome.sign(element, theme, square, { shape, ...pointerFeedback(setting.pointed) }),
      ...named(element, setting, square.width),
      ...focusRing(element, setting, square, radius),
    ],
  }
}

/** The bounds of the box or circle: at the left, but not at the very edge of a window. */
const signPlace = ({ bounds }: Element, { flush, theme }: PaintContext): Rect =>
  squareIn(bounds, Math.min(theme.sign.size, bounds.height), flush ? EDGE : 0)

/** Whether a check box is mixed. */
const isMixed = ({ value }: Element): boolean => value === 'mixed' || value === 'indeterminate'

function named(element: Element, setting: PaintContext, used: number): readonly DrawOp[] {
  if (!isBare(element)) return []
  const font = fontFor(setting.theme, element.bounds.height)
  const sign = used + setting.theme.sign.gap + (setting.flush ? EDGE : 0)
  return label(trimStart(element.bounds, sign), element.name, { font, colour: inkOf(element, setting) })
}
