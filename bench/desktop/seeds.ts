import { createSyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { galleryNames } from '../../src/compose/gallery.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { atLeast, atMost, type Measured, measure, type ReportLine } from '../harness/measure.ts'

/** Processor time of a reset to a seed that was never seen, in milliseconds. */
const MOST_MS = 25
/** A reset composes the scenario again, and shares with earlier seeds what does not depend on what is drawn. */
const LEAST_RATIO = 1.5
const RESETS_PER_ROUND = 12

/** Measures resets to new seeds in each scenario of the gallery, beside loading its file with a new seed. */
export async function benchSeeds(): Promise<readonly ReportLine[]> {
  const lines: ReportLine[] = []
  for (const name of galleryNames()) {
    const scenario = await loadScenario(name)
    const computer = createSyntheticComputer({ scenario, clock: virtualClock() })
    let seed = 1_000
    const cases = [
      { name: 'reset', times: RESETS_PER_ROUND, run: () => computer.reset(++seed) },
      { name: 'load', times: 2, run: async () => (await loadScenario(name)).name },
    ]
    const [reset, load] = (await measure(cases)) as [Measured, Measured]
    lines.push(
      atMost(`${name}: reset to a new seed`, reset.cpuMs, MOST_MS),
      atLeast(`${name}: loading its file beside that`, load.cpuMs / reset.cpuMs, LEAST_RATIO),
    )
  }
  return lines
}
