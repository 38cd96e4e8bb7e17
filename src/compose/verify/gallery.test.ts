import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createSyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../base/clock.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { loadScenario } from '../preview.ts'
import { markOf, runSolution } from './solution-run.ts'

// Rules such as [P9] are stated in README.md beside this file; fixtures/README.md explains how to regenerate the file.

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
    states[initial] = short(await markOf(computer))
  }
  return { states, solution: (await runSolution(scenario)).marks.map(short) }
}

it('[P9] the gallery shows the recorded trees and pixels under the seeds of its files', async () => {
  const found = Object.fromEntries(
    await Promise.all(
      Object.keys(GOLDEN).map(async (name) => [name, await screensOf(await loadScenario(name))] as const),
    ),
  )
  if (process.env.GOLDEN === 'update') writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
  else expect(found).toEqual(GOLDEN)
})
