import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { SHELL_STYLES } from '../../desktop/style/style.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { withSeed } from '../../scenario/seeds.ts'
import type { VariantChoices } from '../../scenario/variants/axis.ts'
import { galleryNames } from '../gallery.ts'
import { memorySession } from '../memory-session.ts'
import { playSolution } from '../play-solution.ts'
import { loadScenario } from '../preview.ts'
import { checkSuccess, runSolution } from './solution-run.ts'
import { verifyScenario } from './verify.ts'

// Rules such as [VER15] are stated in README.md beside this file.

const SHADES: readonly VariantChoices[] = [{ theme: 'dark' }, { contrast: 'high' }]
const SCREENS: readonly VariantChoices[] = [{ scale: '1.5' }, { locale: 'mirrored' }]

/** The hashes of the trees at the start and after each step of the first solution, and why it fails, if it does. */
async function playedIn(name: string, variant: VariantChoices) {
  const scenario = await loadScenario(name, { variant })
  const { session, computer } = memorySession(scenario)
  const hashes = () =>
    computer
      .windows()
      .map(({ uid }) => {
        const tree = computer.tree(uid)
        return `${uid} ${tree ? treeHash(tree) : ''}`
      })
      .join('\n')
  const trees = [hashes()]
  for await (const { failure } of playSolution({ session, computer }, scenario.solutions[0])) {
    if (failure !== undefined) return { trees, failure }
    trees.push(hashes())
  }
  return { trees, failure: await checkSuccess(session) }
}

/** Their audits take minutes in each style. Without a style, `backlot test` and the audits of suites do it. */
const WORLDS = ['back-office', 'expense-reports', 'office']

const SCENARIOS = galleryNames().map((name, place) => ({ name, place }))

const PAIRS = SCENARIOS.flatMap(({ name }) => SHELL_STYLES.map((style) => ({ name, style })))

describe('the gallery', () => {
  it.each(shareOf(galleryNames()))(
    '[VER14] has other data under other seeds, which tasks and solutions follow: %s',
    async (name) => {
      const own = await loadScenario(name)
      const others = [1, 2, 3].map((later) => withSeed(own, own.seed + later))
      expect(others.map(({ task }) => task).some((task) => task !== own.task)).toBe(true)
      for (const other of others)
        expect((await runSolution(other, undefined, { marked: false })).failure).toBeUndefined()
    },
  )

  it.each(shareOf(PAIRS))(
    '[VER15] holds in each style: $name in $style',
    { timeout: 600_000 },
    async ({ name, style }) => {
      if (WORLDS.includes(name)) return expect((await playedIn(name, { style })).failure).toBeUndefined()
      const checks = await verifyScenario(await loadScenario(name, { variant: { style } }))
      expect(checks.filter(({ passed }) => !passed)).toEqual([])
    },
  )

  it.each(shareOf(SCENARIOS))(
    '[VER16] [VER17] is solved in each shade, scaled and mirrored: $name',
    {
      timeout: 600_000,
    },
    async ({ name, place }) => {
      // A scenario is solved in each style by [VER15] already, so each is tried so in one of them.
      const style = SHELL_STYLES[place % SHELL_STYLES.length]!
      const light = await playedIn(name, { style })
      expect(light.failure).toBeUndefined()
      for (const shade of SHADES) expect(await playedIn(name, { style, ...shade })).toEqual(light)
      for (const screen of SCREENS)
        expect([screen, (await playedIn(name, { style, ...screen })).failure]).toEqual([screen, undefined])
    },
  )
})
