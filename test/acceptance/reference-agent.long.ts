import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { VENDORS } from '../support/agent/vendors/index.ts'
import { SOLUTIONS } from '../support/reference-agent/solutions.ts'
import { solve } from '../support/reference-agent/solve.ts'

// Scenarios of the gallery, solved by the reference agent in each dialect, with pictures.

const TASKS = [
  ['login', 'screenshot'],
  ['calendar', 'both'],
  ['settings', 'both'],
] as const
const CASES = VENDORS.flatMap((vendor) =>
  TASKS.map(([scenario, observe]) => ({ vendor, dialect: vendor.dialect.name, scenario, observe })),
)

describe('with each vendor', () => {
  it.each(shareOf(CASES))(
    '[RA1] [RA8] solves $scenario with the observation $observe over $dialect',
    async ({ vendor, scenario, observe }) => {
      const { result, reward, problems, requests } = await solve(vendor, scenario, SOLUTIONS[scenario], { observe })
      expect(result.outcome).toBe('done')
      expect(reward).toBe(1)
      expect(problems).toEqual([])
      const pictures = requests.map(({ body }) => JSON.stringify(body).split('iVBORw0KGgo').length - 1)
      expect(pictures).toEqual(requests.map((_, step) => Math.min(step + 1, 2)))
    },
  )
})
