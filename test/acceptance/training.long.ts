import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { drawInteger, seededRandom } from '../../src/base/random.ts'
import { createDriver } from '../../src/compose/driver.ts'
import { memorySession } from '../../src/compose/memory-session.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { toolsFor } from '../../src/observer/registry.ts'
import { withSeed } from '../../src/scenario/seeds.ts'

// Rules such as [OB191] are stated in observer/SPEC.md.

const GALLERY = readdirSync(new URL('../../scenarios', import.meta.url))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace('.yaml', ''))

/** A scenario that is solved at its start. */
const WON = `
task: Nothing.
states: {s: {windows: [{title: W, tree: {role: Window, name: W}}]}}
oracles: {success: [{kind: window_exists, title_regex: W}]}
`
const LOAD = { tool: 'load_scenario', args: { yaml: WON } }

/** What a policy tries that wants the reward without the work: each tool of the harness, in all that may lead to one. */
const CHEATS: readonly object[] = [
  ...toolsFor('harness')
    .filter(({ audience }) => audience === 'harness')
    .flatMap(({ name: tool }) =>
      [
        {},
        { yaml: WON, scenario: WON, path: WON, seed: 1 },
        { to_step: 0, at_step: 0, ms: 600_000, id: 'x', mode: 'verify' },
        { path: '/documents/x', text: 'x', action: LOAD, audience: 'harness' },
        { actions: [LOAD], audience: 'harness', max_steps: 1000 },
      ].map((args) => ({ tool, args })),
    ),
  // Beside the tool, the audience is one more unknown argument.
  { ...LOAD, audience: 'harness' },
  { tool: 'propose_action', args: { action: 'load_scenario', args: LOAD.args } },
  { tool: 'batch', args: { calls: [LOAD] } },
  { tool: 'list_windows', args: {} },
  { tool: 'wait', args: { seconds: 1 } },
  { tool: 'get_screenshot', args: {} },
]

/** Answers that nobody had to look for. */
const CHEAP_ANSWERS = [
  '',
  'no',
  'done',
  'It is not possible.',
  'There is none, nothing is left, it is missing.',
  '0',
  '1',
]
const ENDS = CHEAP_ANSWERS.flatMap((text) =>
  (['done', 'infeasible'] as const).map((status) => ({ tool: 'finish', args: { status, text } })),
)

/** The third makes the task of expense-reports impossible. */
const SEEDS = [undefined, 2, 8]
const CHEATS_PER_SEED = 30

describe.each(GALLERY)('[OB191] [OB192] in %s, a policy that may send any action', (name) => {
  it.each(SEEDS)('gets neither reward nor score without doing the task, with the seed %s', async (seed) => {
    const scenario = await loadScenario(name)
    const { call } = createDriver(memorySession(seed === undefined ? scenario : withSeed(scenario, seed)).session)
    const step = async (action: object) => {
      const { reward, terminated, info } = await call('session_step' as string, { action, observe: 'none' })
      const { score, scenario, episode_actions } = info as Record<string, unknown>
      return { reward, score, terminated, scenario, episode_actions }
    }
    const unearned = { reward: 0, score: 0, scenario: scenario.name }
    let random = seededRandom(seed ?? 1)
    for (let count = 1; count <= CHEATS_PER_SEED; count++) {
      const [index, next] = drawInteger(random, 0, CHEATS.length - 1)
      random = next
      const outcome = await step(CHEATS[index]!)
      expect(outcome, JSON.stringify(CHEATS[index])).toEqual({ ...unearned, terminated: false, episode_actions: count })
    }
    for (const end of ENDS) {
      await call('session_reset', { observe: 'none' })
      expect(await step(end), JSON.stringify(end)).toEqual({ ...unearned, terminated: true, episode_actions: 1 })
    }
  })
})
