import { groupsOf } from '../base/lists.ts'

/** The bounds of a confidence interval. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** The mean result of a unit of evidence, from 0 to 1, and the task that the unit belongs to. */
export interface UnitValue {
  readonly task: string
  readonly value: number
}

export const CONFIDENCE = 0.95

/** From this many tasks on, tasks are the clusters. Fewer units than this have no interval from their spread. */
const MIN_UNITS = 10

/**
 * The Wilson score interval of a share (Wilson 1927), without continuity correction. It stays between 0 and 1, also when
 * all or none succeed.
 * @param share The share of successes.
 * @param trials The number of independent trials; it need not be whole.
 * @param quantile The quantile of the distribution of the share's error, by default of the normal distribution.
 */
export function wilsonInterval(
  share: number,
  trials: number,
  quantile = normalQuantile(1 - (1 - CONFIDENCE) / 2),
): Interval {
  const squared = quantile * quantile
  const denominator = 1 + squared / trials
  const center = share + squared / (2 * trials)
  const spread = quantile * Math.sqrt((share * (1 - share)) / trials + squared / (4 * trials * trials))
  return {
    low: share <= 0 ? 0 : (center - spread) / denominator,
    high: share >= 1 ? 1 : (center + spread) / denominator,
  }
}

/**
 * The interval of the mean of units that are clustered in tasks: Wilson's, for the number of independent trials that would
 * vary as much as the units do (Korn & Graubard 1998; Dean & Pagano 2015), with Student's quantile. The variance is that
 * between tasks from ten tasks on (Liang & Zeger 1986), and otherwise that of the units within their tasks.
 * @param maxTrials The number of episodes, which bounds the number of trials. Infinite for values that are not shares.
 * @returns Undefined for fewer than ten units.
 */
export function clusteredInterval(
  units: readonly UnitValue[],
  maxTrials = Number.POSITIVE_INFINITY,
): Interval | undefined {
  if (units.length < MIN_UNITS) return undefined
  const mean = meanOf(units)
  const tasks = [...groupsOf(units, ({ task }) => task).values()]
  const isOverTasks = tasks.length >= MIN_UNITS
  const { variance, degrees } = isOverTasks ? varianceBetween(tasks, mean) : varianceWithin(tasks)
  const independent = isOverTasks ? tasks.length : units.length
  // Units that do not vary at all count as one trial each.
  const trials = variance > 1e-12 ? Math.min((mean * (1 - mean)) / variance, maxTrials) : independent
  return wilsonInterval(mean, trials, studentQuantile(1 - (1 - CONFIDENCE) / 2, degrees))
}

interface VarianceOfMean {
  readonly variance: number
  /** The degrees of freedom. */
  readonly degrees: number
}

/** The variance of the mean over units when tasks are drawn: a ratio of the sums of tasks to their sizes. */
function varianceBetween(tasks: readonly (readonly UnitValue[])[], mean: number): VarianceOfMean {
  const degrees = tasks.length - 1
  const size = tasks.reduce((sum, task) => sum + task.length, 0)
  const squares = tasks.reduce((sum, task) => sum + (task.length * (meanOf(task) - mean)) ** 2, 0)
  return { variance: ((tasks.length / degrees) * squares) / size ** 2, degrees }
}

/** The variance of the mean over units when their tasks are given. Where a task has one unit only, that of all units. */
function varianceWithin(tasks: readonly (readonly UnitValue[])[]): VarianceOfMean {
  const strata = tasks.every(({ length }) => length > 1) ? tasks : [tasks.flat()]
  const size = strata.reduce((sum, stratum) => sum + stratum.length, 0)
  const variance = strata.reduce((sum, stratum) => sum + stratum.length * sampleVariance(stratum), 0) / size ** 2
  return { variance, degrees: size - strata.length }
}

const meanOf = (units: readonly UnitValue[]): number => units.reduce((sum, { value }) => sum + value, 0) / units.length

function sampleVariance(units: readonly UnitValue[]): number {
  const mean = meanOf(units)
  return units.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / (units.length - 1)
}

/** The standard normal distribution, and Student's. */

/** The probability of a value of at most `z`, with an absolute error below 1e-15. */
export function normalProbability(z: number): number {
  const tail = 0.5 * complementaryError(Math.abs(z) / Math.SQRT2)
  return z > 0 ? 1 - tail : tail
}

/** The value that a standard normal variable stays below with a probability between 0 and 1, by Newton's method. */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`a probability between 0 and 1: ${probability}`)
  if (probability > 0.5) return -normalQuantile(1 - probability)
  let z = 0
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)
    // In the tail a whole step would leave the range in which the method converges.
    const step = Math.max(-1, Math.min(1, (normalProbability(z) - probability) / density))
    z -= step
    if (Math.abs(step) < 1e-14 * Math.max(1, Math.abs(z))) return z
  }
  return z
}

const MAX_ROUNDS = 100

/** The complementary error function of a value that is not negative. */
function complementaryError(x: number): number {
  return x < SERIES_LIMIT ? 1 - errorBySeries(x) : complementByFraction(x)
}

const SERIES_LIMIT = 2.5

/** The error function by the series with positive terms: 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)). */
function errorBySeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** The complementary error function by its continued fraction, from the inside: e^(−x²)/√π / (x + ½/(x + 1/(x + 3/2/(x + …)))). */
function complementByFraction(x: number): number {
  let inner = x
  for (let n = FRACTION_DEPTH; n > 0; n--) inner = x + n / 2 / inner
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * inner)
}

const FRACTION_DEPTH = 120

/**
 * The quantile of Student's t distribution, by its expansion about the normal quantile (Abramowitz & Stegun 1964, 26.7.5).
 * For probabilities from 0.025 to 0.975 the error is below 0.002 from 5 degrees of freedom on.
 */
export function studentQuantile(probability: number, degrees: number): number {
  const z = normalQuantile(probability)
  const s = z * z
  const terms = [
    (z * (s + 1)) / 4,
    (z * ((5 * s + 16) * s + 3)) / 96,
    (z * (((3 * s + 19) * s + 17) * s - 15)) / 384,
    (z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945)) / 92160,
  ]
  return terms.reduce((sum, term, index) => sum + term / degrees ** (index + 1), z)
}

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

/** How often an agent solves a task in several runs. */

/**
 * pass@k: the probability that at least one of k runs succeeds, estimated without bias from more runs (Chen et al. 2021,
 * "Evaluating Large Language Models Trained on Code", section 2.1).
 * @param runs The runs of a task, at least k.
 * @param successes How many of them succeeded.
 */
export const passAtK = (runs: number, successes: number, k: number): number =>
  1 - chosenShare(runs - successes, runs, k)

/**
 * pass^k: the probability that all of k runs succeed (Yao et al. 2024, "τ-bench", section 3.4).
 * @param runs The runs of a task, at least k.
 * @param successes How many of them succeeded.
 */
export const passAllK = (runs: number, successes: number, k: number): number => chosenShare(successes, runs, k)

/** The share of the choices of k among `all` that lie completely within `part` of them. */
function chosenShare(part: number, all: number, k: number): number {
  if (k > all) throw new RangeError(`${k} of ${all} runs cannot be chosen`)
  let share = 1
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, part - drawn) / (all - drawn)
  return share
}
