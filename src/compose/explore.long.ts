import { expect, it } from 'vitest'
import { exploreScenario } from './explore.ts'

// Rules such as [XP2] are stated in scenario/explore/README.md. explore.test.ts explores less.

it('[XP2] [XP5] [XP14] [XP17] decides all reactions of two sites in a browser', async () => {
  const { findings, undecided } = await exploreScenario('web', { maxStates: 100 })
  expect({ findings, undecided }).toEqual({ findings: [], undecided: [] })
})

it('[XP13] a hundred screens of a form accept conditions that are checked one after another', async () => {
  const { findings } = await exploreScenario('form', { maxStates: 100 })
  expect(findings.filter(({ code }) => code === 'ambiguous-reaction')).toEqual([])
})
