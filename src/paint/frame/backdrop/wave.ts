import type { Rect } from '../../../desktop/model/geometry.ts'
import { mixPixels } from '../blend.ts'
import type { Wave } from './backdrop-style.ts'
import { columnValues, coverage, curveAt, type RowPainter } from './row-painter.ts'
import { rowShades } from './shade.ts'

export function wavePainter(wave: Wave, { width, height }: Rect, soft: number): RowPainter {
  const edge = columnValues(width, (share) => curveAt(wave.edge, share) * height)
  const { steps, pixelsOf } = rowShades(wave, width)
  const lowest = edge.reduce((a, b) => Math.max(a, b), -1)
  return {
    first: Math.floor(edge.reduce((a, b) => Math.min(a, b), height) - soft / 2),
    fillsFrom: Math.ceil(lowest + soft / 2 - 0.5),
    paint(pixels, start, row, from, width) {
      const shades = pixelsOf(row, height - 1)
      for (let at = 0; at < width; at++) {
        const share = coverage(row + 0.5 - edge[from + at]!, soft)
        if (share === 0) continue
        const shade = shades[steps[from + at]!]!
        if (share === 1) pixels[start + at] = shade
        else pixels[start + at] = mixPixels(shade, pixels[start + at]!, Math.round(255 * share), 255)
      }
    },
  }
}
