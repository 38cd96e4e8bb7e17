import { drawInteger, type Random } from '../../base/random.ts'
import { normalQuantile } from './normal.ts'

/** The bounds of a confidence interval. */
export interface Interval {
  readonly low: number
  readonly high: number
}

export const CONFIDENCE = 0.95

/**
 * The Wilson score interval of a share (Wilson 1927), without continuity correction. It stays between 0 and 1, also when
 * all or none succeed.
 * @param successes How many of the trials succeeded.
 * @param trials At least 1.
 * @param confidence Between 0 and 1.
 */
export function wilsonInterval(successes: number, trials: number, confidence = CONFIDENCE): Interval {
  const z = normalQuantile(1 - (1 - confidence) / 2)
  const share = successes / trials
  const denominator = 1 + (z * z) / trials
  const center = share + (z * z) / (2 * trials)
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  return {
    low: successes === 0 ? 0 : (center - spread) / denominator,
    high: successes === trials ? 1 : (center + spread) / denominator,
  }
}

const RESAMPLES = 2000

/**
 * The percentile bootstrap interval of the mean of values in groups. Whole groups are drawn with replacement: the runs of
 * one task resemble each other, and drawing single runs would make the interval too narrow.
 * @param groups The values of each group, such as the scores of the runs of a task. No group is empty.
 * @param random The generator from which the groups are drawn.
 */
export function bootstrapMeanInterval(
  groups: readonly (readonly number[])[],
  random: Random,
  confidence = CONFIDENCE,
): Interval {
  const sums = groups.map((values) => values.reduce((sum, value) => sum + value, 0))
  const means: number[] = []
  let generator = random
  for (let sample = 0; sample < RESAMPLES; sample++) {
    let sum = 0
    let count = 0
    for (let drawn = 0; drawn < groups.length; drawn++) {
      const [index, next] = drawInteger(generator, 0, groups.length - 1)
      generator = next
      sum += sums[index]!
      count += groups[index]!.length
    }
    means.push(sum / count)
  }
  means.sort((a, b) => a - b)
  return { low: quantileOf(means, (1 - confidence) / 2), high: quantileOf(means, 1 - (1 - confidence) / 2) }
}

/** The quantile of sorted values, with linear interpolation between two of them. */
export function quantileOf(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - below)
}
