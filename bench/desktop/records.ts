import { createSyntheticComputer, type SyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { nodeById } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { diffTrees } from '../../src/desktop/tree/diff.ts'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { atLeast, atMost, atMostTimes, measure, ms, type ReportLine } from '../harness/measure.ts'

const UID = 'mock:records'
const MANY = 10_000
const FEW = 100

/** A table with a filter, a formula, a total and editable cells over records, and buttons that change them. */
export const recordsTable = (count: number): string => `name: records
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

/** Items of which only those in view are in the tree. A step changes one that is. */
const mails = (count: number): string => `name: mails
vars:
  folder: inbox
  chosen: 0
  mails: [{repeat: ${count}, as: number, id: "{{ number }}", folder: inbox, from: "Person {{ number }}", at: "{{ ${count} - number }}", points: 0}]
states:
  only:
    windows:
      - uid: ${UID}
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          name: Mail
          children:
            - {id: change, role: Button, name: Change}
            - id: mails
              role: List
              name: Inbox
              grow: 1
              bind: chosen
              children:
                - {repeat: {of: "mails.filter(mail, mail.folder == folder)", sort_by: at, descending: true, item_height: 72}, as: mail, id: mail, role: ListItem, name: "{{ mail.from }}", avatar: "{{ mail.from }}", subtitle: "{{ mail.points }} points"}
reactions:
  - {on: {tool: click_element, target_id: change}, set: [{var: mails, where: row.id == 3, change: {points: "{{ (row.points + 1) % 9 }}"}}]}
`

/** The cards of the screen above, made only while they are in view, and without their sum. */
const cardsInView = (count: number): string =>
  cards(count)
    .replace('repeat: cards\n', 'repeat: {of: cards, item_height: 72}\n')
    .replace(/^computed: .*\n/m, '')
    .replace('{{ points }} points', '{{ size(cards) }} cards')

/** Messages of two people. A step likes one. */
const chat = (count: number): string => `name: chat
vars:
  messages: [{repeat: ${count}, as: number, id: "{{ number }}", from: '{{ number % 3 == 0 ? "me" : "Ana" }}', text: "Message {{ number }}", likes: 0}]
states:
  only:
    windows:
      - uid: ${UID}
        bounds: {x: 0, y: 0, width: 600, height: 780}
        tree:
          role: Window
          name: Chat
          children:
            - {id: change, role: Button, name: Like}
            - id: log
              role: ScrollArea
              name: Messages
              grow: 1
              scroll: {follow: end}
              children:
                - repeat: messages
                  as: message
                  id: message
                  role: Group
                  name: "{{ message.from }}: {{ message.text }}"
                  layout: {arrange: row}
                  children:
                    - {if: message.from == "me", role: Pane, name: "", grow: 1}
                    - {role: Text, name: "{{ message.text }}"}
                    - {role: Text, name: "{{ message.likes }} likes"}
                    - {id: like, role: Button, name: Like}
reactions:
  - {on: {tool: click_element, target_id: change}, set: [{var: messages, where: row.id == 390, change: {likes: "{{ (row.likes + 1) % 9 }}"}}]}
`

/** Cards in four columns. A step renames one. */
const board = (count: number): string => `name: board
vars:
  columns: [{id: a}, {id: b}, {id: c}, {id: d}]
  cards: [{repeat: ${count}, as: number, id: "{{ number }}", column: '{{ ["a", "b", "c", "d"][number % 4] }}', title: "Card {{ number }}", points: 0}]
states:
  only:
    windows:
      - uid: ${UID}
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          name: Board
          children:
            - {id: change, role: Button, name: Change}
            - role: Pane
              name: Columns
              grow: 1
              layout: {arrange: row}
              children:
                - repeat: columns
                  as: column
                  id: column
                  role: List
                  name: "{{ column.id }}"
                  grow: 1
                  children: [{repeat: "cards.filter(card, card.column == column.id)", as: card, id: card, role: ListItem, name: "{{ card.title }} ({{ card.points }})"}]
reactions:
  - {on: {tool: click_element, target_id: change}, set: [{var: cards, where: row.id == 7, change: {points: "{{ (row.points + 1) % 9 }}"}}]}
`

/** Sixty check boxes that are bound to data, and their number in a text. A step ticks one. */
const form = (): string => `name: form
vars: {boxes: 0, ${Array.from({ length: 60 }, (_, at) => `b${at}: false`).join(', ')}}
states:
  only:
    windows:
      - uid: ${UID}
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          name: Form
          children:
            - {id: change, role: CheckBox, name: First, bind: b0}
            - {id: text, role: Text, name: "First is {{ b0 }}"}
            - role: Pane
              name: Boxes
              layout: {arrange: grid, columns: 6}
              children:
${Array.from({ length: 60 }, (_, at) => `                - {id: box${at}, role: CheckBox, name: Option ${at}, bind: b${at}}`).join('\n')}
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
    ...(await benchItemsInView()),
    ...(await benchScreens()),
  ]
}

const MAX_ITEM_MS = 2

/** A step that changes one of ten thousand items, of which only those in view are made. */
async function benchItemsInView(): Promise<readonly ReportLine[]> {
  const step = (computer: SyntheticComputer) => clickAt(computer, 'change')
  const [many] = await measure([{ name: 'items', times: 100, run: stepper(cardsInView(MANY), step) }])
  return [atMost(`changing one of ${MANY} items with item_height + hash + diff`, many!.cpuMs, MAX_ITEM_MS)]
}

const LEAST_RATE = 0.5

/** Steps of screens that follow data, beside a step of a form. */
async function benchScreens(): Promise<readonly ReportLine[]> {
  const step = (computer: SyntheticComputer) => clickAt(computer, 'change')
  const texts = {
    form: form(),
    'a mail list of 2,000': mails(2000),
    'a chat of 400': chat(400),
    'a board of 200': board(200),
  }
  const cases = Object.entries(texts).map(([name, text]) => ({ name, times: 100, run: stepper(text, step) }))
  const [plain, ...screens] = await measure(cases)
  return [
    { what: 'a step of a form with 60 bound check boxes + hash + diff', measured: ms(plain!.cpuMs) },
    ...screens.map(({ name, cpuMs }) =>
      atLeast(`steps of ${name} beside those of the form`, plain!.cpuMs / cpuMs, LEAST_RATE),
    ),
  ]
}

const FORMULAS = 2000
const MAX_SHEET_MS = 20

/** A sheet with two formulas in each row: a product, and a running total of the products above. */
const sheetOf = (formulas: number): string => `name: sheet
vars:
  costs:
    - repeat: ${formulas / 2}
      as: number
      id: "{{ number }}"
      a: "{{ string(number % 7) }}"
      b: "=A{{ number + 1 }}*2"
      c: "{{ number == 0 ? '=B1' : '=C' + string(number) + '+B' + string(number + 1) }}"
states:
  only:
    windows:
      - uid: ${UID}
        bounds: {x: 0, y: 0, width: 1200, height: 780}
        tree:
          role: Window
          children:
            - {id: costs, role: Spreadsheet, name: Costs, sheet: Costs, rows: costs, key: id, grow: 1, columns: [{field: a, editable: true}, {field: b}, {field: c}]}
`

/** Typing a formula, in four steps: a click, a key, the text and Enter. Two formulas read the cell, or half of all. */
export async function benchSheet(): Promise<readonly ReportLine[]> {
  const edit = (at: string) => (computer: SyntheticComputer, turn: number) => {
    computer.perform({ type: 'click', at: { x: 60, y: 200 }, button: 'left', count: 1 })
    computer.perform({ type: 'key', keys: at === '0' ? 'ctrl+home' : 'ctrl+down' })
    computer.perform({ type: 'type', text: `=${turn}+1` })
    computer.perform({ type: 'key', keys: 'enter' })
  }
  const rows = ['0', String(FORMULAS / 2 - 1)]
  const cases = rows.map((row) => ({ name: row, times: 50, run: stepper(sheetOf(FORMULAS), edit(row)) }))
  const [many, few] = await measure(cases)
  return [
    atMost(
      `four steps that type a formula into a sheet with ${FORMULAS} others + hash + diff`,
      few!.cpuMs,
      MAX_SHEET_MS,
    ),
    { what: `the same where ${FORMULAS / 2} formulas read it`, measured: ms(many!.cpuMs) },
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
