import { createSyntheticComputer, type SyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { stepOf } from '../desktop/desktops.ts'
import { formOf } from '../desktop/form-scenario.ts'
import { BOXES, DESKTOPS } from '../desktop/step-plans.ts'
import type { Stepping } from '../harness/load.ts'
import { median } from '../harness/measure.ts'

/** A process that steps and resets many desktops in turn, and reports its rates. */

const TIMES = 40_000
/** V8 is still compiling during the first two or three of them. */
const ROUNDS = 9
const WARMING_UP = 4

const scenario = parseScenario(formOf(BOXES), { file: 'bench.yaml' })
const desktops = Array.from({ length: DESKTOPS }, () => createSyntheticComputer({ scenario, clock: virtualClock() }))

/** Runs per second of processor time: the median of the rounds after the warm-up. */
function rateOf(work: (computer: SyntheticComputer, turn: number) => unknown): number {
  const rates = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (let turn = 0; turn < TIMES; turn++) work(desktops[turn % DESKTOPS]!, Math.floor(turn / DESKTOPS))
    const { user, system } = process.cpuUsage(before)
    return TIMES / ((user + system) / 1e6)
  })
  return median(rates.slice(WARMING_UP))
}

process.send?.({
  steps: rateOf((computer, turn) => stepOf(computer, turn % BOXES)),
  resets: rateOf((computer) => computer.reset()),
} satisfies Stepping)
process.disconnect?.()
