import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { shareOf } from '../../../.ci/share.ts'
import { runSolution } from '../../compose/verify/solution-run.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { BENCH_SUITE, loadBench } from './pack.ts'

const { tasks: ROWS } = parseYaml(readFileSync(BENCH_SUITE, 'utf8')) as {
  readonly tasks: readonly { readonly scenario: string }[]
}
const NAMES = ROWS.map(({ scenario }) => basename(scenario, '.yaml'))
const MINUTES = 600_000

it.each(shareOf(NAMES))(
  '[EV95a] every solution passes in the public seeds, also without its optional steps, in a quarter of the limit: %s',
  { timeout: MINUTES },
  async (name) => {
    const [task] = (await loadBench([name])).tasks
    const scenarios = new EpisodeScenarios()
    const failures: string[] = []
    let most = 0
    for (const seed of task!.seeds) {
      const episode = { id: '', task: name, file: task!.file, seed, variant: {}, faults: [], run: 1, budget: {} }
      const scenario = await scenarios.of(episode)
      for (const solution of scenario.solutions)
        for (const onlyNeeded of [false, true]) {
          const { failure } = await runSolution(scenario, solution, { marked: false, onlyNeeded })
          if (failure !== undefined) failures.push(`seed ${seed}: ${failure}`)
        }
      most = Math.max(most, (await scenarios.solutionUse(episode, scenario)).steps ?? 0)
    }
    expect(failures).toEqual([])
    expect(task!.budget.max_steps).toBeGreaterThanOrEqual(Math.max(15, 4 * most))
  },
)
