import { groupsOf } from '../../base/lists.ts'
import { normalQuantile, studentQuantile } from './normal.ts'

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
export const MIN_UNITS = 10

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
