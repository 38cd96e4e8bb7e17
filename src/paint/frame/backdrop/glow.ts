import type { Rect } from '../../../desktop/model/geometry.ts'
import { channelsOf } from '../../colour.ts'
import { blendPixel } from '../blend.ts'
import type { Glow } from './backdrop-style.ts'
import { columnValues, type RowPainter } from './row-painter.ts'

const STEPS = 1024

/** A light around a point: the square of what is left of the square of the distance. */
export function glowPainter(glow: Glow, { width, height }: Rect): RowPainter {
  const radius = glow.radius * width
  const middle = glow.y * height
  const across = columnValues(width, (share) => ((share - glow.x) * (share - glow.x)) / (glow.radius * glow.radius))
  const [red, green, blue, most] = channelsOf(glow.colour)
  const shades = new Uint32Array(STEPS)
  for (let step = 0; step < STEPS; step++) {
    const rest = 1 - (step + 0.5) / STEPS
    const alpha = Math.round(most * rest * rest)
    const part = (channel: number) => Math.round((channel * alpha) / 255)
    shades[step] = ((alpha << 24) | (part(blue) << 16) | (part(green) << 8) | part(red)) >>> 0
  }
  return {
    first: Math.floor(middle - radius),
    fillsFrom: Number.POSITIVE_INFINITY,
    paint(pixels, start, row, from, width) {
      const down = (row + 0.5 - middle) / radius
      for (let at = 0; at < width; at++) {
        const distance = across[from + at]! + down * down
        if (distance >= 1) continue
        const shade = shades[Math.floor(distance * STEPS)]!
        if (shade !== 0) pixels[start + at] = blendPixel(shade, pixels[start + at]!)
      }
    },
  }
}
