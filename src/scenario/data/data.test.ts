import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  act,
  begin,
  click,
  element,
  key,
  setValue,
  target,
  type,
  until,
} from '../../../test/support/scenario/player.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { checkScenario, parseScenario } from '../load/load.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'
import { misfit } from './run-data.ts'

const SHOP = `
start_time: 2026-03-02T09:00:00Z
params: {limit: 2}
vars:
  orders:
    - {id: 1001, name: Ann, total: 12.5, open: true}
    - {id: 1002, name: Bob, total: 7.0, open: true}
  count: 0
  search: ''
  form: {amount: 5, rate: 1.0, express: false, fruit: pear}
components:
  counter:
    params: {id: text, label: text}
    element: {id: "{{ id }}", role: Text, name: "{{ label }}!"}
states:
  list:
    windows:
      - uid: app
        title: "{{ size(orders) }} orders"
        bounds: {x: 0, y: 0, width: 700, height: 700}
        tree:
          role: Window
          children:
            - {id: total, role: Text, name: "Total {{ sum(orders.map(o, o.total)) }} of {{ size(orders) }}"}
            - {id: add, role: Button, name: Add, enabled: "{{ count < limit }}"}
            - {id: search, role: Edit, name: Search, bind: search}
            - {id: amount, role: Edit, name: Amount, bind: form.amount}
            - {id: express, role: CheckBox, name: Express, bind: form.express}
            - {id: rate, role: Slider, name: Rate, bind: form.rate, value_min: 0, value_max: 9}
            - {id: fruit, role: List, name: Fruit, bind: form.fruit, children: [{id: apple, role: ListItem, name: apple}, {id: pear, role: ListItem, name: pear}]}
            - {id: echo, role: Text, name: 'You typed "{{ search }}", {{ value("amount") }}'}
            - {id: clear, role: Button, name: Clear}
            - {id: ship, role: Button, name: Ship}
            - {id: go, role: Button, name: Go}
            - {id: bad, role: Button, name: Bad}
            - {use: counter, with: {id: counted, label: "{{ count }} of {{ limit }}"}}
            - {id: clock, role: Text, name: '{{ now.format("HH:mm:ss") }} {{ state }}'}
            - {id: first, role: Text, name: 'First: {{ orders[0].name }}'}
  done: {extends: list, set: [{id: go, name: "Back {{ count }}"}]}
reactions:
  - on: {tool: click_element, target_id: add}
    set:
      - {var: count, to: '{{ count + 1 }}'}
      - {var: orders, append: {id: '{{ 2000 + count }}', name: 'New {{ count }}', total: 1.5, open: false}}
      - {id: clear, name: "Clear {{ count }}", enabled: "{{ count < 2 }}"}
  - {on: {tool: click_element, target_id: clear}, set: [{var: search, to: ''}, {var: orders, where: 'row.total > 1.0', remove: true}]}
  - on: {tool: click_element, target_id: ship}
    when: [{expression: 'orders.exists(o, o.open) && value("search") != "no"'}]
    set:
      - {var: orders, where: row.open, change: {open: false, name: '{{ row.name.upper() }}', total: '{{ row.total * 2.0 }}'}}
      - {var: orders, sort_by: name, descending: true}
  - {on: {tool: click_element, target_id: bad}, set: [{var: count, to: '{{ 1 / (count - count) }}'}, {var: form.fruit, to: apple}, {id: first, name: 'x {{ orders[9].name }}'}]}
  - {on: {tool: click_element, target_id: go}, in: list, transition_to: done}
  - {on: {tool: press_key, text_regex: 'f(\\d)'}, set: [{var: search, to: '{{ event.key + event.groups[1] + event.text }}'}]}
timers:
  - {every_ms: 60000, set: [{var: count, to: '{{ count + 1 }}'}]}
  - {on: {tool: type_text, target_id: search}, after_ms: 100, when: [{expression: 'event.text == "wait"'}], set: [{id: go, name: '{{ event.target }} {{ event.text }}'}]}
`
const name = (run: ScenarioRun, id: string) => element(run, id).name
const skipped = (run: ScenarioRun) => entriesOf(run.log).map(({ name: kind, fields }) => `${kind}: ${fields?.reason}`)
const typed = (run: ScenarioRun, text: string) => type(click(run, 'search'), text)

describe('variables', () => {
  it('[DAT25] hold whole results of decimal expressions as decimal numbers', () => {
    const yaml = `{params: {price: 2.5}, vars: {total: '{{ price * 2 }}', count: '{{ 1 + 2 }}'}, states: {a: ~}}`
    const { program } = parseScenario(yaml)
    expect(program?.scope.vars).toEqual({ total: { kind: 'double' }, count: { kind: 'int' } })
  })

  it('[DAT19] [DAT21] hold values with their types', () => {
    expect(begin(SHOP).data).toEqual({
      orders: [
        { id: 1001, name: 'Ann', total: 12.5, open: true },
        { id: 1002, name: 'Bob', total: 7, open: true },
      ],
      count: 0,
      search: '',
      form: { amount: 5, rate: 1, express: false, fruit: 'pear' },
    })
    expect(parseScenario(SHOP).program?.scope.vars).toMatchObject({
      form: { fields: { amount: { kind: 'int' }, rate: { kind: 'double' } } },
    })
  })

  it('[DAT19] are expanded with the parameters of the seed', () => {
    const text = `params: {who: {fake: person, count: 3, unique: name}}
vars: {people: [{repeat: who, as: person, id: "{{ person_index }}", name: "{{ person.name }}"}], size: '{{ size(who) }}'}
states: {a: {windows: [{title: '{{ people[0].name }}'}]}}`
    const runs = [1, 2].map((seed) => begin(text, seed))
    expect(runs.map(({ data }) => data.size)).toEqual([3, 3])
    const people = runs.map(({ data }) => data.people as readonly { id: number; name: string }[])
    expect(people[0]!.map(({ id }) => id)).toEqual([0, 1, 2])
    expect(people[0]).not.toEqual(people[1])
    expect(runs.map(({ desktop }) => desktop.windows[0]!.title)).toEqual(people.map(([first]) => first!.name))
  })

  it('[DAT24] run on the clock that start_time sets', () => {
    const run = begin(SHOP)
    expect([name(run, 'clock'), run.desktop.nowMs]).toEqual(['09:00:00 list', Date.UTC(2026, 2, 2, 9)])
    const later = until(run, 61_000)
    expect([name(later, 'clock'), later.nowMs, later.desktop.nowMs]).toEqual([
      '09:01:01 list',
      61_000,
      Date.UTC(2026, 2, 2, 9, 1),
    ])
  })
})

describe('live templates', () => {
  it('[DAT36] [DAT37] show the data', () => {
    const run = begin(SHOP)
    const shown = (each: ScenarioRun) => [each.desktop.windows[0]!.title, name(each, 'total'), name(each, 'echo')]
    expect(shown(run)).toEqual(['2 orders', 'Total 19.5 of 2', 'You typed "", 5'])
    const added = click(run, 'add')
    expect(shown(added)).toEqual(['3 orders', 'Total 21 of 3', 'You typed "", 5'])
    expect([element(added, 'add').enabled, element(click(added, 'add'), 'add').enabled]).toEqual([true, false])
    expect(name(typed(run, 'dune'), 'echo')).toBe('You typed "dune", 5')
    expect(element(added, 'total').bounds).toEqual(element(run, 'total').bounds)
    expect(parseScenario(SHOP).program?.templates.has('{{ count < 2 }}')).toBe(true)
  })

  it('[DAT38] are arguments of components', () => {
    const run = begin(SHOP)
    expect([name(run, 'counted'), name(click(run, 'add'), 'counted')]).toEqual(['0 of 2!', '1 of 2!'])
  })

  it('[DAT41] leave data alone that look like a template', () => {
    const run = typed(begin(SHOP), '{{ count }} {search.name}')
    expect([run.data.search, name(run, 'echo')]).toEqual([
      '{{ count }} {search.name}',
      'You typed "{{ count }} {search.name}", 5',
    ])
  })

  it('[DAT42] show the current data in a state that is entered', () => {
    const done = click(click(begin(SHOP), 'add'), 'go')
    expect([name(done, 'go'), name(done, 'total'), name(done, 'clock')]).toEqual([
      'Back 1',
      'Total 21 of 3',
      '09:00:00 done',
    ])
  })

  it('[DAT47] are checked under keys that take only some values', () => {
    const text = `
vars: {sign: save, keys: ctrl+s}
states:
  a:
    windows:
      - uid: w
        tree:
          children:
            - {id: a, role: Button, name: A, icon: "{{ sign }}", keyboard_shortcut: "{{ keys }}"}
            - {id: b, role: Button, name: B}
            - {id: t, role: CheckBox, name: T, icon: "{{ selected('t') ? 'save' : 'search' }}"}
            - {id: bad, role: Button, name: Bad}
reactions:
  - {on: {tool: click_element, target_id: b}, set: [{var: sign, to: search}, {id: b, icon: "{{ sign }}", keyboard_shortcut: "ctrl+{{ 'k' }}"}]}
  - {on: {tool: click_element, target_id: bad}, set: [{var: sign, to: saev}, {var: keys, to: a+b}, {id: b, icon: "{{ sign }}", name: Not}]}
`
    const shown = (run: ScenarioRun) =>
      ['a', 'b', 't'].map((id) => [element(run, id).traits?.icon, element(run, id).keyboardShortcut ?? undefined])
    const start = begin(text)
    expect(shown(start)).toEqual([
      ['save', 'ctrl+s'],
      [undefined, undefined],
      ['search', undefined],
    ])
    const run = click(click(start, 'b'), 't')
    expect(shown(run)).toEqual([
      ['search', 'ctrl+s'],
      ['search', 'ctrl+k'],
      ['save', undefined],
    ])
    const after = click(run, 'bad')
    expect([shown(after), element(after, 'b').name]).toEqual([shown(run), 'B'])
    expect(entriesOf(after.log).map(({ fields }) => fields?.reason)).toEqual([
      '"saev" is not a value of icon; did you mean "save"?',
      '"saev" is not a value of icon; did you mean "save"?',
      expect.stringMatching(/^keyboard_shortcut: in "a\+b", "a" is no modifier/),
    ])
  })

  it('[DAT45] without a value leave the element as it is', () => {
    const run = click(begin(SHOP), 'clear')
    expect([run.data.orders, name(run, 'first'), name(run, 'total')]).toEqual([[], 'First: Ann', 'Total 0 of 0'])
    expect(skipped(run)).toEqual([expect.stringMatching(/^name: in \{\{ orders\[0\].name \}\}: .*has no value/)])
  })

  it('[DAT46] can give an element any name', () => {
    const steps = (selector: string) => `solution: [{call: click_element, with: {selector: '${selector}'}}]`
    const warnings = (selector: string) => checkScenario(`${SHOP}${steps(selector)}`).warnings([])
    expect(['Text "Total 99 of 7"', 'Button "Back 5"', 'Button "Clear 8"'].flatMap(warnings)).toEqual([])
    expect(warnings('CheckBox "Total"')).toHaveLength(1)
  })

  it('[DAT48] are text in a file without variables and composition', () => {
    const plain = parseScenario('states: {a: {windows: [{title: "{{ now }}", tree: {name: "{{ x"}}]}}')
    expect(plain.program).toBeUndefined()
    expect(plain.states.get('a')?.windows[0]).toMatchObject({ title: '{{ now }}', tree: { name: '{{ x' } })
    expect(parseScenario('params: {x: 1}\nstates: {a: {windows: [{title: "{{ x }}"}]}}').program).toBeUndefined()
  })
})

describe('effects and conditions', () => {
  it('[DAT49] evaluate live templates under keys of any type', () => {
    const once = click(begin(SHOP), 'add')
    expect([name(once, 'clear'), element(once, 'clear').enabled]).toEqual(['Clear 1', true])
    expect(element(click(once, 'add'), 'clear').enabled).toBe(false)
    expect(key(begin(SHOP), 'f5').data.search).toBe('f555')
  })

  it('[DAT50] change variables and records', () => {
    const added = click(begin(SHOP), 'add')
    expect((added.data.orders as readonly unknown[])[2]).toEqual({ id: 2001, name: 'New 1', total: 1.5, open: false })
    const shipped = click(begin(SHOP), 'ship')
    expect(shipped.data.orders).toEqual([
      { id: 1002, name: 'BOB', total: 14, open: false },
      { id: 1001, name: 'ANN', total: 25, open: false },
    ])
  })

  it('[DAT54] hold when an expression is true', () => {
    const shipped = click(begin(SHOP), 'ship')
    expect(click(shipped, 'ship').data).toBe(shipped.data)
    const refused = typed(begin(SHOP), 'no')
    expect(click(refused, 'ship').data).toBe(refused.data)
    const plain = begin(`
states: {a: {windows: [{tree: {role: Window, children: [{id: x, role: Edit, value: ''}, {id: ok, role: Button, name: Ok}]}}]}}
reactions: [{on: {tool: click_element, target_id: ok}, when: [{expression: 'value("x") == "yes" && count("Button") == 1'}], set: [{id: ok, name: Done}]}]`)
    expect([name(click(plain, 'ok'), 'ok'), name(click(setValue(plain, 'x', 'yes'), 'ok'), 'ok')]).toEqual([
      'Ok',
      'Done',
    ])
  })

  it('[DAT52] skip what has no value, and record why', () => {
    const run = click(begin(SHOP), 'bad')
    expect([run.data.count, name(run, 'first')]).toEqual([0, 'First: Ann'])
    expect(run.data.form).toMatchObject({ fruit: 'apple' })
    expect(skipped(run)).toEqual([
      expect.stringMatching(/^var: in \{\{ 1 .*: .*division by zero/i),
      expect.stringMatching(/^id: in \{\{ orders\[9\].name \}\}: /),
    ])
  })

  it('[DAT55] see the event that started them', () => {
    expect(name(until(typed(begin(SHOP), 'wait'), 200), 'go')).toBe('search wait')
    expect(name(until(typed(begin(SHOP), 'other'), 200), 'go')).toBe('Go')
  })
})

describe('fields', () => {
  it('[DAT56] write their variable before reactions, and show it', () => {
    const run = typed(begin(SHOP), 'dune')
    expect(run.data.search).toBe('dune')
    const cleared = click(run, 'clear')
    expect([cleared.data.search, element(cleared, 'search').value]).toEqual(['', ''])
  })

  it('[DAT57] bind values, states, numbers and items', () => {
    const run = begin(SHOP)
    expect([element(run, 'amount').value, element(run, 'express').selected, element(run, 'rate').valueNow]).toEqual([
      '5',
      false,
      1,
    ])
    expect([element(run, 'apple').selected ?? false, element(run, 'pear').selected]).toEqual([false, true])
    expect(setValue(run, 'amount', '12').data.form).toMatchObject({ amount: 12 })
    expect(click(run, 'express').data.form).toMatchObject({ express: true })
    expect(setValue(run, 'rate', '3').data.form).toMatchObject({ rate: 3 })
    const chosen = click(run, 'apple')
    expect(chosen.data.form).toMatchObject({ fruit: 'apple' })
    const bad = click(run, 'bad')
    expect([element(bad, 'apple').selected, element(bad, 'pear').selected ?? false]).toEqual([true, false])
  })

  it('[DAT58] leave the variable when the text is not a value of its type', () => {
    const run = setValue(begin(SHOP), 'amount', '12 pieces')
    expect([element(run, 'amount').value, run.data.form]).toEqual(['12 pieces', begin(SHOP).data.form])
  })

  it('[DAT59] is invalid while the text is no number', () => {
    const leave = (text: string) => click(setValue(click(begin(SHOP), 'amount'), 'amount', text), 'search')
    const problemOf = (run: ScenarioRun) => element(run, 'amount').traits?.invalid?.message
    expect(['x', '7', '1.5'].map(leave).map(problemOf)).toEqual([
      'Enter a whole number',
      undefined,
      'Enter a whole number',
    ])
    const own = SHOP.replace(
      'bind: form.amount',
      'bind: form.amount, validation: {pattern: "[0-9x]+", message: Digits}',
    )
    expect(
      element(click(setValue(click(begin(own), 'amount'), 'amount', 'a'), 'search'), 'amount').traits,
    ).toMatchObject({
      invalid: { message: 'Digits' },
    })
  })
})

describe('runs with data', () => {
  const inputs = fc.constantFrom(
    'add',
    'clear',
    'ship',
    'go',
    'express',
    'apple',
    'pear',
    'bad',
    'type',
    'amount',
    'wait',
  )
  const step = (run: ScenarioRun, input: string): ScenarioRun => {
    if (input === 'wait') return until(run, run.nowMs + 40_000)
    if (input === 'type') return typed(run, 'ab')
    if (input === 'amount') return setValue(run, 'amount', String(run.nowMs % 7))
    return element(run, input).enabled ? click(run, input) : run
  }
  const stateOf = (run: ScenarioRun) => [
    run.data,
    run.desktop.windows.map(({ title, tree }) => [title, treeHash(tree)]),
  ]

  it('[DAT61] are equal for equal seeds and actions, also in forks, and keep the types', () => {
    const scenario = parseScenario(SHOP)
    const start = begin(SHOP)
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 12 }), fc.nat(12), (all, cut) => {
        const whole = all.reduce(step, start)
        const fork = all.slice(0, cut).reduce(step, start)
        all.slice(cut).reduce(step, fork)
        expect(stateOf(all.slice(cut).reduce(step, fork))).toEqual(stateOf(whole))
        expect(stateOf(all.reduce(step, begin(SHOP)))).toEqual(stateOf(whole))
        for (const [variable, type] of Object.entries(scenario.program!.scope.vars))
          expect(misfit(whole.data[variable]!, type, variable)).toBeUndefined()
      }),
      { numRuns: 15 },
    )
  })

  it('[DAT61] are the same run when nothing changes', () => {
    const run = click(begin(SHOP), 'search')
    expect(act(run, { type: 'focus', target: target(run, 'search'), at: { x: 1, y: 1 } }).run.data).toBe(run.data)
  })
})

describe('limits of a running scenario', () => {
  const reasons = (run: ScenarioRun): readonly unknown[] =>
    entriesOf(run.log).flatMap(({ kind, fields }) => (kind === 'effect-skipped' ? [fields?.reason] : []))
  const form = (rest: string, children = ''): string =>
    `states: {a: {windows: [{uid: w, tree: {role: Window, children: [{id: go, role: Button, name: Go}, {id: out, role: Text, name: '-'}, ${children}]}}]}}\n${rest}`

  it('[DAT52] a variable that doubles stops at the limit of a text', () => {
    const text = form(`vars: {v: aaaaaaaaaa}
reactions: [{on: {tool: click_element, target_id: go}, set: [{var: v, to: '{{ v + v }}'}]}]`)
    let run = begin(text)
    for (let clicks = 0; clicks < 20; clicks++) run = click(run, 'go')
    expect(run.data).toEqual({ v: 'a'.repeat(163_840) })
    expect(reasons(run)[0]).toBe(
      'in {{ v + v }}: the expression makes a text of 327680 characters; at most 200000 are allowed',
    )
  })

  it('[DAT43] a number and the screen in one text are text, in any order', () => {
    const children = `{id: q, role: Edit, name: Q, value: hello}, {id: t, role: Text, name: '{{ n }} {{ value("q") }}'}, {id: u, role: Text, name: '{{ count("Edit") }} {{ ok }}'}`
    const run = begin(form('vars: {n: 1, ok: true}', children))
    expect([element(run, 't').name, element(run, 'u').name]).toEqual(['1 hello', '1 true'])
  })

  it('[DAT44] a template of long texts has no value', () => {
    const text = form(`vars: {v: ''}
reactions: [{on: {tool: click_element, target_id: go}, set: [{var: v, to: '${'a'.repeat(100_000)}'}, {id: out, name: '{{ v }}{{ v }}{{ v }}'}]}]`)
    const run = click(begin(text), 'go')
    expect([element(run, 'out').name, reasons(run)]).toEqual([
      '-',
      ['the template makes a text of 300000 characters; at most 200000 are allowed'],
    ])
  })

  it('[DAT51] the texts of the desktop have a limit together', () => {
    const at = Array.from({ length: 20 }, (_, index) => index)
    const fields = at.map((index) => `{id: f${index}, role: Edit, name: F, bounds: {x: 1, y: 1, width: 9, height: 9}}`)
    const set = at.map((index) => `{id: f${index}, value: '{{ v }}'}`)
    const text = form(
      `vars: {v: '${'a'.repeat(190_000)}'}\nreactions: [{on: {tool: click_element, target_id: go}, set: [${set.join(', ')}]}]`,
      fields.join(', '),
    )
    const run = click(begin(text), 'go')
    expect(element(run, 'f14').value).toHaveLength(190_000)
    expect([element(run, 'f15').value, reasons(run)]).toEqual([
      null,
      Array.from({ length: 5 }, () => expect.stringContaining('at most 3000000 are allowed')),
    ])
  })

  it('[DAT6] expressions that are evaluated at once share their steps', () => {
    const list = '[1, 2, 3, 4, 5, 6, 7, 8, 9]'
    const heavy = `${list}.map(a, ${list}.map(b, ${list}.map(c, a + b + c + n)))`
    const children = `{repeat: 600, role: Text, name: "{{ size(${heavy}) + item }}"}`
    expect(() => parseScenario(form('vars: {n: 1}', children))).toThrow(
      'the expressions that are evaluated at once take more than 2000000 steps together',
    )
  })
})
