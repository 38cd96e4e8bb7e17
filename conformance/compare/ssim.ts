/** A grey picture: one luminance from 0 to 255 per pixel, in rows. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly luminance: Float64Array
}

const BLOCK = 8
const PATCH = 64
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/**
 * The structural similarity (Wang and others, 2004) of blocks of 8 by 8 pixels, averaged over patches of 64 by 64, and
 * the smallest of these averages: a missing button that hardly moves the mean of a screen makes one patch worthless.
 */
export function worstPatch(one: Grey, other: Grey): number {
  let worst = 1
  for (let top = 0; top < one.height; top += PATCH)
    for (let left = 0; left < one.width; left += PATCH) worst = Math.min(worst, patchMean(one, other, left, top))
  return worst
}

function patchMean(one: Grey, other: Grey, left: number, top: number): number {
  let sum = 0
  let count = 0
  for (let y = top; y < Math.min(top + PATCH, one.height); y += BLOCK)
    for (let x = left; x < Math.min(left + PATCH, one.width); x += BLOCK) {
      sum += blockSimilarity(one, other, x, y)
      count++
    }
  return sum / count
}

function blockSimilarity(one: Grey, other: Grey, left: number, top: number): number {
  const right = Math.min(left + BLOCK, one.width)
  const bottom = Math.min(top + BLOCK, one.height)
  let [sumA, sumB, squareA, squareB, product, count] = [0, 0, 0, 0, 0, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const a = one.luminance[y * one.width + x]!
      const b = other.luminance[y * one.width + x]!
      sumA += a
      sumB += b
      squareA += a * a
      squareB += b * b
      product += a * b
      count++
    }
  const [meanA, meanB] = [sumA / count, sumB / count]
  const varianceA = squareA / count - meanA * meanA
  const varianceB = squareB / count - meanB * meanB
  const covariance = product / count - meanA * meanB
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  )
}
