import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawInteger, type Random, seededRandom } from '../base/random.ts'
import {
  clusteredInterval,
  clusteredSignFlipTest,
  normalProbability,
  normalQuantile,
  passAllK,
  passAtK,
  signFlipTest,
  studentQuantile,
  type UnitValue,
  wilsonInterval,
} from './statistics.ts'

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

describe("[EV1] Student's distribution", () => {
  it('agrees with scipy.stats.t.ppf', () => {
    const known: readonly (readonly [degrees: number, quantile: number])[] = [
      [5, 2.570582],
      [9, 2.262157],
      [14, 2.144787],
      [29, 2.04523],
      [199, 1.971957],
    ]
    for (const [degrees, quantile] of known) expect(studentQuantile(0.975, degrees)).toBeCloseTo(quantile, 3)
    expect(studentQuantile(0.975, 29)).toBeCloseTo(2.04523, 5)
    expect(studentQuantile(0.025, 29)).toBeCloseTo(-2.04523, 5)
  })
})

describe('[EV2] intervals', () => {
  it('gives the Wilson interval of Newcombe 1998, table I, and of scipy.stats.binomtest(…).proportion_ci(method="wilson")', () => {
    const newcombe = wilsonInterval(81 / 263, 263)
    expect([newcombe.low.toFixed(4), newcombe.high.toFixed(4)]).toEqual(['0.2553', '0.3662'])
    const known: readonly (readonly [successes: number, trials: number, low: number, high: number])[] = [
      [0, 10, 0, 0.27753279986288926],
      [1, 10, 0.017876213095072896, 0.4041500267952385],
      [7, 20, 0.1811918241010821, 0.5671457233147637],
      [10, 10, 0.7224672001371109, 1],
      [499, 1000, 0.468073488750724, 0.529934164766247],
    ]
    for (const [successes, trials, low, high] of known) {
      const interval = wilsonInterval(successes / trials, trials)
      expect(interval.low).toBeCloseTo(low, 10)
      expect(interval.high).toBeCloseTo(high, 10)
    }
  })

  it('are those of one trial for each unit where units differ by chance only', () => {
    const units = (task: string) => Array.from({ length: 15 }, (_, at): UnitValue => ({ task, value: at < 9 ? 1 : 0 }))
    const { low, high } = clusteredInterval([...units('a'), ...units('b')])!
    const bare = wilsonInterval(0.6, 30)
    // Student's quantile makes it wider.
    expect([bare.low - low, high - bare.high].map((wider) => wider > 0 && wider < 0.02)).toEqual([true, true])
    const same = Array.from({ length: 20 }, (): UnitValue => ({ task: 'a', value: 1 }))
    expect(clusteredInterval(same)!.high).toBe(1)
    expect(clusteredInterval(same)!.low).toBeCloseTo(0.82, 2)
  })

  it('[EV3] are not known for fewer than ten units', () => {
    const units = Array.from({ length: 9 }, (_, at): UnitValue => ({ task: `task ${at}`, value: at % 2 }))
    expect(clusteredInterval(units)).toBeUndefined()
    expect(clusteredInterval([...units, { task: 'one more', value: 1 }])).toBeDefined()
  })
})

/** Outcomes of agents in tasks and instances, and whether 95 % intervals contain the true rate. */
describe('[EV2] the intervals of clustered outcomes', () => {
  const SIMULATIONS = 1000
  const uniform = (random: Random): [number, Random] => {
    const [drawn, next] = drawInteger(random, 0, 2 ** 30 - 1)
    return [(drawn + 0.5) / 2 ** 30, next]
  }
  interface World {
    readonly tasks: number
    readonly instances: number
    readonly runs: number
    /** The rates of a task, drawn for each simulation; those of its instances are as far from it as `spread` allows. */
    readonly rates: readonly number[]
    /** Whether the tasks are drawn. If not, each rate is a task. */
    readonly isDrawn: boolean
    /** The share of instances whose runs all end alike. */
    readonly fixed: number
  }

  /** The share of simulations whose interval contains the mean of the rates. */
  function coverage({ tasks, instances, runs, rates, isDrawn, fixed }: World): number {
    let random = seededRandom(7)
    const draw = (): number => {
      const [value, next] = uniform(random)
      random = next
      return value
    }
    const truth = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    let covered = 0
    for (let simulation = 0; simulation < SIMULATIONS; simulation++) {
      const units = Array.from({ length: tasks }, (_, at) => {
        const rate = rates[isDrawn ? Math.floor(draw() * rates.length) : at]!
        return Array.from({ length: instances }, (): UnitValue => {
          const isFixed = draw() < fixed
          const solved = draw() < rate
          const value = isFixed
            ? Number(solved)
            : Array.from({ length: runs }, () => Number(draw() < rate)).reduce((sum, run) => sum + run, 0) / runs
          return { task: `task ${at}`, value }
        })
      }).flat()
      const { low, high } = clusteredInterval(units, tasks * instances * runs)!
      if (low <= truth && truth <= high) covered++
    }
    return covered / SIMULATIONS
  }

  it.each<[string, World]>([
    [
      '2 given tasks of 15 instances',
      { tasks: 2, instances: 15, runs: 10, rates: [0.8, 0.5], isDrawn: false, fixed: 0.7 },
    ],
    ['1 task of 20 instances', { tasks: 1, instances: 20, runs: 5, rates: [0.6], isDrawn: false, fixed: 0.5 }],
    [
      '5 given tasks of 6 instances',
      { tasks: 5, instances: 6, runs: 3, rates: [0.2, 0.5, 0.6, 0.7, 0.9], isDrawn: false, fixed: 0.5 },
    ],
    [
      '12 drawn tasks of 5 instances',
      { tasks: 12, instances: 5, runs: 3, rates: [0.1, 0.4, 0.7, 0.9], isDrawn: true, fixed: 0.5 },
    ],
    [
      '30 drawn tasks of 1 instance',
      { tasks: 30, instances: 1, runs: 10, rates: [0.1, 0.4, 0.7, 0.9], isDrawn: true, fixed: 1 },
    ],
    [
      '20 drawn tasks of 4 instances',
      { tasks: 20, instances: 4, runs: 2, rates: [0.5, 0.8, 0.95], isDrawn: true, fixed: 0 },
    ],
  ])('contain the true rate in 93 to 97 % of simulations: %s', (_, world) => {
    const share = coverage(world)
    expect(share).toBeGreaterThanOrEqual(0.93)
    expect(share).toBeLessThanOrEqual(0.97)
  })
})

describe('[EV4] repeated runs', () => {
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

describe('[EV5] the sign-flip test', () => {
  const outcomes = (onlyFirst: number, onlySecond: number, equal = 0) => [
    ...Array<number>(onlyFirst).fill(-1),
    ...Array<number>(onlySecond).fill(1),
    ...Array<number>(equal).fill(0),
  ]

  it("is McNemar's exact test for single outcomes: scipy.stats.binomtest(b, b + c, 0.5).pvalue", () => {
    const known: readonly (readonly [onlyFirst: number, onlySecond: number, p: number])[] = [
      [0, 0, 1],
      [0, 5, 0.0625],
      [1, 9, 0.021484375],
      [6, 16, 0.052478790283203125],
      [10, 12, 0.8318119049072266],
      [59, 6, 4.964650327128616e-12],
    ]
    for (const [onlyFirst, onlySecond, p] of known)
      expect(signFlipTest(outcomes(onlyFirst, onlySecond, 3)).p / p).toBeCloseTo(1, 8)
    // Beyond 200 differences it is approximate.
    expect(signFlipTest(outcomes(300, 350)).p).toBeCloseTo(0.0545, 1)
    expect(signFlipTest(outcomes(2000, 2000)).p).toBe(1)
  })

  it('is the share of all signs that are as extreme', () => {
    const value = fc.tuple(fc.integer({ min: -7, max: 7 }), fc.constantFrom(1, 2, 3, 5)).map(([of, by]) => of / by)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), (differences) => {
        const counted = differences.filter((difference) => difference !== 0)
        const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0)
        const observed = Math.abs(sumOf(counted))
        let extreme = 0
        for (let signs = 0; signs < 2 ** counted.length; signs++) {
          const flipped = counted.map((each, bit) => (signs & (1 << bit) ? Math.abs(each) : -Math.abs(each)))
          if (Math.abs(sumOf(flipped)) >= observed - 1e-9) extreme++
        }
        const { p, count } = signFlipTest(differences)
        expect(count).toBe(counted.length)
        expect(p).toBeCloseTo(extreme / 2 ** counted.length, 10)
      }),
    )
  })

  it("gives the p-value of Fisher's example, Darwin's maize: 1726 of 32768 signs", () => {
    const maize = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    expect(signFlipTest(maize)).toEqual({ p: 1726 / 32768, count: 15 })
  })

  it('is over tasks from ten tasks on, and over units below', () => {
    const units = (tasks: number) =>
      Array.from({ length: tasks }, (_, task) =>
        [1, 1, 1].map((value): UnitValue => ({ task: `task ${task}`, value: task % 5 === 0 ? -value : value })),
      ).flat()
    expect(clusteredSignFlipTest(units(10))).toEqual(signFlipTest(outcomes(2, 8)))
    expect(clusteredSignFlipTest(units(9))).toEqual(signFlipTest(outcomes(6, 21)))
  })
})
