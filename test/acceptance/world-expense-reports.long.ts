import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { proveVariants } from '../../src/compose/variants.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'
import { PERSONALITIES } from '../../src/scenario/personalities/personalities.ts'
import { withVariant } from '../../src/scenario/seeds.ts'

// Rules such as [VAR48] are stated in scenario/variants/README.md and compose/verify/README.md.

const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1)
const scenario = await loadScenario('expense-reports')

/** The task as each seed states it, and whether it can be done. */
const tasks = SEEDS.map((seed) => {
  const { task, oracles } = withVariant(scenario, {}, seed)
  return { task, isFeasible: String(oracles.infeasible?.when) !== 'true' }
})

/** Seeds with each mistake: an amount, nothing, a missing report, a missing receipt, a limit, a deadline. */
const ONE_OF_EACH = [4, 17, 8, 2, 16, 7]

describe('expense-reports', () => {
  it('has another task in each of 50 seeds, and an impossible one in some', () => {
    expect(new Set(tasks.map(({ task }) => task)).size).toBe(SEEDS.length)
    const impossible = tasks.filter(({ isFeasible }) => !isFeasible).length
    expect(impossible).toBeGreaterThan(2)
    expect(impossible).toBeLessThan(20)
  })

  it.each(shareOf(SEEDS))(
    '[VAR48] seed %d is solved as it is, each third seed in a variant, some in five',
    async (seed) => {
      const failures = []
      const variants = ONE_OF_EACH.includes(seed) ? 5 : seed % 3 === 0 ? 1 : 0
      for await (const { failure, variant } of proveVariants(scenario, { seeds: [seed], variants }))
        if (failure !== undefined) failures.push({ failure, variant })
      expect(failures).toEqual([])
    },
    180_000,
  )

  it.each(shareOf(PERSONALITIES.map(({ name }) => name)))(
    '[VAR48] is solved on %s',
    async (personality) => {
      for await (const { failure } of proveVariants(scenario, { seeds: ONE_OF_EACH, variant: { personality } }))
        expect(failure).toBeUndefined()
    },
    180_000,
  )

  it.each(shareOf(ONE_OF_EACH.slice(0, 3)))(
    '[VER1] [VER5] [VER8] [VER9] the oracles of seed %d notice what is done wrong',
    async (seed) => {
      const checks = await verifyScenario(scenario, { seed })
      expect(checks.filter(({ passed }) => !passed)).toEqual([])
    },
    180_000,
  )
})
