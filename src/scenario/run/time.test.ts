import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  act,
  at,
  begin,
  click,
  element,
  faultOf,
  form,
  target,
  type,
  until,
} from '../../../test/support/scenario/player.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [SC235] are stated in SPEC.md beside this file.

describe('time', () => {
  const timed = (...timers: readonly string[]): ScenarioRun =>
    begin(
      [
        'states:',
        '  a: {windows: [{uid: w, tree: {children: [{id: log, role: Text, value: ""}, {id: bar, role: ProgressBar, value_now: 0, value_min: 0, value_max: 100}]}}]}',
        '  b: {windows: [{uid: w, title: B, tree: {children: [{id: log, role: Text, value: ""}]}}]}',
        'timers:',
        ...timers.map((timer) => `  - ${timer}`),
      ].join('\n'),
    )

  it('[SC235] [SC239] fires timers at their own times, however far it jumps', () => {
    const run = timed('{in: a, after_ms: 100, transition_to: b}', '{in: b, after_ms: 50, transition_to: a}')
    const states = (times: readonly number[]) => times.map((nowMs) => until(run, nowMs).state)
    expect(states([99, 100, 149, 150, 250, 300])).toEqual(['a', 'b', 'b', 'a', 'b', 'a'])
  })

  it('[SC235] keeps timers without a state through transitions', () => {
    const run = timed('{after_ms: 120, transition_to: a}', '{in: a, after_ms: 100, transition_to: b}')
    expect([until(run, 110).state, until(run, 120).state, until(run, 219).state, until(run, 220).state]).toEqual([
      'b',
      'a',
      'a',
      'b',
    ])
  })

  it('[SC237] brings a tooltip when the pointer has rested, however short the hover was', () => {
    const tips = (more = '') =>
      begin(
        [
          'states:',
          '  a: {windows: [{uid: w, tree: {children: [',
          '    {id: save, role: Button, name: Save, children: [{id: tip, role: ToolTip, name: Writes the file}]},',
          '    {id: other, role: Button, name: Other}]}}]}',
          '  b: {windows: [{uid: w, title: B}]}',
          more,
        ].join('\n'),
      )
    const rest = (run: ScenarioRun, id: string, forMs = 250) =>
      act(run, { type: 'hover', at: at(run, id), forMs, target: target(run, id) }).run
    const isUp = (run: ScenarioRun) => element(run, 'tip').expanded === true
    const hovered = rest(tips(), 'save')
    expect([isUp(hovered), isUp(until(hovered, 499)), isUp(until(hovered, 500))]).toEqual([false, false, true])
    const again = rest(until(hovered, 300), 'save', 0)
    expect([isUp(until(again, 499)), isUp(until(again, 500))]).toEqual([false, true])
    expect(isUp(until(rest(until(hovered, 300), 'other'), 900))).toBe(false)
    expect(isUp(until(click(until(hovered, 300), 'save'), 900))).toBe(false)
    expect(isUp(rest(until(hovered, 900), 'other'))).toBe(false)
    const gone = until(
      rest(tips('timers: [{after_ms: 400, set: [{id: save, enabled: false}, {id: tip, remove: true}]}]'), 'save'),
      900,
    )
    expect(element(gone, 'save').children).toEqual([])
    const late = until(
      rest(tips('timers: [{after_ms: 600, when: [{id: tip, expanded: true}], transition_to: b}]'), 'save'),
      900,
    )
    expect(late.state).toBe('b')
    expect(isUp(until(rest(tips('widgets: inert'), 'save'), 900))).toBe(false)
  })

  it('[SC238] draws from the seed', () => {
    const text = 'states: {a: , b: }\ntimers: [{in: a, after_ms: {between: [1, 1000]}, transition_to: b}]'
    const dueOf = (seed: number) => begin(text, seed).due[0]!.atMs
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(dueOf(seed)).toBeGreaterThanOrEqual(1)
        expect(dueOf(seed)).toBeLessThanOrEqual(1000)
        expect(dueOf(seed)).toBe(dueOf(seed))
      }),
    )
    expect(new Set([1, 2, 3, 4, 5].map(dueOf)).size).toBeGreaterThan(1)
  })

  it('[SC238] [SC241] repeats, and stops a value at its ends', () => {
    const run = timed('{every_ms: 10, set: [{id: bar, value_now: {add: 30}}]}')
    const bar = (nowMs: number) => element(until(run, nowMs), 'bar').valueNow
    expect([0, 10, 29, 30, 1000].map(bar)).toEqual([0, 30, 60, 90, 100])
  })

  it('[SC240] does nothing while when does not hold', () => {
    const run = timed('{every_ms: 10, when: [{id: log, value: go}], transition_to: b}')
    const asked = click(until(run, 25), 'root')
    expect(until(asked, 100).state).toBe('a')
    const set = timed(
      '{every_ms: 10, when: [{id: bar, value_now: 30}], transition_to: b}',
      '{after_ms: 35, set: [{id: bar, value_now: 30}]}',
    )
    expect([until(set, 39).state, until(set, 40).state]).toEqual(['a', 'b'])
  })

  it('[SC169] comes to the same end in one jump as in many', () => {
    const text = [
      'states: {a: {windows: [{uid: w, tree: {children: [{id: n, role: Slider, value_now: 0}]}}]}, b: {windows: [{uid: w}]}}',
      'timers:',
      '  - {every_ms: 13, set: [{id: n, value_now: {add: 1}}]}',
      '  - {in: a, after_ms: {between: [20, 40]}, transition_to: b}',
      '  - {in: b, after_ms: {between: [5, 30]}, transition_to: a}',
    ].join('\n')
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }), fc.integer(), (jumps, seed) => {
        const first = begin(text, seed)
        const many = jumps.reduce((run, ms) => until(run, run.nowMs + ms), first)
        expect(many).toEqual(until(first, many.nowMs))
      }),
    )
  })
})

describe('a timer that waits for quiet', () => {
  const search = () =>
    begin(
      form(
        'timers:',
        '  - on: {tool: type_text, target_id: name}',
        '    in: start',
        '    after_ms: 300',
        '    set: [{id: status, name: "found {name.value}"}]',
      ),
    )

  it('[SC236] fires once, `after_ms` after the last event', () => {
    const begun = type(click(search(), 'name'), 'ca')
    const again = type(until(begun, 200), 't')
    expect([until(again, 400), until(again, 499), until(again, 500)].map((run) => element(run, 'status').name)).toEqual(
      ['Ready', 'Ready', 'found cat'],
    )
    expect(until(again, 500).due).toEqual([])
  })

  it('[SC236] has the text and the window of the last event', () => {
    const tree = '{children: [{id: f, role: Edit, value: ""}, {id: log, role: Text}]}'
    const run = begin(
      [
        `states: {a: {windows: [{uid: v, tree: ${tree}}, {uid: w, bounds: {x: 900, y: 0, width: 300, height: 300}, tree: ${tree}}]}}`,
        'timers:',
        '  - on: {tool: type_text, text_regex: "(.)(.*)"}',
        '    after_ms: 300',
        '    when: [{id: f, value_not_empty: true}]',
        '    set: [{id: log, name: "{1}-{2}-{f.value}"}]',
      ].join('\n'),
    )
    const typed = type(type(click(run, 'f', 'w'), 'abc'), 'def')
    expect(['v', 'w'].map((uid) => element(until(typed, 300), 'log', uid).name)).toEqual(['', 'd-ef-abcdef'])
    const elsewhere = act(typed, { type: 'activate', window: 'v' }).run
    expect(['v', 'w'].map((uid) => element(until(elsewhere, 300), 'log', uid).name)).toEqual(['', 'd-ef-abcdef'])
  })

  it('[SC236] is not started by other events or by the beginning', () => {
    const other = type(click(search(), 'note'), 'x')
    expect([search().due, other.due]).toEqual([[], []])
  })
})

describe('things that come and go', () => {
  const shown = (run: ScenarioRun) => run.desktop.windows[0]!.tree.children.map(({ id }) => id).includes('toast')

  it('[SC235] a toast leaves by itself', () => {
    const start = begin(
      form(
        'reactions:',
        '  - on: {tool: click_element, target_id: ok}',
        '    set: [{window: main, id: root, append: [{id: toast, role: Toast, name: Saved}]}]',
        'timers:',
        '  - {on: {tool: click_element, target_id: ok}, after_ms: 4000, set: [{id: toast, remove: true}]}',
      ),
    )
    const saved = click(start, 'ok')
    expect([shown(start), shown(saved), shown(until(saved, 3999)), shown(until(saved, 4000))]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('[SC160] a busy window takes nothing until it is ready', () => {
    const start = begin(
      form(
        'reactions:',
        '  - {on: {tool: click_element, target_id: ok}, set: [{window: main, busy: true}]}',
        'timers:',
        '  - {on: {tool: click_element, target_id: ok}, after_ms: 1000, set: [{window: main, busy: false}]}',
      ),
    )
    const busy = click(start, 'ok')
    expect(faultOf(() => click(busy, 'name'))).toBe('ElementDisabled')
    expect(element(click(until(busy, 1000), 'name'), 'name').focused).toBe(true)
  })
})
