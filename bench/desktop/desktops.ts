import { createSyntheticComputer, type SyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { countNodes, nodeById } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { diffTrees } from '../../src/desktop/tree/diff.ts'
import { fingerprint } from '../../src/desktop/tree/hash.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { atMost, measure, type ReportLine } from '../harness/measure.ts'
import { formOf } from './form-scenario.ts'

const UID = 'mock:bench'
const NODES = 60
const STEPS_EACH = 20

/** Measures memory, steps and resets of thousands of desktops in one process. */
export async function benchDesktops(): Promise<readonly ReportLine[]> {
  const scenario = parseScenario(formOf(NODES - 1), { file: 'bench.yaml' })
  const lines: ReportLine[] = []
  for (const many of [1, 1000, 10_000]) lines.push(...(await crowd(scenario, many)))
  lines.push(...(await startingOver(scenario)), forksOf(400, 10_000))
  return lines
}

/** The memory of a process after many forks of one desktop. */
function forksOf(nodes: number, many: number): ReportLine {
  const scenario = parseScenario(formOf(nodes - 1), { file: 'bench.yaml' })
  const computer = createSyntheticComputer({ scenario, clock: virtualClock() })
  for (let turn = 0; turn < STEPS_EACH; turn++) stepOf(computer, turn)
  const before = heap()
  const forks = Array.from({ length: many }, () => computer.fork({ clock: virtualClock() }))
  const [first] = forks
  for (const fork of forks) stepOf(fork, STEPS_EACH)
  const megabytes = (heap() - before) / 2 ** 20
  return {
    what: `${many} forks of ${countNodes(first!.tree(UID)!)} elements after a step each: heap`,
    measured: `${megabytes.toFixed(0)} MB`,
    target: '< 300 MB',
    met: megabytes < 300,
  }
}

async function crowd(scenario: Scenario, many: number): Promise<readonly ReportLine[]> {
  const before = heap()
  const desktops = Array.from({ length: many }, () => createSyntheticComputer({ scenario, clock: virtualClock() }))
  let turn = 0
  const [step] = await measure(
    [
      {
        name: `${many}`,
        times: Math.max(2000, many),
        run: () => {
          const computer = desktops[turn % many]!
          return stepOf(computer, turn++)
        },
      },
    ],
    3,
  )
  for (const computer of desktops) while (computer.stepCount < STEPS_EACH) stepOf(computer, turn++)
  const used = heap() - before
  const nodes = countNodes(desktops[0]!.tree(UID)!)
  const lines: ReportLine[] = [
    {
      what: `${many} desktops of ${nodes} elements: step + fingerprint + diff`,
      measured: `${(1000 / step!.cpuMs).toFixed(0)}/s`,
      target: 'per CPU-second',
    },
  ]
  if (many < 10_000) return lines
  const megabytes = used / 2 ** 20
  return [
    ...lines,
    {
      what: `${many} desktops after ${STEPS_EACH} steps each: heap`,
      measured: `${megabytes.toFixed(0)} MB`,
      target: '< 200 MB',
      met: megabytes < 200,
    },
  ]
}

/** Bytes of heap per desktop after its steps, in a second round: the first one fills caches, and frees what earlier work has left. */
export function measureDesktopBytes(many = 2000): number {
  const scenario = parseScenario(formOf(NODES - 1), { file: 'bench.yaml' })
  bytesOfDesktops(scenario, many)
  return bytesOfDesktops(scenario, many)
}

function bytesOfDesktops(scenario: Scenario, many: number): number {
  const before = heap()
  const desktops = Array.from({ length: many }, () => createSyntheticComputer({ scenario, clock: virtualClock() }))
  for (let turn = 0; turn < STEPS_EACH; turn++) for (const computer of desktops) stepOf(computer, turn)
  const bytes = (heap() - before) / many
  return desktops.length > 0 ? bytes : 0
}

/** A click on a box, the fingerprint of the resulting tree and its difference. */
export function stepOf(computer: SyntheticComputer, turn: number): unknown {
  const before = computer.tree(UID)!
  const at = centerOf(nodeById(before, `b${turn % (NODES - 1)}`)!.bounds)
  computer.perform({ type: 'click', at, button: 'left', count: 1 })
  const after = computer.tree(UID)!
  return [fingerprint(after), diffTrees(before, after)]
}

async function startingOver(scenario: Scenario): Promise<readonly ReportLine[]> {
  const computer = createSyntheticComputer({ scenario, clock: virtualClock() })
  for (let turn = 0; turn < STEPS_EACH; turn++) stepOf(computer, turn)
  const [reset, fork] = await measure([
    { name: 'reset', times: 2000, run: () => computer.reset() },
    { name: 'fork', times: 2000, run: () => computer.fork() },
  ])
  return [atMost('reset', reset!.cpuMs, 0.1), atMost('fork', fork!.cpuMs, 0.1)]
}

function heap(): number {
  // Once more for what the first collection only marks as free, such as the values of weak maps.
  for (let time = 0; time < 2; time++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
