import type { Rect } from '../../../desktop/model/geometry.ts'
import { mixPixels } from '../blend.ts'
import type { Facet } from './backdrop-style.ts'
import { coverage, type RowPainter } from './row-painter.ts'
import { rowShades } from './shade.ts'

/** A side of a polygon: the distance of a point from it is `a · x + b · y + c`, positive inside. */
interface Side {
  readonly a: number
  readonly b: number
  readonly c: number
}

export function facetPainter(facet: Facet, { width, height }: Rect, soft: number): RowPainter {
  const corners = facet.corners.map(([x, y]) => [x * width, y * height] as const)
  const sides = sidesOf(corners)
  const { steps, pixelsOf } = rowShades(facet, width)
  const rows = corners.map(([, y]) => y)
  const highest = Math.floor(Math.min(...rows))
  const lowest = Math.ceil(Math.max(...rows))
  const half = soft / 2
  const shareAt = (x: number, row: number) =>
    coverage(Math.min(...sides.map(({ a, b, c }) => a * (x + 0.5) + b * (row + 0.5) + c)), soft)
  return {
    first: Math.floor(highest - half),
    fillsFrom: Number.POSITIVE_INFINITY,
    paint(pixels, start, row, from, width) {
      if (row > lowest + half) return
      const [left, right] = columnsInside(sides, row, -half, from, from + width)
      if (left >= right) return
      const place = Math.min(lowest - highest, Math.max(0, row - highest))
      const shades = pixelsOf(place, lowest - highest)
      const inner = columnsInside(sides, row, half, left, right)
      const [full, end] = inner[0] < inner[1] ? inner : [right, right]
      const shift = start - from
      const edge = (x: number) => {
        const share = Math.round(255 * shareAt(x, row))
        pixels[shift + x] = mixPixels(shades[steps[x]!]!, pixels[shift + x]!, share, 255)
      }
      for (let x = left; x < full; x++) edge(x)
      if (facet.right) for (let x = full; x < end; x++) pixels[shift + x] = shades[steps[x]!]!
      else pixels.fill(shades[0]!, shift + full, shift + end)
      for (let x = end; x < right; x++) edge(x)
    },
  }
}

/** The sides of a convex polygon, whose corners may go round either way. */
function sidesOf(corners: readonly (readonly [number, number])[]): readonly Side[] {
  const next = (at: number) => corners[(at + 1) % corners.length]!
  const turn = corners.reduce((sum, [x, y], at) => sum + x * next(at)[1] - next(at)[0] * y, 0) < 0 ? -1 : 1
  return corners.map(([x, y], at) => {
    const [toX, toY] = next(at)
    const [across, down] = [toX - x, toY - y]
    const length = Math.max(1e-9, Math.sqrt(across * across + down * down)) * turn
    const [a, b] = [-down / length, across / length]
    return { a, b, c: -a * x - b * y }
  })
}

/** The columns of a row whose middle is at least `least` pixels inside all sides, from one to before the other. */
function columnsInside(sides: readonly Side[], row: number, least: number, from: number, to: number): [number, number] {
  let left = from
  let right = to
  for (const { a, b, c } of sides) {
    const rest = least - b * (row + 0.5) - c - a * 0.5
    if (Math.abs(a) < 1e-9) {
      if (rest > 0) return [from, from]
    } else if (a > 0) left = Math.max(left, Math.ceil(rest / a))
    else right = Math.min(right, Math.floor(rest / a) + 1)
  }
  return [left, Math.max(left, right)]
}
