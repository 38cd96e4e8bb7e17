import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { proveVariants } from '../../src/compose/variants.ts'
import { loadScenario } from '../../src/index.ts'
import type { AuthoredFaults } from '../../src/scenario/faults/catalogue.ts'
import { withVariant } from '../../src/scenario/seeds.ts'

/** The back office of the gallery: each of its solutions passes in each seed, in variants, and with faults. */

const TIMEOUT_MS = 1_800_000
const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1)

const scenario = await loadScenario('back-office')

async function failuresOf(seeds: readonly number[], variants: number, faults: AuthoredFaults = []) {
  const failures: unknown[] = []
  let runs = 0
  for await (const { seed, variant, failure } of proveVariants(scenario, { seeds, variants, faults })) {
    runs++
    if (failure !== undefined) failures.push([seed, variant, failure])
  }
  return { runs, failures }
}

describe('the back office', () => {
  it(
    'is solved in 50 seeds, some also in a variant',
    async () => {
      const [plain, varied] = [shareOf(SEEDS.slice(0, 35)), shareOf(SEEDS.slice(35))]
      expect(await failuresOf(plain, 0)).toEqual({ runs: plain.length, failures: [] })
      expect(await failuresOf(varied, 1)).toEqual({ runs: 2 * varied.length, failures: [] })
    },
    TIMEOUT_MS,
  )

  it.each(shareOf(['lost-click', 'latency', 'stale-pixels', 'ghost-node', 'off-screen-node', 'occluding-toast']))(
    'is solved with the fault %s',
    async (fault) => expect(await failuresOf(SEEDS.slice(0, 10), 0, [fault])).toEqual({ runs: 10, failures: [] }),
    TIMEOUT_MS,
  )

  it('asks for another customer in each seed', () => {
    expect(new Set(SEEDS.map((seed) => withVariant(scenario, {}, seed).task)).size).toBe(SEEDS.length)
  })
})
