import { describe, expect, it } from 'vitest'
import { MINIMAL_SCENARIO, problemLines, problemsOf, withLines } from '../../../test/support/scenario/problems.ts'
import { checkScenario, parseScenario } from './load.ts'

// Rules such as [SC3] are stated in ../SPEC.md.

describe('problems of a scenario file', () => {
  it('[SC3] names the nearest key for an unknown key', () => {
    const text = MINIMAL_SCENARIO.replace('role: Button', 'rol: Button')
    expect(problemLines(text)).toEqual([
      expect.stringMatching(
        /^12:24 states\.start\.windows\[0\]\.tree\.children\[1\]\.rol: unknown key "rol"; did you mean "role"\? The keys here are /,
      ),
    ])
  })

  it('[SC3] reports wrong types, invalid choices and missing keys', () => {
    expect(problemLines('states: {a: {windows: [{bounds: {x: 1, y: two, width: 3}}]}}')).toEqual([
      '1:33 states.a.windows[0].bounds.height: is missing; expected a number',
      '1:43 states.a.windows[0].bounds.y: expected a number, found "two"',
    ])
    expect(problemLines(withLines('widgets: lively'))).toEqual([
      '14:10 widgets: expected one of live, inert, found "lively"; did you mean "live"?',
    ])
    expect(problemLines('name: x')).toEqual(['1:1 states: is missing; expected keys with values'])
    expect(problemLines('- a')).toEqual(['1:1 : expected keys with values, found a list'])
    expect(problemLines('')).toEqual(['1:1 : expected keys with values, found nothing'])
    expect(problemLines('states: {}')).toEqual(['1:9 states: a scenario has at least one state'])
    expect(problemLines(withLines('oracles: {success: [{kind: text_visble, regex: x}]}'))).toEqual([
      expect.stringMatching(
        /^14:28 oracles\.success\[0\]\.kind: expected one of element_exists, .*did you mean "text_visible"\?$/,
      ),
    ])
    expect(problemLines(withLines('timers: [{after_ms: soon, transition_to: done}]'))).toEqual([
      '14:21 timers[0].after_ms: expected a number or keys with values, found "soon"',
    ])
  })

  it('[SC9] checks references beside misspelt keys, misspelt choices and wrong values', () => {
    const text = withLines(
      'reactions:',
      '  - {on: {tool: click_elment, target_id: go},',
      '     st: [{id: nothing, enabled: maybe}],',
      '     transition_to: nowhere}',
    )
    expect(problemLines(text)).toEqual([
      expect.stringContaining('15:17 reactions[0].on.tool: expected one of'),
      expect.stringContaining('16:6 reactions[0].st: unknown key "st"; did you mean "set"?'),
      expect.stringContaining('17:21 reactions[0].transition_to: there is no state "nowhere"'),
    ])
    expect(problemLines(withLines('timers: [{every_ms: 1, transition_to: dune}]'))).toHaveLength(1)
  })

  it('[SC3] suggests keys of the shape that an entry has: a file or an element', () => {
    const text = withLines('timers: [{every_ms: 10, set: [{path: /a, txt: b}, {id: field, valeu: b}]}]')
    expect(problemLines(text)).toEqual([
      expect.stringContaining('14:42 timers[0].set[0].txt: unknown key "txt"; did you mean "text"?'),
      expect.stringContaining('14:63 timers[0].set[1].valeu: unknown key "valeu"; did you mean "value"?'),
    ])
  })

  it('[SC8] never suggests a key or name that it rejects', () => {
    const [predicate, ...others] = problemLines(
      withLines(
        'oracles: {success: [{kind: text_visible, regex: x, selector: y}]}',
        'timers: [{every_ms: 10, set: [{id: field, path: /a}, {id: field, clipboard: x}, {id: field, text: y}]}]',
      ),
    )
    expect(predicate).toMatch(
      /selector: unknown key "selector"; the keys here are kind, regex, mode, window_uid, message, weight$/,
    )
    expect(others).toEqual([
      expect.stringMatching(/unknown key "path"; the keys here are id, window, /),
      expect.stringMatching(/unknown key "clipboard"; the keys here are id, window, /),
      expect.stringMatching(/unknown key "text"; (the keys here are|did you mean "(?!text"))/),
    ])
    expect(problemLines('states: {a: {windows: [{uid: w, modal_to: w}, {uid: v, modal_to: vv}]}}')).toEqual([
      '1:43 states.a.windows[0].modal_to: is the window itself; expected another window of this state',
      '1:66 states.a.windows[1].modal_to: this state has no other window "vv"',
    ])
  })

  it('[SC8] reports only the narrowest limit of a number', () => {
    const text = withLines('timers: [{every_ms: 0, set: [{id: field, step: 0}]}, {after_ms: 1.0e+300}, {after_ms: 0}]')
    expect(problemLines(text)).toEqual([
      '14:21 timers[0].every_ms: expected at least 10, found 0',
      '14:48 timers[0].set[0].step: expected more than 0, found 0',
      '14:65 timers[1].after_ms: expected at most 86400000, found 1e+300',
      '14:87 timers[2].after_ms: expected at least 1, found 0',
    ])
  })

  it('[SC8] shows the line with carets, and all problems at once', () => {
    const text = MINIMAL_SCENARIO.replace('role: Button', 'rol: Button').replace('title: Main', 'titel: Main')
    expect(problemsOf(text).map(({ frame }) => frame)).toEqual([
      ['6 |         titel: Main', '  |         ^^^^^'].join('\n'),
      ['12 |             - {id: go, rol: Button, name: Go}', '   |                        ^^^'].join('\n'),
    ])
    expect(() => parseScenario(text, { file: 'small.yaml' })).toThrow(/^small\.yaml:6:9: states\.start/)
  })

  it('[SC58] shortens long lists of choices, and finds the nearest by its words', () => {
    const choice = (call: string) => problemLines(`states: {a: {}}\nsolution: [{call: ${call}}]\n`).join()
    expect(choice('screenshot')).toMatch(
      /expected one of \d+ names, found "screenshot"; did you mean "get_screenshot"\?$/,
    )
    expect(choice('get_screenshot_now')).toMatch(/did you mean "get_screenshot"\?$/)
    expect(choice('click_elment')).toMatch(/did you mean "click_element"\?$/)
    expect(choice('send')).toMatch(/expected one of \d+ names such as (\w+, ){5}\w+, found "send"$/)
    expect(problemLines('states: {a: {windows: [{tree: {icon: down}}]}}').join()).toContain(
      'did you mean "chevron-down"?',
    )
  })

  it('[SC60] reports a problem that aliases repeat once', () => {
    const twice = (tree: string) => `
states:
  a: {windows: [{uid: w, tree: &tree ${tree}}]}
  b: {windows: [{uid: w, title: Later, tree: *tree}]}
`
    expect(problemLines(twice('{role: Window, colour: red}'))).toHaveLength(1)
    const warnings = checkScenario(twice('{role: Window, children: [{role: Buton, name: OK}]}')).warnings([])
    expect(warnings.map(({ path }) => path)).toEqual(['states.a.windows[0].tree.children[0].role'])
  })
})
