import { expect, it } from 'vitest'
import { seededRandom } from '../../src/base/random.ts'
import { rankAgreement, ranksOf, spearman } from './rank-correlation.ts'
import { bootstrapped, percentileInterval, shuffled } from './resampling.ts'

it('ranks equal values with the mean of their ranks', () => {
  expect(ranksOf([30, 10, 20, 20])).toEqual([4, 1, 2.5, 2.5])
})

it('gives the rank correlation of scipy.stats.spearmanr', () => {
  expect(spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])).toBeCloseTo(0.8207826816681233, 12)
  expect(spearman([1, 2, 3], [3, 2, 1])).toBe(-1)
  expect(spearman([1, 1, 1], [1, 2, 3])).toBeUndefined()
})

const agentsOf = (pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([ours, theirs], index) => ({ name: `agent ${index}`, ours, theirs }))

it('tells agreement from chance, and says when there are too few agents', () => {
  const alike = agentsOf(Array.from({ length: 12 }, (_, index) => [index / 20, index / 15] as const))
  const agreement = rankAgreement(alike)
  expect(agreement).toMatchObject({ agents: 12, rho: 1, interval: [1, 1], verdict: 'agrees' })
  expect(agreement.p).toBeLessThan(0.001)
  expect(rankAgreement(alike)).toEqual(agreement)
  expect(rankAgreement(alike.slice(0, 7)).verdict).toBe('too few agents')
  const unlike = agentsOf([3, 8, 1, 6, 2, 7, 5, 4].map((rank, index) => [index, rank] as const))
  const chance = rankAgreement(unlike)
  expect(chance.verdict).toBe('not shown')
  expect(chance.p).toBeGreaterThan(0.2)
  expect(
    rankAgreement(
      agentsOf([
        [1, 2],
        [1, 3],
      ]),
    ).rho,
  ).toBeNull()
})

it('takes percentiles between ordered values', () => {
  expect(percentileInterval(Array.from({ length: 101 }, (_, index) => 100 - index))).toEqual([2.5, 97.5])
})

it('draws the same samples for all statistics', () => {
  const values = bootstrapped(['a', 'b', 'c'], 50, 1, (weightOf) => ({
    a: weightOf('a'),
    others: weightOf('b') + weightOf('c'),
  }))
  expect(values.get('a')!.every((count, index) => count + values.get('others')![index]! === 3)).toBe(true)
  expect(new Set(values.get('a')).size).toBeGreaterThan(2)
})

it('keeps every thing when it shuffles', () => {
  const [order] = shuffled([1, 2, 3, 4, 5, 6], seededRandom(1))
  expect(order.toSorted()).toEqual([1, 2, 3, 4, 5, 6])
  expect(order).not.toEqual([1, 2, 3, 4, 5, 6])
})
