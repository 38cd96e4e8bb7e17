import { type Rect, sameRect, translate } from '../../../desktop/model/geometry.ts'
import type { XWindow } from '../x11/x-windows.ts'
import type { Toolkit } from './accessibility.ts'
import type { AccessibleNode } from './accessible-node.ts'
import { ROLE } from './roles.ts'

/** The geometry of the X window that shows a tree. */
export type WindowGeometry = Pick<XWindow, 'bounds' | 'inner' | 'shadow'>

/** Rectangles that differ by at most this much count as equal, because of borders and shadows. */
const TOLERANCE_PX = 12
/** The relative tolerance between the horizontal and the vertical scale. */
const SCALE_TOLERANCE = 0.03
const MAX_SCALE = 4

/** The number of screen pixels per program pixel, and the origin of the window in both units. */
interface Scale {
  readonly by: number
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** Converts extents to screen pixels (window pixels for GTK 4), for programs that measure in larger pixels. */
export function toScreenPixels(node: AccessibleNode, toolkit: Toolkit, drawn: WindowGeometry): AccessibleNode {
  const scale = scaleOf(node, toolkit, drawn)
  const scaled = scale ? scaleTree(node, scale, toolkit) : node
  return toolkit === 'gtk3' ? alignRootPane(scaled) : scaled
}

/** Compares the size that a program reports for its window with that of the X window. Undefined when they are equal. */
function scaleOf(
  { extents }: AccessibleNode,
  toolkit: Toolkit,
  { bounds, inner, shadow }: WindowGeometry,
): Scale | undefined {
  if (!extents) return undefined
  const { left, right, top, bottom } = shadow
  const content = {
    x: inner.x + left,
    y: inner.y + top,
    width: inner.width - left - right,
    height: inner.height - top - bottom,
  }
  const drawn = [inner, bounds, content]
  if (drawn.some((rect) => near(rect.width, extents.width) && near(rect.height, extents.height))) return undefined
  const found = drawn.map((rect) => ({ rect, x: rect.width / extents.width, y: rect.height / extents.height }))
  for (const { rect, x, y } of found) {
    const by = commonScale(x, y, toolkit)
    if (by === undefined) continue
    // GTK 4 measures from the window, GTK 3 from the corner of the screen.
    if (toolkit === 'gtk4' || toolkit === 'gtk3') return { by, from: { x: 0, y: 0 }, to: { x: 0, y: 0 } }
    return { by, from: extents, to: rect }
  }
  return undefined
}

/** GTK supports whole scales only. The border that it draws makes the ratios uneven. */
function commonScale(x: number, y: number, toolkit: Toolkit): number | undefined {
  const isGtk = toolkit === 'gtk3' || toolkit === 'gtk4'
  const by = isGtk ? Math.round((x + y) / 2) : (x + y) / 2
  const tolerance = isGtk ? 0.15 : SCALE_TOLERANCE
  if (by <= 1 + SCALE_TOLERANCE || by > MAX_SCALE + SCALE_TOLERANCE) return undefined
  return Math.abs(x - by) <= tolerance * by && Math.abs(y - by) <= tolerance * by ? by : undefined
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE_PX

function scaleRect(rect: Rect, { by, from, to }: Scale): Rect {
  const x = Math.round((rect.x - from.x) * by + to.x)
  const y = Math.round((rect.y - from.y) * by + to.y)
  return {
    x,
    y,
    width: Math.round((rect.x + rect.width - from.x) * by + to.x) - x,
    height: Math.round((rect.y + rect.height - from.y) * by + to.y) - y,
  }
}

/** Chromium scales its own controls, but counts in pixels within a page. */
function scaleTree(node: AccessibleNode, scale: Scale, toolkit: Toolkit, parent?: AccessibleNode): AccessibleNode {
  const isPage = toolkit === 'chromium' && node.role === ROLE.documentWeb && isLarger(node.extents, parent?.extents)
  const { by, from, to } = scale
  const inside = isPage ? { by: 1, from: { x: from.x * by, y: from.y * by }, to } : scale
  return {
    ...node,
    extents: node.extents && scaleRect(node.extents, inside),
    ...(node.actionNode ? { actionNode: scaleTree(node.actionNode, inside, toolkit) } : {}),
    children: node.children.map((child) => scaleTree(child, inside, toolkit, node)),
  }
}

/** A page fills what it is in, unless it counts in smaller pixels. */
const isLarger = (page: Rect | undefined, around: Rect | undefined): boolean =>
  page !== undefined && around !== undefined && page.width > around.width * (1 + SCALE_TOLERANCE)

/**
 * Until its window moves, LibreOffice reports its own widgets too high, by the height of the menu bar: its root pane does
 * not match the widget that it fills. Embedded GTK widgets report correct positions.
 */
function alignRootPane(node: AccessibleNode, parent?: AccessibleNode): AccessibleNode {
  if (node.role === ROLE.rootPane && parent?.extents && node.extents) {
    const { width, height, x, y } = node.extents
    const shift = { x: parent.extents.x - x, y: parent.extents.y - y }
    const fills = width === parent.extents.width && height === parent.extents.height
    if (fills && (shift.x !== 0 || shift.y !== 0)) return move(node, shift)
    return node
  }
  const children = node.children.map((child) => alignRootPane(child, node))
  return children.every((child, at) => child === node.children[at]) ? node : { ...node, children }
}

function move(node: AccessibleNode, shift: { readonly x: number; readonly y: number }): AccessibleNode {
  const extents = node.extents && translate(node.extents, shift.x, shift.y)
  const isGtk = ({ extents: own }: AccessibleNode) =>
    own !== undefined && extents !== undefined && sameRect(own, extents)
  return {
    ...node,
    extents,
    ...(node.actionNode ? { actionNode: move(node.actionNode, shift) } : {}),
    children: node.children.map((child) => (isGtk(child) ? child : move(child, shift))),
  }
}
