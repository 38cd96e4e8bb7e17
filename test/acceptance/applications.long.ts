import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PLAYS_ALL, shareOf } from '../../.ci/share.ts'
import { APPLICATIONS, applicationNames } from '../../src/compose/applications.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'

// Each task of an application is proven in twenty seeds; a share proves each in one of the first four.

const SEEDS = Array.from({ length: PLAYS_ALL ? 20 : 4 }, (_, index) => index + 1)
const TASKS = applicationNames().flatMap((name) => {
  const folder = join(APPLICATIONS, name)
  return readdirSync(folder).includes('tasks')
    ? readdirSync(join(folder, 'tasks')).map((file) => join(folder, 'tasks', file))
    : []
})

const CASES = TASKS.flatMap((file, place) =>
  shareOf(SEEDS, place).map((seed) => [file.slice(APPLICATIONS.length + 1), seed] as const),
)

it.each(CASES)('[EXP36] %s is proven in the seed %i', async (file, seed) => {
  const checks = await verifyScenario(await loadScenario(join(APPLICATIONS, file), { seed }))
  expect(checks.filter(({ passed }) => !passed)).toEqual([])
})
