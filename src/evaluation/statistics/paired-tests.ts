import { groupsOf } from '../../base/lists.ts'
import { MIN_UNITS, type UnitValue } from './intervals.ts'
import { normalProbability } from './normal.ts'

/** The result of a sign-flip test. */
export interface SignFlipTest {
  /** The two-sided p-value. */
  readonly p: number
  /** The number of differences that are not 0. */
  readonly count: number
}

/** Up to this many differences the p-value is exact. */
const MAX_EXACT = 200
/** Differences are whole multiples of a fraction with at most this denominator, or are rounded to one of about this size. */
const MAX_DENOMINATOR = 2520

/**
 * The sign-flip test: whether paired differences lie around 0 (Fisher 1935, § 21; Pitman 1937). Under the null hypothesis
 * each difference has either sign with equal probability; the p-value is the share of all signs whose sum is at least as far
 * from 0. For differences of −1, 0 and 1 this is McNemar's exact test. Beyond 200 differences that are not 0, it is the
 * normal approximation.
 * @param differences One for each independent unit.
 */
export function signFlipTest(differences: readonly number[]): SignFlipTest {
  const sizes = wholeOf(differences)
  const counted = sizes.filter((size) => size !== 0)
  const count = counted.length
  const sum = counted.reduce((total, size) => total + size, 0)
  if (sum === 0) return { p: 1, count }
  if (count > MAX_EXACT) {
    const deviation = Math.sqrt(counted.reduce((total, size) => total + size * size, 0))
    return { p: Math.min(1, 2 * normalProbability(-Math.abs(sum) / deviation)), count }
  }
  return { p: exactP(counted.map(Math.abs), Math.abs(sum)), count }
}

/**
 * The sign-flip test over units of evidence that are clustered in tasks: over the sums of tasks from ten tasks on, and
 * otherwise over the units.
 * @param units The difference in each unit.
 */
export function clusteredSignFlipTest(units: readonly UnitValue[]): SignFlipTest {
  const tasks = [...groupsOf(units, ({ task }) => task).values()]
  const clusters = tasks.length >= MIN_UNITS ? tasks : units.map((unit) => [unit])
  return signFlipTest(clusters.map((cluster) => cluster.reduce((sum, { value }) => sum + value, 0)))
}

/** The share of all signs of the sizes whose sum is at least `sum` away from 0. */
function exactP(sizes: readonly number[], sum: number): number {
  const total = sizes.reduce((all, size) => all + size, 0)
  // The share of signs by the sum of the sizes that are positive.
  const shares = new Float64Array(total + 1)
  shares[0] = 1
  let reached = 0
  for (const size of sizes) {
    reached += size
    for (let at = reached; at >= 0; at--) shares[at] = (shares[at]! + (at >= size ? shares[at - size]! : 0)) / 2
  }
  // A sum of s has positive sizes of (total + s) / 2. The distribution is symmetric.
  let tail = 0
  for (let at = 0; 2 * at <= total - sum; at++) tail += shares[at]!
  return Math.min(1, 2 * tail)
}

/** Differences as multiples of their common fraction, so that equal sums are equal. */
function wholeOf(differences: readonly number[]): readonly number[] {
  const isWhole = (denominator: number) =>
    differences.every((difference) => Math.abs(difference * denominator - Math.round(difference * denominator)) < 1e-6)
  let denominator = 1
  while (denominator < MAX_DENOMINATOR && !isWhole(denominator)) denominator++
  return differences.map((difference) => Math.round(difference * denominator))
}
