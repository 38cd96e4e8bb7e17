import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { shareOf } from '../../.ci/share.ts'
import { APPLICATIONS, applicationNames } from '../../src/compose/applications.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'

const SEEDS = [1, 2, 3, 4]
/** The files of the tasks of all applications. */
export const APPLICATION_TASKS: readonly string[] = applicationNames().flatMap((name) => {
  const folder = join(APPLICATIONS, name)
  return readdirSync(folder).includes('tasks')
    ? readdirSync(join(folder, 'tasks')).map((file) => join(folder, 'tasks', file))
    : []
})

/**
 * Proves one half of the tasks of the applications, 0 or 1, so that two files prove all on two cores. Each task is proven in
 * four seeds, of which a share plays one.
 * @param divided Chooses the seeds of a share; the runner looks for it in the files of suites.
 */
export function proveTasks(half: 0 | 1, divided: typeof shareOf): void {
  const cases = APPLICATION_TASKS.flatMap((file, place) =>
    place % 2 === half ? divided(SEEDS, place).map((seed) => [file.slice(APPLICATIONS.length + 1), seed] as const) : [],
  )
  it.each(cases)('[EXP36] %s is proven in the seed %i', async (file, seed) => {
    const checks = await verifyScenario(await loadScenario(join(APPLICATIONS, file), { seed }))
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
  })
}
