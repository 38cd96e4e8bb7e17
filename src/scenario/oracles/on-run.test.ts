import { describe, expect, it } from 'vitest'
import { problemLines } from '../../../test/support/scenario/problems.ts'
import { openDesktop, type TestDesktop } from '../../testing.ts'
import { parseScenario } from '../load/load.ts'
import { judgedView } from '../run/probe-oracles.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { runView } from './on-run.ts'
import { evaluateOracle, explain } from './oracle.ts'

// Rules such as [ORC17] are stated in README.md beside this file.

/** Orders that are approved and paid by buttons, a note that is a file, and a field bound to a variable. */
const OFFICE = `
vars:
  orders:
    - {id: 1, customer: Ann, total: 50, status: open}
    - {id: 2, customer: Bob, total: 200, status: open}
  count: 0
  search: ''
files: {/note.txt: hello, /var/a.txt: x}
events: {paid: {customer: text, amount: integer}, noted: {}}
states:
  only:
    windows:
      - uid: w
        title: Office
        tree:
          role: Window
          children:
            - {id: approve, role: Button, name: Approve}
            - {id: pay, role: Button, name: Pay}
            - {id: drop, role: Button, name: Drop}
            - {id: add, role: Button, name: Add}
            - {id: sort, role: Button, name: Sort}
            - {id: touch, role: Button, name: Touch}
            - {id: search, role: Edit, name: Search, bind: search}
reactions:
  - id: approved
    on: {tool: click_element, target_id: approve}
    set: [{var: orders, where: row.id == 2, change: {status: approved}}, {var: count, to: '{{ count + 1 }}'}]
  - on: {tool: click_element, target_id: pay}
    set: [{emit: paid, with: {customer: Bob, amount: 200}}]
  - {on: {tool: click_element, target_id: drop}, set: [{var: orders, where: row.id == 1, remove: true}]}
  - on: {tool: click_element, target_id: add}
    set: [{var: orders, append: {id: 7, customer: Eve, total: 1, status: open}}]
  - {on: {tool: click_element, target_id: sort}, set: [{var: orders, sort_by: total, descending: true}]}
  - {on: {tool: click_element, target_id: touch}, set: [{path: /note.txt, text: changed}, {path: /var/a.txt, remove: true}]}
`

const office = (...oracles: string[]) =>
  openDesktop({ scenario: `${OFFICE}oracles:\n  success:\n${oracles.map((each) => `    - ${each}\n`).join('')}` })

/** The result of the first success oracle, in words. */
const said = async (desk: TestDesktop): Promise<string> => {
  const { run } = desk.computer
  return explain(await evaluateOracle(run.scenario.oracles.success[0]!, runView(run)))
}

const press = async (desk: TestDesktop, ...names: readonly string[]) => {
  for (const name of names) await desk.locator(`Button "${name}"`).click()
}
const passed = async (desk: TestDesktop) => (await desk.call('session_info')).reward === 1

describe('expression', () => {
  it('[ORC15] reads variables, the start and the screen', async () => {
    const desk = office(
      `{kind: expression, expression: 'size(orders) == size(initial.orders) - 1 && value("search") == "x"'}`,
    )
    await press(desk, 'Drop')
    expect(await said(desk)).toBe(
      'expression does not hold: size(orders) == size(initial.orders) - 1 && value("search") == "x" is false',
    )
    await desk.call('set_value', { selector: 'Edit "Search"', value: 'x' })
    expect(await passed(desk)).toBe(true)
  })

  it('[ORC16] reads the answer', async () => {
    const desk = office(`{kind: answer, expression: 'answer == string(size(orders.filter(o, o.total > 100)))'}`)
    expect(await passed(desk)).toBe(false)
    await desk.call('finish', { text: '1' })
    expect(await passed(desk)).toBe(true)
  })

  it('[ORC30] decides on the values of the start whether a task is infeasible', async () => {
    const desk = openDesktop({
      scenario: `${OFFICE}oracles: {infeasible: {when: 'size(orders) == 2', reason: Two orders}}`,
    })
    await press(desk, 'Drop')
    await desk.call('finish', { status: 'infeasible' })
    expect(await passed(desk)).toBe(true)
  })
})

describe('probe', () => {
  const CHEAP = `{kind: expression, expression: 'orders.exists(order, order.total == 1)'}`
  const FOUND = `{kind: event, name: paid, where: event.amount > 100}`
  const probe = (set: string, of: string, rest = '') => `{kind: probe, set: [${set}], of: [${of}]${rest}}`
  const APPEND = '{var: orders, append: {id: 9, customer: Zoe, total: 1, status: open}}'

  it('[ORC28] [ORC29] judges a copy of the end after effects', async () => {
    const desk = office(probe(APPEND, CHEAP), `{kind: not, of: [${CHEAP}]}`)
    const { run } = desk.computer
    expect(await passed(desk)).toBe(true)
    expect(desk.computer.run).toBe(run)
    expect((await desk.call('session_info')).score).toBe(1)
  })

  it('[ORC28] says which of its oracles does not hold, and shows what the effects change', async () => {
    const shown = `{kind: value_equals, selector: Edit "Search", expected: bob}`
    const desk = office(probe('{var: search, to: bob}', `${shown}, ${CHEAP}`))
    const { run } = desk.computer
    const result = await evaluateOracle(run.scenario.oracles.success[0]!, judgedView(run))
    expect(explain(result)).toBe(
      'probe does not hold: expression does not hold: orders.exists(order, order.total == 1) is false',
    )
    expect(await said(desk)).toMatch(/^probe does not hold: it cannot be evaluated here/)
  })

  it('[ORC28] lets time pass on the copy, and follows its course', async () => {
    const pay = '{schedule: {after_ms: 500, set: [{emit: paid, with: {customer: Zoe, amount: 200}}]}}'
    expect(await passed(office(probe(pay, FOUND)))).toBe(false)
    expect(await passed(office(probe(pay, FOUND, ', after_ms: 500')))).toBe(true)
    expect(await passed(office(probe('{emit: paid, with: {customer: Zoe, amount: 200}}', FOUND)))).toBe(true)
  })

  it('[ORC45] checks its effects, and refuses what only the end has', () => {
    const problems = (oracle: string) => problemLines(`${OFFICE}oracles:\n  success:\n    - ${oracle}\n`)
    expect(problems(probe('{var: order, to: 1}', '{kind: answer, equals: x}'))).toEqual([
      expect.stringMatching(/there is no variable "order"; did you mean "orders"/),
      expect.stringMatching(/probe looks at a copy of the run; answer is only known at its end/),
    ])
    expect(problems(probe('{id: aprove, name: x}', CHEAP))).toEqual([expect.stringMatching(/did you mean "approve"/)])
  })
})

describe('changes', () => {
  const changes = (exactly: string, ignore = '[]') =>
    office(`{kind: changes, exactly: [${exactly}], ignore: ${ignore}}`)
  const APPROVED = `{var: orders, where: 'row.id == 2', change: {status: approved}}`
  const COUNTED = `{var: count, to: '{{ initial.count + 1 }}'}`

  it('[ORC17] [ORC18] hold when exactly the listed values differ', async () => {
    const desk = changes(`${APPROVED}, ${COUNTED}`)
    expect(await said(desk)).toBe(
      'changes does not hold: orders[id 2].status is "open" instead of "approved"; count is 0 instead of 1',
    )
    await press(desk, 'Approve')
    expect(await passed(desk)).toBe(true)
    await desk.call('set_value', { selector: 'Edit "Search"', value: 'bob' })
    expect(await said(desk)).toBe('changes does not hold: search is "bob" instead of ""')
  })

  it('[ORC18] list records that are new or gone', async () => {
    const desk = changes(`{var: orders, appended: {customer: Eve}}, {var: orders, removed: 'row.customer == "Ann"'}`)
    await press(desk, 'Add')
    expect(await said(desk)).toMatch(/orders has a new record: .*"id":1|orders\[id 1\]/)
    await press(desk, 'Drop')
    expect(await passed(desk)).toBe(true)
    await press(desk, 'Add')
    expect(await passed(desk)).toBe(false)
  })

  it('[ORC19] fail when a listed change did not happen, or the order differs', async () => {
    const none = changes(
      `{var: orders, appended: {customer: Zoe}}, {var: orders, where: 'row.id == count', change: {status: x}}`,
    )
    expect(await said(none)).toBe(
      'changes does not hold: no record of orders fitted row.id == count at the start; orders has no new record with {"customer":"Zoe"}',
    )
    const sorted = changes('')
    expect(await passed(sorted)).toBe(true)
    await press(sorted, 'Sort')
    expect(await said(sorted)).toBe('changes does not hold: the order of orders differs')
  })

  it('[ORC17] [ORC20] compare files, but for those that are ignored', async () => {
    const strict = changes('')
    await press(strict, 'Touch')
    expect(await said(strict)).toBe(
      'changes does not hold: /note.txt is "changed" instead of "hello"; /var/a.txt is gone',
    )
    const listed = changes('{file: /note.txt, text: changed}', `['/var/**', search]`)
    expect(await said(listed)).toBe('changes does not hold: /note.txt is "hello" instead of "changed"')
    await press(listed, 'Touch')
    await listed.call('set_value', { selector: 'Edit "Search"', value: 'bob' })
    expect(await passed(listed)).toBe(true)
    const gone = changes(`{file: /var/a.txt, exists: false}, {file: /note.txt, text: changed}`)
    await press(gone, 'Touch')
    expect(await passed(gone)).toBe(true)
  })
})

describe('events', () => {
  it('[ORC21] [ORC22] are counted, those whose fields fit', async () => {
    const desk = office(`{kind: event, name: paid, where: 'event.amount > 100 && event.customer == "Bob"'}`)
    expect(await said(desk)).toBe('event does not hold: the event paid happened 0 times; expected at least once')
    await press(desk, 'Pay')
    expect(await passed(desk)).toBe(true)
    const small = office(`{kind: event, name: paid, where: event.amount < 100}`)
    await press(small, 'Pay')
    expect(await passed(small)).toBe(false)
    const twice = office('{kind: event, name: approved, min: 2, max: 2}')
    await press(twice, 'Approve')
    expect(await passed(twice)).toBe(false)
    await press(twice, 'Approve')
    expect(await passed(twice)).toBe(true)
  })

  it('[ORC23] happen at most so often', async () => {
    const desk = office('{kind: at_most, count: 1, event: paid}')
    await press(desk, 'Pay')
    expect(await passed(desk)).toBe(true)
    await press(desk, 'Pay')
    expect(await said(desk)).toBe('at_most does not hold: the event paid happened 2 times; at most once expected')
    const large = office('{kind: at_most, count: 0, event: paid, where: event.amount > 500}')
    await press(large, 'Pay')
    expect(await passed(large)).toBe(true)
  })

  it('[ORC24] happen before others', async () => {
    const order = '{kind: before, first: approved, then: {event: paid, where: event.amount > 100}}'
    const right = office(order)
    expect(await said(right)).toBe('before holds: paid did not happen before approved')
    await press(right, 'Approve', 'Pay')
    expect(await passed(right)).toBe(true)
    const wrong = office(order)
    await press(wrong, 'Pay', 'Approve')
    expect(await said(wrong)).toBe('before does not hold: paid happened before approved, 0 ms after the start')
  })
})

describe('never', () => {
  const NEVER = '{kind: never, of: {kind: file_equals, path: /note.txt, expected: changed}}'

  it('[ORC25] fails for good once its oracle has held', async () => {
    const desk = office(`{kind: never, of: {kind: value_equals, selector: 'Edit "Search"', expected: bad}}`)
    expect(await passed(desk)).toBe(true)
    await desk.call('set_value', { selector: 'Edit "Search"', value: 'bad' })
    await desk.call('set_value', { selector: 'Edit "Search"', value: '' })
    expect(await said(desk)).toBe(
      'never does not hold: it held 0 ms after the start: value_equals holds: the value of Edit "Search" is "bad"',
    )
  })

  it('[ORC25] looks at the start, and after every timer', async () => {
    const start = office(`{kind: never, of: {kind: file_exists, path: /note.txt}}`)
    expect(await passed(start)).toBe(false)
    const blinking = openDesktop({
      scenario: `
vars: {light: 'off'}
states: {s: {windows: [{uid: w, tree: {role: Window, children: [{id: go, role: Button, name: Go}]}}]}}
timers: [{after_ms: 100, set: [{var: light, to: 'on'}]}, {after_ms: 200, set: [{var: light, to: 'off'}]}]
oracles: {success: [{kind: never, of: {kind: expression, expression: light == "on"}}]}
`,
    })
    blinking.clock.advance(50)
    expect(await passed(blinking)).toBe(true)
    blinking.clock.advance(1000)
    expect(await said(blinking)).toBe(
      'never does not hold: it held 100 ms after the start: expression holds: light == "on" is true',
    )
  })

  it('[ORC26] belongs to the steps of a run: forks, rewinds and replays', async () => {
    const desk = office(NEVER)
    await press(desk, 'Add')
    const fork = desk.computer.fork()
    await press(desk, 'Touch')
    expect([
      await said(desk),
      explain(await evaluateOracle(fork.run.scenario.oracles.success[0]!, runView(fork.run))),
    ]).toEqual([expect.stringMatching(/^never does not hold/), expect.stringMatching(/^never holds/)])
    const again = desk.computer.fork({ atStep: 2 })
    expect(again.run.course).toEqual(desk.computer.run.course)
    await desk.call('session_rewind', { to_step: 1 })
    expect(await passed(desk)).toBe(true)
    await desk.call('session_reset')
    expect(await passed(desk)).toBe(true)
  })

  it('[ORC26] is the same in two runs of the same actions', () => {
    const scenario = parseScenario(`${OFFICE}oracles: {harm: [${NEVER}, {kind: before, first: approved, then: paid}]}`)
    const play = () => {
      let run = startScenario(scenario, { atMs: 0 })
      for (const id of ['pay', 'touch', 'approve']) {
        const target = { window: 'w', element: id }
        run = stepScenario(run, { type: 'action', action: { type: 'invoke', target, at: { x: 1, y: 1 } } }).run
      }
      return run
    }
    expect(play()).toEqual(play())
    expect(play().course?.map(({ why }) => why)).toEqual([
      expect.stringMatching(/^file_equals holds/),
      'paid happened before approved',
    ])
  })

  it('[ORC27] costs nothing in scenarios that have no such oracle', async () => {
    const desk = office('{kind: event, name: paid}', '{kind: at_most, count: 1, event: paid}')
    await press(desk, 'Pay')
    expect(desk.computer.run.course).toBeUndefined()
    expect(await passed(desk)).toBe(true)
  })
})

describe('the file', () => {
  const problems = (oracle: string) =>
    problemLines(`${OFFICE}oracles:\n  success:\n    - ${oracle}\n`).map((line) => line.replace(/^\d+:\d+ /, ''))

  it('[ORC42] names events, variables and fields that exist', () => {
    expect(problems('{kind: event, name: payed}')).toEqual([
      expect.stringMatching(/^oracles\.success\[0]\.name: .*"payed"; there are paid, noted, approved/),
    ])
    expect(problems('{kind: before, first: approve, then: paid}')).toEqual([
      expect.stringMatching(/first: .*did you mean "approved"/),
    ])
    expect(problems('{kind: event, name: paid, where: event.amout > 1}')).toEqual([
      expect.stringMatching(/where: in event\.amout > 1: unknown field "amout"; did you mean "amount"/),
    ])
    expect(problems('{kind: expression, expression: size(order) == 1}')).toEqual([
      expect.stringMatching(/unknown name "order"; did you mean "orders"/),
    ])
    expect(problems('{kind: expression, expression: size(orders)}')).toEqual([expect.stringMatching(/expression: /)])
    expect(problems(`{kind: changes, exactly: [{var: order, to: 1}]}`)).toEqual([
      expect.stringMatching(/exactly\[0]\.var: .*"order".*"orders"/),
    ])
    expect(problems(`{kind: changes, exactly: [{var: orders, where: row.id == 1, change: {state: x}}]}`)).toEqual([
      expect.stringMatching(
        /change\.state: records of orders have no field "state"; they have id, customer, total, status/,
      ),
    ])
    expect(problems(`{kind: changes, exactly: [{var: count, to: many}]}`)).toEqual([expect.stringMatching(/\.to: /)])
    expect(problems(`{kind: changes, exactly: [{var: count}]}`)).toEqual([
      expect.stringMatching(/exactly\[0]: expected one of to, change, appended, removed/),
    ])
    expect(problems(`{kind: changes, exactly: [{file: note.txt, text: x}]}`)).toEqual([
      expect.stringMatching(/exactly\[0]\.file: /),
    ])
  })

  it('[ORC44] rejects conditions of changes that fit no record at the start', () => {
    const changes = (exactly: string) => `{kind: changes, exactly: [${exactly}]}`
    expect(problems(changes(`{var: orders, where: row.id == 9, change: {status: x}}`))).toEqual([
      'oracles.success[0].exactly[0].where: no record of orders fits row.id == 9 at the start; id is one of 1, 2',
    ])
    expect(problems(changes(`{var: orders, removed: 'row.customer == "Bop"'}`))).toEqual([
      'oracles.success[0].exactly[0].removed: no record of orders fits row.customer == "Bop" at the start; did you mean "Bob"?',
    ])
    expect(problems(`{kind: any, of: [${changes(`{var: orders, removed: row.total > 500}`)}]}`)).toEqual([
      'oracles.success[0].of[0].exactly[0].removed: no record of orders fits row.total > 500 at the start',
    ])
  })

  it('[ORC44] accepts conditions that variables, earlier entries or other seeds decide', () => {
    const entries = (...exactly: readonly string[]) => `{kind: changes, exactly: [${exactly.join(', ')}]}`
    expect(problems(entries(`{var: orders, removed: row.id == count}`))).toEqual([])
    const paid = `{var: orders, where: 'row.status == "approved"', change: {status: paid}}`
    expect(problems(entries(`{var: orders, where: row.id == 1, change: {status: approved}}`, paid))).toEqual([])
    const seeded = (oracles: string) =>
      problemLines(`params: {least: {between: [600, 900]}}${OFFICE}oracles: ${oracles}\n`)
    const removed = entries(`{var: orders, removed: row.total > least}`)
    expect(seeded(`{success: [{kind: any, of: [${removed}]}]}`)).toEqual([])
    expect(seeded(`{success: [${removed}], infeasible: {when: true, reason: None}}`)).toEqual([])
    expect(seeded(`{success: [${removed}]}`)).toHaveLength(1)
  })

  it('[ORC43] lets never look only at what a run knows at every moment', () => {
    expect(problems('{kind: never, of: {kind: any, of: [{kind: answer, equals: x}]}}')).toEqual([
      expect.stringMatching(/of\.of\[0]: never looks at every moment of a run; answer is only known at its end/),
    ])
    expect(problems('{kind: never, of: {kind: text_visible, regex: x, mode: ocr}}')).toHaveLength(1)
    expect(problems('{kind: never, of: {kind: seen, selector: Text}}')).toHaveLength(1)
  })
})
