import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { shareOf } from '../../../.ci/share.ts'
import { runSolution } from '../../compose/verify/solution-run.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { type BenchManifest, benchManifest, manifestChanges } from './bench-manifest.ts'
import { BENCH_MANIFEST, BENCH_SUITE, loadBench } from './pack.ts'

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

const published = JSON.parse(readFileSync(BENCH_MANIFEST, 'utf8')) as BenchManifest

it('[EV103b] the published manifest has the tasks of the pack', () => {
  expect(published.tasks.map(({ id }) => id).toSorted()).toEqual(NAMES.toSorted())
})

it.each(shareOf(NAMES))(
  '[EV103b] the published manifest has the files, the settings and the first start of a task (backlot bench manifest --write TASK): %s',
  { timeout: MINUTES },
  async (name) => {
    const pack = await loadBench([name])
    const made = await benchManifest({ ...pack, tasks: pack.tasks.map(inFirstSeed) })
    const tasks = published.tasks.filter(({ id }) => id === name).map(inFirstSeed)
    expect(manifestChanges({ ...published, tasks }, made)).toEqual([])
  },
)

const inFirstSeed = <Task extends { readonly seeds: readonly unknown[] }>(task: Task): Task => ({
  ...task,
  seeds: task.seeds.slice(0, 1),
})
