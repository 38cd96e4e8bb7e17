import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../../test/support/scenario/problems.ts'

// Rules such as [SC189] are stated in ../SPEC.md.

/** The problems of a reaction with these effects. */
const setting = (effects: readonly string[], ...more: readonly string[]): readonly string[] =>
  problemLines(
    withLines('timers:', '  - every_ms: 10', '    set:', ...effects.map((effect) => `      - ${effect}`), ...more),
  )

describe('effects in a scenario file', () => {
  it('[SC189] name windows, menus and states that exist', () => {
    expect(
      setting(
        ['{open: setings}', '{close: mian}', '{focus: nope}', '{move: main}', '{menu: feild}', '{close: toast}'],
        'windows: [{uid: settings}]',
      ),
    ).toEqual([
      '17:16 timers[0].set[0].open: no state has a window "setings"; did you mean "settings"?',
      '18:17 timers[0].set[1].close: no state has a window "mian"; did you mean "main"?',
      '19:17 timers[0].set[2].focus: no state has a window "nope"',
      '20:9 timers[0].set[3]: moves nothing; add x, y, width or height',
      '21:16 timers[0].set[4].menu: no window has an element "feild"; did you mean "field"?',
      '22:17 timers[0].set[5].close: no state has a window "toast"',
    ])
    expect(
      setting(
        [
          '{open: settings}',
          '{open: {uid: ask, modal_to: main, tree: {children: [{id: yes}]}}}',
          '{toast: Hi, actions: [{id: undo, name: Undo}]}',
          '{close: toast~2}',
          '{focus: main/save-as}',
          '{id: yes, window: ask, name: Yes}',
          '{id: undo, window: toast, name: Again}',
          '{schedule: {after_ms: 5, transition_to: previous}}',
        ],
        'windows: [{uid: settings}]',
      ),
    ).toEqual([])
  })

  it('[SC189] are checked inside what they schedule and open', () => {
    expect(
      setting([
        '{schedule: {after_ms: {between: [5, 1]}, when: [{id: feild, value: x}], set: [{close: gone}], transition_to: don}}',
        '{open: {uid: ask, modal_to: mian, tree: {children: [{id: a, name: "{feild.value}"}, {id: a}]}}}',
        '{open: {title: No uid}}',
      ]),
    ).toEqual(['19:16 timers[0].set[2].open.uid: is missing; expected text'])
    expect(
      setting([
        '{schedule: {after_ms: {between: [5, 1]}, when: [{id: feild, value: x}], set: [{close: gone}], transition_to: don}}',
        '{open: {uid: ask, modal_to: mian, tree: {children: [{id: a, name: "{feild.value}"}, {id: a}]}}}',
      ]),
    ).toEqual([
      '17:41 timers[0].set[0].schedule.after_ms.between: the first number must not be greater than the second',
      '17:62 timers[0].set[0].schedule.when[0].id: no window has an element "feild"; did you mean "field"?',
      '17:95 timers[0].set[0].schedule.set[0].close: no state has a window "gone"',
      '17:118 timers[0].set[0].schedule.transition_to: there is no state "don"; did you mean "done"? The states are start, done',
      '18:37 timers[0].set[1].open.modal_to: there is no window "mian"; did you mean "main"?',
      '18:75 timers[0].set[1].open.tree.children[0].name: cannot fill {feild.value}: no window has an element "feild"; did you mean "field"?',
      '18:98 timers[0].set[1].open.tree.children[1].id: another element of this window has the id "a"',
    ])
  })

  it('[SC189] emit declared events with their fields', () => {
    expect(
      setting(
        [
          '{emit: snet}',
          '{emit: sent, with: {too: Ada, count: 1.5}}',
          '{emit: sent, with: {to: 5, count: "{field.value}"}}',
          '{emit: bare, with: {x: 1}}',
        ],
        'events: {sent: {to: text, count: integer}, bare: ~}',
      ),
    ).toEqual([
      '17:16 timers[0].set[0].emit: there is no event "snet"; did you mean "sent"? The events are sent, bare',
      '18:9 timers[0].set[1]: the field "to" of the event sent is missing under with',
      '18:29 timers[0].set[1].with.too: the event sent has no field "too"; did you mean "to"? Its fields are to, count',
      '18:46 timers[0].set[1].with.count: expected integer, found 1.5',
      '19:33 timers[0].set[2].with.to: expected text, found 5',
      '20:29 timers[0].set[3].with.x: the event bare has no field "x"; it has no fields',
    ])
    expect(setting(['{emit: sent, with: {id: 90}}'], 'events: {sent: {id: integer}}')).toEqual([])
    expect(setting(['{emit: sent, with: {id: ninety}}'], 'events: {sent: {id: integer}}')).toEqual([
      '17:33 timers[0].set[0].with.id: expected integer, found "ninety"',
    ])
    expect(setting(['{emit: sent}'])).toEqual([
      '17:16 timers[0].set[0].emit: there is no event "sent"; events declares none',
    ])
  })

  it('[SC189] open windows that are listed once and belong to no state', () => {
    expect(problemLines(withLines('windows: [{uid: main}, {uid: a, modal_to: a}, {uid: a}, {title: x}]'))).toEqual([
      '14:57 windows[3].uid: is missing; expected text',
    ])
    expect(problemLines(withLines('windows: [{uid: main}, {uid: a, modal_to: a}, {uid: a}]'))).toEqual([
      '14:17 windows[0].uid: a state has the window "main"; effects open it without an entry here',
      '14:43 windows[1].modal_to: is the window itself; expected another window',
      '14:53 windows[2].uid: another window has the uid "a"',
    ])
  })

  it('[SC189] has the nearest key of the kind that was probably meant', () => {
    expect(setting(['{toast: Hi, for_m: 3000}', '{opne: main}', '{schedule: {set: []}}'])).toEqual([
      expect.stringMatching(/^17:21 timers\[0\]\.set\[0\]\.for_m: unknown key "for_m"; did you mean "for_ms"\?/),
      expect.stringMatching(/^18:10 timers\[0\]\.set\[1\]\.opne: unknown key "opne"; did you mean "open"\?/),
      '19:20 timers[0].set[2].schedule.after_ms: is missing; expected a number or keys with values',
    ])
  })
})

describe('rules for fields', () => {
  it('[SC153] have patterns that compile, limits in order, and a rule', () => {
    expect(
      setting([
        '{id: field, validation: {pattern: "(a"}}',
        '{id: field, validation: {min: 9, max: 1}}',
        '{id: root, append: [{role: Edit, children: [{validation: {min: 9, max: 2026-01-01}}]}]}',
        '{id: field, validation: {message: Hm}}',
      ]),
    ).toEqual([
      expect.stringMatching(/^17:43 timers\[0\]\.set\[0\]\.validation\.pattern: the pattern "\(a" is not valid RE2/),
      '18:39 timers[0].set[1].validation.min: must not be greater than max',
      '19:80 timers[0].set[2].append[0].children[0].validation.max: expected both limits to be numbers, or both to be days',
      '20:33 timers[0].set[3].validation: has no rule; add required, pattern, min or max',
    ])
    expect(setting(['{id: field, validation: {min: soon}}'])).toEqual([
      '17:39 timers[0].set[0].validation.min: expected a number or a day such as 2026-03-31',
    ])
  })
})

// Rules such as [SC150] are stated in ../SPEC.md.

/** The problems of these reactions. */
const reacting = (...reactions: readonly string[]): readonly string[] =>
  problemLines(withLines('reactions:', ...reactions.map((reaction) => `  - ${reaction}`)))

describe('triggers and guards in a scenario file', () => {
  it('[SC150] have names, selectors and keys that can match', () => {
    expect(
      reacting(
        '{on: {changed: feild}}',
        '{on: {tool: drop, from_id: feild}}',
        '{on: {tool: click_element, selector: "Button["}}',
        '{on: {keys: ctrl+qux}}',
        `{on: {tool: any, selector: '[id="og"]'}}`,
      ),
    ).toEqual([
      '15:20 reactions[0].on.changed: no window has an element "feild"; did you mean "field"?',
      '16:32 reactions[1].on.from_id: no window has an element "feild"; did you mean "field"?',
      expect.stringMatching(/^17:42 reactions\[2\]\.on\.selector: selector, column 8: /),
      expect.stringMatching(/^18:17 reactions\[3\]\.on\.keys: there is no key "qux"/),
      '19:32 reactions[4].on.selector: no window has an element "og"; did you mean "go"?',
    ])
  })

  it('[SC150] have only conditions of their tool', () => {
    expect(
      reacting(
        '{on: {target_id: go}}',
        '{on: {tool: scroll, keys: a}}',
        '{on: {tool: type_text, region: {x: 0, y: 0, width: 1, height: 1}}}',
        '{on: {tool: click_element, from_id: go}}',
        '{on: {tool: any, changed: go}}',
        '{on: {changed: go, changed_var: x}}',
        '{on: {tool: any, text_regex: a, keys: a, from_id: go}}',
      ),
    ).toEqual([
      '15:10 reactions[0].on: the tool is missing; expected one of tool, keys, changed and changed_var',
      '16:25 reactions[1].on.keys: scroll has no keys; press_key does',
      expect.stringMatching(/^17:28 reactions\[2\]\.on\.region: type_text has no position; click_element, /),
      '18:32 reactions[3].on.from_id: click_element has no dragged element; drop does',
      '19:11 reactions[4].on.tool: a trigger on a change has none; leave it out',
      '20:24 reactions[5].on.changed_var: expected either changed or changed_var',
      '20:37 reactions[5].on.changed_var: there is no variable "x"; the file has no vars',
    ])
  })

  it('[SC150] have guards that can hold', () => {
    const guards = (...authored: readonly string[]) =>
      reacting(
        ...authored.map((guard) => `{id: same, on: {tool: any}, when: [${guard}]}`).slice(0, 1),
        ...authored.slice(1).map((guard) => `{on: {tool: any}, when: [${guard}]}`),
      )
    expect(
      guards(
        '{happened: smae}',
        '{time: {}}',
        '{time: {after_ms: 9, before_ms: 9}}',
        '{selector: Button, min: 3, max: 2}',
        '{selector: Button, count: 1, min: 1}',
        '{selector: Button, window: mian}',
        '{selector: "Button[", max: 1}',
      ),
    ).toEqual([
      '15:51 reactions[0].when[0].happened: there is no event, reaction or timer "smae"; did you mean "same"? There are same',
      '16:37 reactions[1].when[0].time: has no condition; add after_ms or before_ms',
      '17:48 reactions[2].when[0].time.after_ms: must be less than before_ms',
      '18:54 reactions[3].when[0].min: must not be greater than max',
      '19:49 reactions[4].when[0].count: expected either count, or min and max',
      '20:57 reactions[5].when[0].window: no state has a window "mian"; did you mean "main"?',
      expect.stringMatching(/^21:41 reactions\[6\]\.when\[0\]\.selector: selector, column 8: /),
    ])
  })

  it('[SC150] have ids of their own', () => {
    expect(
      problemLines(
        withLines(
          'events: {sent: ~}',
          'reactions: [{id: a, on: {tool: any}}, {id: sent, on: {tool: any}}]',
          'timers: [{id: a, after_ms: 1}, {id: b, after_ms: 1}]',
        ),
      ),
    ).toEqual([
      '15:44 reactions[1].id: another reaction, timer or event has the name "sent"',
      '16:15 timers[0].id: another reaction, timer or event has the name "a"',
    ])
  })

  it('[SC150] are checked inside choices', () => {
    expect(reacting('{on: {tool: any}, choose: [{set: [{close: mian}]}, {weight: 0, transition_to: don}]}')).toEqual([
      '15:65 reactions[0].choose[1].weight: expected more than 0, found 0',
    ])
    expect(reacting('{on: {tool: any}, choose: [{set: [{close: mian}]}, {transition_to: don}]}')).toEqual([
      '15:47 reactions[0].choose[0].set[0].close: no state has a window "mian"; did you mean "main"?',
      '15:72 reactions[0].choose[1].transition_to: there is no state "don"; did you mean "done"? The states are start, done',
    ])
  })
})
