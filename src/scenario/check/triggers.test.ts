import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../../test/support/scenario/problems.ts'

// Rules such as [L25] are stated in ../SPEC.md.

/** The problems of these reactions. */
const reacting = (...reactions: readonly string[]): readonly string[] =>
  problemLines(withLines('reactions:', ...reactions.map((reaction) => `  - ${reaction}`)))

describe('triggers and guards in a scenario file', () => {
  it('[L25] have names, selectors and keys that can match', () => {
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

  it('[L25] have only conditions of their tool', () => {
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
    ])
  })

  it('[L25] have guards that can hold', () => {
    const guards = (...written: readonly string[]) =>
      reacting(
        ...written.map((guard) => `{id: same, on: {tool: any}, when: [${guard}]}`).slice(0, 1),
        ...written.slice(1).map((guard) => `{on: {tool: any}, when: [${guard}]}`),
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

  it('[L25] have ids of their own', () => {
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

  it('[L25] are checked inside choices', () => {
    expect(reacting('{on: {tool: any}, choose: [{set: [{close: mian}]}, {weight: 0, transition_to: don}]}')).toEqual([
      '15:65 reactions[0].choose[1].weight: expected more than 0, found 0',
    ])
    expect(reacting('{on: {tool: any}, choose: [{set: [{close: mian}]}, {transition_to: don}]}')).toEqual([
      '15:47 reactions[0].choose[0].set[0].close: no state has a window "mian"; did you mean "main"?',
      '15:72 reactions[0].choose[1].transition_to: there is no state "don"; did you mean "done"? The states are start, done',
    ])
  })
})
