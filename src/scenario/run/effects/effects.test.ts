import { describe, expect, it } from 'vitest'
import { act, begin, click, element, key, reacting } from '../../../../test/support/scenario/player.ts'
import type { ScenarioRun } from '../../scenario-run.ts'

// Rules such as [SC160] are stated in SPEC.md beside this file.

describe('a set', () => {
  const changedBy = (set: string): ScenarioRun =>
    click(reacting('{tool: click_element, target_id: ok}', `set: [${set}]`), 'ok')

  it('[SC160] reaches every field', () => {
    const run = changedBy(
      '{id: note, name: Remark, value: x, enabled: false, description: d, keyboard_shortcut: f2, secret: true, bounds: {x: 1, y: 2, width: 3, height: 4}}, {id: apple, selected: true}',
    )
    expect(element(run, 'note')).toMatchObject({
      name: 'Remark',
      value: 'x',
      enabled: false,
      description: 'd',
      keyboardShortcut: 'f2',
      bounds: { x: 1, y: 2, width: 3, height: 4 },
      traits: { secret: true },
    })
    expect(element(run, 'apple').selected).toBe(true)
  })

  it('[SC184a] switches the colours of the screen', () => {
    const dark = changedBy('{theme: dark}')
    expect([reacting('{keys: f1}').desktop.theme, dark.desktop.theme]).toEqual([undefined, 'dark'])
    expect(key(dark, 'f2').desktop.theme).toBe('dark')
  })

  it('[SC160] moves the focus', () => {
    const run = changedBy('{id: note, focused: true}')
    expect([run.desktop.windows[0]!.focus, element(run, 'note').focused]).toEqual(['note', true])
    expect(element(changedBy('{id: ok, focused: false}'), 'ok').focused).toBe(false)
  })

  it('[SC160] changes windows', () => {
    const run = changedBy('{window: main, title: Renamed, busy: true, bounds: {x: 0, y: 0, width: 500, height: 400}}')
    expect(run.desktop.windows[0]).toMatchObject({
      title: 'Renamed',
      busy: true,
      bounds: { x: 0, y: 0, width: 500, height: 400 },
    })
    expect(changedBy('{window: main, remove: true}').desktop.windows).toEqual([])
  })

  it('[SC160] adds elements and takes them away', () => {
    const run = changedBy('{id: fruit, append: [{id: fig, role: ListItem, name: Fig}]}, {id: apple, remove: true}')
    expect(element(run, 'fruit').children.map(({ id, bounds }) => [id, bounds.y])).toEqual([
      ['pear', element(run, 'fruit').bounds.y],
      ['fig', element(run, 'fruit').bounds.y + 28],
    ])
    const twice = click(run, 'ok')
    expect(element(twice, 'fruit').children.map(({ id }) => id)).toEqual(['pear', 'fig', 'fig~2'])
  })

  it('[SC160] lays the window out again when space is short', () => {
    const run = changedBy('{id: status, name: "one\\ntwo"}, {id: note, hidden: true}')
    expect(['ok', 'status', 'fruit'].map((id) => element(run, id).bounds)).toEqual([
      { x: 120, y: 214, width: 88, height: 32 },
      { x: 120, y: 258, width: 560, height: 40 },
      { x: 120, y: 328, width: 560, height: 152 },
    ])
  })

  it('[SC94] [SC160] makes room for a caption when words stop naming a field', () => {
    const run = begin(
      [
        'states: {a: {windows: [{bounds: {x: 0, y: 0, width: 600, height: 400}, tree: {role: Window, children: [',
        '  {id: words, role: Text, name: Your city}, {id: city, role: Edit, name: City}, {id: go, role: Button, name: Go}]}}]}}',
        'reactions: [{on: {tool: click_element, target_id: go}, set: [{id: words, name: Wrong}]}]',
      ].join('\n'),
    )
    expect(element(run, 'city').bounds.y).toBe(84)
    expect(element(click(run, 'go'), 'city').bounds.y).toBe(102)
  })

  it('[SC93] lays a window out again when its size changes or an expander opens', () => {
    const run = begin(
      [
        'states: {a: {windows: [{uid: main, bounds: {x: 0, y: 0, width: 600, height: 400}, tree: {role: Window, children: [',
        '  {id: more, role: Expander, name: More, children: [{role: Text, name: Inside}]}, {id: rest, role: Edit, grow: 1}]}}]}}',
      ].join('\n'),
    )
    const open = click(run, 'more')
    expect(element(open, 'rest').bounds.y).toBeGreaterThan(element(run, 'rest').bounds.y)
    const big = act(run, { type: 'window', window: 'main', to: 'maximize' }).run
    const bottoms = [run, open, big].map((each) => {
      const { y, height } = element(each, 'rest').bounds
      return y + height
    })
    expect(bottoms).toEqual([380, 380, 740])
  })

  it('[SC160] finds ids in the window of the event first', () => {
    const two = begin(
      [
        'states: {a: {windows: [',
        '  {uid: one, bounds: {x: 0, y: 0, width: 300, height: 200}, tree: {children: [{id: go, role: Button}, {id: out, role: Text}]}},',
        '  {uid: two, bounds: {x: 400, y: 0, width: 300, height: 200}, tree: {children: [{id: go, role: Button}, {id: out, role: Text}]}}]}}',
        'reactions: [{on: {tool: click_element, target_id: go}, set: [{id: out, name: here}]},',
        '  {on: {tool: press_key}, set: [{id: out, window: one, name: there}]}]',
      ].join('\n'),
    )
    const clicked = click(two, 'go', 'two')
    expect([element(clicked, 'out', 'one').name, element(clicked, 'out', 'two').name]).toEqual(['', 'here'])
    expect(element(key(clicked, 'f1'), 'out', 'one').name).toBe('there')
  })

  it('[SC161] puts the caret of a field at a place or selects a text, which expressions read', () => {
    const readAfter = (places: string) => {
      const run = click(
        begin(
          [
            'vars: {n: 0}',
            'states: {a: {windows: [{uid: main, tree: {children: [{id: go, role: Button}, {id: t, role: Document, name: T, value: "one two\\nsix"},',
            '  {id: out, role: Text, name: \'{{ string(caret("t")) + ":" + selected_text("t") + string(n) }}\'}]}}]}}',
            `reactions: [{on: {tool: click_element, target_id: go}, set: [{id: t, caret: "${places}"}]}]`,
          ].join('\n'),
        ),
        'go',
      )
      return element(run, 'out').name
    }
    expect([readAfter('3'), readAfter('4-7'), readAfter('7-99'), readAfter('x')]).toEqual([
      '3:0',
      '7:two0',
      '11:\nsix0',
      '11:0',
    ])
  })
})
