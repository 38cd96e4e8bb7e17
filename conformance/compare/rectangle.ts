/** A part of a picture or screen, in pixels. */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const center = ({ x, y, width, height }: Rectangle): { readonly x: number; readonly y: number } => ({
  x: x + Math.floor(width / 2),
  y: y + Math.floor(height / 2),
})

export const isEmpty = ({ width, height }: Rectangle): boolean => width <= 0 || height <= 0

export const inside = (outer: Rectangle, inner: Rectangle): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

export const overlap = (one: Rectangle, other: Rectangle): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height
