import type { Rect } from '../../../desktop/model/geometry.ts'
import { channelsOf } from '../../colour.ts'
import { blendPixel, mixPixels } from '../blend.ts'
import type { Ribbon } from './backdrop-style.ts'
import { columnValues, coverage, curveAt, type RowPainter } from './row-painter.ts'

const STEPS = 512

export function ribbonPainter(ribbon: Ribbon, { width, height }: Rect, soft: number): RowPainter {
  const upper = columnValues(width, (share) => curveAt(ribbon.upper, share) * height)
  const lower = columnValues(width, (share) => curveAt(ribbon.lower, share) * height)
  const { strength } = ribbon
  const shown = columnValues(width, (share) => (strength ? curveAt(strength, share) : 1))
  const shades = shadesOf(ribbon.colours)
  const half = soft / 2
  const last = lower.reduce((a, b) => Math.max(a, b), -1) + half
  return {
    first: Math.floor(upper.reduce((a, b) => Math.min(a, b), height) - half),
    fillsFrom: Number.POSITIVE_INFINITY,
    paint(pixels, start, row, from, width) {
      if (row > last) return
      const middle = row + 0.5
      for (let at = 0; at < width; at++) {
        const above = middle - upper[from + at]!
        const below = lower[from + at]! - middle
        if (above <= -half || below <= -half) continue
        const share = coverage(above, soft) * coverage(below, soft) * shown[from + at]!
        const step = Math.floor((STEPS * above) / (above + below))
        const shade = shades[Math.min(STEPS - 1, Math.max(0, step))]!
        const under = pixels[start + at]!
        const over = blendPixel(shade, under)
        pixels[start + at] = share >= 1 ? over : mixPixels(over, under, Math.round(255 * Math.max(0, share)), 255)
      }
    },
  }
}

/** Premultiplied pixels from the first colour to the last. */
function shadesOf(colours: readonly string[]): Uint32Array {
  const stops = colours.map(channelsOf)
  const shades = new Uint32Array(STEPS)
  for (let step = 0; step < STEPS; step++) {
    const place = ((step + 0.5) / STEPS) * (stops.length - 1)
    const index = Math.min(stops.length - 2, Math.floor(place))
    const share = place - index
    const channel = (at: number) => stops[index]![at]! * (1 - share) + stops[index + 1]![at]! * share
    const alpha = channel(3)
    const [red, green, blue] = [0, 1, 2].map((at) => Math.round((channel(at) * alpha) / 255)) as [
      number,
      number,
      number,
    ]
    shades[step] = ((Math.round(alpha) << 24) | (blue << 16) | (green << 8) | red) >>> 0
  }
  return shades
}
