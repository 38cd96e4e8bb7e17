import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../../test/support/scenario/problems.ts'
import { readSource } from '../source/source.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC3] are stated in ../SPEC.md.

describe('the YAML of a scenario file', () => {
  it('[SC1] reads `match` or a boolean true as `on`', () => {
    for (const on of ['on', 'match', 'true', '"on"', 'True']) {
      const { reactions } = parseScenario(withLines('reactions:', `  - ${on}: {tool: click_element, target_id: go}`))
      expect(reactions).toEqual([{ on: { tool: 'click_element', target_id: 'go' } }])
    }
  })

  it('[SC1] reads them in components and pages of sites too', () => {
    const reaction = (key: string) => `[{${key}: {tool: any}, set: []}]`
    const file = (key: string) =>
      `components: {c: {reactions: ${reaction(key)}}}\nsites: {s.test: {pages: {/: {reactions: ${reaction(key)}}}}}\nvars: {v: [{match: 1}]}`
    const [matched, written] = [readSource(file('match')), readSource(file('on'))]
    expect('value' in matched && matched.value).toEqual('value' in written && written.value)
    expect('value' in matched && matched.value).toMatchObject({ vars: { v: [{ match: 1 }] } })
  })

  it('[SC1] resolves anchors, aliases and merge keys', () => {
    const { states } = parseScenario(
      [
        'states:',
        '  one: {windows: [{uid: w, tree: &tree {role: Window, name: A}}]}',
        '  two: {windows: [{uid: w, tree: {<<: *tree, name: B}}]}',
      ].join('\n'),
    )
    expect(states.get('two')!.windows[0]!.tree).toMatchObject({ role: 'Window', name: 'B' })
  })

  it('[SC1] rejects aliases that multiply', () => {
    const bomb = ['a: &a [x, x]', ...'bcdefghij'.split('').map((key, at) => bombLine(key, at))].join('\n')
    expect(problemLines(bomb)).toEqual([
      '1:1 : not valid YAML: its aliases repeat too many values; write fewer *aliases',
    ])
    function bombLine(key: string, at: number): string {
      const before = 'abcdefghij'[at]!
      return `${key}: &${key} [*${before}, *${before}, *${before}, *${before}, *${before}, *${before}, *${before}]`
    }
  })

  it('[SC49] explains a template that is not in quotes', () => {
    const inFlow = (name: string) => problemLines(`states: {a: {windows: [{uid: w, title: ${name}}]}}`)
    const words = 'a text with {{ … }} stands in quotes'
    const places = `${words} when it begins with {{, and inside of [ ] and { }`
    for (const name of ['{{ qty }}', '{{ value("x") }}', '{{ a ? b : c }}'])
      expect(inFlow(name)).toEqual([`1:41 : not valid YAML: expected a name as the key, found a map; ${words}`])
    for (const name of ['{{ qty }} pieces', '{{ "a" + qty }}'])
      expect(inFlow(name)).toEqual([`1:40 : not valid YAML: ${places}`])
    expect(inFlow('Qty {{ qty }}')).toEqual([`1:44 : not valid YAML: ${places}`])
    expect(problemLines('name: {{ qty }}\nstates: {a: }')).toEqual([
      `1:8 : not valid YAML: expected a name as the key, found a map; ${words}`,
    ])
    expect(problemLines('name: {{ qty }} x\nstates: {a: }')).toEqual([`1:7 : not valid YAML: ${places}`])
    expect(problemLines('about: "{{ qty }}" x\nstates: {a: }')).toEqual([expect.not.stringContaining(words)])
  })

  it('[SC2] rejects a merge, an alias or a key without a value', () => {
    const tree = (authored: string) => problemLines(`states: {a: {windows: [{tree: ${authored}}]}}`)
    const merge = 'not valid YAML: << merges maps; expected a map or an alias of one, found'
    expect(problemLines('<<: 5\nstates: {a: }')).toEqual([`1:5 : ${merge} 5`])
    expect(problemLines('<<:\nstates: {a: }')).toEqual([`1:1 : ${merge} nothing`])
    expect(problemLines('<<: [1, {name: x}, {}]\nstates: {a: }')).toEqual([`1:6 : ${merge} 1`])
    expect(tree('{<<: base, role: Window}')).toEqual([`1:36 : ${merge} "base"`])
    expect(tree('{<<: *base}')).toEqual(['1:36 : not valid YAML: there is no anchor &base before this alias'])
    expect(tree('&t {role: Window, children: [*t]}')).toEqual([
      '1:60 : not valid YAML: the alias *t stands inside what it names',
    ])
    expect(tree('&t {<<: *t}')).toEqual(['1:39 : not valid YAML: the alias *t stands inside what it names'])
    expect(problemLines('? [a, b]\n: 1\nstates: {a: }')).toEqual([
      '1:3 : not valid YAML: expected a name as the key, found a list',
    ])
    expect(problemLines('a: &a {}\n*a : 1')).toEqual([expect.stringMatching(/^2:1 .*found a map$/)])
    expect(problemLines('states: {a: {windows: [{<<: [{uid: v}, {busy: 5}]}]}}')).toEqual([
      '1:47 states.a.windows[0].busy: expected true or false, found 5',
    ])
  })

  it.each([
    ['a line too far left', 'states:\n  a:\n    windows:\n      - title: A\n       pid: 1\n', '5:8'],
    ['a line between two levels', 'states:\n  a:\n      windows: []\n    b: 1\n', '4:5'],
    ['a line below a value', 'name: x\n  states: {a: {}}\n', '2:3'],
    ['a key below a value, after a comment', 'states:\n  a: x\n  # why\n    windows: []\n', '4:5'],
    ['an item too far left', 'states:\n  a:\n    windows:\n      - title: A\n     - title: B\n', '5:6'],
  ])('[SC47] reports %s once, at its position', (_name, text, place) => {
    expect(problemLines(text)).toEqual([
      `${place} : not valid YAML: the indentation of this line does not fit the lines above: the keys of a map, and the items of a list, begin at the same column`,
    ])
  })

  it('[SC47] reports tabs, open brackets and quotes, and stray colons once, in plain words', () => {
    const short = (text: string) => problemLines(text).map((problem) => problem.replace(' : not valid YAML:', ''))
    expect(
      [
        'states:\n\ta: {}\n',
        'states: [\n  a\nname: x\n',
        'states: {a: {}\nname: x\n',
        'name: "x\nstates: {a: {}}\n',
        'name: a: b\nstates: {a: {}}\n',
      ].flatMap(short),
    ).toEqual([
      '2:1 line 2 is indented with a tab; lines are indented by spaces',
      '3:1 a list that begins with [ is not closed before here; a ] is missing',
      '2:1 a map that begins with { is not closed before here; a } is missing',
      expect.stringMatching(/ a text that begins with " is not closed before here; a " is missing$/),
      '1:7 a text with a colon and a blank in it stands in quotes',
    ])
    expect(problemLines('a: 1\na: 2\nb: 1\nb: 2\n')).toHaveLength(2)
  })

  it('[SC48] has words of its own for each error of the parser', () => {
    expect(problemLines('name: y\nstates:\n  a:\n    windows:\n\t- {uid: w}\n')).toEqual([
      '5:1 : not valid YAML: line 5 is indented with a tab; lines are indented by spaces',
    ])
    for (const end of ['---', '...'])
      expect(problemLines(`name: y\nstates: {a: {}}\n${end}\nname: z\n`)).toEqual([
        expect.stringMatching(/ : not valid YAML: a scenario file is one document, and --- or \.\.\. begins a second/),
      ])
    expect(problemLines('# first\n%FOO\nname: y\n')).toEqual([
      expect.stringMatching(/^2:1 : not valid YAML: a line that begins with % has no meaning in a scenario file/),
    ])
  })

  it.each([
    ['vars: {order: 12345678901234567890}', '1:15 : the number 12345678901234567890 cannot be kept exactly'],
    ['params: {p: {pick: [1, 9007199254740993]}}', '1:24 : the number 9007199254740993 cannot be kept exactly'],
    ['vars: {rate: 0.12345678901234567891}', '1:14 : the number 0.12345678901234567891 cannot be kept exactly'],
    ['vars: {far: 1e400}', '1:13 : the number 1e400 cannot be kept exactly'],
    ['name: "\\ud83d"', '1:7 : the text holds half of a surrogate pair'],
  ])('[SC56] refuses what cannot be kept: %s', (text, problem) => {
    expect(problemLines(`${text}\nstates: {a: {windows: []}}`)).toEqual([expect.stringContaining(problem)])
  })

  it('[SC8] reports where the YAML itself is broken', () => {
    expect(problemLines('states:\n  a: [1, 2\nb: 3')).toEqual([expect.stringMatching(/^3:1 : not valid YAML: /)])
  })
})
