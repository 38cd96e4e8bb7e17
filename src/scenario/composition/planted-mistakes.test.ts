import { describe, expect, it } from 'vitest'
import { checkScenario } from '../load/load.ts'

// Rules such as [CMP58] are stated in README.md.

/** A window with a list of people; `¦` marks the place of the mistake. */
const screen = (children: string, more = '', top = ''): string => `vars:
  people: [{id: 1, name: Ada, done: true}, {id: 2, name: Bo, done: false}]
  text: ''
  count: 0
  words: [one]
${top}
states: {open: {windows: [{uid: app, bounds: {x: 0, y: 0, width: 800, height: 700}, tree: {id: top, role: Window, name: App, children: [
  {id: go, role: Button, name: Go},
  ${children}]}}]}}
${more}`
const LIST = `{repeat: people, as: person, id: person, role: Group, name: '{{ person.name }}', children: [{id: open, role: Button, name: Open}, {id: shown, role: Text, name: '{{ person.name }}'}]}`
const on = (trigger: string, set: string) => `reactions: [{on: {${trigger}}, set: [${set}]}]`
const click = (id: string, set: string) => on(`tool: click_element, target_id: ${id}`, set)
const success = (oracle: string) => `oracles: {success: [${oracle}]}`
const table = (columns: string, more = '') =>
  screen(`{id: t, role: Table, name: T, rows: people, key: id, columns: [${columns}]}`, more)
const GO = `{field: go, role: Button, formula: '"x"'}`
const site = (page: string, more = '', address = 's.test') => `vars: {user: ''}
sites:
  s.test:
    pages:
      /: {title: Home}
      /books/{id}: {title: Book, ${page}}
${more}
states: {open: {windows: [{browser: ${address}, bounds: {x: 0, y: 0, width: 800, height: 600}}]}}
`

/** Mistakes that an author makes, each with the message that says what would be right. */
const MISTAKES: readonly (readonly [name: string, text: string, message: string])[] = [
  // Elements that follow the data.
  [
    'a key as an expression',
    screen(`{repeat: {of: people, key: ¦'{{ person.id }}'}, as: person, role: Text, name: x}`),
    'key names a field of the records, such as key: id',
  ],
  [
    'a key as a path',
    screen('{repeat: {of: people, key: ¦person.name}, as: person, role: Text, name: x}'),
    'key names a field of the records, such as key: name',
  ],
  [
    'a branch without a condition',
    screen('{¦then: [{role: Text, name: x}]}'),
    'then and else need if beside them, such as {if: count > 0, then: […], else: […]}',
  ],
  [
    'the name of an item without braces',
    screen('{repeat: people, as: person, role: Text, name: ¦person.name}'),
    "person.name is shown as it is; write '{{ person.name }}'",
  ],
  [
    'the name of an item in single braces',
    screen(`{repeat: people, as: person, role: Text, name: ¦'{person.name}'}`),
    "{person.name} is shown as it is; write '{{ person.name }}'",
  ],
  [
    'a pane that scrolls',
    screen(`{id: log, role: Pane, name: Log, scroll: ¦{follow: end}, children: [${LIST}]}`),
    'a Pane does not scroll; write scroll on a ScrollArea around the items',
  ],
  [
    'the item of an event on an element beside the items',
    screen(LIST, click('go', '{var: ¦event.item, remove: true}')),
    'go is in no item of a repeat, so the event has no item; name a part of an item as target_id',
  ],
  [
    'the item of an event in a text',
    screen(LIST, click('go', `{toast: ¦'{{ event.item.name }}'}`)),
    'go is in no item of a repeat, so the event has no item; name a part of an item as target_id',
  ],
  [
    'a dragged item without a drop',
    screen(LIST, click('open', '{var: ¦event.from_item, remove: true}')),
    'event.from_item is what was dragged; only reactions to {tool: drop} have one',
  ],
  [
    'a call on a part of every item',
    screen(LIST, 'solution: [{call: click_element, with: {element_id: ¦open}}]'),
    'open is in every item of people; name one, such as person-KEY.open',
  ],
  [
    'a misspelt part of an item',
    screen(LIST, 'solution: [{call: click_element, with: {element_id: ¦person-1.opne}}]'),
    'no window has an element "person-1.opne"; did you mean "person-1.open"?',
  ],
  [
    'a misspelt part of every item',
    screen(LIST, click('¦person.opne', '{toast: x}')),
    'no window has an element "person.opne"; did you mean "person.open"?',
  ],
  [
    'a field that shows the data',
    screen(LIST, click('open', '{id: shown, name: ¦x}')),
    'name of shown always shows the data; change the data instead',
  ],
  [
    'an element that the data make again',
    screen(LIST, click('open', '{id: person-1, remove: ¦true}')),
    'person-1 follows people and is made again; change the data, such as {var: event.item, remove: true}',
  ],
  [
    'a record with the key of another',
    screen(LIST, click('go', '{var: people, append: {id: ¦1, name: Cy, done: true}}')),
    "people[0] has the key 1 already; write '{{ next_id(people) }}'",
  ],
  // Expressions, computed names, types and variables.
  [
    'a comparison by one sign',
    screen(LIST, `reactions: [{on: {tool: click_element}, when: [{expression: ¦count = 1}], set: [{toast: x}]}]`),
    'unexpected character: =; write == to compare',
  ],
  [
    'a word for an operator',
    screen(
      LIST,
      `reactions: [{on: {tool: click_element}, when: [{expression: ¦count > 1 and count < 3}], set: [{toast: x}]}]`,
    ),
    "unexpected character: 'd'; write && for and",
  ],
  [
    'a function of another language',
    screen('{if: ¦len(people) > 1, role: Text, name: x}'),
    'unknown function "len"; write size(…)',
  ],
  [
    'a computed name above what it needs',
    screen(LIST, '', 'computed: {a: ¦b + 1, b: count + 1}'),
    'a needs b, which is computed after it; write b above it',
  ],
  [
    'a computed name that is written',
    screen(LIST, click('go', '{var: ¦a, to: 1}'), 'computed: {a: count + 1}'),
    'a is computed and read-only, and a variable is needed here; name count, from which it is computed',
  ],
  [
    'a variable that does not exist',
    screen(LIST, on('changed_var: ¦cuont', '{toast: x}')),
    'there is no variable "cuont"; did you mean "count"? The variables are people, text, count, words',
  ],
  [
    'a computed name that is watched',
    screen(LIST, on('changed_var: ¦a', '{toast: x}'), 'computed: {a: count + 1}'),
    'a is computed; write changed_var with a variable that it depends on',
  ],
  [
    'a field that is watched',
    screen(LIST, 'timers: [{on: {changed_var: ¦people.name}, after_ms: 5, set: [{toast: x}]}]'),
    'changed_var watches whole variables; write changed_var: people',
  ],
  [
    'a type of a variable that does not exist',
    screen(LIST, '', 'types: {¦peple: {id: integer}}'),
    'there is no variable "peple"; did you mean "people"?',
  ],
  // Tables and controls in cells.
  [
    'rows beside those of a table',
    screen(
      '{id: t, role: Table, name: T, rows: people, key: id, columns: [{field: name}], children: [{repeat: ¦people, as: p, role: Row, name: x}]}',
    ),
    'rows: people makes the rows; leave out this repeat, or rows',
  ],
  [
    'the item of a row',
    table(`{field: name}, ${GO}`, click('t.go', '{var: ¦event.item.done, to: true}')),
    't.go is in no item of a repeat, so the event has no item; the record of its row is event.row',
  ],
  [
    'the record of an event as a place',
    table(`{field: name}, ${GO}`, click('t.go', '{var: ¦event.row.done, to: true}')),
    'event.row is a copy of a record; name its variable, with where: row.id == event.row.id and change',
  ],
  [
    'options that lack a value',
    table('{field: name, role: ComboBox, options: ¦[x, y]}'),
    'people[0].name is "Ada", which the options do not have',
  ],
  [
    'a control in a misspelt column',
    table(`{field: name}, ${GO}`, click('¦t.og', '{toast: x}')),
    'no window has an element "t.og"; did you mean "t.go"?',
  ],
  // Sites and browsers.
  [
    'a link to no page',
    site('children: [{role: Hyperlink, name: x, href: ¦/nope}]'),
    's.test has no page /nope; its pages are /, /books/{id}',
  ],
  ['a redirect to no page', site('redirect: ¦/nope'), 's.test has no page /nope; its pages are /, /books/{id}'],
  ['a window that shows no site', site('found: "true"', '', '¦nope.test'), 'expected the address of a site: s.test'],
  [
    'a step of a browser that does not exist',
    site('found: "true"', on('tool: click_element', '{browse: ¦bakc}')),
    'found "bakc"; did you mean "back"?',
  ],
  [
    'a step of a browser without one',
    screen(LIST, click('go', '{¦browse: back}')),
    'there is no browser; write sites, and a window with browser',
  ],
  // Judging.
  [
    'a probe with an event',
    screen(
      LIST,
      success(
        '{kind: probe, set: [{var: ¦event.item.done, to: true}], of: [{kind: expression, expression: count == 1}]}',
      ),
    ),
    'a probe has no event; name the variable, with where',
  ],
  [
    'a probe that asks what was seen',
    screen(LIST, success('{kind: probe, set: [{var: count, to: 1}], of: [¦{kind: seen, selector: Text}]}')),
    'probe looks at a copy of the run; seen is only known at its end',
  ],
  [
    'a function of oracles',
    screen(LIST, success(`{kind: expression, expression: ¦'seen("x")'}`)),
    'unknown function "seen"',
  ],
]

/** The problems of a file, or its warnings if it has none: `line:column message`. */
function found(text: string): readonly string[] {
  try {
    return checkScenario(text, { file: 'f' })
      .warnings([])
      .map(({ line, column, message }) => `${line}:${column} ${message}`)
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .flatMap(
        (line) =>
          /^f:(\d+:\d+): (?:[\w."[\]/{}]+(?:\[\d+\])?(?:\.[\w"[\].]+)*: )?(.*)$/.exec(line)?.slice(1).join(' ') ?? [],
      )
  }
}

describe('[CMP58] [SC143] planted mistakes', () => {
  it.each(MISTAKES)('are found at their place: %s', (_name, marked, message) => {
    const before = marked.slice(0, marked.indexOf('¦')).split('\n')
    const problems = found(marked.replace('¦', ''))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${before.length}:${before.at(-1)!.length + 1} `))
    expect(problems[0]!.endsWith(message) ? message : problems[0]).toBe(message)
  })

  it('are none in a file without them', () => {
    expect(found(screen(LIST, click('person.open', '{var: event.item.done, to: true}')))).toEqual([])
    expect(found(table(`{field: name}, ${GO}`, click('t.go', '{toast: "{{ event.row.name }}"}')))).toEqual([])
  })
})
