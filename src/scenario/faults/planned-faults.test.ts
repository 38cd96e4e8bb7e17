import { describe, expect, it } from 'vitest'
import { begin, click, element, form } from '../../../test/support/scenario/player.ts'
import { countToolCall } from '../run/apply-faults.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [SC244] are stated in SPEC.md beside this file.

describe('a planned fault', () => {
  const planned = (fault: string): ScenarioRun => begin(form(`faults: [${fault}]`))
  const calls = (run: ScenarioRun, tool: string, count: number): readonly (string | undefined)[] => {
    let current = run
    return Array.from({ length: count }, () => {
      const met = countToolCall(current, tool)
      current = met.run
      return met.fault && `${met.fault.code}: ${met.fault.message}`
    })
  }

  it('[SC244] is met after some calls and so many times', () => {
    const run = planned('{on: {tool: get_screenshot}, skip: 1, times: 2, code: Timeout, message: slow}')
    expect(calls(run, 'get_screenshot', 5)).toEqual([undefined, 'Timeout: slow', 'Timeout: slow', undefined, undefined])
    expect(calls(run, 'click_element', 2)).toEqual([undefined, undefined])
  })

  it('[SC244] is met in its states only', () => {
    expect(calls(planned('{on: {tool: scroll}, in: end, code: Busy}'), 'scroll', 1)).toEqual([undefined])
    expect(calls(planned('{on: {tool: scroll}, in: [start], code: Busy}'), 'scroll', 1)).toEqual([
      'Busy: too much is waiting',
    ])
  })
})

it('[SC164] a window that was absent returns as it was left, with added elements', () => {
  const start = begin(
    [
      'states:',
      '  a: {windows: [&main {uid: main, tree: {children: [{id: list, role: List, name: L}, {id: add, role: Button}]}}]}',
      '  b: {windows: [{uid: other, tree: {children: [{id: back, role: Button}]}}]}',
      '  c: {windows: [*main]}',
      'reactions:',
      '  - {on: {tool: click_element, target_id: add}, set: [{id: list, append: [{id: new, role: ListItem, name: New}]}], transition_to: b}',
      '  - {on: {tool: click_element, target_id: back}, transition_to: c}',
    ].join('\n'),
  )
  const back = click(click(start, 'add'), 'back')
  expect([back.state, element(back, 'list').children.map(({ name }) => name)]).toEqual(['c', ['New']])
})

it('[SC166] a popup written as open is placed', () => {
  const run = begin(
    'states: {a: {windows: [{uid: w, bounds: {x: 100, y: 100, width: 400, height: 300}, tree: {children: [' +
      '{id: fruit, role: ComboBox, name: Fruit, expanded: true, bounds: {x: 120, y: 150, width: 200, height: 32}, ' +
      'children: [{id: apple, role: ListItem, name: Apple}, {id: pear, role: ListItem, name: Pear}]}]}}]}}',
  )
  expect(element(run, 'pear').bounds).toEqual({ x: 124, y: 214, width: 192, height: 28 })
  const chosen = click(run, 'pear')
  expect([element(chosen, 'fruit').value, element(chosen, 'fruit').expanded]).toEqual(['Pear', false])
})

it('[SC167] a date picker that is written as open shows its calendar, and the first click chooses a day', () => {
  const run = begin(
    'states: {a: {windows: [{uid: w, bounds: {x: 100, y: 100, width: 400, height: 300}, tree: {children: [' +
      '{id: due, role: DatePicker, name: Due, value: 2024-05-06, expanded: true},' +
      '{id: go, role: Button, name: Go}]}}]}}\n' +
      'reactions: [{on: {tool: click_element, target_id: go}, set: [{id: due, expanded: true}]}]',
  )
  expect(element(run, 'due.month').name).toBe('May 2024')
  const chosen = click(run, 'due.2024-05-21')
  expect([element(chosen, 'due').value, element(chosen, 'due').expanded]).toEqual(['2024-05-21', false])
  const again = click(chosen, 'go')
  expect(element(again, 'due.2024-05-21').selected).toBe(true)
})

it('[SC82] a list that is open stays open below its box when something above that grows', () => {
  const run = begin(
    [
      'states: {a: {windows: [{uid: w, bounds: {x: 100, y: 100, width: 400, height: 400}, tree: {children: [',
      '  {id: note, role: Text, name: Short},',
      '  {id: fruit, role: ComboBox, name: Fruit, children: [{id: apple, role: ListItem, name: Apple}]}]}}]}}',
      'reactions:',
      '  - {on: {tool: click_element, target_id: fruit}, set: [{id: note, name: "A line\\nand another"}]}',
    ].join('\n'),
  )
  const { y, height } = element(run, 'fruit').bounds
  const open = click(run, 'fruit')
  expect(element(open, 'fruit').bounds.y).toBe(y + 20)
  expect(element(open, 'fruit').traits?.popup?.y).toBe(y + 20 + height)
  expect(element(open, 'apple').bounds).toEqual({
    x: expect.any(Number),
    y: y + 20 + height + 4,
    width: 192,
    height: 28,
  })
  expect(element(click(open, 'apple'), 'fruit').value).toBe('Apple')
})
