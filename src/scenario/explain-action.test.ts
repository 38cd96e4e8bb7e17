import { describe, expect, it } from 'vitest'
import type { Action } from '../desktop/input/action.ts'
import { explainAction } from './explain-action.ts'
import { parseScenario } from './load/load.ts'
import { startScenario, stepScenario } from './run/step.ts'

// Rules such as [SC255] are stated in README.md beside this file.

const FORM = `states:
  form:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - {id: name, role: Edit, name: Name, value: ""}
            - {id: ok, role: Button, name: Go}
            - {id: off, role: Button, name: Off, enabled: false}
  done: {}
reactions:
  - {on: {tool: click_element, target_id: ok}, in: done, set: [{id: ok, name: Never}]}
  - {on: {tool: click_element, target_id: ok}, when: [{id: name, value_not_empty: true}], transition_to: done}
  - {on: {tool: click_element, target_id: ok}, set: [{id: ok, name: Again}]}
  - {on: {tool: click_element, target_name: Go}, set: [{id: ok, name: Later}]}
  - {on: {tool: type_text, target_id: name, text_regex: "[0-9]+"}, set: [{id: ok, name: Number}]}
timers:
  - {in: form, every_ms: 500, when: [{id: ok, name: Ready}], set: [{id: ok, name: Set}]}
  - {on: {tool: click_element, target_id: ok}, after_ms: 200, set: [{id: ok, name: Late}]}
  - {in: done, after_ms: 100, set: [{id: ok, name: Set}]}
`

const start = () => startScenario(parseScenario(FORM), { atMs: 0 })
const click = (element: string): Action => ({ type: 'invoke', target: { window: 'app', element }, at: { x: 1, y: 1 } })

describe('the explanation of an action', () => {
  it('[SC255] [SC256] has each reaction with its reasons', () => {
    const { state, events, reactions } = explainAction(start(), click('ok'))
    expect({ state, events }).toEqual({
      state: 'form',
      events: ['invoke_element on ok in root of app', 'click_element on ok in root of app'],
    })
    expect(reactions).toEqual([
      { index: 0, outcome: 'no match', reasons: ['in: the state is form; it is active in done'] },
      {
        index: 1,
        outcome: 'no match',
        reasons: ['when[0]: "name" value_not_empty must be true; found ""'],
      },
      { index: 2, outcome: 'applies', reasons: [] },
      { index: 3, outcome: 'hidden', reasons: ['reaction 3 of the file applies first'] },
      { index: 4, outcome: 'no match', reasons: ['on.tool must be type_text; the event is invoke_element'] },
    ])
  })

  it('[SC256] names each part of a trigger that differs', () => {
    const { run } = stepScenario(start(), {
      type: 'action',
      action: { type: 'focus', target: { window: 'app', element: 'name' }, at: { x: 1, y: 1 } },
    })
    const { reactions } = explainAction(run, { type: 'type', text: 'abc' })
    expect(reactions[4]).toEqual({
      index: 4,
      outcome: 'no match',
      reasons: ['on.text_regex must be "[0-9]+"; the text is "abc"'],
    })
    const other = explainAction(start(), click('name')).reactions[2]
    expect(other?.reasons.at(-1)).toBe('on.target_id must be "ok"; the event is on name in root')
  })

  it('[SC257] has each timer with its guards as they are now', () => {
    const { timers } = explainAction(start(), click('ok'))
    expect(timers).toEqual([
      {
        index: 0,
        outcome: 'runs',
        firesInMs: 500,
        reasons: ['does nothing now: when[0]: "ok" name must be "Ready"; found "Go"'],
      },
      { index: 1, outcome: 'starts', firesInMs: 200, reasons: [] },
      {
        index: 2,
        outcome: 'does not run',
        firesInMs: undefined,
        reasons: ['in: the state is form; it is active in done'],
      },
    ])
  })

  it('[SC258] has the reason of a refusal', () => {
    const { refused, events, reactions } = explainAction(start(), click('off'))
    expect(refused).toMatch(/disabled/)
    expect(events).toEqual([])
    expect(reactions[2]?.reasons).toEqual(['the action does not trigger reactions'])
  })
})

it('[SC256] has the values found by expressions, and by guards for numbers of elements, times and events', () => {
  const run = startScenario(
    parseScenario(`
vars: {count: 2, limit: 5}
events: {saved: {}}
states:
  only:
    windows: [{uid: app, tree: {role: Window, children: [{id: ok, role: Button, name: Go}, {id: no, role: Button, name: No}]}}]
reactions:
  - {on: {tool: click_element, target_id: ok}, when: [{expression: 'count > limit'}], set: [{emit: saved}]}
  - {on: {tool: click_element, target_id: ok}, when: [{expression: 'value("ok") == "x"'}], set: [{emit: saved}]}
  - {on: {tool: click_element, target_id: ok}, when: [{selector: Button, min: 3}], set: [{emit: saved}]}
  - {on: {tool: click_element, target_id: ok}, when: [{selector: Edit}], set: [{emit: saved}]}
  - {on: {tool: click_element, target_id: ok}, when: [{time: {after_ms: 5000}}], set: [{emit: saved}]}
  - {on: {tool: click_element, target_id: ok}, when: [{happened: saved, min: 2}], set: [{emit: saved}]}
`),
    { atMs: 0 },
  )
  const { run: later } = stepScenario(run, { type: 'tick', nowMs: 1200 })
  expect(explainAction(later, click('ok')).reactions.map(({ reasons }) => reasons.at(-1))).toEqual([
    'when[0]: expression count > limit must be true; found false with count = 2, limit = 5',
    'when[0]: expression value("ok") == "x" must be true; found false',
    'when[0]: "Button" min must be 3; found 2',
    'when[0]: {"selector":"Edit"} does not hold; found 0',
    'when[0]: time must be {"after_ms":5000}; found 1200 ms',
    'when[0]: "saved" min must be 2; found 0',
  ])
})

it('[SC264] says who will answer what the action sends, when and by which answer', () => {
  const chat = startScenario(
    parseScenario(`vars: {draft: '', messages: [{id: 1, to: me, text: Hi}]}
actors:
  ana:
    hears: messages
    where: row.to == "ana"
    after_ms: 2000
    answers:
      - {where: row.text == "Bye", say: {id: '{{ next_id(messages) }}', to: me, text: Bye}}
      - {say: {id: '{{ next_id(messages) }}', to: me, text: 'Yes?'}}
  bo: {hears: messages, after_ms: 100, away: {until_ms: 9000, say: {id: '{{ next_id(messages) }}', to: me, text: Away}}, answers: [{say: {id: '{{ next_id(messages) }}', to: me, text: OK}}]}
states: {a: {windows: [{uid: app, tree: {role: Window, children: [{id: send, role: Button, name: Send}, {id: other, role: Button, name: Other}]}}]}}
reactions: [{on: {tool: click_element, target_id: send}, set: [{var: messages, append: {id: 2, to: ana, text: Lunch}}]}]`),
    { atMs: 0 },
  )
  expect(explainAction(chat, click('other')).answers).toEqual([])
  const row = 'row = {"id":2,"to":"ana","text":"Lunch"}'
  expect(explainAction(chat, click('send')).answers).toEqual([
    { text: `bo is away and replies in 1 ms; ${row}`, path: ['actors', 'bo', 'away'] },
    { text: `ana answers in 2000 ms; ${row}`, path: ['actors', 'ana', 'answers', 1] },
    { text: `bo answers in 9100 ms; ${row}`, path: ['actors', 'bo', 'answers', 0] },
  ])
  expect(chat.due).toEqual([])
})
