import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = readdirSync(join(ROOT, 'scenarios')).filter((name) => name.endsWith('.yaml'))

/** Plays every scenario of the gallery in its own process. Returns the hashes after each step, by file. */
async function playAll(environment: Readonly<Record<string, string>>): Promise<Record<string, readonly string[]>> {
  const script = `
    import { loadScenario } from './src/compose/preview.ts'
    import { runSolution } from './src/compose/verify/solution-run.ts'
    const marks = {}
    for (const file of ${JSON.stringify(FILES)}) marks[file] = (await runSolution(await loadScenario('scenarios/' + file))).marks
    console.log(JSON.stringify(marks))`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const { stdout } = await run(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

it('[P4] plays every scenario of the gallery identically in two processes, to the pixel', async () => {
  const [first, second] = await Promise.all([
    playAll({ TZ: 'UTC', LANG: 'C' }),
    playAll({ TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', FREETYPE_PROPERTIES: 'cff:no-stem-darkening=0' }),
  ])
  expect(Object.keys(first)).toEqual(FILES)
  expect(Object.values(first).every((marks) => marks.length > 0)).toBe(true)
  expect(second).toEqual(first)
}, 120_000)
