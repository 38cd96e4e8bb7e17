import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { act, at, begin, click, element, key, target, type } from '../../../test/support/scenario/player.ts'
import { Fault } from '../../base/fault.ts'
import { roundTo } from '../expression/formats.ts'
import { parseScenario } from '../load/load.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

// Rules such as [REC1] are stated in README.md beside this file.

/** A table of orders beside a search field, with the given keys of the table and sections of the file. */
const orders = (table = '', ...more: readonly string[]): string =>
  [
    'vars:',
    '  search: ""',
    '  note: none',
    '  orders:',
    '    - {id: 7, customer: Bob, total: 12.5, status: open}',
    '    - {id: 8, customer: Ann, total: 7.0, status: open}',
    '    - {id: 9, customer: Cid, total: 99.0, status: shipped}',
    'states:',
    '  start:',
    '    windows:',
    '      - &main',
    '        uid: main',
    '        bounds: {x: 0, y: 0, width: 700, height: 500}',
    '        tree:',
    '          role: Window',
    '          children:',
    '            - {id: search, role: Edit, name: Search, bind: search}',
    '            - {id: go, role: Button, name: Go}',
    '            - id: t',
    '              role: Table',
    '              name: Orders',
    '              rows: orders',
    '              key: id',
    '              columns:',
    '                - {field: id, title: Order, width: 80}',
    '                - {field: customer, title: Customer, sortable: true, editable: true}',
    '                - {field: total, title: Total, format: "0.00", editable: true, total: sum}',
    ...(table === '' ? [] : [`              ${table}`]),
    '  next: {windows: [*main]}',
    '  other: {windows: [{uid: other, tree: {children: [{id: back, role: Button}]}}]}',
    ...more,
  ].join('\n')

const rows = (run: ScenarioRun, id = 't') =>
  element(run, id)
    .children.filter(({ role, id: row }) => role === 'Row' && row !== `${id}.totals`)
    .map(({ name }) => name)
const total = (run: ScenarioRun) => element(run, 't.totals.total').value
const dataOf = (run: ScenarioRun) => run.data.orders as readonly { id: number; customer: string; total: number }[]
const doubleClick = (run: ScenarioRun, id: string) =>
  act(run, { type: 'click', at: at(run, id), button: 'left', count: 2, target: target(run, id) }).run
const setOn = (set: string) => ['reactions:', `  - {on: {tool: click_element, target_id: go}, set: [${set}]}`]

const rounded = (value: number) => roundTo(value, 2).toFixed(2)

describe('a table that shows records', () => {
  it('[REC1] [REC6] has the rows and totals of its records at the start', () => {
    const run = begin(orders('filter: row.status == "open"'))
    expect([rows(run), total(run)]).toEqual([['7, Bob, 12.50', '8, Ann, 7.00'], '19.50'])
    expect(element(run, 't.row-8.customer')).toMatchObject({ name: 'Customer', value: 'Ann' })
    expect(rows(begin(orders('sort_by: customer')))).toEqual(['8, Ann, 7.00', '7, Bob, 12.50', '9, Cid, 99.00'])
  })

  it('[REC5] shows as not read the rows for which unread_where holds', () => {
    const table = orders(
      'unread_where: row.status == "open" && row.customer != search',
      ...setOn('{var: search, to: Bob}'),
    )
    const unread = (run: ScenarioRun) =>
      element(run, 't').children.flatMap(({ id, traits, children }) =>
        traits?.unread ? [[id, children.every((cell) => cell.traits?.unread === true)]] : [],
      )
    const run = begin(table)
    expect(unread(run)).toEqual([
      ['t.row-7', true],
      ['t.row-8', true],
    ])
    expect(unread(click(run, 'go'))).toEqual([['t.row-8', true]])
    expect(unread(begin(orders()))).toEqual([])
  })

  it('[REC7] follows its variable and those that its filter mentions', () => {
    const found = type(click(begin(orders('filter: row.customer.contains(search)')), 'search'), 'n')
    expect([rows(found), total(found)]).toEqual([['8, Ann, 7.00'], '7.00'])
    const shipped = click(begin(orders('', ...setOn('{var: orders, where: row.id == 7, change: {total: 1.25}}'))), 'go')
    expect([rows(shipped)[0], total(shipped)]).toEqual(['7, Bob, 1.25', '107.25'])
  })

  it('[REC7] computes nothing while its variables stay as they are', () => {
    const run = begin(orders())
    const { rows: before } = element(run, 't').traits!.grid!
    const moved = key(key(click(run, 't.row-7'), 'down'), 'down')
    expect(element(moved, 't').traits!.grid!.rows).toBe(before)
  })

  it('[REC11] writes edited cells to the records as values of their type', () => {
    const typed = type(key(doubleClick(begin(orders()), 't.row-8.total'), 'ctrl+a'), '8.5')
    const run = key(typed, 'enter')
    expect(dataOf(run)[1]).toEqual({ id: 8, customer: 'Ann', total: 8.5, status: 'open' })
    expect([element(run, 't.row-8.total').value, total(run)]).toEqual(['8.50', '120.00'])
    expect(dataOf(run)[0]).toBe(dataOf(typed)[0])
    const left = click(type(key(doubleClick(run, 't.row-7.customer'), 'ctrl+a'), 'Bo'), 'search')
    expect(dataOf(left)[0]!.customer).toBe('Bo')
  })

  it('[REC12] shows the record again after text that does not fit the type of the field', () => {
    const run = key(type(key(doubleClick(begin(orders()), 't.row-8.total'), 'ctrl+a'), 'many'), 'enter')
    expect([dataOf(run)[1]!.total, element(run, 't.row-8.total').value]).toEqual([7, '7.00'])
    expect(entriesOf(run.log)).toMatchObject([{ kind: 'effect-skipped', name: 'edit' }])
    const same = key(type(key(doubleClick(run, 't.row-8.total'), 'ctrl+a'), '7'), 'enter')
    expect(element(same, 't.row-8.total').value).toBe('7.00')
  })

  it('[REC14] keeps sort order and selection in a state that writes it as before', () => {
    const start = begin(
      orders(
        '',
        'reactions:',
        '  - {on: {tool: click_element, target_id: go}, transition_to: other}',
        '  - {on: {tool: click_element, target_id: back}, set: [{var: orders, where: row.id == 9, remove: true}], transition_to: next}',
      ),
    )
    const back = click(click(click(click(start, 't.row-7'), 't.header.customer'), 'go'), 'back')
    expect([back.state, rows(back)]).toEqual(['next', ['8, Ann, 7.00', '7, Bob, 12.50']])
    expect([element(back, 't.row-7').selected, element(back, 't.header.customer').traits?.sorted]).toEqual([
      true,
      'ascending',
    ])
  })

  it('[REC7] shows its records in a window that an effect opens', () => {
    const run = begin(
      orders(
        '',
        'windows:',
        '  - {uid: more, bounds: {x: 100, y: 100, width: 400, height: 300}, tree: {children: [{id: m, role: Table, rows: orders, columns: [{field: customer}]}]}}',
        ...setOn('{var: orders, where: row.id == 7, remove: true}, {open: more}'),
      ),
    )
    expect(rows(click(run, 'go'), 'm')).toEqual(['Ann', 'Cid'])
  })

  it('[REC11] fires reactions to the changed variable', () => {
    const run = begin(
      orders('', 'reactions: [{on: {changed_var: orders}, set: [{id: go, name: "{{ orders[1].customer }}"}]}]'),
    )
    const renamed = key(type(key(doubleClick(run, 't.row-8.customer'), 'ctrl+a'), 'Eve'), 'enter')
    expect(element(renamed, 'go').name).toBe('Eve')
  })

  it('[REC11] stays right through any keys and typing', () => {
    const keys = fc.constantFrom('down', 'up', 'enter', 'f2', 'escape', 'tab', 'delete', 'ctrl+c', 'ctrl+v', '5', 'end')
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 30 }), (pressed) => {
        const run = pressed.reduce(key, click(begin(orders('select: cell')), 't.row-8.total'))
        const shown = rows(run).length
        const { grid } = element(run, 't').traits!
        expect([shown, grid!.rows.length]).toEqual([3, 3])
        if (grid!.edit) return
        const records = dataOf(run).map(({ id, customer, total: sum }) => [String(id), customer, rounded(sum)])
        expect(grid!.rows.map(({ cells }) => cells)).toEqual(records)
        expect(total(run)).toBe(rounded(dataOf(run).reduce((sum, each) => sum + each.total, 0)))
      }),
      { numRuns: 60 },
    )
  })

  it('[REC15] gives reactions the record of the row, and expressions the key of the selected one', () => {
    const rowClicked = begin(
      orders(
        '',
        'reactions:',
        '  - {on: {tool: double_click_element, target_id: t.row-9}, set: [{var: note, to: "{{ event.row.customer }}"}]}',
        '  - {on: {tool: click_element, target_id: go}, set: [{var: orders, where: string(row.id) == selected("t"), remove: true}]}',
      ),
    )
    expect(doubleClick(rowClicked, 't.row-9.id').data.note).toBe('Cid')
    expect(rows(click(click(rowClicked, 't.row-8'), 'go'))).toEqual(['7, Bob, 12.50', '9, Cid, 99.00'])
  })
})

describe('a drop', () => {
  const run = begin(
    orders(
      '',
      'reactions:',
      '  - on: {tool: drop, target_id: search, from_id: t}',
      '    set: [{var: note, to: "{{ event.from_row.customer }} from {{ event.from }}"}]',
      '  - {on: {tool: drop, target_id: go}, set: [{var: note, to: "{{ event.from }} {{ event.from_row == null }}"}]}',
      '  - {on: {tool: click_element, target_id: go}, set: [{var: note, to: "[{{ event.from }}]"}]}',
    ),
  )
  const dropped = (from: string, to: string) => {
    const drag = { type: 'drag', from: at(run, from), to: at(run, to), modifiers: [], durationMs: 0 } as const
    return act(run, { ...drag, fromTarget: target(run, from), toTarget: target(run, to) }).run.data.note
  }

  it('[REC28] gives reactions the id and the record of the dragged row', () => {
    expect(dropped('t.row-8.customer', 'search')).toBe('Ann from t.row-8.customer')
    expect(dropped('search', 'go')).toBe('search true')
    expect(click(run, 'go').data.note).toBe('[]')
  })
})

describe('a spreadsheet', () => {
  const sheet = begin(
    [
      'vars:',
      '  rate: 2',
      '  items:',
      '    - {name: Pens, price: 1.5, count: 10, day: "2026-03-02"}',
      '    - {name: Ink, price: 8.0, count: 2, day: "2026-03-05"}',
      'states:',
      '  start:',
      '    windows:',
      '      - uid: main',
      '        bounds: {x: 0, y: 0, width: 700, height: 400}',
      '        tree:',
      '          role: Window',
      '          children:',
      '            - id: sheet',
      '              role: Spreadsheet',
      '              name: Prices',
      '              rows: items',
      '              key: name',
      '              row_headers: true',
      '              columns:',
      '                - {field: name}',
      '                - {field: price, format: "0.00", editable: true}',
      '                - {field: count, editable: true, total: sum}',
      '                - {field: sum, formula: row.price * row.count * rate, format: "#,##0.00", total: sum}',
      '            - {id: more, role: Button, name: Raise}',
      'reactions: [{on: {tool: click_element, target_id: more}, set: [{var: rate, to: 3}]}]',
    ].join('\n'),
  )
  const cell = (run: ScenarioRun, id: string) => element(run, `sheet.${id}`).value

  it('[REC4] has letters for its columns and numbers for its rows', () => {
    const names = (id: string) => element(sheet, id).children.map(({ role, name }) => [role, name])
    expect(names('sheet.header').map(([, name]) => name)).toEqual(['#', 'A', 'B', 'C', 'D'])
    expect(names('sheet.row-Ink')[0]).toEqual(['RowHeader', '2'])
  })

  it('[REC11] is edited by the keyboard, and its formulas follow', () => {
    expect([cell(sheet, 'row-Pens.sum'), cell(sheet, 'totals.sum')]).toEqual(['30.00', '62.00'])
    const begun = key(click(sheet, 'sheet.row-Pens.name'), 'right')
    const priced = key(type(begun, '2.25'), 'tab')
    const counted = key(type(priced, '4'), 'enter')
    expect([cell(counted, 'row-Pens.price'), cell(counted, 'row-Pens.sum')]).toEqual(['2.25', '18.00'])
    expect(element(counted, 'sheet').traits?.current).toBe('sheet.row-Ink.count')
    const deleted = key(key(key(counted, 'f2'), 'backspace'), 'escape')
    expect([cell(deleted, 'row-Ink.count'), cell(deleted, 'totals.count')]).toEqual(['2', '6'])
    expect(key(deleted, 'ctrl+c').desktop.clipboard).toBe('2')
  })

  it('[REC7] follows a variable that a formula mentions', () => {
    const raised = click(sheet, 'more')
    expect([cell(raised, 'row-Pens.sum'), cell(raised, 'totals.sum')]).toEqual(['45.00', '93.00'])
  })
})

it('[REC13] a list shows a label for each record, and its selection stays with them', () => {
  const run = begin(
    [
      'vars: {people: [{id: 1, name: Ann}, {id: 2, name: Bob}, {id: 3, name: Cid}]}',
      'states: {a: {windows: [{uid: w, tree: {role: Window, children: [',
      '  {id: l, role: List, name: People, rows: people, key: id, label: "{{ row.name }} #{{ row.id }}"},',
      '  {id: go, role: Button, name: Go}]}}]}}',
      'reactions:',
      '  - {on: {tool: click_element, target_id: go}, set: [{var: people, where: row.id == 1, remove: true}]}',
      '  - {on: {tool: click_element, target_id: l.row-3}, set: [{id: go, name: "{{ event.row.name }}"}]}',
    ].join('\n'),
  )
  const items = (each: ScenarioRun) => element(each, 'l').children.map(({ id, name, selected }) => [id, name, selected])
  expect(items(click(click(run, 'l.row-2'), 'go'))).toEqual([
    ['l.row-2', 'Bob #2', true],
    ['l.row-3', 'Cid #3', false],
  ])
  expect(element(click(run, 'l.row-3'), 'go').name).toBe('Cid')
})

describe('mistakes', () => {
  const problem = (text: string): string => {
    try {
      parseScenario(text)
      return 'none'
    } catch (error) {
      return error instanceof Fault ? error.message : String(error)
    }
  }
  const withTable = (authored: string) =>
    `vars: {orders: [{id: 1, name: Ann, tags: [a]}], one: 1}\nstates: {a: {windows: [{tree: {children: [{${authored}}]}}]}}`

  it.each([
    ['role: Table, rows: order, columns: [{field: id}]', 'there is no variable "order"; did you mean "orders"?'],
    ['role: Table, rows: one, columns: [{field: id}]', 'one does not hold a list of records'],
    ['role: Table, rows: orders', 'a table that shows records needs columns'],
    ['role: Table, rows: orders, columns: [{field: nam}]', 'the records have no field "nam"; did you mean "name"?'],
    ['role: Table, rows: orders, columns: [{field: id}], key: idd', 'the records have no field "idd"'],
    ['role: Table, rows: orders, columns: [{field: id}], sort_by: names', 'the records have no field "names"'],
    ['role: Table, rows: orders, columns: [{field: id}, {field: id}]', 'another column of this table is id'],
    ['role: Table, rows: orders, columns: [{field: id, editable: true}]', 'needs key'],
    ['role: Table, rows: orders, columns: [{field: name, total: sum}]', 'name does not hold numbers'],
    ['role: Table, rows: orders, columns: [{field: id, format: x.y}]', '"x.y" is not a format'],
    ['role: Table, rows: orders, columns: [{field: s, formula: row.idd}]', 'unknown field "idd"; did you mean "id"?'],
    ['role: Table, rows: orders, key: id, columns: [{field: s, formula: row.id, editable: true}]', 'read-only'],
    ['role: Table, rows: orders, key: id, columns: [{field: tags, editable: true}]', 'tags holds a list'],
    ['role: Table, rows: orders, columns: [{field: id}], filter: row.id + 1', 'expected'],
    ['role: Table, rows: orders, columns: [{field: id}], filter: "row.name == value(\\"x\\")"', 'reads the screen'],
    ['role: Table, rows: orders, columns: [{field: id}], label: x', 'label is for lists'],
    ['role: List, rows: orders', 'a list that shows records needs a label'],
    ['role: List, rows: orders, label: "{{ row.nme }}"', 'unknown field "nme"; did you mean "name"?'],
    ['role: List, rows: orders, label: x, page_size: 3', 'page_size is for tables'],
    ['role: Table, columns: [{field: id}]', 'columns needs rows'],
    ['role: Table, rows: orders, columns: [{fild: id}]', 'did you mean "field"?'],
  ])('[REC29] of {%s} are reported: %s', (authored, message) => {
    expect(problem(withTable(authored))).toContain(message)
  })

  it('[REC29] do not include macros with the names of functions that read the screen', () => {
    const table = 'role: Table, rows: orders, columns: [{field: s, formula: "row.tags.exists(tag, tag == row.name)"}]'
    expect(problem(withTable(table))).toBe('none')
  })

  it('[REC29] of appended tables are reported', () => {
    const text = orders('', ...setOn('{window: main, id: root, append: [{role: List, rows: orders, label: x}]}'))
    expect(problem(text)).toContain('an appended element cannot show records')
  })
})
