import { describe, expect, it } from 'vitest'
import {
  act,
  at,
  begin,
  click,
  element,
  form,
  key,
  setValue,
  target,
  type,
  until,
} from '../../../test/support/scenario/player.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { elementsAffectedBy } from './step.ts'

// Rules such as [SC138] are stated in ../SPEC.md.

/** The form with a reaction to this event that shows the text of the event. */
const on = (trigger: string, ...more: readonly string[]): ScenarioRun =>
  begin(form('reactions:', `  - {on: ${trigger}, set: [{id: status, name: Seen}]}`, ...more))
const isSeen = (run: ScenarioRun): boolean => element(run, 'status').name === 'Seen'

describe('triggers', () => {
  it('[SC138] name the target by role and selector', () => {
    const byRole = on('{tool: click_element, role: Button}')
    expect([isSeen(click(byRole, 'ok')), isSeen(click(byRole, 'name'))]).toEqual([true, false])
    const bySelector = on(`{tool: click_element, selector: 'List "Fruit" > ListItem'}`)
    expect([isSeen(click(bySelector, 'pear')), isSeen(click(bySelector, 'ok'))]).toEqual([true, false])
    const typed = on(`{tool: type_text, selector: 'Window Edit "Note"'}`)
    expect([isSeen(type(click(typed, 'note'), 'x')), isSeen(type(click(typed, 'name'), 'x'))]).toEqual([true, false])
  })

  it('[SC138] need one element for all that they name', () => {
    const both = on('{tool: click_element, target_id: fruit, role: ListItem}')
    expect(isSeen(click(both, 'pear'))).toBe(false)
    expect(isSeen(click(on('{tool: click_element, target_id: fruit, role: List}'), 'pear'))).toBe(true)
    const affected = elementsAffectedBy(both, {
      type: 'click',
      at: at(both, 'pear'),
      button: 'left',
      count: 1,
    })
    expect(affected.some(({ reacts }) => reacts)).toBe(false)
  })

  it('[SC139] match any action', () => {
    const any = on('{tool: any}')
    expect([isSeen(click(any, 'note')), isSeen(key(any, 'f5')), isSeen(setValue(any, 'name', 'x'))]).toEqual([
      true,
      true,
      true,
    ])
    const inFruit = on('{tool: any, target_id: fruit}')
    expect([isSeen(click(inFruit, 'pear')), isSeen(click(inFruit, 'ok'))]).toEqual([true, false])
  })

  it('[SC139] match keys in any spelling', () => {
    const save = on('{keys: Ctrl+Shift+S}')
    const pressed = (keys: string, run = save) => isSeen(key(run, keys))
    expect([pressed('shift+control+s'), pressed('ctrl+s'), pressed('s')]).toEqual([true, false, false])
    expect(pressed('Return', on('{tool: press_key, keys: enter}'))).toBe(true)
    expect(isSeen(click(save, 'ok'))).toBe(false)
  })

  it('[SC140] match a region of the target, the window or the screen', () => {
    const clickAt = (run: ScenarioRun, dx: number) => {
      const { x, y } = element(run, 'fruit').bounds
      return isSeen(act(run, { type: 'click', at: { x: x + dx, y: y + 5 }, button: 'left', count: 1 }).run)
    }
    const onTarget = on('{tool: click_element, target_id: fruit, region: {x: 10, y: 0, width: 20, height: 20}}')
    expect([clickAt(onTarget, 9), clickAt(onTarget, 10), clickAt(onTarget, 29), clickAt(onTarget, 30)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    const inWindow = on('{tool: click_element, window: main, region: {x: 0, y: 0, width: 60, height: 400}}')
    expect([clickAt(inWindow, 20), clickAt(inWindow, 50)]).toEqual([true, false])
    const onScreen = on('{tool: click_element, region: {x: 0, y: 0, width: 150, height: 800}}')
    expect([clickAt(onScreen, 20), clickAt(onScreen, 50)]).toEqual([true, false])
  })

  it('[SC141] match the dragged element of a drop', () => {
    const dragged = (trigger: string, id: string) => {
      const run = on(trigger)
      return isSeen(
        act(run, { type: 'drag', from: at(run, id), to: at(run, 'note'), modifiers: [], durationMs: 0 }).run,
      )
    }
    expect(dragged('{tool: drop, target_id: note, from_id: pear}', 'pear')).toBe(true)
    expect(dragged('{tool: drop, target_id: note, from_id: pear}', 'apple')).toBe(false)
    expect(dragged('{tool: drop, from_id: fruit}', 'apple')).toBe(true)
    expect(dragged(`{tool: drop, from_selector: 'ListItem "Apple"'}`, 'apple')).toBe(true)
    expect(dragged(`{tool: drop, from_selector: 'ListItem "Apple"'}`, 'pear')).toBe(false)
  })

  it('[SC142] match changes of an element by an action', () => {
    const changed = (id: string, ...more: readonly string[]) =>
      begin(
        form(
          'reactions:',
          `  - {on: {changed: ${id}, text_regex: .*}, set: [{id: status, name: "Now {text}"}]}`,
          ...more,
        ),
      )
    const status = (run: ScenarioRun) => element(run, 'status').name
    expect(status(type(click(changed('name'), 'name'), 'Ada'))).toBe('Now Ada')
    expect(status(setValue(changed('name'), 'name', 'Bob'))).toBe('Now Bob')
    expect(status(setValue(changed('name'), 'note', 'Bob'))).toBe('Ready')
    expect(status(click(changed('fruit'), 'pear'))).toBe('Now Pear')
    expect(status(click(click(changed('fruit'), 'pear'), 'pear'))).toBe('Now Pear')
    expect(status(until(changed('name', 'timers: [{after_ms: 5, set: [{id: name, value: x}]}]'), 5))).toBe('Ready')
  })

  it('[SC142] match changes of a variable by an action', () => {
    const run = begin(
      [
        'vars: {query: "", other: ""}',
        'states: {only: {windows: [{uid: main, tree: {role: Window, children: [',
        '  {id: search, role: Edit, name: Search, bind: query}, {id: note, role: Edit, name: Note, bind: other}, {id: status, role: Text, name: Ready}]}}]}}',
        'reactions: [{on: {changed_var: query}, set: [{id: status, name: "Searched {{ query }}"}]}]',
      ].join('\n'),
    )
    expect(element(setValue(run, 'search', 'dune'), 'status').name).toBe('Searched dune')
    expect(element(setValue(run, 'note', 'dune'), 'status').name).toBe('Ready')
  })

  it('[SC142] match changed check boxes and sliders, and start timers', () => {
    const widgets = (trigger: string) =>
      begin(
        [
          'states: {only: {windows: [{uid: main, tree: {role: Window, children: [',
          '  {id: box, role: CheckBox, name: Box}, {id: bar, role: Slider, name: Bar, value_now: 3, value_min: 0, value_max: 9}, {id: status, role: Text, name: Ready}]}}]}}',
          `timers: [{on: {${trigger}, text_regex: .*}, after_ms: 100, set: [{id: status, name: "Now {text}"}]}]`,
        ].join('\n'),
      )
    const status = (run: ScenarioRun) => element(until(run, 100), 'status').name
    expect(status(click(widgets('changed: box'), 'box'))).toBe('Now true')
    const slid = act(widgets('changed: bar, window: main'), {
      type: 'focus',
      target: { window: 'main', element: 'bar' },
      at: { x: 0, y: 0 },
    }).run
    expect(status(key(slid, 'right'))).toBe('Now 4')
    expect(status(slid)).toBe('Ready')
  })
})

describe('guards', () => {
  const when = (guard: string, ...more: readonly string[]): ScenarioRun =>
    begin(
      form(
        'reactions:',
        `  - {on: {tool: click_element, target_id: ok}, when: [${guard}], set: [{id: status, name: Seen}]}`,
        ...more,
      ),
    )

  it('[SC144] count the elements that match a selector', () => {
    const holds = (guard: string) => isSeen(click(when(guard), 'ok'))
    expect(holds('{selector: ListItem, count: 2}')).toBe(true)
    expect(holds('{selector: ListItem, count: 1}')).toBe(false)
    expect(holds('{selector: ListItem}')).toBe(true)
    expect(holds(`{selector: 'ListItem "Kiwi"'}`)).toBe(false)
    expect(holds('{selector: ListItem, min: 3}')).toBe(false)
    expect(holds('{selector: ListItem, min: 1, max: 2}')).toBe(true)
    expect(holds(`{selector: 'ListItem "Kiwi"', max: 0}`)).toBe(true)
    expect(holds('{selector: ListItem, window: main, max: 1}')).toBe(false)
    const chosen = when('{selector: "ListItem[selected=true]", count: 1}')
    expect([isSeen(click(chosen, 'ok')), isSeen(click(click(chosen, 'pear'), 'ok'))]).toEqual([false, true])
  })

  it('[SC145] compare the time since the state was entered', () => {
    const run = when('{time: {after_ms: 100, before_ms: 200}}')
    expect([99, 100, 199, 200].map((ms) => isSeen(click(until(run, ms), 'ok')))).toEqual([false, true, true, false])
    const later = begin(
      form(
        '  again: {windows: [{uid: main, tree: {role: Window, children: [{id: go, role: Button, name: Go}, {id: status, name: Ready}]}}]}',
        'timers: [{in: start, after_ms: 1000, transition_to: again}]',
        'reactions: [{on: {tool: click_element, target_id: go}, when: [{time: {before_ms: 50}}], set: [{id: status, name: Seen}]}]',
      ),
    )
    expect(isSeen(click(until(later, 1049), 'go'))).toBe(true)
    expect(isSeen(click(until(later, 1050), 'go'))).toBe(false)
  })

  it('[SC146] count events, reactions and timers that happened', () => {
    const run = begin(
      form(
        'events: {noted: ~}',
        'reactions:',
        '  - {id: applied, on: {tool: click_element, target_id: ok}, when: [{happened: applied, max: 1}], set: [{emit: noted}]}',
        '  - {on: {tool: click_element, target_id: ok}, when: [{happened: noted, min: 2}, {happened: tick}], set: [{id: status, name: Seen}]}',
        'timers: [{id: tick, after_ms: 50}]',
      ),
    )
    const twice = click(click(run, 'ok'), 'ok')
    expect(isSeen(click(twice, 'ok'))).toBe(false)
    expect(isSeen(click(until(twice, 50), 'ok'))).toBe(true)
    expect([...twice.log.counts]).toEqual([
      ['applied', 2],
      ['noted', 2],
    ])
  })
})

describe('chance', () => {
  const statuses = (yaml: readonly string[], seed: number, clicks: number): readonly string[] => {
    let run = begin(form(...yaml), seed)
    return Array.from({ length: clicks }, () => {
      run = click(run, 'ok')
      const { name } = element(run, 'status')
      run = setValue(run, 'name', name)
      return name
    })
  }
  const share = (names: readonly string[], name: string) => names.filter((each) => each === name).length / names.length

  it('[SC147] tries the next reaction if the first does not happen', () => {
    const yaml = [
      'reactions:',
      '  - {on: {tool: click_element, target_id: ok}, probability: 0.3, set: [{id: status, name: Failed}]}',
      '  - {on: {tool: click_element, target_id: ok}, set: [{id: status, name: Sent}]}',
    ]
    const names = statuses(yaml, 1, 400)
    expect(share(names, 'Failed')).toBeGreaterThan(0.22)
    expect(share(names, 'Failed')).toBeLessThan(0.38)
    expect(share(names, 'Failed') + share(names, 'Sent')).toBe(1)
    expect([statuses(yaml, 1, 20), statuses(yaml, 2, 20)]).toEqual([
      names.slice(0, 20),
      expect.not.arrayContaining(['Ready']),
    ])
    expect(statuses(yaml, 2, 20)).not.toEqual(names.slice(0, 20))
  })

  it('[SC147] leaves out firings of timers and scheduled effects', () => {
    const run = until(
      begin(
        form(
          'events: {tick: ~, late: ~}',
          'timers: [{every_ms: 10, probability: 0.5, set: [{emit: tick}, {schedule: {after_ms: 1, probability: 0, set: [{emit: late}]}}]}]',
        ),
      ),
      4000,
    )
    expect(run.log.counts.get('tick')).toBeGreaterThan(150)
    expect(run.log.counts.get('tick')).toBeLessThan(250)
    expect(run.log.counts.get('late')).toBeUndefined()
  })

  it('[SC148] chooses one of several outcomes by weight, after set', () => {
    const yaml = [
      'reactions:',
      '  - on: {tool: click_element, target_id: ok}',
      '    set: [{id: status, name: None}]',
      '    choose: [{weight: 3, set: [{id: status, name: Often}]}, {set: [{id: status, name: Rarely}]}]',
    ]
    const names = statuses(yaml, 7, 400)
    expect(share(names, 'Often')).toBeGreaterThan(0.67)
    expect(share(names, 'Often')).toBeLessThan(0.83)
    expect(share(names, 'None')).toBe(0)
    const moved = begin(form('reactions: [{on: {tool: click_element, target_id: ok}, choose: [{transition_to: end}]}]'))
    expect(click(moved, 'ok').state).toBe('end')
  })

  it('[SC149] does not change the times of timers', () => {
    const timer = 'timers: [{on: {tool: click_element, target_id: ok}, after_ms: {between: [1, 100000]}}]'
    const drawn = (...more: readonly string[]) => click(begin(form(timer, ...more)), 'ok').due[0]!.atMs
    expect(drawn('reactions: [{on: {tool: any}, probability: 0.5}]')).toBe(drawn())
    const run = begin(
      form('reactions: [{on: {tool: any}, probability: 0.5, choose: [{transition_to: end}, {transition_to: start}]}]'),
    )
    expect(target(run, 'ok')).toEqual({ window: 'main', element: 'ok' })
    expect(click(run, 'ok').random).toBe(run.random)
  })
})
