import { createSyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { countNodes, nodeById } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { type BenchCase, measure, ms, type ReportLine } from '../harness/measure.ts'
import { stepOf } from './desktops.ts'
import { formOf } from './form-scenario.ts'
import { recordsTable } from './records.ts'

const BOXES = [9, 99, 999, 9999]
const RECORDS = [10, 100, 1000, 10_000]
const TIMES = 200

/** Measures how the cost of a step, of an observation and of a load grow with the elements and the records of a desktop. */
export async function benchGrowth(): Promise<readonly ReportLine[]> {
  return [...(await withElements()), ...(await withRecords())]
}

const open = (text: string) =>
  createSyntheticComputer({ scenario: parseScenario(text, { file: 'bench.yaml' }), clock: virtualClock() })

/** Forms of check boxes: a click with hash and difference, the whole tree as JSON, and loading the file. */
async function withElements(): Promise<readonly ReportLine[]> {
  const lines: ReportLine[] = []
  for (const count of BOXES) {
    const text = formOf(count)
    const computer = open(text)
    let turn = 0
    const [step, json, load] = await measure([
      { name: 'step', times: TIMES, run: () => stepOf(computer, turn++ % 9) },
      {
        name: 'tree',
        times: Math.max(1, Math.round((TIMES * 10) / count)),
        run: () => {
          stepOf(computer, turn++ % 9)
          return JSON.stringify(computer.tree('mock:bench'))
        },
      },
      { name: 'load', times: 1, run: () => open(text) },
    ])
    const nodes = countNodes(computer.tree('mock:bench')!)
    lines.push(
      { what: `${nodes} elements: click + hash + diff`, measured: ms(step!.cpuMs) },
      { what: `${nodes} elements: the same with the whole tree as JSON`, measured: ms(json!.cpuMs) },
      { what: `${nodes} elements: loading the file`, measured: ms(load!.cpuMs) },
    )
  }
  return lines
}

/** A table of records with a filter, a formula, a total and editable cells. */
async function withRecords(): Promise<readonly ReportLine[]> {
  const lines: ReportLine[] = []
  for (const count of RECORDS) {
    const text = recordsTable(count)
    const computer = open(text)
    const change = () => {
      const at = centerOf(nodeById(computer.tree('mock:records')!, 'change')!.bounds)
      computer.perform({ type: 'click', at, button: 'left', count: 1 })
      return computer.tree('mock:records')
    }
    const scroll = (turn: number) =>
      computer.perform({ type: 'scroll', at: { x: 200, y: 200 }, clicks: turn % 20 < 10 ? -3 : 3 })
    let turn = 0
    const cases: readonly BenchCase[] = [
      { name: 'change', times: 50, run: change },
      { name: 'scroll', times: 50, run: () => scroll(turn++) },
      { name: 'load', times: 1, run: () => open(text) },
    ]
    const [changed, scrolled, load] = await measure(cases, 3)
    lines.push(
      { what: `${count} records: changing one`, measured: ms(changed!.cpuMs) },
      { what: `${count} records: scrolling`, measured: ms(scrolled!.cpuMs) },
      { what: `${count} records: loading the file`, measured: ms(load!.cpuMs) },
    )
  }
  return lines
}
