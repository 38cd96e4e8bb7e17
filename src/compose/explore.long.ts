import { expect, it } from 'vitest'
import { exploreScenario } from './explore.ts'

// Rules such as [XP1a] are stated in scenario/explore/README.md.

it('[XP1a] [XP2b] decides all reactions of two sites in a browser', async () => {
  const { findings, undecided } = await exploreScenario('web', { maxStates: 100 })
  expect({ findings, undecided }).toEqual({ findings: [], undecided: [] })
})
