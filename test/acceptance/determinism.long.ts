import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { FAULT_CATALOGUE } from '../../src/scenario/faults/catalogue.ts'
import { AXES } from '../../src/scenario/variants/axes.ts'
import { playShowcase } from '../support/scenario/showcase-runs.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = shareOf(readdirSync(join(ROOT, 'scenarios')).filter((name) => name.endsWith('.yaml')))

/** Runs a script, which prints JSON, in its own process. */
async function runScript(script: string, environment: Readonly<Record<string, string>>): Promise<unknown> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const { stdout } = await run(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

/** Plays every scenario of the gallery in its own process. Returns the hashes after each step, by file. */
const playAll = (environment: Readonly<Record<string, string>>): Promise<Record<string, readonly string[]>> =>
  runScript(
    `
    import { loadScenario } from './src/compose/preview.ts'
    import { runSolution } from './src/compose/verify/solution-run.ts'
    const marks = {}
    for (const file of ${JSON.stringify(FILES)}) marks[file] = (await runSolution(await loadScenario('scenarios/' + file))).marks
    console.log(JSON.stringify(marks))`,
    environment,
  ) as Promise<Record<string, readonly string[]>>

/** Settings of a machine on which nothing of a run may depend. */
const ELSEWHERE = { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', FREETYPE_PROPERTIES: 'cff:no-stem-darkening=0' }

it('[PNT4] plays every scenario of the gallery identically in two processes, to the pixel', async () => {
  const [first, second] = await Promise.all([playAll({ TZ: 'UTC', LANG: 'C' }), playAll(ELSEWHERE)])
  expect(Object.keys(first)).toEqual(FILES)
  expect(Object.values(first).every((marks) => marks.length > 0)).toBe(true)
  expect(second).toEqual(first)
}, 120_000)

it('[PNT4] plays each axis of variants and each fault identically in two processes, with equal traces', async () => {
  const script = `
    import { playShowcase } from './test/support/scenario/showcase-runs.ts'
    console.log(JSON.stringify(await playShowcase()))`
  const [here, elsewhere] = await Promise.all([playShowcase(), runScript(script, ELSEWHERE)])
  expect(elsewhere).toEqual(here)
  const names = Object.keys(here)
  for (const { name } of AXES) expect(names.some((each) => each.startsWith(`${name}=`))).toBe(true)
  for (const { id } of FAULT_CATALOGUE) expect(here[id]?.fired.join()).toContain(id)
  // Each leaves its own trace.
  expect(new Set(Object.values(here).map(({ trace }) => trace)).size).toBe(names.length)
}, 120_000)
