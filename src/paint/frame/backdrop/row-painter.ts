/** Paints the part of a shape in one row: `width` pixels from `start` of the buffer, which are from column `from` on. */
export interface RowPainter {
  /** The first row that the shape touches, and the first from which it fills all rows. */
  readonly first: number
  readonly fillsFrom: number
  readonly paint: (pixels: Uint32Array, start: number, row: number, from: number, width: number) => void
}

/** The share of a pixel that is inside an edge, 0 to 1: `distance` pixels from its middle, fading over `soft` pixels. */
export const coverage = (distance: number, soft: number): number => Math.min(1, Math.max(0, distance / soft + 0.5))

/** A point of a cubic curve. */
export function curveAt([a, b, c, d]: readonly [number, number, number, number], share: number): number {
  const rest = 1 - share
  return a * rest * rest * rest + 3 * b * rest * rest * share + 3 * c * rest * share * share + d * share * share * share
}

/** A value for the middle of each column of a width. */
export function columnValues(width: number, valueAt: (share: number) => number): Float64Array {
  const values = new Float64Array(width)
  for (let x = 0; x < width; x++) values[x] = valueAt((x + 0.5) / width)
  return values
}
