/** Physical screen pixels; the origin is the top left corner of the primary monitor. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface Rect extends Point {
  readonly width: number
  readonly height: number
}

export const EMPTY_RECT: Rect = { x: 0, y: 0, width: 0, height: 0 }

/** The pixel that a click uses: `x + width div 2`, `y + height div 2` (observer document, "Coordinates"). */
export const centerOf = (rect: Rect): Point => ({
  x: rect.x + Math.floor(rect.width / 2),
  y: rect.y + Math.floor(rect.height / 2),
})

export const isEmptyRect = (rect: Rect): boolean => rect.width <= 0 || rect.height <= 0

export const contains = (rect: Rect, { x, y }: Point): boolean =>
  x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height

export const encloses = (outer: Rect, inner: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

export const sameRect = (a: Rect, b: Rect): boolean =>
  a === b || (a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height)

/** The intersection, or undefined if it is empty. */
export function intersect(a: Rect, b: Rect): Rect | undefined {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** The smallest rectangle around both. An empty rectangle is ignored. */
export function unite(a: Rect, b: Rect): Rect {
  if (isEmptyRect(a)) return b
  if (isEmptyRect(b)) return a
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

/** The parts of `rect` outside `hole`: a strip above, one below, one to the left, one to the right. */
export function subtract(rect: Rect, hole: Rect): readonly Rect[] {
  const shared = intersect(rect, hole)
  if (!shared) return isEmptyRect(rect) ? [] : [rect]
  const below = shared.y + shared.height
  const right = shared.x + shared.width
  const strips: Rect[] = [
    { x: rect.x, y: rect.y, width: rect.width, height: shared.y - rect.y },
    { x: rect.x, y: below, width: rect.width, height: rect.y + rect.height - below },
    { x: rect.x, y: shared.y, width: shared.x - rect.x, height: shared.height },
    { x: right, y: shared.y, width: rect.x + rect.width - right, height: shared.height },
  ]
  return strips.filter((strip) => !isEmptyRect(strip))
}

/** The parts of `rect` that none of `holes` covers. */
export const subtractAll = (rect: Rect, holes: readonly Rect[]): readonly Rect[] =>
  holes.reduce<readonly Rect[]>(
    (pieces, hole) => pieces.flatMap((piece) => subtract(piece, hole)),
    isEmptyRect(rect) ? [] : [rect],
  )

export const translate = (rect: Rect, dx: number, dy: number): Rect => ({ ...rect, x: rect.x + dx, y: rect.y + dy })
