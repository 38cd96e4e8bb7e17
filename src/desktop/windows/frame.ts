import type { Window } from '../model/desktop.ts'
import { contains, type Point, type Rect, unite } from '../model/geometry.ts'
import type { ResizeEdges } from '../model/held.ts'

/** The bounds of a window's title bar and its buttons, in screen pixels, for hit tests and paint. */
export interface WindowFrame {
  readonly title: Rect
  readonly close: Rect
  readonly maximize: Rect
  readonly minimize: Rect
}

export const TITLE_HEIGHT = 32
const BUTTON_SIZE = 14
/** From the middle of one button to the middle of the next, and a little less to the edge of the window. */
const BUTTON_STEP = 22
const BUTTON_INSET = 20
const EDGE = 4
const CORNER = 12

/** The title bar of a window. Undefined if it has none or is minimised. */
export function titleBarOf(window: Window): Rect | undefined {
  if (window.frame === 'none' || window.state === 'minimized') return undefined
  const { x, y, width } = window.bounds
  return { x, y: window.frame === 'inside' ? y : y - TITLE_HEIGHT, width, height: TITLE_HEIGHT }
}

/** The frame of a window. Undefined if it has none or is minimised. */
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

/** The bounds of a window including a title bar above them. */
export function outerBounds(window: Window): Rect {
  const title = titleBarOf(window)
  return title ? unite(title, window.bounds) : window.bounds
}

/** The sides of a framed, normal window that a drag from `point` moves. Undefined away from the edges. */
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
