import { describe, expect, it } from 'vitest'
import { act, at, begin, click, element, key, setValue, target, until } from '../../../test/support/scenario/player.ts'
import { problemLines } from '../../../test/support/scenario/problems.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [REC19] are stated in README.md beside this file.

const COLUMNS = [
  '{field: customer}',
  '{field: paid, title: Paid, role: CheckBox}',
  '{field: late, role: CheckBox, formula: row.done > 50}',
  '{field: status, title: Status, role: ComboBox, options: [open, shipped]}',
  '{field: done, role: ProgressBar}',
  '{field: link, role: Hyperlink}',
  `{field: ship, title: Ship, role: Button, formula: 'row.status == "open" ? "Ship" : ""'}`,
  `{field: mark, role: Image, icon: star, formula: 'row.paid ? "Paid" : ""'}`,
]

const orders = (columns: readonly string[] = COLUMNS, table = 'key: id', count = 3): string => `
vars:
  last: none
  orders:
${Array.from({ length: count }, (_, id) => `    - {id: ${id}, customer: Ann ${id}, paid: false, status: open, done: ${40 * id}, link: Bill ${id}}`).join('\n')}
states:
  start:
    windows:
      - uid: main
        bounds: {x: 0, y: 0, width: 900, height: 400}
        tree:
          role: Window
          children:
            - id: orders
              role: Table
              name: Orders
              height: 200
              rows: orders
              ${table}
              columns: [${columns.join(', ')}]
              children: [{id: menu, role: Menu, name: Row, children: [{id: copy, role: MenuItem, name: Copy}]}]
reactions:
  - on: {tool: click_element, target_id: orders.ship}
    set: [{var: orders, where: row.id == event.row.id, change: {status: shipped}}, {var: last, to: '{{ event.row.customer }}'}]
  - {on: {tool: click_element, target_id: copy}, set: [{var: last, to: 'copied {{ event.row.customer }}'}]}
  - {on: {tool: click_element, target_id: orders.paid}, set: [{var: last, to: 'paid {{ event.row.id }} {{ event.row.paid }}'}]}
`
type Order = { readonly id: number; readonly paid: boolean; readonly status: string }
const dataOf = (run: ScenarioRun) => (run.data.orders as readonly Order[]).map(({ paid, status }) => [paid, status])
const idsIn = (run: ScenarioRun, row: string) =>
  element(run, row).children.flatMap(({ children }) => children.map(({ id, role }) => [id, role]))

describe('controls in cells', () => {
  it('[REC19] [REC21] are shown by the role of their column', () => {
    const run = begin(orders())
    expect(idsIn(run, 'orders.row-2')).toEqual([
      ['orders.row-2.paid.control', 'CheckBox'],
      ['orders.row-2.late.control', 'CheckBox'],
      ['orders.row-2.status.control', 'ComboBox'],
      ['orders.row-2.done.control', 'ProgressBar'],
      ['orders.row-2.link.control', 'Hyperlink'],
      ['orders.row-2.ship.control', 'Button'],
    ])
    expect(element(run, 'orders.row-2').name).toBe('Ann 2, open, Bill 2')
    expect(element(run, 'orders.row-2.done.control')).toMatchObject({ valueNow: 80, valueMax: 100 })
    expect(element(run, 'orders.row-2.late.control')).toMatchObject({ selected: true, enabled: false })
    expect(element(run, 'orders.row-2.status')).toMatchObject({ value: '' })
  })

  it('[REC19] write the field of their record, however they are changed', () => {
    const checked = click(begin(orders()), 'orders.row-1.paid.control')
    expect(dataOf(checked)[1]).toEqual([true, 'open'])
    expect(checked.data.last).toBe('paid 1 true')
    expect(idsIn(checked, 'orders.row-1').at(-1)).toEqual(['orders.row-1.mark.control', 'Image'])
    const unchecked = key(checked, 'space')
    expect(dataOf(unchecked)[1]).toEqual([false, 'open'])
    const set = setValue(unchecked, 'orders.row-0.status.control', 'shipped')
    expect(dataOf(set)[0]).toEqual([false, 'shipped'])
    const opened = click(set, 'orders.row-2.status.control')
    expect(dataOf(key(key(opened, 'down'), 'enter'))[2]).toEqual([false, 'shipped'])
  })

  it('[REC20] cause events with the record of their row', () => {
    const run = click(begin(orders()), 'orders.row-2.ship.control')
    expect([run.data.last, dataOf(run)[2]]).toEqual(['Ann 2', [false, 'shipped']])
    expect(idsIn(run, 'orders.row-2').map(([id]) => id)).not.toContain('orders.row-2.ship.control')
    const ship = 'orders.row-0.ship.control'
    const invoked = act(run, { type: 'invoke', at: at(run, ship), target: target(run, ship) }).run
    expect(invoked.data.last).toBe('Ann 0')
  })

  it('[REC19] follow the data, and keep the focus while a record changes', () => {
    const run = click(begin(orders()), 'orders.row-1.paid.control')
    expect(element(run, 'orders.row-1.paid.control')).toMatchObject({ focused: true, selected: true })
    const later = until(key(run, 'tab'), 5000)
    expect(element(later, 'orders.row-1.status.control').focused).toBe(true)
  })

  it('[REC17] have a menu of their row', () => {
    const run = begin(orders())
    const opened = act(run, {
      type: 'click',
      at: at(run, 'orders.row-1.customer'),
      button: 'right',
      count: 1,
      target: target(run, 'orders.row-1.customer'),
    }).run
    expect(click(opened, 'copy').data.last).toBe('copied Ann 1')
  })

  it('[REC23] keep an open list while the record changes, also where the row moves', () => {
    const timed = `${orders()}timers: [{after_ms: 1000, set: [{var: orders, where: row.id == 2, change: {done: 99}}]}, {after_ms: 2000, set: [{var: orders, where: row.id == 0, remove: true}]}]\n`
    const combo = 'orders.row-2.status.control'
    const opened = key(click(begin(timed), combo), 'down')
    const popupOf = (run: ScenarioRun) => element(run, combo).traits?.popup
    const later = until(opened, 1000)
    expect(element(later, 'orders.row-2.done.control').valueNow).toBe(99)
    expect([element(later, combo).expanded, popupOf(later)]).toEqual([true, popupOf(opened)])
    const moved = until(later, 2000)
    expect(element(moved, combo).expanded).toBe(true)
    expect(popupOf(moved)!.y - element(moved, combo).bounds.y).toBe(
      popupOf(opened)!.y - element(opened, combo).bounds.y,
    )
    expect(element(moved, 'orders.row-2.status.1').bounds.y).toBe(
      element(opened, 'orders.row-2.status.1').bounds.y - element(opened, 'orders.row-2').bounds.height,
    )
    expect(dataOf(key(moved, 'enter'))[1]).toEqual([false, 'shipped'])
  })

  it('[REC18] have a menu of the selected row below a right click, and keep the selection', () => {
    const run = begin(orders(COLUMNS, 'key: id\n              multi_select: true'))
    const press = (now: ScenarioRun, row: string, button: 'left' | 'right', modifiers: readonly 'ctrl'[] = []) =>
      act(now, { type: 'click', at: at(now, row), button, count: 1, modifiers, target: target(now, row) }).run
    const both = press(press(run, 'orders.row-0.customer', 'left'), 'orders.row-2.customer', 'left', ['ctrl'])
    const opened = press(both, 'orders.row-0.customer', 'right')
    const selected = ['orders.row-0', 'orders.row-1', 'orders.row-2'].map((row) => element(opened, row).selected)
    expect(selected).toEqual([true, false, true])
    expect(click(opened, 'copy').data.last).toBe('copied Ann 0')
  })

  it('[REC16] are named by their keys where several are selected', () => {
    const bar = `            - {id: keys, role: Text, name: '{{ selected_keys("orders").join(" and ") }}'}\n`
    const file = orders(COLUMNS, 'key: id\n              multi_select: true')
    const run = begin(file.replace(/ {12}- id: orders/, (table) => bar + table))
    const press = (now: ScenarioRun, row: string, modifiers: readonly 'ctrl'[] = []) =>
      act(now, { type: 'click', at: at(now, row), button: 'left', count: 1, modifiers, target: target(now, row) }).run
    const one = press(run, 'orders.row-2.customer')
    const both = press(one, 'orders.row-0.customer', ['ctrl'])
    expect([run, one, both].map((now) => element(now, 'keys').name)).toEqual(['', '2', '0 and 2'])
  })

  it('[REC19] are made for the rows in view only', () => {
    const run = begin(orders(COLUMNS, 'key: id', 500))
    expect(element(run, 'orders').children.length).toBeLessThan(12)
    const rows = [...Array(30).keys()]
    const down = rows.reduce((now) => act(now, { type: 'scroll', at: at(now, 'orders'), clicks: -5 }).run, run)
    expect(dataOf(down)).toEqual(dataOf(run))
  })
})

describe('a column of controls', () => {
  const problems = (column: string, table = 'key: id') =>
    problemLines(orders([column, '{field: ship, role: Button}', '{field: paid, role: CheckBox}'], table)).filter(
      (line) => line.includes('columns[0]'),
    )

  it.each([
    ['{field: customer, role: CheckBox}', /role: a CheckBox shows true or false, and customer holds a text/],
    [
      '{field: customer, role: ProgressBar}',
      /role: a ProgressBar shows numbers from 0 to 100, and customer holds a text/,
    ],
    ['{field: status, role: ComboBox}', /role: a ComboBox needs options/],
    ['{field: link, role: Hyperlink, options: [a]}', /options: only a ComboBox has options/],
    ['{field: link, role: Hyperlink, icon: star}', /icon: only a Button or an Image has an icon/],
    ['{field: link, role: Button, editable: true}', /editable: a Button has no text to edit/],
    ['{field: link, role: Buton}', /role.*Button/],
    [
      '{field: x, role: CheckBox, formula: row.done + 1}',
      /role: a CheckBox shows true or false, and x holds an integer/,
    ],
  ])('[REC22] is checked: %s', (column, message) => {
    expect(problems(column)).toEqual([expect.stringMatching(message)])
  })

  it('[REC22] that writes records needs their key', () => {
    expect(problems('{field: paid, title: P, role: CheckBox}', 'page_size: 5')[0]).toMatch(
      /columns\[0].role: the user changes records by a CheckBox; the table needs key/,
    )
  })
})
