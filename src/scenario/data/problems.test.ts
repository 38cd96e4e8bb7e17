import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { parseScenario } from '../load/load.ts'

/** The lines, columns and messages of the problems of a text. */
function problems(text: string): readonly string[] {
  try {
    parseScenario(text, { file: 'f' })
  } catch (error) {
    if (error instanceof Fault) return error.message.split('\n').filter((line) => /^f:\d+:\d+: /.test(line))
    throw error
  }
  return []
}

/** A problem with the path of the entry as `E`, and columns counted from its start. */
const relative = (line: string): string =>
  line
    .replace(/(states\.s\.windows\[0\]\.tree\.children|reactions\[0\]\.set)\[0\]/, 'E')
    .replace(/^f:(\d+):(\d+)/, (_, row: string, column: string) => `f:${row}:${Number(column) - 1}`)

const VARS = 'vars: {count: 0, orders: [{id: 1, name: Ann, total: 1.5}], form: {note: x}}'
const inTree = (element: string, vars = VARS) =>
  problems(`${vars}\nstates: {s: {windows: [{uid: a, tree: {role: Window, children: [\n ${element}\n ]}}]}}`).map(
    relative,
  )
const inSet = (entry: string, vars = VARS) =>
  problems(
    `${vars}\nstates: {s: {windows: [{uid: a, tree: {role: Window, children: [{id: b, role: Button}]}}]}}\nreactions: [{on: {tool: click_element}, set: [\n ${entry}\n ]}]`,
  ).map(relative)

describe('problems of data', () => {
  it('[DAT20] are names with a meaning', () => {
    expect(problems('params: {p: 1}\nvars: {now: 1, p: 2, a-b: 3, ok: 4, list: [5]}\nstates: {s: {}}')).toEqual([
      'f:2:8: now already has a meaning in expressions; choose another name',
      'f:2:16: p is a parameter already; choose another name',
      'f:2:22: "a-b" is not a name; expected letters, digits and _',
      'f:2:37: list already has a meaning in expressions; choose another name',
    ])
  })

  it('[DAT22] [DAT23] are types that are unknown, of no list, or that the items do not have', () => {
    const withTypes = (types: string, name = 'x') =>
      problems(`vars: {drafts: [], orders: [{id: 1}], form: {lines: []}, count: 0}
types: {${types}}
states: {s: {windows: [{uid: a, tree: {role: Window, children: [{role: List, name: All, rows: drafts, key: id, label: '{{ row.to }}'}, {role: Text, name: '${name}'}]}}]}}`)
    expect(
      withTypes('drafts: {id: integer, to: text, at: [number]}, form.lines: {id: text}, orders: {id: number}'),
    ).toEqual([])
    expect(
      withTypes('drafts: {id: int, too: txt, at: []}, draft: text, count: text, orders: {id: text}, form.lines: any'),
    ).toEqual([
      'f:2:22: expected a type: text, number, integer, boolean, any, {field: TYPE} for records or [TYPE] for lists',
      'f:2:32: expected a type; did you mean "text"?',
      'f:2:41: expected a type: text, number, integer, boolean, any, {field: TYPE} for records or [TYPE] for lists',
      'f:2:46: there is no variable "draft"; did you mean "drafts"?',
      'f:2:59: count is an integer; types is for lists',
      'f:2:80: orders[0].id is a text; 1 is not',
    ])
    expect(withTypes('drafts: {id: integer, too: text}')).toEqual([
      expect.stringContaining('unknown field "to"; did you mean "too"?'),
    ])
    expect(withTypes('drafts: {id: integer, to: text}', '{{ drafts[0].too }}')).toEqual([
      expect.stringContaining('unknown field "too"; did you mean "to"?'),
    ])
  })

  it('[DAT3] are names in happened of what cannot happen', () => {
    const file = (texts: string, when: string) => `${VARS}
events: {saved: {}}
states: {s: {windows: [{uid: a, tree: {role: Window, children: [{id: b, role: Button, name: '${texts}'}]}}]}}
reactions: [{id: pressed, on: {tool: click_element, target_id: b}, when: [{expression: '${when}'}], set: [{emit: saved}]}]`
    expect(problems(file('{{ text(happened("saved")) }}', 'happened("pressed") == 0'))).toEqual([])
    expect(problems(file('{{ text(happened("savd")) }}', 'happened("x") == 0'))).toEqual([
      'f:3:93: in {{ text(happened("savd")) }}: there is no event, reaction or timer "savd"; did you mean "saved"?',
    ])
    const plain = file('Go', 'happened("x") == 0').replace(VARS, 'name: plain')
    expect(problems(plain)).toEqual([
      'f:4:88: reactions[0].when[0].expression: in happened("x") == 0: there is no event, reaction or timer "x"; there are saved, pressed',
    ])
  })

  it('[DAT3] [DAT37] are unknown names, fields and types in elements', () => {
    expect(inTree('{role: Text, name: "{{ cuont }}"}')).toEqual([
      'f:3:20: in {{ cuont }}: unknown name "cuont"; did you mean "count"?',
    ])
    expect(inTree('{role: Text, name: "{{ orders[0].nmae }}"}')).toEqual([
      'f:3:20: in {{ orders[0].nmae }}: unknown field "nmae"; did you mean "name"?',
    ])
    expect(inTree('{role: Text, enabled: "{{ count + 1 }}"}')).toEqual([
      expect.stringMatching(/^f:3:23: E.enabled: expected true or false, found 1/),
    ])
    expect(inTree('{role: Text, name: "{{ valeu(\\"x\\") + text(count) }}"}')).toEqual([
      expect.stringMatching(/^f:3:20: .*unknown function "valeu"; did you mean "value"\?/),
    ])
  })

  it('[DAT39] are live names where a value is needed before the scenario runs', () => {
    expect(inSet('{repeat: orders, toast: x}')).toEqual([
      expect.stringMatching(
        /^f:4:10: repeat is decided before the scenario runs, and orders changes while it runs; write it among/,
      ),
    ])
    expect(inSet('{if: count > 0, toast: x}')).toEqual([
      expect.stringMatching(
        /^f:4:6: if is decided before the scenario runs, and count > 0 changes while it runs; write it among/,
      ),
    ])
    expect(inTree('{role: "{{ orders[0].name }}"}')).toEqual([
      'f:3:8: {{ orders[0].name }} changes while the scenario runs, and this value cannot; use a parameter, or an element for each value and hidden: "{{ … }}"',
    ])
  })

  it('[DAT40] are events and draws where there are none', () => {
    expect(inTree('{role: Text, name: "{{ event.text }}"}')).toEqual([
      'f:3:20: in {{ event.text }}: event is known only in reactions, and in timers with on',
    ])
    expect(inTree('{role: Text, name: "{{ pick([count]) }}"}')).toEqual([
      expect.stringMatching(/^f:3:20: .*pick draws from the seed, which is possible only before the scenario runs/),
    ])
    expect(inTree(`{role: Text, name: "{{ row.name }}"}`)).toEqual([expect.stringContaining(`unknown name "row"`)])
  })

  it('[DAT53] are wrong variables, fields, types and expressions of effects', () => {
    expect(inSet('{var: cuont, to: 1}')).toEqual(['f:4:7: E.var: there is no variable "cuont"; did you mean "count"?'])
    expect(inSet('{var: count, to: 1.5}')).toEqual(['f:4:18: E.to: count is an integer; 1.5 is not'])
    expect(inSet('{var: count, to: "{{ count / 2.0 }}"}')).toEqual([
      'f:4:18: E.to: {{ count / 2.0 }} gives a number; expected an integer',
    ])
    expect(inSet('{var: orders, append: {id: 2, nmae: x, total: 1.0}}')).toEqual([
      expect.stringContaining('orders has no field "nmae"; its fields are id, name, total'),
    ])
    expect(inSet('{var: orders, append: {id: "{{ count }}", total: 1.0}}')).toEqual([
      'f:4:23: E.append: orders needs the field name (a text)',
    ])
    expect([
      inSet('{var: orders, append: {id: "{{ row.id + 1 }}", name: x, total: 1.0}}'),
      inSet('{var: orders, to: "{{ orders.filter(row, row.id > 1) }}"}'),
      inSet('{var: count, to: "{{ row.id }}"}'),
    ]).toEqual([
      [expect.stringContaining('E.append.id: in {{ row.id + 1 }}: unknown name "row"')],
      [],
      [expect.stringContaining('E.to: in {{ row.id }}: unknown name "row"')],
    ])
    expect(inSet('{var: orders, where: row.totl > 1.0, change: {nmae: x}}')).toEqual([
      expect.stringContaining('E.where: in row.totl > 1.0: unknown field "totl"; did you mean "total"?'),
      expect.stringContaining('E.change.nmae: records of orders have no field "nmae"; did you mean "name"?'),
    ])
    expect(inSet('{var: orders, where: row.id, remove: true}')).toEqual([
      'f:4:22: E.where: in row.id: gives an integer; expected true or false',
    ])
    expect(inSet('{var: count, append: 1}')).toEqual(['f:4:22: E.append: count is an integer; append is for lists'])
    expect(inSet('{var: count, to: 1, remove: true}')).toEqual([
      'f:4:1: E: expected one of to, append, change, remove, move, sort_by, insert_column and remove_column',
    ])
    expect(inSet('{var: orders, sort_by: totl}')).toEqual([
      'f:4:24: E.sort_by: records of orders have no field "totl"; did you mean "total"?',
    ])
    expect(inSet('{id: b, name: "{{ row.id }}"}')).toEqual([expect.stringContaining('unknown name "row"')])
    expect(inSet('{id: b, enabled: "{{ count }}"}')).toEqual([expect.stringMatching(/^f:4:18: E.enabled: /)])
    expect(inSet('{var: orders, append: {id: 9, name: 5, total: 2.5}}')).toEqual([
      expect.stringContaining('orders.name is a text; 5 is not'),
    ])
  })

  it('[DAT53] are wrong conditions, also in files without variables', () => {
    const text = (expression: string) =>
      problems(
        `states: {s: {}}\nreactions: [{on: {tool: click_element}, when: [{expression: '${expression}'}], set: [{clipboard: x}]}]`,
      )
    expect(text('exists("a") && sate == "s"')).toEqual([
      expect.stringMatching(
        /^f:2:61: reactions\[0\].when\[0\].expression: in .*unknown name "sate"; did you mean "state"\?/,
      ),
    ])
    expect(text('count("Button")')).toEqual([expect.stringContaining('gives an integer; expected true or false')])
    expect(text('event.text == "x"')).toEqual([])
    expect(text('happened("e") > 1')).toEqual([expect.stringContaining('there is no event, reaction or timer "e"')])
  })

  it('[DAT60] are wrong bindings', () => {
    expect(inTree('{role: Edit, bind: form.nte}')).toEqual([
      'f:3:20: E.bind: form has no field "nte"; did you mean "note"?',
    ])
    expect(inTree('{role: Edit, bind: orders}')).toEqual(['f:3:20: orders is a list, which Edit does not show'])
    expect(inTree('{role: CheckBox, bind: count}')).toEqual([
      'f:3:24: count is an integer, which CheckBox does not show',
    ])
    expect(inTree('{role: Button, bind: count}')).toEqual([expect.stringMatching(/^f:3:16: Button has no value/)])
    expect(inTree('{role: Edit, bind: count, value: x}')).toEqual([
      'f:3:27: value comes from the variable count; leave it out',
    ])
    expect(problems('states: {s: {windows: [{tree: {role: Edit, bind: x}}]}}')).toEqual([
      expect.stringContaining('there is no variable "x"'),
    ])
  })
})
