import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../../test/support/scenario/problems.ts'
import { parseScenario } from '../load/load.ts'

// Rules such as [SC3] are stated in ../SPEC.md.

describe('placeholders, scripts and solutions of a scenario file', () => {
  it('[SC4] rejects placeholders that name elements of no state', () => {
    const setting = (...changes: string[]) =>
      problemLines(
        withLines('timers:', '  - every_ms: 10', '    set:', ...changes.map((change) => `      - ${change}`)),
      )
    expect(
      setting(
        '{id: go, name: "[{field.value}] [{nope.value}] [{field.valeu}]"}',
        '{clipboard: "{feild.name}"}',
        '{path: "/{field.path}", text: "{gone.selcted}"}',
        '{window: main, title: "{gone.name}"}',
        '{id: go, append: [{name: "{made.name}", children: [{id: made, value: "{maed.name}"}]}]}',
      ),
    ).toEqual([
      '17:24 timers[0].set[0].name: cannot fill {nope.value}: no window has an element "nope"',
      '17:24 timers[0].set[0].name: cannot fill {field.valeu}: there is no "valeu"; did you mean "value"? An element says name, value, selected',
      '18:21 timers[0].set[1].clipboard: cannot fill {feild.name}: no window has an element "feild"; did you mean "field"?',
      '19:16 timers[0].set[2].path: cannot fill {field.path}: there is no "path"; an element says name, value, selected',
      '19:39 timers[0].set[2].text: cannot fill {gone.selcted}: no window has an element "gone"',
      '20:31 timers[0].set[3].title: cannot fill {gone.name}: no window has an element "gone"',
      '21:78 timers[0].set[4].append[0].children[0].value: cannot fill {maed.name}: no window has an element "maed"; did you mean "made"?',
    ])
    expect(
      setting(
        '{id: field, value: "{text} {1} {9} {text.value} {{gone.name}} {user.email} {go} {} {field.row-3.name} {root.1.name}"}',
        `{id: field, value: '{"gone.name":1} {a: gone.value} {"a":{"b":1.5}} {1.5} {gone .name}'}`,
      ),
    ).toEqual([])
  })

  it('[SC5] rejects an agent script with problems', () => {
    const agent = 'agent: {turns: [{on: {text: hi}, steps: [{say: a}, {sya: oops}, {call: x, wiht: {}}]}], hear: []}'
    expect(problemLines(withLines(agent))).toEqual([
      expect.stringMatching(
        /^14:53 agent\.turns\[0\]\.steps\[1\]\.sya: unknown key "sya"; did you mean "say"\? The keys here are /,
      ),
      expect.stringMatching(
        /^14:75 agent\.turns\[0\]\.steps\[2\]\.wiht: unknown key "wiht"; did you mean "with"\? The keys here are call, /,
      ),
      expect.stringMatching(/^14:89 agent\.hear: unknown key "hear"; did you mean "hears"\?/),
    ])
    expect(problemLines(withLines('model: [{say: 5}]'))).toEqual([
      '14:15 model[0].say: expected text or a list, found 5',
    ])
    expect(problemLines(withLines('agent: {turns: [{on: {regex: "(a"}, steps: []}]}'))).toEqual([
      expect.stringMatching(/^14:30 agent\.turns\[0\]\.on\.regex: the pattern "\(a" is not valid RE2/),
    ])
    expect(problemLines(withLines('agent: hello'))).toEqual([
      '14:8 agent: expected keys with values or a list, found "hello"',
    ])
    expect(problemLines(withLines('agent:', 'model: [{say: hello}]'))).toEqual([])
    expect(parseScenario(withLines('agent: hello')).agent).toBe('hello')
  })

  it('[SC4] rejects placeholders for groups that the pattern does not have', () => {
    const reaction = (pattern: string) =>
      problemLines(
        withLines(`reactions: [{on: {tool: type_text${pattern}}, set: [{id: go, name: "{text} {1} {2} {{3}}"}]}]`),
      )
    expect(reaction(', text_regex: "(a)b"')).toEqual([
      '14:78 reactions[0].set[0].name: cannot fill {2}: the text_regex has no group 2',
    ])
    expect(reaction(', text_regex: "(a)(b)"')).toEqual([])
    expect(reaction('')).toEqual([])
  })

  it('[SC7] rejects a solution with calls that cannot be made', () => {
    const text = withLines(
      'solution:',
      '  - {call: click_element, with: {selectr: Button}}',
      '  - {call: click_element, with: {selector: "Button[", window_uid: mian}}',
      '  - {call: click_element, with: {element_id: feild, any_of: 5}}',
      '  - {call: wait_for, with: {any_of: [{selector: \'[id="og"]\'}, {title_regex: "(a"}]}}',
      '  - {call: click_element, with: {element_id: go, window_uid: main/save-as}}',
    )
    expect(problemLines(text)).toEqual([
      expect.stringMatching(/^15:34 solution\[0\]\.with\.selectr: unknown key "selectr"; did you mean "selector"\?/),
      expect.stringMatching(/^16:44 solution\[1\]\.with\.selector: selector, column 8: /),
      '16:67 solution[1].with.window_uid: no state has a window "mian"; did you mean "main"?',
      '17:46 solution[2].with.element_id: no window has an element "feild"; did you mean "field"?',
      '17:61 solution[2].with.any_of: expected a list, found 5',
      '18:49 solution[3].with.any_of[0].selector: no window has an element "og"; did you mean "go"?',
      expect.stringMatching(/^18:77 solution\[3\]\.with\.any_of\[1\]\.title_regex: the pattern "\(a" is not valid RE2/),
    ])
  })
})
