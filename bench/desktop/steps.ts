import fastJsonPatch from 'fast-json-patch'
import { createSyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { button, pane, window } from '../../src/desktop/model/builders.ts'
import { changeAt, countNodes, nodeById } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { diffTrees } from '../../src/desktop/tree/diff.ts'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { atLeast, atMost, atMostTimes, measure, ms, type ReportLine } from '../harness/measure.ts'
import { stepOf } from './desktops.ts'
import { formOf } from './form-scenario.ts'
import { benchCards, benchRecords, benchSheet } from './records.ts'

const ROWS = 20
const COLUMNS = 19

/** A row of buttons in its own pane. */
function rowOf(row: number): string {
  const y = 40 + row * 36
  const buttons = Array.from({ length: COLUMNS }, (_, column) => {
    const number = row * COLUMNS + column
    const at = `{x: ${20 + column * 60}, y: ${y + 4}, width: 54, height: 28}`
    return `                - {id: b${number}, role: Button, name: B${number}, bounds: ${at}}`
  })
  const pane = `            - role: Pane\n              name: Row ${row}\n              bounds: {x: 10, y: ${y}, width: 1180, height: 36}`
  return [pane, '              children:', ...buttons].join('\n')
}

const scenario = () =>
  parseScenario(
    `${scenarioOf('Bench', Array.from({ length: ROWS }, (_, row) => rowOf(row)).join('\n'))}
reactions:
  - on: {tool: click_element, target_name: "B7"}
    set: [{id: b8, name: "tick"}]
  - on: {tool: click_element, target_name: "B9"}
    set: [{id: b8, name: "tock"}]
`,
    { file: 'bench.yaml' },
  )

/** A click by coordinates, the tree hash and the difference to the previous tree, for 400 elements. */
export async function benchSteps(): Promise<readonly ReportLine[]> {
  const computer = createSyntheticComputer({ scenario: scenario(), clock: virtualClock() })
  let before = computer.tree('mock:bench')!
  const places = ['b7', 'b9'].map((id) => centerOf(nodeById(before, id)!.bounds))
  let turn = 0
  const [step] = await measure([
    {
      name: 'step',
      times: 2000,
      run: () => {
        computer.perform({ type: 'click', at: places[turn++ % 2]!, button: 'left', count: 1 })
        const after = computer.tree('mock:bench')!
        const hash = treeHash(after)
        const changes = diffTrees(before, after)
        before = after
        return [hash, changes]
      },
    },
  ])
  return [
    atMost(`click + hash + diff, ${countNodes(before)} elements`, step!.cpuMs, 0.2),
    ...(await benchDiff()),
    ...(await benchLongList()),
    ...(await benchRecords()),
    ...(await benchSheet()),
    ...(await benchCards()),
    await benchWideTree(),
  ]
}

/** The difference for one renamed leaf, compared with a diff of plain copies. */
async function benchDiff(): Promise<readonly ReportLine[]> {
  const rows = Array.from({ length: 40 }, (_, row) =>
    pane(`Row ${row}`, ...Array.from({ length: 24 }, (_, column) => button(`${row}/${column}`))),
  )
  const { tree } = window('Bench', {}, ...rows)
  const renamed = changeAt(tree, [20, 12], (node) => ({ ...node, name: 'another' }))
  const copies = [structuredClone(tree), structuredClone(renamed)] as const
  let turn = 0
  const [own, patch] = await measure([
    // Alternates, because the latest difference is cached.
    { name: 'own', times: 5000, run: () => (turn++ % 2 === 0 ? diffTrees(tree, renamed) : diffTrees(renamed, tree)) },
    { name: 'fast-json-patch', times: 20, run: () => fastJsonPatch.compare(...copies) },
  ])
  return [
    { what: `one renamed leaf of ${countNodes(tree)}: diff`, measured: ms(own!.cpuMs) },
    atLeast('fast-json-patch on deep clones takes as much longer', patch!.cpuMs / own!.cpuMs, 500),
  ]
}

const GROUPS = 100

/** A hundred groups of a hundred check boxes. */
function wideTree(): string {
  const groups = Array.from({ length: GROUPS }, (_, group) => {
    const place = `bounds: {x: ${12 * group}, y: 20, width: 12, height: 780}`
    const boxes = Array.from({ length: GROUPS }, (_, box) => {
      const at = `{x: ${12 * group}, y: ${20 + 7 * box}, width: 12, height: 7}`
      return `                - {id: b${group * GROUPS + box}, role: CheckBox, name: Option ${group}/${box}, bounds: ${at}}`
    })
    return `            - role: Pane\n              name: Group ${group}\n              ${place}\n              children:\n${boxes.join('\n')}`
  })
  return scenarioOf('Wide', groups.join('\n'))
}

/** A click, the fingerprint and the difference on 10,000 elements, compared with 61: unchanged elements must cost nothing. */
async function benchWideTree(): Promise<ReportLine> {
  const [wide, narrow] = [wideTree(), formOf(60)].map((text) => {
    const computer = createSyntheticComputer({
      scenario: parseScenario(text, { file: 'bench.yaml' }),
      clock: virtualClock(),
    })
    let turn = 0
    return { computer, run: () => stepOf(computer, turn++) }
  })
  const cases = [wide!, narrow!].map(({ run }, index) => ({ name: `${index}`, times: 2000, run }))
  const [many, few] = await measure(cases)
  const nodes = countNodes(wide!.computer.tree('mock:bench')!)
  return atMostTimes(`click + fingerprint + diff, ${nodes} elements beside 61`, many!.cpuMs / few!.cpuMs, 4)
}

/** A scenario of one window with the given children, each one or more lines of YAML. */
const scenarioOf = (title: string, children: string): string => `name: bench
states:
  only:
    windows:
      - uid: mock:bench
        title: ${title}
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          name: ${title}
          children:
${children}
`

const ROWS_MANY = 10_000

/** A list of many rows, of which the visible ones are elements. */
const longList = (count: number): string =>
  scenarioOf(
    'Long',
    `            - id: list
              role: List
              name: Rows
              bounds: {x: 20, y: 40, width: 400, height: 600}
              rows: [${Array.from({ length: count }, (_, row) => `Row ${row}`).join(', ')}]`,
  )

/** A click on a row of a list of ten thousand rows, compared with one of a hundred. */
async function benchLongList(): Promise<readonly ReportLine[]> {
  const clicks = [longList(ROWS_MANY), longList(100)].map((text) => {
    const computer = createSyntheticComputer({
      scenario: parseScenario(text, { file: 'bench.yaml' }),
      clock: virtualClock(),
    })
    let before = computer.tree('mock:bench')!
    let turn = 0
    return () => {
      const at = { x: 60, y: 60 + 34 * (turn++ % 5) }
      computer.perform({ type: 'click', at, button: 'left', count: 1 })
      const after = computer.tree('mock:bench')!
      const results = [treeHash(after), diffTrees(before, after)]
      before = after
      return results
    }
  })
  const [long, short] = await measure(clicks.map((run, index) => ({ name: `${index}`, times: 1000, run })))
  return [atMostTimes(`click in a list of ${ROWS_MANY} rows, beside one of 100`, long!.cpuMs / short!.cpuMs, 2)]
}
