import { type SyntheticComputer, syntheticComputer } from '../adapters/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import { loadScenario } from '../scenario/load.ts'
import { stepOf } from './desktops.ts'
import { formOf } from './form.ts'
import type { Stepping } from './load.ts'
import { BOXES, DESKTOPS } from './step.ts'

/** A process of its own that steps many desktops of the form in turn and begins them again, and tells how fast. */

const TIMES = 40_000

const scenario = loadScenario(formOf(BOXES), { file: 'bench.yaml' })
const desktops = Array.from({ length: DESKTOPS }, () => syntheticComputer({ scenario, clock: virtualClock() }))

/** How often a second of processor time, the second time, when it has had its time to warm up. */
function rateOf(work: (computer: SyntheticComputer, turn: number) => unknown): number {
  let rate = 0
  for (let round = 0; round < 2; round++) {
    const before = process.cpuUsage()
    for (let turn = 0; turn < TIMES; turn++) work(desktops[turn % DESKTOPS]!, Math.floor(turn / DESKTOPS))
    const { user, system } = process.cpuUsage(before)
    rate = TIMES / ((user + system) / 1e6)
  }
  return rate
}

process.send?.({
  steps: rateOf((computer, turn) => stepOf(computer, turn % BOXES)),
  resets: rateOf((computer) => computer.reset()),
} satisfies Stepping)
process.disconnect?.()
