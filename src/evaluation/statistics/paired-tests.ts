import { normalProbability } from './normal.ts'

/** Tests whether two agents differ on the same tasks. All p-values are two-sided. */

/**
 * McNemar's exact test: whether the tasks that only one of two agents solves are split evenly between them.
 * @param onlyFirst The number of tasks that only the first solves.
 * @param onlySecond The number of tasks that only the second solves.
 * @returns The p-value; 1 when the agents solve the same tasks.
 */
export function mcnemarTest(onlyFirst: number, onlySecond: number): number {
  const flips = onlyFirst + onlySecond
  const fewer = Math.min(onlyFirst, onlySecond)
  // The probability of `fewer` or less heads of fair coins, by logarithms, since 0.5 ** flips may be too small.
  let logTerm = -flips * Math.LN2
  let tail = 0
  for (let heads = 0; heads <= fewer; heads++) {
    tail += Math.exp(logTerm)
    logTerm += Math.log((flips - heads) / (heads + 1))
  }
  return Math.min(1, 2 * tail)
}

/** The result of Wilcoxon's signed-rank test. */
export interface SignedRankTest {
  /** The smaller of the sums of the ranks of positive and of negative differences. */
  readonly statistic: number
  readonly p: number
  /** The number of differences that are not 0. */
  readonly count: number
}

/** Up to this many differences the p-value is exact. */
const MAX_EXACT = 50

/**
 * Wilcoxon's signed-rank test: whether paired differences lie around 0. Differences of 0 are left out, equal ones share
 * their ranks. With up to 50 differences the p-value is exact, also with shared ranks; beyond, it is the normal
 * approximation with the correction for shared ranks and without one for continuity.
 */
export function signedRankTest(differences: readonly number[]): SignedRankTest {
  const counted = differences.filter((difference) => difference !== 0)
  const count = counted.length
  if (count === 0) return { statistic: 0, p: 1, count }
  const ranks = sharedRanks(counted.map(Math.abs))
  const positive = ranks.reduce((sum, rank, index) => (counted[index]! > 0 ? sum + rank : sum), 0)
  const statistic = Math.min(positive, (count * (count + 1)) / 2 - positive)
  const p = count <= MAX_EXACT ? exactP(ranks, statistic) : approximateP(ranks, statistic)
  return { statistic, p, count }
}

/** The ranks of values from 1; equal values have the mean of their ranks. */
function sharedRanks(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let place = from; place < to; place++) ranks[order[place]!] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}

/** The share of all signs of the ranks whose smaller sum is at most `statistic`. Ranks are doubled, which makes shared ones integers. */
function exactP(ranks: readonly number[], statistic: number): number {
  const doubled = ranks.map((rank) => Math.round(rank * 2))
  const total = doubled.reduce((sum, rank) => sum + rank, 0)
  const shares = new Float64Array(total + 1)
  shares[0] = 1
  let reached = 0
  for (const rank of doubled) {
    reached += rank
    for (let sum = reached; sum >= 0; sum--) shares[sum] = (shares[sum]! + (sum >= rank ? shares[sum - rank]! : 0)) / 2
  }
  let tail = 0
  for (let sum = 0; sum <= Math.round(statistic * 2); sum++) tail += shares[sum]!
  return Math.min(1, 2 * tail)
}

function approximateP(ranks: readonly number[], statistic: number): number {
  const count = ranks.length
  const mean = (count * (count + 1)) / 4
  const ties = new Map<number, number>()
  for (const rank of ranks) ties.set(rank, (ties.get(rank) ?? 0) + 1)
  const correction = [...ties.values()].reduce((sum, size) => sum + size ** 3 - size, 0)
  const variance = (count * (count + 1) * (2 * count + 1)) / 24 - correction / 48
  return Math.min(1, 2 * normalProbability((statistic - mean) / Math.sqrt(variance)))
}
