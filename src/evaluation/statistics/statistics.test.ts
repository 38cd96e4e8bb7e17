import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../base/random.ts'
import { bootstrapMeanInterval, quantileOf, wilsonInterval } from './intervals.ts'
import { normalProbability, normalQuantile } from './normal.ts'
import { mcnemarTest, signedRankTest } from './paired-tests.ts'
import { passAllK, passAtK } from './reliability.ts'

// Figures "of SciPy" were printed by SciPy 1.10.1 (Debian 12), with the call that stands beside them.

describe('[EV1] the normal distribution', () => {
  it('agrees with scipy.stats.norm.cdf', () => {
    const known: readonly (readonly [z: number, probability: number])[] = [
      [-8, 6.22096057427174e-16],
      [-3, 0.0013498980316300933],
      [-1.96, 0.024997895148220435],
      [-0.5, 0.3085375387259869],
      [0, 0.5],
      [0.7, 0.758036347776927],
      [2.4, 0.9918024640754038],
      [2.6, 0.9953388119762813],
      [5, 0.9999997133484281],
    ]
    for (const [z, probability] of known) expect(normalProbability(z) / probability).toBeCloseTo(1, 11)
  })

  it('agrees with scipy.stats.norm.ppf', () => {
    const known: readonly (readonly [probability: number, z: number])[] = [
      [1e-10, -6.361340902404056],
      [0.001, -3.090232306167813],
      [0.025, -1.9599639845400545],
      [0.3, -0.5244005127080409],
      [0.5, 0],
      [0.9, 1.2815515655446004],
      [0.9999, 3.719016485455709],
    ]
    for (const [probability, z] of known) expect(normalQuantile(probability)).toBeCloseTo(z, 9)
    expect(() => normalQuantile(0)).toThrow(RangeError)
  })
})

describe('[EV2] intervals', () => {
  it('gives the Wilson interval of Newcombe 1998, table I, and of scipy.stats.binomtest(…).proportion_ci(method="wilson")', () => {
    const newcombe = wilsonInterval(81, 263)
    expect([newcombe.low.toFixed(4), newcombe.high.toFixed(4)]).toEqual(['0.2553', '0.3662'])
    const known: readonly (readonly [successes: number, trials: number, low: number, high: number])[] = [
      [0, 10, 0, 0.27753279986288926],
      [1, 10, 0.017876213095072896, 0.4041500267952385],
      [7, 20, 0.1811918241010821, 0.5671457233147637],
      [10, 10, 0.7224672001371109, 1],
      [499, 1000, 0.468073488750724, 0.529934164766247],
    ]
    for (const [successes, trials, low, high] of known) {
      const interval = wilsonInterval(successes, trials)
      expect(interval.low).toBeCloseTo(low, 10)
      expect(interval.high).toBeCloseTo(high, 10)
    }
    expect(wilsonInterval(7, 20, 0.99).low).toBeCloseTo(0.14639344137693885, 10)
  })

  it('gives the bootstrap interval of scipy.stats.bootstrap(…, method="percentile"), up to the draws', () => {
    const scores = [0, 0.25, 0.5, 1, 1, 1, 0.75, 0.1, 0.9, 1, 0.3, 0.6, 0, 1, 0.8]
    const groups = scores.map((score) => [score])
    const { low, high } = bootstrapMeanInterval(groups, seededRandom(1))
    // SciPy with 200,000 resamples: 0.4167 to 0.8000.
    expect(Math.abs(low - 0.4167)).toBeLessThan(0.015)
    expect(Math.abs(high - 0.8)).toBeLessThan(0.015)
    expect(bootstrapMeanInterval(groups, seededRandom(1))).toEqual({ low, high })
  })

  it('is as wide for repeated runs of a task as for one run of it', () => {
    const tasks = [0, 1, 1, 0, 1, 0, 0, 1]
    const once = bootstrapMeanInterval(
      tasks.map((score) => [score]),
      seededRandom(3),
    )
    const repeated = bootstrapMeanInterval(
      tasks.map((score) => Array(10).fill(score)),
      seededRandom(3),
    )
    expect(repeated).toEqual(once)
  })

  it('interpolates quantiles as numpy.quantile does', () => {
    expect(quantileOf([1, 2, 4, 8], 0.5)).toBe(3)
    expect(quantileOf([1, 2, 4, 8], 0.9)).toBeCloseTo(6.8, 12)
    expect(quantileOf([5], 0.3)).toBe(5)
  })
})

describe('[EV3] repeated runs', () => {
  it('estimates pass@k and pass^k from all choices of k runs', () => {
    const runs = (outcomes: readonly boolean[], k: number, passes: (chosen: readonly boolean[]) => boolean) => {
      const choices = choose(outcomes, k)
      return choices.filter(passes).length / choices.length
    }
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (each, of) => {
          const k = Math.min(of, each.length)
          const successes = each.filter(Boolean).length
          expect(passAtK(each.length, successes, k)).toBeCloseTo(
            runs(each, k, (chosen) => chosen.some(Boolean)),
            12,
          )
          expect(passAllK(each.length, successes, k)).toBeCloseTo(
            runs(each, k, (chosen) => chosen.every(Boolean)),
            12,
          )
        },
      ),
    )
    expect(() => passAtK(2, 1, 3)).toThrow('3 of 2 runs cannot be chosen')
  })
})

function choose<T>(from: readonly T[], k: number): readonly (readonly T[])[] {
  if (k === 0) return [[]]
  return from.flatMap((first, index) => choose(from.slice(index + 1), k - 1).map((rest) => [first, ...rest]))
}

describe('[EV4] paired tests', () => {
  it("gives McNemar's exact p-value as scipy.stats.binomtest(b, b + c, 0.5).pvalue", () => {
    const known: readonly (readonly [onlyFirst: number, onlySecond: number, p: number])[] = [
      [0, 0, 1],
      [0, 5, 0.0625],
      [1, 9, 0.021484375],
      [6, 16, 0.052478790283203125],
      [10, 12, 0.8318119049072266],
      [59, 6, 4.964650327128616e-12],
      [300, 350, 0.05452994175892337],
    ]
    for (const [onlyFirst, onlySecond, p] of known) expect(mcnemarTest(onlyFirst, onlySecond) / p).toBeCloseTo(1, 8)
    expect(mcnemarTest(2000, 2000)).toBe(1)
  })

  it("gives the signed-rank test of Darwin's maize (scipy.stats.wilcoxon's example) and of Hollander & Wolfe's depression data", () => {
    const maize = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    expect(signedRankTest(maize)).toEqual({ statistic: 24, p: 0.041259765625, count: 15 })
    const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
    const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    const depression = signedRankTest(before.map((value, index) => value - after[index]!))
    expect(depression).toEqual({ statistic: 5, p: 0.0390625, count: 9 })
  })

  it('uses the normal approximation beyond 50 differences, as scipy.stats.wilcoxon does', () => {
    const spread = Array.from({ length: 60 }, (_, index) => (((index * 37) % 101) - 40) / 10)
    expect(signedRankTest(spread).statistic).toBe(583)
    expect(signedRankTest(spread).p).toBeCloseTo(0.02263320893600752, 10)
    const shared = Array.from({ length: 80 }, (_, index) => ((index * 7) % 11) - 4)
    expect(signedRankTest(shared).statistic).toBe(896.5)
    expect(signedRankTest(shared).p).toBeCloseTo(0.01219151004275353, 10)
  })

  it('is exact with shared ranks: the share of all signs that are as extreme', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 9 }), (differences) => {
        const counted = differences.filter((difference) => difference !== 0)
        const { statistic, p } = signedRankTest(differences)
        if (counted.length === 0) {
          expect({ statistic, p }).toEqual({ statistic: 0, p: 1 })
          return
        }
        let extreme = 0
        for (let signs = 0; signs < 2 ** counted.length; signs++) {
          const flipped = counted.map((value, bit) => (signs & (1 << bit) ? Math.abs(value) : -Math.abs(value)))
          if (signedRankTest(flipped).statistic <= statistic) extreme++
        }
        expect(p).toBeCloseTo(Math.min(1, extreme / 2 ** counted.length), 10)
      }),
    )
  })
})
