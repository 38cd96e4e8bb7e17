import { expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { PERSONALITIES } from '../scenario/personalities/personalities.ts'
import { withVariant } from '../scenario/seeds.ts'
import { galleryNames } from './gallery.ts'
import { loadScenario } from './preview.ts'
import { runSolution } from './verify/solution-run.ts'

const PAIRS = galleryNames().flatMap((scenario) => PERSONALITIES.map(({ name }) => [scenario, name] as const))

it.each(shareOf(PAIRS))('[PER15] the solutions of %s pass in %s', async (name, personality) => {
  const scenario = withVariant(await loadScenario(name), { personality })
  for (const solution of scenario.solutions)
    expect((await runSolution(scenario, solution, { marked: false })).failure).toBeUndefined()
})
