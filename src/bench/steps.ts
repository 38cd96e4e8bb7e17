import { syntheticComputer } from '../adapters/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import { diffTrees } from '../desktop/diff.ts'
import { countNodes, nodeById } from '../desktop/element.ts'
import { centerOf } from '../desktop/geometry.ts'
import { treeHash } from '../desktop/hash.ts'
import { loadScenario } from '../scenario/load.ts'
import { atMost, type Line, measure } from './measure.ts'

const ROWS = 20
const COLUMNS = 19

/** A row of buttons in a pane of its own. */
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
  loadScenario(
    `name: bench
states:
  only:
    windows:
      - uid: mock:bench
        title: Bench
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          name: Bench
          children:
${Array.from({ length: ROWS }, (_, row) => rowOf(row)).join('\n')}
reactions:
  - on: {tool: click_element, target_name: "B7"}
    set: [{id: b8, name: "tick"}]
  - on: {tool: click_element, target_name: "B9"}
    set: [{id: b8, name: "tock"}]
`,
    { file: 'bench.yaml' },
  )

/** A click by coordinates, the hash of the tree and the difference to the one before, on a tree of 400 elements. */
export async function benchSteps(): Promise<readonly Line[]> {
  const computer = syntheticComputer({ scenario: scenario(), clock: virtualClock() })
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
  return [atMost(`click + hash + diff, ${countNodes(before)} elements`, step!.cpuMs, 0.2)]
}
