import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { WrittenScript } from '../agent/script/script.ts'
import { Fault } from '../base/fault.ts'
import { treeHash } from '../desktop/tree/hash.ts'
import { checkScenario, parseScenario } from './load.ts'
import type { ScenarioProblem } from './problem.ts'
import { scenarioJsonSchema } from './scenario.ts'

// Rules such as [L2] are stated in SPEC.md beside this file.

const start = `name: small
states:
  start:
    windows:
      - uid: main
        title: Main
        tree:
          role: Window
          name: Main
          children:
            - {id: field, role: Edit, name: Field}
            - {id: go, role: Button, name: Go}
  done:
`

const lines = (...more: string[]): string => start + more.join('\n')

const Arguments = z.strictObject({
  selector: z.string().optional(),
  element_id: z.string().optional(),
  window_uid: z.string().optional(),
  any_of: z.array(z.looseObject({})).optional(),
})

function problemsOf(text: string): readonly ScenarioProblem[] {
  try {
    parseScenario(text, { file: 'small.yaml', script: WrittenScript, argumentsOf: () => Arguments })
  } catch (error) {
    if (error instanceof Fault && error.code === 'ScenarioInvalid')
      return error.context.issues as readonly ScenarioProblem[]
    throw error
  }
  return []
}

const told = (text: string): readonly string[] =>
  problemsOf(text).map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)

describe('a scenario file', () => {
  it('[L1] may say match or a boolean true where it means on', () => {
    for (const on of ['on', 'match', 'true', '"on"', 'True']) {
      const { reactions } = parseScenario(lines('reactions:', `  - ${on}: {tool: click_element, target_id: go}`))
      expect(reactions).toEqual([{ on: { tool: 'click_element', target_id: 'go' } }])
    }
  })

  it('[L1] may use anchors, aliases and merge keys', () => {
    const { states } = parseScenario(
      [
        'states:',
        '  one: {windows: [{uid: w, tree: &tree {role: Window, name: A}}]}',
        '  two: {windows: [{uid: w, tree: {<<: *tree, name: B}}]}',
      ].join('\n'),
    )
    expect(states.get('two')!.windows[0]!.tree).toMatchObject({ role: 'Window', name: 'B' })
  })

  it('[L1] is refused when its aliases multiply', () => {
    const bomb = ['a: &a [x, x]', ...'bcdefghij'.split('').map((key, at) => bombLine(key, at))].join('\n')
    expect(told(bomb)).toEqual([expect.stringMatching(/^1:1 : not valid YAML: Excessive alias count/)])
    function bombLine(key: string, at: number): string {
      const before = 'abcdefghij'[at]!
      return `${key}: &${key} [*${before}, *${before}, *${before}, *${before}, *${before}, *${before}, *${before}]`
    }
  })

  it('[L10] is refused where a merge, an alias or a key has no value', () => {
    const tree = (written: string) => told(`states: {a: {windows: [{tree: ${written}}]}}`)
    const merge = 'not valid YAML: << merges maps; expected a map or an alias of one, found'
    expect(told('<<: 5\nstates: {a: }')).toEqual([`1:5 : ${merge} 5`])
    expect(told('<<:\nstates: {a: }')).toEqual([`1:1 : ${merge} nothing`])
    expect(told('<<: [1, {name: x}, {}]\nstates: {a: }')).toEqual([`1:6 : ${merge} 1`])
    expect(tree('{<<: base, role: Window}')).toEqual([`1:36 : ${merge} "base"`])
    expect(tree('{<<: *base}')).toEqual(['1:36 : not valid YAML: there is no anchor &base before this alias'])
    expect(tree('&t {role: Window, children: [*t]}')).toEqual([
      '1:60 : not valid YAML: the alias *t stands inside what it names',
    ])
    expect(tree('&t {<<: *t}')).toEqual(['1:39 : not valid YAML: the alias *t stands inside what it names'])
    expect(told('? [a, b]\n: 1\nstates: {a: }')).toEqual([
      '1:3 : not valid YAML: expected a name as the key, found a list',
    ])
    expect(told('a: &a {}\n*a : 1')).toEqual([expect.stringMatching(/^2:1 .*found a map$/)])
    expect(told('states: {a: {windows: [{<<: [{uid: v}, {busy: 5}]}]}}')).toEqual([
      '1:47 states.a.windows[0].busy: expected true or false, found 5',
    ])
  })

  it('[L2] tells unknown keys with the nearest one', () => {
    const text = start.replace('role: Button', 'rol: Button')
    expect(told(text)).toEqual([
      expect.stringMatching(
        /^12:24 states\.start\.windows\[0\]\.tree\.children\[1\]\.rol: unknown key "rol"; did you mean "role"\? The keys here are /,
      ),
    ])
  })

  it('[L2] tells wrong types, impossible choices and what is missing', () => {
    expect(told('states: {a: {windows: [{bounds: {x: 1, y: two, width: 3}}]}}')).toEqual([
      '1:33 states.a.windows[0].bounds.height: is missing; expected a number',
      '1:43 states.a.windows[0].bounds.y: expected a number, found "two"',
    ])
    expect(told(lines('widgets: lively'))).toEqual([
      '14:10 widgets: expected one of live, inert, found "lively"; did you mean "live"?',
    ])
    expect(told('name: x')).toEqual(['1:1 states: is missing; expected keys with values'])
    expect(told('- a')).toEqual(['1:1 : expected keys with values, found a list'])
    expect(told('')).toEqual(['1:1 : expected keys with values, found nothing'])
    expect(told('states: {}')).toEqual(['1:9 states: a scenario has at least one state'])
    expect(told(lines('oracles: {success: [{kind: text_visble, regex: x}]}'))).toEqual([
      expect.stringMatching(
        /^14:28 oracles\.success\[0\]\.kind: expected one of element_exists, .*did you mean "text_visible"\?$/,
      ),
    ])
    expect(told(lines('timers: [{after_ms: soon, transition_to: done}]'))).toEqual([
      '14:21 timers[0].after_ms: expected a number or keys with values, found "soon"',
    ])
  })

  it('[L2] tells names that lead nowhere', () => {
    const text = lines(
      'initial_state: strat',
      'reactions:',
      '  - on: {tool: click_element, target_id: gone}',
      '    when: [{id: feild, value: x}]',
      '    set: [{id: field, window: mian, value: x}]',
      '    transition_to: don',
    )
    expect(told(text)).toEqual([
      '14:16 initial_state: there is no state "strat"; did you mean "start"? The states are start, done',
      '16:42 reactions[0].on.target_id: no window has an element "gone"',
      '17:17 reactions[0].when[0].id: no window has an element "feild"; did you mean "field"?',
      '18:31 reactions[0].set[0].window: no state has a window "mian"; did you mean "main"?',
      '19:20 reactions[0].transition_to: there is no state "don"; did you mean "done"? The states are start, done',
    ])
  })

  it('[L11] may react to what is in the dialogs of the desktop', () => {
    const on = (window: string) =>
      told(lines(`reactions: [{on: {tool: scroll, window: ${window}, target_id: accept}}]`))
    expect(on('main/save-as')).toEqual([])
    expect(on('mian/save-as')).toEqual(['14:41 reactions[0].on.window: no state has a window "mian/save-as"'])
  })

  it('[L11] is refused when its oracles name windows or ids that no state has', () => {
    const text = lines(
      'reactions:',
      '  - on: {tool: click_element, target_id: go}',
      '    set: [{id: root, append: [{id: toast}]}]',
      'oracles:',
      '  success:',
      '    - {kind: window_exists, window_uid: mian}',
      '    - {kind: element_exists, selector: \'[id="feild"]\', window_uid: nope}',
      '    - {kind: element_exists, selector: \'Text[id="toast"]\', window_uid: main}',
      '  failure:',
      '    - {kind: text_visible, regex: x, window_uid: mai}',
      '    - {kind: window_exists, window_uid: main/save-as}',
      '    - {kind: element_absent, selector: \'[id="field.month"]//[id="toast~2"]//[id="accept"]//[id~="f.*"]\'}',
    )
    expect(told(text)).toEqual([
      '19:41 oracles.success[0].window_uid: no state has a window "mian"; did you mean "main"?',
      '20:40 oracles.success[1].selector: no window has an element "feild"; did you mean "field"?',
      '20:68 oracles.success[1].window_uid: no state has a window "nope"',
      '23:50 oracles.failure[0].window_uid: no state has a window "mai"; did you mean "main"?',
    ])
  })

  it('[L12] is refused when a text that is set names what no state has', () => {
    const setting = (...changes: string[]) =>
      told(lines('timers:', '  - every_ms: 10', '    set:', ...changes.map((change) => `      - ${change}`)))
    expect(
      setting(
        '{id: go, name: "[{field.value}] [{nope.value}] [{field.valeu}]"}',
        '{clipboard: "{feild.name}"}',
        '{path: "/{field.path}", text: "{gone.selcted}"}',
        '{window: main, title: "{gone.name}"}',
        '{id: go, append: [{name: "{made.name}", children: [{id: made, value: "{maed.name}"}]}]}',
      ),
    ).toEqual([
      '17:24 timers[0].set[0].name: {nope.value} leads nowhere: no window has an element "nope"',
      '17:24 timers[0].set[0].name: {field.valeu} leads nowhere: there is no "valeu"; did you mean "value"? An element says name, value, selected',
      '18:21 timers[0].set[1].clipboard: {feild.name} leads nowhere: no window has an element "feild"; did you mean "field"?',
      '19:16 timers[0].set[2].path: {field.path} leads nowhere: there is no "path"; an element says name, value, selected',
      '19:39 timers[0].set[2].text: {gone.selcted} leads nowhere: no window has an element "gone"',
      '20:31 timers[0].set[3].title: {gone.name} leads nowhere: no window has an element "gone"',
      '21:78 timers[0].set[4].append[0].children[0].value: {maed.name} leads nowhere: no window has an element "maed"; did you mean "made"?',
    ])
    expect(
      setting(
        '{id: field, value: "{text} {1} {9} {text.value} {{gone.name}} {user.email} {go} {} {field.row-3.name} {root.1.name}"}',
        `{id: field, value: '{"gone.name":1} {a: gone.value} {"a":{"b":1.5}} {1.5} {gone .name}'}`,
      ),
    ).toEqual([])
  })

  it('[L13] is refused when the script of its agent cannot be played', () => {
    const agent = 'agent: {turns: [{on: {text: hi}, steps: [{say: a}, {sya: oops}, {call: x, wiht: {}}]}], hear: []}'
    expect(told(lines(agent))).toEqual([
      expect.stringMatching(
        /^14:53 agent\.turns\[0\]\.steps\[1\]\.sya: unknown key "sya"; did you mean "say"\? The keys here are /,
      ),
      expect.stringMatching(
        /^14:75 agent\.turns\[0\]\.steps\[2\]\.wiht: unknown key "wiht"; did you mean "with"\? The keys here are call, /,
      ),
      expect.stringMatching(/^14:89 agent\.hear: unknown key "hear"; did you mean "hears"\?/),
    ])
    expect(told(lines('model: [{say: 5}]'))).toEqual(['14:15 model[0].say: expected text or a list, found 5'])
    expect(told(lines('agent: {turns: [{on: {regex: "(a"}, steps: []}]}'))).toEqual([
      expect.stringMatching(/^14:30 agent\.turns\[0\]\.on\.regex: the pattern "\(a" is not valid RE2/),
    ])
    expect(told(lines('agent: hello'))).toEqual(['14:8 agent: expected keys with values or a list, found "hello"'])
    expect(told(lines('agent:', 'model: [{say: hello}]'))).toEqual([])
    expect(parseScenario(lines('agent: hello')).agent).toBe('hello')
  })

  it('[L2] tells what is given twice', () => {
    const text = 'states: {a: {windows: [{uid: w, tree: {children: [{id: x}, {id: x}]}}, {uid: w}]}}'
    expect(told(text)).toEqual([
      '1:65 states.a.windows[0].tree.children[1].id: another element of this window has the id "x"',
      '1:78 states.a.windows[1].uid: another window of this state has the uid "w"',
    ])
    expect(told('states: {a: }\nstates: {b: }')).toEqual([
      expect.stringMatching(/^2:1 : not valid YAML: Map keys must be unique/),
    ])
  })

  it('[L23] tells thousands of repeated keys, however often they are repeated, in linear time', () => {
    const problems = told(`a:\n${'  k: 1\n'.repeat(10_000)}`)
    expect(problems[0]).toMatch(/^3:3 : not valid YAML: Map keys must be unique/)
    const distinct = Array.from({ length: 10_000 }, (_, number) => `  k${number}: 1`).join('\n')
    expect(told(`a:\n${distinct}\n  k7: 2\n`)).toEqual([
      expect.stringMatching(/^10002:3 : not valid YAML: Map keys must be unique/),
    ])
  })

  it('[L23] looks up near names for some of thousands of wrong references only', () => {
    const children = Array.from({ length: 1500 }, (_, number) => `{id: field${number}, role: Text}`).join(', ')
    const reactions = Array.from(
      { length: 1500 },
      (_, number) => `{on: {tool: click_element, target_id: feld${number}}}`,
    )
    const problems = told(
      `states: {a: {windows: [{uid: w, tree: {role: Window, children: [${children}]}}]}}\nreactions: [${reactions.join(', ')}]`,
    )
    expect(problems[0]).toContain('no window has an element "feld0"; did you mean "field0"?')
    expect(problems.filter((problem) => problem.includes('did you mean')).length).toBeLessThanOrEqual(50)
  })

  it('[L23] tells thousands of unknown keys in linear time', () => {
    const children = Array.from({ length: 4000 }, (_, number) => `{role: Text, nam${number}: x}`).join(', ')
    const problems = told(`states: {a: {windows: [{uid: w, tree: {role: Window, children: [${children}]}}]}}`)
    expect(problems[0]).toContain('unknown key "nam0"; did you mean "name"?')
  })

  it('[L2] tells patterns and selectors that do not compile, and reactions that cannot happen', () => {
    const text = lines(
      'reactions:',
      '  - {on: {tool: type_text, text_regex: "(a"}, transition_to: done}',
      '  - {on: {tool: click_element, text_regex: a}, transition_to: done}',
      '  - {on: {tool: click_elemnt}, transition_to: done}',
    )
    expect(told(text.replace(/ {2}- \{on: \{tool: click_elemnt.*$/m, ''))).toEqual([
      expect.stringMatching(/^15:40 reactions\[0\]\.on\.text_regex: the pattern "\(a" is not valid RE2/),
      '16:32 reactions[1].on.text_regex: click_element has no text; type_text, press_key, set_value, select_option do',
    ])
    expect(told(text)).toEqual([
      expect.stringMatching(/^17:17 reactions\[2\]\.on\.tool: .*did you mean "click_element"\?$/),
    ])
    expect(told(lines('oracles: {success: [{kind: element_exists, selector: "Button["}]}'))).toEqual([
      expect.stringMatching(/^14:54 oracles\.success\[0\]\.selector: /),
    ])
  })

  it('[L2] tells entries that say nothing and timers with both or no time', () => {
    const text = lines(
      'timers:',
      '  - {transition_to: done}',
      '  - {after_ms: 5, every_ms: 50, set: [{id: field}]}',
      '  - {after_ms: {between: [9, 3]}, when: [{id: field}]}',
    )
    expect(told(text)).toEqual([
      '15:5 timers[0]: expected either after_ms or every_ms',
      '16:5 timers[1]: expected either after_ms or every_ms',
      '16:39 timers[1].set[0]: changes nothing',
      '17:26 timers[2].after_ms.between: the first number is not to be greater than the second',
      '17:42 timers[2].when[0]: says nothing about the element; write for example value or enabled',
    ])
  })

  it('[L2] tells tools that are none', () => {
    const text = lines('solution: [{call: click_elemnt}]', 'faults: [{on: {tool: get_screenshoot}, code: Timeout}]')
    expect(told(text)).toEqual([
      '14:19 solution[0].call: expected one of 60 names, found "click_elemnt"; did you mean "click_element"?',
      '15:22 faults[0].on.tool: expected one of 60 names, found "get_screenshoot"; did you mean "get_screenshot"?',
    ])
  })

  it('[L2] tells ranges the wrong way round, shortcuts and icons that are none, and an empty in', () => {
    const text = lines(
      'timers:',
      '  - {in: [], every_ms: 10, set: [{id: go, append: [{value_min: 2, value_max: 1}]}]}',
      '  - {every_ms: 10, set: [{id: go, value_min: 2, value_max: 1}]}',
      '  - {every_ms: 10, set: [{id: go, keyboard_shortcut: Ctrl+Delte}, {id: go, icon: trahs}]}',
    )
    expect(told(text)).toEqual([
      '15:64 timers[0].set[0].append[0].value_min: is not to be greater than value_max',
      '16:46 timers[1].set[0].value_min: is not to be greater than value_max',
      expect.stringMatching(
        /^17:54 timers\[2\]\.set\[0\]\.keyboard_shortcut: there is no key "Delte"; near names are delete/,
      ),
      '17:82 timers[2].set[1].icon: expected one of 36 names, found "trahs"; did you mean "trash"?',
    ])
    const fine = '{value_min: 1, value_max: 1, keyboard_shortcut: Ctrl+Shift++, icon: chevron-up}'
    expect(told(lines(`timers: [{every_ms: 10, set: [{id: go, append: [${fine}]}]}]`))).toEqual([])
    expect(
      told(lines('reactions: [{in: [], on: {tool: scroll}}]', 'faults: [{in: [], on: {tool: scroll}, code: Timeout}]')),
    ).toEqual([
      '14:18 reactions[0].in: names no state; leave it out where it is about all of them',
      '15:15 faults[0].in: names no state; leave it out where it is about all of them',
    ])
  })

  it('[L12] is refused when a text that is set asks for a group that its pattern has not', () => {
    const reaction = (pattern: string) =>
      told(lines(`reactions: [{on: {tool: type_text${pattern}}, set: [{id: go, name: "{text} {1} {2} {{3}}"}]}]`))
    expect(reaction(', text_regex: "(a)b"')).toEqual([
      '14:78 reactions[0].set[0].name: {2} leads nowhere: the text_regex has no group 2',
    ])
    expect(reaction(', text_regex: "(a)(b)"')).toEqual([])
    expect(reaction('')).toEqual([])
  })

  it('[L14] is refused when the calls of its solution cannot be made', () => {
    const text = lines(
      'solution:',
      '  - {call: click_element, with: {selectr: Button}}',
      '  - {call: click_element, with: {selector: "Button[", window_uid: mian}}',
      '  - {call: click_element, with: {element_id: feild, any_of: 5}}',
      '  - {call: wait_for, with: {any_of: [{selector: \'[id="og"]\'}, {title_regex: "(a"}]}}',
      '  - {call: click_element, with: {element_id: go, window_uid: main/save-as}}',
    )
    expect(told(text)).toEqual([
      expect.stringMatching(/^15:34 solution\[0\]\.with\.selectr: unknown key "selectr"; did you mean "selector"\?/),
      expect.stringMatching(/^16:44 solution\[1\]\.with\.selector: selector, column 8: /),
      '16:67 solution[1].with.window_uid: no state has a window "mian"; did you mean "main"?',
      '17:46 solution[2].with.element_id: no window has an element "feild"; did you mean "field"?',
      '17:61 solution[2].with.any_of: expected a list, found 5',
      '18:49 solution[3].with.any_of[0].selector: no window has an element "og"; did you mean "go"?',
      expect.stringMatching(/^18:77 solution\[3\]\.with\.any_of\[1\]\.title_regex: the pattern "\(a" is not valid RE2/),
    ])
  })

  it('[L2] tells paths that are none, and files that are not there', () => {
    const text = [
      'files: {a.txt: x, /b: text, /b/c: x, /docs/: ~}',
      'states:',
      '  a:',
      '    windows:',
      '      - tree:',
      '          children:',
      '            - {id: list, role: List, folder: /dosc}',
      '            - {id: body, role: Document, file: /c}',
      '            - {role: Button, file_command: {does: delete, element: body}}',
      '            - {role: Button, file_command: {does: save, element: bdy}}',
      'timers:',
      '  - {every_ms: 10, when: [{path: /b}], set: [{path: /b}, {path: c, remove: true}]}',
    ].join('\n')
    expect(told(text)).toEqual([
      '1:9 files."a.txt": expected the path from the root, "/a.txt"',
      '1:19 files."/b": is a file and cannot hold others',
      '1:38 files."/docs/": expected the path from the root, "/docs"',
      '7:46 states.a.windows[0].tree.children[0].folder: there is no folder "/dosc" in files; did you mean "/docs"?',
      '8:48 states.a.windows[0].tree.children[1].file: there is no file "/c" in files; did you mean "/b"?',
      '9:68 states.a.windows[0].tree.children[2].file_command.element: the element "body" shows no folder; give it one',
      '10:66 states.a.windows[0].tree.children[3].file_command.element: the window has no element "bdy"; did you mean "body"?',
      '12:27 timers[0].when[0]: says nothing about the file; write exists, text or text_regex',
      '12:46 timers[0].set[0]: expected one of text, copy_to, move_to and remove',
      '12:65 timers[0].set[1].path: expected the path from the root, "/c"',
    ])
  })

  it('[L2] tells a misspelt key of a file from one of an element', () => {
    const text = lines('timers: [{every_ms: 10, set: [{path: /a, txt: b}, {id: field, valeu: b}]}]')
    expect(told(text)).toEqual([
      expect.stringContaining('14:42 timers[0].set[0].txt: unknown key "txt"; did you mean "text"?'),
      expect.stringContaining('14:63 timers[0].set[1].valeu: unknown key "valeu"; did you mean "value"?'),
    ])
  })

  it('[L3] never suggests what it refuses', () => {
    const [predicate, ...others] = told(
      lines(
        'oracles: {success: [{kind: text_visible, regex: x, selector: y}]}',
        'timers: [{every_ms: 10, set: [{id: field, path: /a}, {id: field, clipboard: x}, {id: field, text: y}]}]',
      ),
    )
    expect(predicate).toMatch(/selector: unknown key "selector"; the keys here are kind, regex, mode, window_uid$/)
    expect(others).toEqual([
      expect.stringMatching(/unknown key "path"; the keys here are id, window, /),
      expect.stringMatching(/unknown key "clipboard"; the keys here are id, window, /),
      expect.stringMatching(/unknown key "text"; (the keys here are|did you mean "(?!text"))/),
    ])
    expect(told('states: {a: {windows: [{uid: w, modal_to: w}, {uid: v, modal_to: vv}]}}')).toEqual([
      '1:43 states.a.windows[0].modal_to: is the window itself; expected another window of this state',
      '1:66 states.a.windows[1].modal_to: this state has no other window "vv"',
    ])
  })

  it('[L3] tells one limit of a number, the narrowest', () => {
    const text = lines('timers: [{every_ms: 0, set: [{id: field, step: 0}]}, {after_ms: 1.0e+300}, {after_ms: 0}]')
    expect(told(text)).toEqual([
      '14:21 timers[0].every_ms: expected at least 10, found 0',
      '14:48 timers[0].set[0].step: expected more than 0, found 0',
      '14:65 timers[1].after_ms: expected at most 86400000, found 1e+300',
      '14:87 timers[2].after_ms: expected at least 1, found 0',
    ])
  })

  it('[L2] tells windows that wait for each other, and monitors that are no picture', () => {
    const windows = '{uid: a, modal_to: b}, {uid: b, modal_to: c}, {uid: c, modal_to: b}, {uid: d, modal_to: a}'
    expect(told(`states: {s: {windows: [${windows}]}}`)).toEqual([
      '1:66 states.s.windows[1].modal_to: these windows wait for each other: b, c',
    ])
    expect(told(lines('monitors: [{bounds: {x: 0, y: 0, width: 16384, height: 16384}}]'))).toEqual([
      '14:21 monitors[0].bounds: has 268435456 pixels; at most 100000000 are allowed',
    ])
    const primary = '{primary: true, bounds: {x: 0, y: 0, width: 9, height: 9}}'
    expect(told(lines(`monitors: [${primary}, ${primary}]`))).toEqual([
      '14:82 monitors[1].primary: another monitor, monitors[0], is the primary one',
    ])
    expect(told(lines('monitors: [{bounds: {x: 0, y: 0, width: 0, height: 100000}}]'))).toEqual([
      '14:41 monitors[0].bounds.width: expected at least 1, found 0',
      '14:52 monitors[0].bounds.height: expected at most 16384, found 100000',
    ])
  })

  it('[L3] shows the line with carets, and all errors at once', () => {
    const text = start.replace('role: Button', 'rol: Button').replace('title: Main', 'titel: Main')
    expect(problemsOf(text).map(({ frame }) => frame)).toEqual([
      ['6 |         titel: Main', '  |         ^^^^^'].join('\n'),
      ['12 |             - {id: go, rol: Button, name: Go}', '   |                        ^^^'].join('\n'),
    ])
    expect(() => parseScenario(text, { file: 'small.yaml' })).toThrow(/^small\.yaml:6:9: states\.start/)
  })

  it.each([
    ['a line too far left', 'states:\n  a:\n    windows:\n      - title: A\n       pid: 1\n', '5:8'],
    ['a line between two levels', 'states:\n  a:\n      windows: []\n    b: 1\n', '4:5'],
    ['a line below a value', 'name: x\n  states: {a: {}}\n', '2:3'],
    ['a key below a value, after a comment', 'states:\n  a: x\n  # why\n    windows: []\n', '4:5'],
    ['an item too far left', 'states:\n  a:\n    windows:\n      - title: A\n     - title: B\n', '5:6'],
  ])('[L18] tells of %s once, where it is', (_name, text, place) => {
    expect(told(text)).toEqual([
      `${place} : not valid YAML: the indentation of this line does not fit the lines above: the keys of a map, and the items of a list, begin at the same column`,
    ])
  })

  it('[L18] tells of tabs, open brackets and quotes and stray colons in plain words, once', () => {
    const short = (text: string) => told(text).map((problem) => problem.replace(' : not valid YAML:', ''))
    expect(
      [
        'states:\n\ta: {}\n',
        'states: [\n  a\nname: x\n',
        'states: {a: {}\nname: x\n',
        'name: "x\nstates: {a: {}}\n',
        'name: a: b\nstates: {a: {}}\n',
      ].flatMap(short),
    ).toEqual([
      '2:2 lines are indented by spaces, not by tabs',
      '3:1 a list that begins with [ is not closed before here; a ] is missing',
      '2:1 a map that begins with { is not closed before here; a } is missing',
      expect.stringMatching(/ a text that begins with " is not closed before here; a " is missing$/),
      '1:7 a text with a colon and a blank in it stands in quotes',
    ])
    expect(told('a: 1\na: 2\nb: 1\nb: 2\n')).toHaveLength(2)
  })

  it('[L19] shortens long lists of choices, and finds the nearest by its words', () => {
    const choice = (call: string) => told(`states: {a: {}}\nsolution: [{call: ${call}}]\n`).join()
    expect(choice('screenshot')).toMatch(
      /expected one of \d+ names, found "screenshot"; did you mean "get_screenshot"\?$/,
    )
    expect(choice('get_screenshot_now')).toMatch(/did you mean "get_screenshot"\?$/)
    expect(choice('click_elment')).toMatch(/did you mean "click_element"\?$/)
    expect(choice('send')).toMatch(/expected one of \d+ names such as (\w+, ){5}\w+, found "send"$/)
    expect(told('states: {a: {windows: [{tree: {icon: down}}]}}').join()).toContain('did you mean "chevron-down"?')
  })

  it('[L3] tells where the YAML itself is broken', () => {
    expect(told('states:\n  a: [1, 2\nb: 3')).toEqual([expect.stringMatching(/^3:1 : not valid YAML: /)])
  })

  it('[L4] takes numbers and booleans for their own text where text is expected', () => {
    const { states } = parseScenario(
      'states: {1: {windows: [{uid: 7, title: 2024, tree: {name: true, value: 5.0, children: [{id: 1, value: ~}]}}]}}',
    )
    const window = states.get('1')!.windows[0]!
    expect([window.uid, window.title, window.tree.name, window.tree.value]).toEqual(['7', '2024', 'true', '5.0'])
    expect(window.tree.children[0]).toMatchObject({ id: '1', value: null })
  })

  it('[L17] may say what an agent is to do, for whom, and how hard it is', () => {
    const { task, tags, difficulty } = parseScenario('task: 5\ntags: [forms, 2]\ndifficulty: hard\nstates: {a: {}}')
    expect({ task, tags, difficulty }).toEqual({ task: '5', tags: ['forms', '2'], difficulty: 'hard' })
    expect(parseScenario('states: {a: {}}')).toMatchObject({ task: undefined, tags: [], difficulty: undefined })
    expect(() => parseScenario('difficulty: hrd\nstates: {a: {}}')).toThrow('one of easy, medium, hard, found "hrd"')
  })

  it('[L5] is an error when it is too large or too deep', () => {
    expect(told(`# ${'x'.repeat(2_000_001)}`)).toEqual([
      expect.stringMatching(/^1:1 : the file has 2000003 characters/),
    ])
    expect(told(`states: ${'['.repeat(5000)}`)).toEqual([expect.stringMatching(/brackets are nested 5000 deep/)])
    const nested = Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')
    expect(told(nested)).toEqual([expect.stringMatching(/the file is nested too deep/)])
    const chained = Array.from({ length: 100 }, (_, at) => `k${at}: &k${at} ${deepIn(at === 0 ? '1' : `*k${at - 1}`)}`)
    expect(told(chained.join('\n'))[0]).toMatch(/^3:\d+ : not valid YAML: the file is nested too deep$/)
    function deepIn(inner: string): string {
      return '['.repeat(90) + inner + ']'.repeat(90)
    }
    const many = `states: {a: {windows: [{tree: {children: [${'{},'.repeat(50_000)}]}}]}}`
    expect(told(many)).toEqual(['1:9 states: there are 50001 elements; at most 50000 are allowed'])
  })

  it('[L6] fills in what is left out', () => {
    const { initial, states } = parseScenario('states: {one: {windows: [{}]}, two: }')
    expect(initial).toBe('one')
    expect(states.get('two')!.windows).toEqual([])
    const [window] = states.get('one')!.windows
    expect(window).toMatchObject({ uid: 'mock:one', title: '', process: 'scenario.exe', pid: 10000 })
    expect(treeHash(window!.tree)).toBe('sha1:288cf2f4a9e135970ed87c00274d22e65ceb2555')
  })

  it('[L7] gives a window the same handle in every state', () => {
    const { states } = parseScenario(
      'states: {a: {windows: [{uid: x}, {uid: y}]}, b: {windows: [{uid: y}, {uid: z}, {uid: x}]}}',
    )
    const handles = [...states.values()].map(({ windows }) => windows.map(({ uid, handle }) => uid + handle))
    expect(handles).toEqual([
      ['x1000', 'y1001'],
      ['y1001', 'z1002', 'x1000'],
    ])
  })

  it('[L8] keeps title bars off what the author put at the top', () => {
    const frame = (top: number, child: number) => {
      const bounds = (y: number) => `{x: 0, y: ${y}, width: 200, height: 100}`
      const text = `states: {a: {windows: [{bounds: ${bounds(top)}, tree: {children: [{bounds: ${bounds(child)}}]}}]}}`
      return parseScenario(text).states.get('a')!.windows[0]!.frame
    }
    expect([frame(100, 132), frame(100, 100), frame(0, 10)]).toEqual(['inside', 'outside', 'none'])
  })

  it('[L20] refuses patterns that are too large together, before they are compiled', () => {
    const text = (count: number) => `
states: {a: {windows: [{uid: w, title: W, bounds: {x: 0, y: 0, width: 200, height: 100}, tree: {role: Window}}]}}
oracles:
  success:
${Array.from({ length: count }, (_, at) => `    - {kind: text_visible, regex: "(?:.{0,900}x){1}${at}"}`).join('\n')}
`
    expect(parseScenario(text(5)).oracles?.success).toHaveLength(5)
    const startedMs = performance.now()
    expect(() => parseScenario(text(500))).toThrow('compile to too many instructions together')
    expect(performance.now() - startedMs).toBeLessThan(2000)
  })

  it('[L21] names what aliases repeat once', () => {
    const twice = (tree: string) => `
states:
  a: {windows: [{uid: w, tree: &tree ${tree}}]}
  b: {windows: [{uid: w, title: Later, tree: *tree}]}
`
    expect(told(twice('{role: Window, colour: red}'))).toHaveLength(1)
    const warnings = checkScenario(twice('{role: Window, children: [{role: Buton, name: OK}]}')).warnings([])
    expect(warnings.map(({ path }) => path)).toEqual(['states.a.windows[0].tree.children[0].role'])
  })

  it('has a schema for editors that knows every element below another', () => {
    expect(scenarioJsonSchema()).toMatchObject({
      $defs: { Element: { properties: { children: { items: { $ref: '#/$defs/Element' } } } } },
    })
  })
})

describe('the gallery', () => {
  const folder = new URL('../../scenarios/', import.meta.url)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml')))
    it(`${file} loads`, () => {
      const scenario = parseScenario(readFileSync(new URL(file, folder), 'utf8'), { file })
      expect(scenario.name).toBe(file.replace('.yaml', ''))
    })
})
