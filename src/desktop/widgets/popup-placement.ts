import { shortcutText } from '../input/shortcut.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { centerOf, isEmptyRect, type Point, type Rect } from '../model/geometry.ts'
import { roleKind, rolesWith } from '../model/role.ts'
import { textWidth } from '../model/text-width.ts'
import type { PopupMetrics, TextMetrics } from '../style/metrics.ts'
import { styleMetrics } from '../style/style.ts'
import { changeRef, closest, type ElementRef, parentOf, refresh, withTraits } from '../tree/element-ref.ts'
import { moved, placed } from '../tree/tree-edits.ts'
import { moreButtonOf, visibilityOf } from '../tree/visibility.ts'
import { workArea } from '../windows/panel.ts'
import { monitorOf } from '../windows/windowing.ts'
import { isMissingCalendar, openCalendar } from './date.ts'
import { openPopups } from './popup.ts'

const WHEEL_ROWS = 3
/** A single list or menu that contains all rows. */
const CONTAINERS = rolesWith('popupBody')

export type Side = 'below' | 'beside' | { readonly at: Point }
/** The side of its menu on which a submenu opens if there is space on both. */
type Onward = 'right' | 'left'

/** Opens a menu or drop-down list: places its rows below or beside their owner, or at a point, on one monitor. */
export function openPopup(desktop: Desktop, owner: ElementRef, side: Side): Desktop {
  const onward = onwardOf(owner)
  return changeRef(desktop, owner, (element) => opened(desktop, { ...element, expanded: true }, side, onward))
}

/** Submenus continue to the side of their parent menu, so that none covers its ancestors. */
function onwardOf(owner: ElementRef): Onward {
  const parent = parentOf(owner)
  const around = parent && closest(parent, ({ traits }) => traits?.popup !== undefined)?.element
  const popup = around?.traits?.popup
  return popup && popup.x + popup.width <= around.bounds.x ? 'left' : 'right'
}

/** Places popups that a scenario wrote as open, as if they had just been opened. */
export function withPopupsPlaced(desktop: Desktop): Desktop {
  let next = desktop
  for (const window of desktop.windows)
    for (const popup of openPopups(window)) {
      const here = refresh(next, popup)
      if (here && isUnplaced(here.element)) next = openPopup(next, here, sideOf(here))
      else if (here && isMissingCalendar(here.element)) next = openCalendar(next, here)
    }
  return next
}

function isUnplaced(owner: Element): boolean {
  const rows = owner.traits?.popup ? [] : popupRowsOf(owner)
  return rows.length > 0 && rows.every(({ bounds }) => isEmptyRect(bounds))
}

function sideOf(owner: ElementRef): Side {
  const parent = parentOf(owner)
  const around = parent && roleKind(parent.element.role)
  if (around === 'menu' || around === 'menuitem') return 'beside'
  const isContext = roleKind(owner.element.role) === 'menu' && parent && around !== 'menubar'
  return isContext ? { at: centerOf(parent.element.bounds) } : 'below'
}

/** The rows of an open popup, also inside the single list or menu that contains them. */
export function popupRowsOf(owner: Element): readonly Element[] {
  const shown = risen(owner)
  const only = shown.length === 1 ? shown[0] : undefined
  return only && CONTAINERS.has(roleKind(only.role)) && only.children.length > 0 ? only.children : shown
}

const risen = (owner: Element): readonly Element[] =>
  owner.children.filter(
    (child) => !child.traits?.hidden && visibilityOf({ ...owner, expanded: true }, child) === 'popup',
  )

function opened(desktop: Desktop, owner: Element, side: Side, onward: Onward): Element {
  const rows = popupRowsOf(owner)
  if (rows.length === 0) return owner
  const { popup: metrics, text } = styleMetrics(desktop.style)
  const { padding } = metrics
  const heights = rows.map((row) => heightOfRow(row, metrics))
  const wanted = heights.reduce((sum, height) => sum + height, 2 * padding)
  const anchor = moreButtonOf(owner)?.bounds ?? owner.bounds
  const longest = Math.max(...rows.map((row) => wordsWidth(row, metrics, text)))
  const width = Math.max(metrics.minWidth, longest + metrics.rowMargin, side === 'below' ? anchor.width : 0)
  const popup = popupPlace(desktop, anchor, side, onward, { width, height: wanted })
  const at = new Map<string, Rect>()
  let y = popup.y + padding
  rows.forEach((row, index) => {
    at.set(row.id, { x: popup.x + padding, y, width: popup.width - 2 * padding, height: heights[index]! })
    y += heights[index]!
  })
  const children = owner.children.map((child) => {
    const own = at.get(child.id)
    if (own) return placed(child, own)
    if (!risen(owner).includes(child)) return child
    const inside = child.children.map((row) => placed(row, at.get(row.id) ?? row.bounds))
    const isMenu = roleKind(child.role) === 'menu'
    return { ...child, bounds: popup, children: inside, ...(isMenu ? { expanded: true } : {}) }
  })
  // A menu opened at a point has the bounds of its rows. One that is an item of a bar or menu keeps its bounds.
  const bounds = typeof side === 'object' ? popup : owner.bounds
  return { ...withTraits(owner, { popup, current: undefined, scrolled: undefined }), bounds, children }
}

/** Between the name and the shortcut of a row. */
const SHORTCUT_GAP_PX = 24

/** What the arrow of a submenu takes beyond the margin of a row. */
const ARROW_PX = 14

/** The width of the name and the shortcut of a row. */
function wordsWidth(
  { name, keyboardShortcut, children }: Element,
  { character, keySigns }: PopupMetrics,
  { body, family }: TextMetrics,
): number {
  if (character !== undefined) return (name.length + (keyboardShortcut?.length ?? -3) + 3) * character
  const keys = shortcutText(keyboardShortcut ?? '', keySigns)
  const shortcut = keys === '' ? 0 : SHORTCUT_GAP_PX + textWidth(keys, body, family)
  return textWidth(name, body, family) + shortcut + (children.length > 0 ? ARROW_PX : 0)
}

const heightOfRow = (row: Element, { row: height, separator }: PopupMetrics): number =>
  roleKind(row.role) === 'separator' ? separator : height

/** The place with the most space, and no larger than it. */
function popupPlace(
  desktop: Desktop,
  owner: Rect,
  side: Side,
  onward: Onward,
  { width, height }: Pick<Rect, 'width' | 'height'>,
): Rect {
  const anchor = typeof side === 'object' ? { ...side.at, width: 0, height: 0 } : owner
  const monitor = monitorOf(desktop, {
    ...anchor,
    width: Math.max(1, anchor.width),
    height: Math.max(1, anchor.height),
  })
  const area = monitor ? workArea(desktop, monitor) : { ...anchor, width, height }
  const wide = Math.min(width, area.width)
  const within = (at: number, size: number, from: number, room: number) =>
    Math.max(from, Math.min(at, from + room - size))
  const whole = (x: number, y: number): Rect => {
    const high = Math.min(height, area.height)
    return {
      x: within(x, wide, area.x, area.width),
      y: within(y, high, area.y, area.height),
      width: wide,
      height: high,
    }
  }
  if (side === 'beside') {
    const [left, right] = [anchor.x - wide, anchor.x + anchor.width]
    const isLeft = onward === 'left' ? left >= area.x : right + wide > area.x + area.width
    return whole(isLeft ? left : right, anchor.y - styleMetrics(desktop.style).popup.padding)
  }
  const roomBelow = area.y + area.height - (anchor.y + anchor.height)
  const roomAbove = anchor.y - area.y
  // A popup at a point may cover the point. A popup of a control may not cover the control.
  if (typeof side === 'object' && height > Math.max(roomBelow, roomAbove)) return whole(anchor.x, anchor.y)
  const below = height <= roomBelow || roomBelow >= roomAbove
  const high = Math.max(0, Math.min(height, below ? roomBelow : roomAbove))
  const y = below ? anchor.y + anchor.height : anchor.y - high
  return { x: within(anchor.x, wide, area.x, area.width), y, width: wide, height: high }
}

/** Marks the current row and scrolls it into view. */
export function pointAt(desktop: Desktop, owner: ElementRef, id: string | undefined): Desktop {
  const row = popupRowsOf(owner.element).find((each) => each.id === id)
  const popup = owner.element.traits?.popup
  const by = row && popup ? shortfallIn(popup, row.bounds) : 0
  return changeRef(desktop, owner, (element) => {
    if (element.traits?.current === id && by === 0) return element
    return withTraits(rowsMoved(element, -by), { current: id })
  })
}

/** The bounds of an open popup, its scroll offset and its maximum scroll offset. */
export function popupView(
  owner: Element,
): { readonly bounds: Rect; readonly offset: number; readonly most: number } | undefined {
  // A calendar changes by months instead.
  const bounds = roleKind(owner.role) === 'date' ? undefined : owner.traits?.popup
  const rows = bounds ? popupRowsOf(owner) : []
  const [first, last] = [rows[0]?.bounds, rows.at(-1)?.bounds]
  if (!bounds || !first || !last) return undefined
  const padding = first.x - bounds.x
  const height = last.y + last.height - first.y + 2 * padding
  return { bounds, offset: bounds.y + padding - first.y, most: Math.max(0, height - bounds.height) }
}

/** Scrolls an open popup by wheel clicks, positive up. Returns undefined at the end. */
export function scrollPopup(desktop: Desktop, owner: ElementRef, clicks: number): Desktop | undefined {
  const { popup } = styleMetrics(desktop.style)
  const offset = popupView(owner.element)?.offset ?? 0
  const next = scrollPopupTo(desktop, owner, offset - clicks * WHEEL_ROWS * popup.row)
  return next === desktop ? undefined : next
}

/** Scrolls an open popup to an offset in pixels, clamped to its rows. */
export function scrollPopupTo(desktop: Desktop, owner: ElementRef, offset: number): Desktop {
  const view = popupView(owner.element)
  if (!view) return desktop
  const to = Math.round(Math.max(0, Math.min(offset, view.most)))
  return changeRef(desktop, owner, (element) => rowsMoved(element, view.offset - to))
}

function rowsMoved(owner: Element, dy: number): Element {
  if (dy === 0) return owner
  const rows = new Set(popupRowsOf(owner).map(({ id }) => id))
  const children = owner.children.map((child) => {
    if (rows.has(child.id)) return moved(child, 0, dy)
    const inside = child.children.some(({ id }) => rows.has(id))
    return inside ? { ...child, children: child.children.map((row) => moved(row, 0, dy)) } : child
  })
  return { ...owner, children }
}

function shortfallIn(popup: Rect, row: Rect): number {
  const padding = row.x - popup.x
  if (row.y < popup.y + padding) return row.y - popup.y - padding
  return Math.max(0, row.y + row.height + padding - (popup.y + popup.height))
}
