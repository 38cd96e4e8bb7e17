import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { createSyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../base/clock.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { loadScenario } from '../preview.ts'
import { runSolution, screenDigest } from './solution-run.ts'

// Rules such as [VER13] are stated in README.md beside this file; fixtures/README.md explains how to regenerate the file.

const FILE = new URL('../../../fixtures/golden/gallery.json', import.meta.url)
const GOLDEN: Readonly<Record<string, Screens>> = JSON.parse(readFileSync(FILE, 'utf8'))

/** Hashes of the trees and pixels of each state as it is written, and of the start and each step of the solution. */
interface Screens {
  readonly states: Readonly<Record<string, string>>
  readonly solution: readonly string[]
}

const short = (mark: string): string => createHash('sha256').update(mark).digest('hex').slice(0, 16)

async function screensOf(scenario: Scenario): Promise<Screens> {
  const states: Record<string, string> = {}
  for (const initial of scenario.states.keys()) {
    const computer = createSyntheticComputer({ scenario: { ...scenario, initial }, clock: virtualClock() })
    states[initial] = short(await screenDigest(computer))
  }
  return { states, solution: (await runSolution(scenario)).marks.map(short) }
}

const found: Record<string, Screens> = {}
afterAll(() => {
  if (process.env.GOLDEN === 'update') writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
})

it.each(Object.keys(GOLDEN))(
  '[VER13] %s shows the recorded trees and pixels under the seed of its file',
  async (name) => {
    const scenario = await loadScenario(name)
    expect(scenario.name).toBe(name)
    found[name] = await screensOf(scenario)
    if (process.env.GOLDEN !== 'update') expect(found[name]).toEqual(GOLDEN[name])
  },
)
