import { type Point, type Rect, translate, unite } from '../../../desktop/model/geometry.ts'
import type { DesktopWindow, RightPress } from '../desktop-backend.ts'
import type { Toolkit } from './accessibility.ts'
import type { AccessibleNode } from './accessible-node.ts'
import { ROLE } from './roles.ts'

/** Sizes that differ by at most this much are equal. */
const TOLERANCE_PX = 2
/** GTK 3 places what is not drawn at the smallest integer. */
const NOWHERE = -1_000_000
/** The content of a window, at most this far below its frame. */
const MAX_CONTENT_DEPTH = 4

/**
 * The point of the screen that a program of Wayland counts its positions from. Programs know only positions in their window,
 * and each toolkit counts from another corner: of the surface with its shadow, of the window, or of its content.
 */
export function originOf(node: AccessibleNode, toolkit: Toolkit, { inner }: Pick<DesktopWindow, 'inner'>): Point {
  const { extents: frame } = node
  if (!frame || toolkit === 'gtk4') return { x: inner.x, y: inner.y }
  if (isSameSize(frame, inner)) return { x: inner.x - frame.x, y: inner.y - frame.y }
  if (toolkit === 'qt') return contentOrigin(frame, inner)
  if (frame.width < inner.width || frame.height < inner.height) return { x: inner.x - frame.x, y: inner.y - frame.y }
  // The frame is the surface, so something in it is where the window begins.
  const content = contentOf(node, inner, 0) ?? partsOf(node)
  return { x: inner.x - (content?.x ?? 0), y: inner.y - (content?.y ?? 0) }
}

/** Qt draws its decoration around its content: equal borders, and a title bar above. */
function contentOrigin(frame: Rect, inner: Rect): Point {
  const border = Math.max(0, Math.round((inner.width - frame.width) / 2))
  const title = Math.max(0, inner.height - frame.height - border)
  return { x: inner.x + border - frame.x, y: inner.y + title - frame.y }
}

/** The extents of the first object below a frame that has the size of the window. */
function contentOf({ children }: AccessibleNode, inner: Rect, depth: number): Rect | undefined {
  if (depth === MAX_CONTENT_DEPTH) return undefined
  const found = children.find(({ extents }) => extents && isSameSize(extents, inner))?.extents
  if (found) return found
  for (const child of children) {
    const below = contentOf(child, inner, depth + 1)
    if (below) return below
  }
  return undefined
}

/** The rectangle around the parts of a frame: the title bar that it draws, and its content. */
function partsOf({ children }: AccessibleNode): Rect | undefined {
  const parts = children.flatMap(({ extents }) => extents ?? [])
  return parts.length === 0 ? undefined : parts.reduce(unite)
}

const isSameSize = (a: Rect, b: Rect): boolean =>
  Math.abs(a.width - b.width) <= TOLERANCE_PX && Math.abs(a.height - b.height) <= TOLERANCE_PX

/**
 * GTK 4.8 places a popover at the corner of its button, and counts the positions in it from there. It is drawn below the button, with
 * the centres above each other.
 */
function withPopoversBelow(node: AccessibleNode): AccessibleNode {
  const { extents: button } = node
  let changed = false
  const children = node.children.map((child) => {
    const below = withPopoversBelow(child)
    const moved = button && isPopoverAt(button, below) ? movedTree(below, offsetBelow(button, below.extents!)) : below
    changed ||= moved !== child
    return moved
  })
  return changed ? { ...node, children } : node
}

const isPopoverAt = ({ x, y, width, height }: Rect, { role, extents }: AccessibleNode): boolean =>
  role === ROLE.menu &&
  extents !== undefined &&
  extents.x === x &&
  extents.y === y &&
  extents.width > width &&
  extents.height > height

const offsetBelow = (button: Rect, popover: Rect): Point => ({
  x: Math.round((button.width - popover.width) / 2),
  y: button.height,
})

/**
 * GTK 3 counts the positions in the menus of a bar from another corner than those of the bar. They are drawn below their items, so the
 * first item of a menu is placed there.
 */
function withMenusBelow(node: AccessibleNode): AccessibleNode {
  const children = node.children.map((child) => {
    if (node.role !== ROLE.menuBar) return withMenusBelow(child)
    const parts = child.children.flatMap(({ extents }) => (extents && extents.x > NOWHERE ? [extents] : []))
    if (!child.extents || parts.length === 0) return child
    const { x, y } = parts.reduce(unite)
    const by = { x: child.extents.x - x, y: child.extents.y + child.extents.height - y }
    return { ...child, children: child.children.map((item) => movedTree(item, by)) }
  })
  return children.every((child, index) => child === node.children[index]) ? node : { ...node, children }
}

/**
 * A context menu of GTK 3 where a press has opened it. GTK counts its position from the widget that was pressed, which it does not
 * report. The compositor places it beside the press, or turns or moves it so that it stays on the screen.
 */
export function withMenuAt(
  popup: AccessibleNode,
  { at, screen }: Pick<RightPress, 'at' | 'screen'>,
  origin: Point,
): AccessibleNode {
  const drawn = popup.children.find(({ role }) => role === ROLE.menu)?.extents
  if (!drawn) return popup
  const x = besidePress(at.x, drawn.width, screen.x, screen.x + screen.width)
  const y = besidePress(at.y, drawn.height, screen.y, screen.y + screen.height)
  return movedTree(popup, { x: x - origin.x - drawn.x, y: y - origin.y - drawn.y })
}

function besidePress(pressed: number, length: number, from: number, to: number): number {
  if (pressed + 1 + length <= to) return pressed + 1
  return pressed - length >= from ? pressed - length : Math.max(from, to - length)
}

/** A tree of a program of Wayland in which the menus that GTK places wrongly are below what has opened them. */
export function withPopupsBelow(node: AccessibleNode, toolkit: Toolkit): AccessibleNode {
  if (toolkit === 'gtk4') return withPopoversBelow(node)
  return toolkit === 'gtk3' ? withMenusBelow(node) : node
}

/** A tree whose extents are moved. */
export function movedTree(node: AccessibleNode, { x, y }: Point): AccessibleNode {
  if (x === 0 && y === 0) return node
  return {
    ...node,
    extents: node.extents && translate(node.extents, x, y),
    ...(node.actionNode && { actionNode: movedTree(node.actionNode, { x, y }) }),
    children: node.children.map((child) => movedTree(child, { x, y })),
  }
}
