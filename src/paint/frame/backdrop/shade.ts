import { pixelOf } from '../../colour.ts'
import { gradientPixel, mixPixels } from '../blend.ts'
import type { Shade } from './backdrop-style.ts'

/** The steps of a colour from left to right. */
const STEPS = 128

/** The colours of a row: that of column `x` is `pixels[steps[x]]`. */
export interface RowShades {
  readonly steps: Uint8Array
  /** The pixels of a row, which the next call overwrites. */
  readonly pixelsOf: (row: number, last: number) => Uint32Array
}

export function rowShades({ top, bottom, right }: Shade, width: number): RowShades {
  const [high, low] = [pixelOf(top), pixelOf(bottom)]
  const pixels = new Uint32Array(right ? STEPS : 1)
  const steps = new Uint8Array(width)
  if (!right) {
    const one = (row: number, last: number) => {
      pixels[0] = gradientPixel(high, low, row, last)
      return pixels
    }
    return { steps, pixelsOf: one }
  }
  for (let x = 0; x < width; x++) steps[x] = Math.round((x * (STEPS - 1)) / Math.max(1, width - 1))
  const [rightHigh, rightLow] = [pixelOf(right.top), pixelOf(right.bottom)]
  return {
    steps,
    pixelsOf(row, last) {
      const from = gradientPixel(high, low, row, last)
      const to = gradientPixel(rightHigh, rightLow, row, last)
      for (let step = 0; step < STEPS; step++) pixels[step] = mixPixels(to, from, step, STEPS - 1)
      return pixels
    },
  }
}
