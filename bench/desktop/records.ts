import { createSyntheticComputer, type SyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { nodeById } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { diffTrees } from '../../src/desktop/tree/diff.ts'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { atMost, atMostTimes, measure, ms, type ReportLine } from '../harness/measure.ts'

const UID = 'mock:records'
const MANY = 10_000
const FEW = 100

/** A table with a filter, a formula, a total and editable cells over records, and buttons that change them. */
const recordsTable = (count: number): string => `name: records
vars:
  least: 1.0
  orders:
    - repeat: ${count}
      as: number
      id: "{{ number }}"
      name: "Order {{ number }}"
      price: "{{ double(number % 90) + 0.5 }}"
states:
  only:
    windows:
      - uid: ${UID}
        title: Records
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          children:
            - {id: change, role: Button, name: Change, bounds: {x: 800, y: 40, width: 120, height: 30}}
            - {id: add, role: Button, name: Add, bounds: {x: 800, y: 80, width: 120, height: 30}}
            - {id: drop, role: Button, name: Drop, bounds: {x: 800, y: 120, width: 120, height: 30}}
            - {id: count, role: Text, name: "{{ size(orders) }} orders", bounds: {x: 800, y: 160, width: 120, height: 30}}
            - id: table
              role: Table
              name: Orders
              bounds: {x: 20, y: 40, width: 700, height: 600}
              rows: orders
              key: id
              filter: row.price > least
              columns:
                - {field: id, width: 80}
                - {field: name, sortable: true, editable: true}
                - {field: price, format: "0.00", total: sum}
                - {field: double, formula: row.price * 2}
reactions:
  - {on: {tool: click_element, target_id: change}, set: [{var: orders, where: row.id == 50, change: {price: "{{ row.price + 1.0 }}"}}]}
  - {on: {tool: click_element, target_id: add}, set: [{var: orders, append: {id: "{{ size(orders) }}", name: New, price: 3.5}}]}
  - {on: {tool: click_element, target_id: drop}, set: [{var: orders, where: row.id == size(orders) - 1, remove: true}]}
`

/** Cards that follow the data: a text, a number that is bound, and a button that changes the record. */
const cards = (count: number): string => `name: cards
vars:
  cards: [{repeat: ${count}, as: number, id: "{{ number }}", title: "Card {{ number }}", points: "{{ number % 9 }}"}]
computed: {points: 'sum(cards.map(card, card.points))'}
states:
  only:
    windows:
      - uid: ${UID}
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          name: Cards
          children:
            - {id: change, role: Button, name: Change}
            - {id: sum, role: Text, name: "{{ points }} points"}
            - id: log
              role: ScrollArea
              name: Log
              grow: 1
              children:
                - repeat: cards
                  as: card
                  id: card
                  role: Group
                  name: "{{ card.title }}"
                  layout: {arrange: row}
                  children:
                    - {role: Text, name: "{{ card.title }}: {{ card.points }}", grow: 1}
                    - {id: done, role: CheckBox, name: Done}
                    - {id: more, role: Button, name: More}
reactions:
  - {on: {tool: click_element, target_id: change}, set: [{var: cards, where: row.id == 7, change: {points: "{{ (row.points + 1) % 9 }}"}}]}
`

const clickAt = (computer: SyntheticComputer, id: string, count = 1): void => {
  const at = centerOf(nodeById(computer.tree(UID)!, id)!.bounds)
  computer.perform({ type: 'click', at, button: 'left', count })
}

/** Steps that need no more of the records than what they show or change. */
const STEPS: Readonly<Record<string, (computer: SyntheticComputer, turn: number) => void>> = {
  'selecting a row': (computer, turn) => {
    if (turn % 2 === 0) computer.perform({ type: 'key', keys: turn % 40 < 20 ? 'down' : 'up' })
    else computer.perform({ type: 'click', at: { x: 200, y: 100 + 28 * (turn % 9) }, button: 'left', count: 1 })
  },
  scrolling: (computer, turn) =>
    computer.perform({ type: 'scroll', at: { x: 200, y: 200 }, clicks: turn % 20 < 10 ? -3 : 3 }),
  'editing a cell': (computer, turn) => {
    computer.perform({ type: 'click', at: { x: 200, y: 128 }, button: 'left', count: 2 })
    computer.perform({ type: 'type', text: `Name ${turn}` })
    computer.perform({ type: 'key', keys: 'enter' })
  },
  'changing a record by its key': (computer) => clickAt(computer, 'change'),
  'adding and removing a record': (computer) => {
    clickAt(computer, 'add')
    clickAt(computer, 'drop')
  },
}

const LOADING_MS = 1000
const MAX_RATIO = 3
/** A changed list of records is copied as a whole a few times; everything else must not depend on their number. */
const MAX_CHANGE_RATIO = 6

/** Steps in a table of ten thousand records, compared with the same in a table of a hundred. */
export async function benchRecords(): Promise<readonly ReportLine[]> {
  const text = recordsTable(MANY)
  const [loaded] = await measure([{ name: 'load', times: 1, run: () => start(text) }], 3)
  const lines: ReportLine[] = [atMost(`loading a table of ${MANY} records`, loaded!.cpuMs, LOADING_MS)]
  for (const [name, step] of Object.entries(STEPS)) {
    const cases = [MANY, FEW].map((count) => ({
      name: `${count}`,
      times: 100,
      run: stepper(recordsTable(count), step),
    }))
    const [many, few] = await measure(cases)
    const target = name.endsWith('record') || name.endsWith('key') ? MAX_CHANGE_RATIO : MAX_RATIO
    lines.push(atMostTimes(`${name}: ${MANY} records beside ${FEW}`, many!.cpuMs / few!.cpuMs, target))
  }
  return lines
}

const CARDS = 500
const MAX_CARDS_MS = 3

/** A step that changes one of five hundred cards, and what it takes beside one of twenty. */
export async function benchCards(): Promise<readonly ReportLine[]> {
  const step = (computer: SyntheticComputer) => clickAt(computer, 'change')
  const cases = [CARDS, 20].map((count) => ({ name: `${count}`, times: 100, run: stepper(cards(count), step) }))
  const [many, few] = await measure(cases)
  return [
    atMost(`changing the record of one of ${CARDS} cards + hash + diff`, many!.cpuMs, MAX_CARDS_MS),
    { what: 'the same with 20 cards', measured: ms(few!.cpuMs) },
  ]
}

const start = (text: string): SyntheticComputer =>
  createSyntheticComputer({ scenario: parseScenario(text, { file: 'records.yaml' }), clock: virtualClock() })

function stepper(text: string, step: (computer: SyntheticComputer, turn: number) => void): () => unknown {
  const computer = start(text)
  let before = computer.tree(UID)!
  let turn = 0
  return () => {
    step(computer, turn++)
    const after = computer.tree(UID)!
    const results = [treeHash(after), diffTrees(before, after)]
    before = after
    return results
  }
}
