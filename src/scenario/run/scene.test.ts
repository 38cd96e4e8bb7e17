import { describe, expect, it } from 'vitest'
import { act, at, begin, click, element, key, setValue, type } from '../../../test/support/scenario/player.ts'
import { windowByUid } from '../../desktop/model/desktop.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [SC164] are stated in SPEC.md beside this file.

describe('a transition', () => {
  const pages = (second: string): string =>
    [
      'states:',
      '  one: {windows: [{uid: w, tree: {children: [{id: f, role: Edit, value: old}, {id: b, role: Button}]}}]}',
      `  two: {windows: [{uid: w, tree: {children: [${second}]}}]}`,
      '  three: {windows: [{uid: w, tree: {children: [{id: f, role: Edit, value: old}]}}]}',
      'reactions:',
      '  - {on: {tool: press_key, text_regex: f1}, transition_to: one}',
      '  - {on: {tool: press_key, text_regex: f2}, transition_to: two}',
      '  - {on: {tool: press_key, text_regex: f3}, transition_to: three}',
    ].join('\n')

  it('[SC164] keeps changes, also through a state without that element', () => {
    const run = setValue(begin(pages('{id: other, role: Text}')), 'f', 'new')
    expect(element(key(key(run, 'f2'), 'f1'), 'f').value).toBe('new')
    expect(element(key(run, 'f3'), 'f').value).toBe('new')
  })

  it('[SC164] gives way to a state that writes another value, and to another role', () => {
    const run = setValue(begin(pages('{id: f, role: Edit, value: given}')), 'f', 'new')
    expect(element(key(run, 'f2'), 'f').value).toBe('given')
    const text = setValue(begin(pages('{id: f, role: Text, value: old}')), 'f', 'new')
    expect(element(key(text, 'f2'), 'f').value).toBe('old')
  })

  it('[SC164] leaves a window alone that both states write alike', () => {
    const run = begin(
      [
        'states:',
        '  one: {windows: [{uid: w, title: T, tree: &tree {children: [{id: l, role: List, children: [{id: a, role: ListItem, name: A}]}]}}]}',
        '  two: {windows: [{uid: ask, modal_to: w, tree: {children: [{id: yes, role: Button}]}}, {uid: w, title: T, tree: *tree}]}',
        'reactions:',
        '  - {on: {tool: press_key, text_regex: f1}, set: [{id: l, append: [{id: b, role: ListItem, name: B}]}, {window: w, title: New}], transition_to: two}',
        '  - {on: {tool: click_element, target_id: yes}, set: [{id: a, window: w, remove: true}], transition_to: one}',
      ].join('\n'),
    )
    const asked = key(run, 'f1')
    expect(asked.desktop.windows.map(({ uid, title }) => [uid, title])).toEqual([
      ['ask', ''],
      ['w', 'New'],
    ])
    expect(element(asked, 'l').children.map(({ name }) => name)).toEqual(['A', 'B'])
    expect(element(click(asked, 'yes'), 'l').children.map(({ name }) => name)).toEqual(['B'])
  })

  it('[SC164] keeps added, removed, hidden and secret elements, and the caret', () => {
    const children = [
      '{id: f, role: Edit, value: old}',
      '{id: l, role: List, children: [{id: a, role: ListItem, name: A}, {id: b, role: ListItem, name: B}]}',
      '{id: g, role: Edit, value: x}',
    ]
    const windows = (...more: readonly string[]) =>
      `{windows: [{uid: w, bounds: {x: 0, y: 0, width: 400, height: 400}, tree: {children: [${[...children, ...more].join(', ')}]}}]}`
    const other = '{id: l2, role: List, children: [{id: c, role: ListItem, name: C}]}'
    const run = begin(
      [
        'states:',
        `  one: ${windows()}`,
        `  two: ${windows(other)}`,
        `  three: ${windows().replace('name: A', 'name: Again')}`,
        'reactions:',
        '  - {on: {tool: press_key, text_regex: f1}, set: [{id: l, append: [{id: c, role: ListItem, name: C}, {id: d, role: ListItem, name: D}]}, {id: a, remove: true}, {id: g, hidden: true, secret: true}]}',
        '  - {on: {tool: press_key, text_regex: f2}, transition_to: two}',
        '  - {on: {tool: press_key, text_regex: f3}, transition_to: three}',
      ].join('\n'),
    )
    const changed = type(key(key(click(run, 'f'), 'f1'), 'home'), 'very ')
    const two = key(changed, 'f2')
    expect(element(two, 'l').children.map(({ id }) => id)).toEqual(['b', 'd'])
    expect(element(two, 'g').traits).toMatchObject({ hidden: true, secret: true })
    expect(element(type(two, 'very '), 'f').value).toBe('very very old')
    expect(element(key(key(two, 'ctrl+z'), 'ctrl+z'), 'f').value).toBe('old')
    expect(element(key(changed, 'f3'), 'l').children.map(({ name }) => name)).toEqual(['Again', 'B', 'C', 'D'])
  })

  it('[SC164] keeps the order of items, dragged bounds, scroll offsets and selections in long lists', () => {
    const items = (ids: string) => [...ids].map((id) => `{id: ${id}, role: ListItem, name: ${id}}`).join(', ')
    const rows = Array.from({ length: 100 }, (_, at) => `row ${at}`).join(', ')
    const windows = (more: string, ids = 'abcd') =>
      `{windows: [{uid: w, bounds: {x: 0, y: 0, width: 400, height: 700}, tree: {children: [${[
        `{id: l, role: List, reorder: true, height: 200, children: [${items(ids)}]}`,
        '{id: m, role: List, reorder: true, height: 100}',
        `{id: long, role: List, height: 120, rows: [${rows}]}`,
        `{id: tall, role: List, height: 60, children: [${items('vwxyz')}]}`,
        more,
      ].join(', ')}]}}]}`
    const run = begin(
      [
        'states:',
        `  one: ${windows('{id: g, role: Edit, value: x}')}`,
        `  two: ${windows('{id: g, role: Edit, value: y}')}`,
        `  three: ${windows('{id: g, role: Edit, value: y}', 'dcba')}`,
        'reactions:',
        '  - {on: {tool: press_key, text_regex: f2}, transition_to: two}',
        '  - {on: {tool: press_key, text_regex: f3}, transition_to: three}',
      ].join('\n'),
    )
    const drag = (from: ScenarioRun, id: string, to: string) =>
      act(from, { type: 'drag', from: at(from, id), to: at(from, to), modifiers: [], durationMs: 0 }).run
    const scroll = (from: ScenarioRun, id: string) => act(from, { type: 'scroll', at: at(from, id), clicks: -2 }).run
    const dragged = drag(drag(run, 'a', 'c'), 'd', 'm')
    const changed = scroll(scroll(click(dragged, 'long.row-1'), 'long'), 'tall')
    const shown = (of: ScenarioRun) => ({
      items: ['l', 'm'].map((id) =>
        element(of, id)
          .children.map((child) => child.id)
          .join(''),
      ),
      rows: element(of, 'long').children.map(({ id, bounds, selected }) => [id, bounds, selected]),
      selected: element(of, 'long').traits?.rows?.selected,
      tall: element(of, 'tall').children.map(({ bounds }) => bounds),
    })
    expect(shown(changed)).toMatchObject({ items: ['bac', 'd'], selected: [1] })
    expect(shown(changed).rows[0]![0]).toBe('long.row-4')
    expect(shown(key(changed, 'f2'))).toEqual(shown(changed))
    expect(shown(key(changed, 'f3')).items).toEqual(['cba', 'd'])
  })

  it('[SC164] keeps a change through a state that writes it differently', () => {
    const run = key(setValue(begin(pages('{id: f, role: Edit, value: given}')), 'f', 'new'), 'f2')
    expect(element(key(run, 'f1'), 'f').value).toBe('new')
    expect(element(key(click(run, 'f'), 'f1'), 'f').value).toBe('new')
    expect(element(key(setValue(run, 'f', 'other'), 'f1'), 'f').value).toBe('old')
  })

  it('[SC164] forgets changes that were reverted', () => {
    const run = setValue(begin(pages('{id: f, role: Edit, value: old}')), 'f', 'new')
    expect(element(key(setValue(key(run, 'f2'), 'f', 'old'), 'f3'), 'f').value).toBe('old')
  })

  it('[SC16] fills the monitor with a window written as maximised, and restores it to its bounds', () => {
    const window = (state: string) =>
      `{uid: w, state: ${state}, frame: outside, bounds: {x: 20, y: 60, width: 300, height: 200}, tree: {children: [{id: go, role: Button, width: 80, height: 30}]}}`
    const yaml = [
      'monitors: [{bounds: {x: 0, y: 0, width: 800, height: 600}}]',
      `states: {small: {windows: [${window('normal')}]}, large: {windows: [${window('maximized')}]}, also: {windows: [${window('maximized')}, {uid: v}]}}`,
      'reactions:',
      '  - {on: {tool: click_element, target_id: go}, in: small, transition_to: large}',
      '  - {on: {tool: click_element, target_id: go}, in: large, transition_to: also}',
      '  - {on: {tool: click_element, target_id: go}, in: also, transition_to: small}',
    ].join('\n')
    const shown = (run: ScenarioRun) => {
      const { state, bounds, tree, restoreTo } = windowByUid(run.desktop, 'w')!
      return { state, bounds, root: tree.bounds, restoreTo }
    }
    const small = { x: 20, y: 60, width: 300, height: 200 }
    const whole = { x: 0, y: 32, width: 800, height: 528 }
    const large = begin(`initial_state: large\n${yaml}`)
    expect(shown(large)).toEqual({ state: 'maximized', bounds: whole, root: whole, restoreTo: small })
    expect(shown(click(begin(yaml), 'go'))).toEqual(shown(large))
    expect(shown(click(click(large, 'go'), 'go')).bounds).toEqual(small)
    const restored = act(large, { type: 'window', window: 'w', to: 'restore' }).run
    expect(shown(restored)).toEqual({ state: 'normal', bounds: small, root: small, restoreTo: undefined })
    expect(shown(click(restored, 'go'))).toEqual(shown(restored))
  })

  it('[SC165] keeps the order of the same windows, and the focus', () => {
    const run = click(begin(pages('{id: f, role: Edit, value: old}')), 'f')
    const front = windowByUid(run.desktop, 'w')!.bounds
    const moved = act(run, {
      type: 'drag',
      from: { x: front.x + 100, y: front.y + 10 },
      to: { x: front.x + 150, y: front.y + 40 },
      modifiers: [],
      durationMs: 0,
    }).run
    const { bounds, tree, focus } = windowByUid(key(moved, 'f2').desktop, 'w')!
    expect([bounds.x, bounds.y, tree.bounds.x, focus]).toEqual([front.x + 50, front.y + 30, front.x + 50, 'f'])
  })

  it('[SC165] shows other windows in their own order with the first active', () => {
    const run = begin(
      [
        'states: {a: {windows: [{uid: x}]}, b: {windows: [{uid: y, tree: {children: [{id: e, role: Edit, focused: true}]}}, {uid: x}]}}',
        'reactions: [{on: {tool: press_key}, transition_to: b}]',
      ].join('\n'),
    )
    const { desktop } = key(run, 'f1')
    expect([desktop.windows.map(({ uid }) => uid), desktop.active]).toEqual([['y', 'x'], 'y'])
    expect(desktop.windows[0]!.tree.children[0]!.focused).toBe(true)
  })
})
