import type { Window } from '../model/desktop.ts'
import { contains, type Point, type Rect, unite } from '../model/geometry.ts'

/** Where a window's title bar and its buttons are, in screen pixels; hit tests and paint share it. */
export interface WindowFrame {
  readonly title: Rect
  readonly close: Rect
  readonly maximize: Rect
  readonly minimize: Rect
}

/** The sides of a window that a pointer drags; two of them make a corner. */
export interface ResizeEdges {
  readonly left: boolean
  readonly top: boolean
  readonly right: boolean
  readonly bottom: boolean
}

export const TITLE_HEIGHT = 32
const BUTTON_SIZE = 14
/** From the middle of one button to the middle of the next, and a little less to the edge of the window. */
const BUTTON_STEP = 22
const BUTTON_INSET = 20
const EDGE = 4
const CORNER = 12

/** The title bar of a window, or undefined when it has none or is minimised. */
export function titleBarOf(window: Window): Rect | undefined {
  if (window.frame === 'none' || window.state === 'minimized') return undefined
  const { x, y, width } = window.bounds
  return { x, y: window.frame === 'inside' ? y : y - TITLE_HEIGHT, width, height: TITLE_HEIGHT }
}

/** The frame of a window, or undefined when it has none or is minimised. */
export function frameOf(window: Window): WindowFrame | undefined {
  const title = titleBarOf(window)
  if (!title) return undefined
  const { x, y: top, width } = title
  const button = (place: number): Rect => ({
    x: x + width - BUTTON_INSET - place * BUTTON_STEP - BUTTON_SIZE / 2,
    y: top + (TITLE_HEIGHT - BUTTON_SIZE) / 2,
    width: BUTTON_SIZE,
    height: BUTTON_SIZE,
  })
  return {
    title,
    close: button(0),
    maximize: button(1),
    minimize: button(2),
  }
}

/** Everything a window covers: its bounds and a title bar above them. */
export function outerBounds(window: Window): Rect {
  const title = titleBarOf(window)
  return title ? unite(title, window.bounds) : window.bounds
}

/** Which sides of a framed, normal window a drag from `point` moves; undefined when it is not at an edge. */
export function edgesAt(window: Window, point: Point): ResizeEdges | undefined {
  if (window.frame === 'none' || window.state !== 'normal') return undefined
  const outer = outerBounds(window)
  if (!contains(outer, point)) return undefined
  const near = {
    left: point.x - outer.x,
    top: point.y - outer.y,
    right: outer.x + outer.width - 1 - point.x,
    bottom: outer.y + outer.height - 1 - point.y,
  }
  if (Math.min(near.left, near.top, near.right, near.bottom) >= EDGE) return undefined
  return {
    left: near.left < CORNER,
    top: near.top < CORNER,
    right: near.right < CORNER,
    bottom: near.bottom < CORNER,
  }
}
