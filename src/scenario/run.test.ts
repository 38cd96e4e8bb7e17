import { describe, expect, it } from 'vitest'
import type { Action } from '../desktop/action.ts'
import { windowByUid } from '../desktop/desktop.ts'
import { treeHash } from '../desktop/hash.ts'
import {
  act,
  at,
  begin,
  click,
  element,
  faultOf,
  form,
  gallery,
  key,
  reacting,
  setValue,
  target,
  type,
  until,
} from './player.suite.ts'
import { meetFault, type Run } from './run.ts'

// Rules such as [R1] are stated in SPEC.md beside this file.

describe('the default desktop', () => {
  it('has the three windows of the document, and the tree hash that other servers have', () => {
    const { desktop } = gallery('desktop.yaml')
    expect(
      desktop.windows.map(({ handle, title, process, pid, bounds }) => ({ handle, title, process, pid, bounds })),
    ).toEqual([
      {
        handle: '1001',
        title: 'Untitled — Notepad',
        process: 'notepad.exe',
        pid: 1234,
        bounds: { x: 80, y: 60, width: 800, height: 600 },
      },
      {
        handle: '1002',
        title: 'GitHub · Where software is built — Google Chrome',
        process: 'chrome.exe',
        pid: 5678,
        bounds: { x: 0, y: 0, width: 1920, height: 1050 },
      },
      {
        handle: '1003',
        title: 'screen_observer.py — Visual Studio Code',
        process: 'code.exe',
        pid: 9012,
        bounds: { x: 960, y: 0, width: 960, height: 1050 },
      },
    ])
    expect(treeHash(desktop.windows[0]!.tree)).toBe('sha1:c6d1c5dcac4098d1f2611051fa1372c9311d05f0')
    expect(desktop.windows[0]!.focus).toBe('root.1')
  })
})

describe('login', () => {
  it('passes through the four trees that other servers have', () => {
    const hash = (run: Run) => treeHash(run.desktop.windows[0]!.tree)
    const start = gallery('login.yaml')
    const named = type(click(start, 'u'), 'alice')
    const filled = type(click(named, 'p'), 'secret')
    const welcome = click(filled, 'btn')
    expect([start, named, filled, welcome].map(hash)).toEqual([
      'sha1:fea1872051222609de110f1d998873b68a4e8faf',
      'sha1:977b969b93162c31920cf9de2aaeec6fb4c10062',
      'sha1:729c8168a66cbfa1a180f6b936665b1224c7d96e',
      'sha1:e7106eade464b8752bdca437379f6d39e0a45dec',
    ])
    expect(welcome.state).toBe('welcome')
  })

  it('[R1] stays closed to anybody else', () => {
    const named = type(click(gallery('login.yaml'), 'u'), 'mallory')
    expect(click(type(click(named, 'p'), 'x'), 'btn').state).toBe('start')
  })
})

describe('a reaction', () => {
  it('[R1] is the first that fits, and is carried out once', () => {
    const run = begin(
      form(
        'reactions:',
        '  - {on: {tool: click_element, target_id: ok}, when: [{id: name, value: x}], set: [{id: status, name: one}]}',
        '  - {on: {tool: click_element, target_id: ok}, set: [{id: status, name: two}]}',
        '  - {on: {tool: click_element, target_id: ok}, set: [{id: status, name: three}]}',
      ),
    )
    expect(element(click(run, 'ok'), 'status').name).toBe('two')
    expect(element(click(setValue(run, 'name', 'x'), 'ok'), 'status').name).toBe('one')
  })

  it('[R1] sees the desktop after its own behaviour', () => {
    const run = reacting('{tool: type_text, target_id: name}', 'when: [{id: name, value: abc}], transition_to: end')
    const typed = type(click(run, 'name'), 'ab')
    expect([typed.state, type(typed, 'c').state]).toEqual(['start', 'end'])
  })

  it('[R1] does not follow what the desktop refuses, and the run stays as it was', () => {
    const run = reacting('{tool: click_element, target_id: ok}')
    const disabled = begin(form().replace('presses: enter', 'enabled: false'))
    expect(faultOf(() => click(disabled, 'ok'))).toBe('ElementDisabled')
    expect(faultOf(() => key(run, 'no-such-key'))).toBe('BadRequest')
    expect(faultOf(() => type(run, 'text'))).toBe('BadRequest')
  })

  it('[R1] can answer for a control that cannot do what is asked, and for text that nothing takes', () => {
    const named = reacting('{tool: set_value, target_id: status}', 'set: [{id: status, name: "set"}]')
    expect(element(setValue(named, 'status', 'x'), 'status').name).toBe('set')
    expect(type(reacting('{tool: type_text}'), 'text').state).toBe('end')
    expect(faultOf(() => type(reacting('{tool: type_text, target_id: name}'), 'text'))).toBe('BadRequest')
  })

  it('[R2] follows a click at coordinates as it follows a click on an element', () => {
    const run = reacting('{tool: click_element, target_id: ok}')
    expect(act(run, { type: 'click', at: at(run, 'ok'), button: 'left', count: 1 }).run.state).toBe('end')
    expect(act(run, { type: 'click', at: at(run, 'status'), button: 'left', count: 1 }).run.state).toBe('start')
    expect(act(run, { type: 'click', at: at(run, 'ok'), button: 'right', count: 1 }).run.state).toBe('start')
  })

  it('[R2] follows every element action', () => {
    const actions: Readonly<Record<string, (run: Run) => Action>> = {
      double_click_element: (run) => ({
        type: 'click',
        at: at(run, 'ok'),
        button: 'left',
        count: 2,
        target: target(run, 'ok'),
      }),
      right_click_element: (run) => ({
        type: 'click',
        at: at(run, 'ok'),
        button: 'right',
        count: 1,
        target: target(run, 'ok'),
      }),
      focus_element: (run) => ({ type: 'focus', at: at(run, 'ok'), target: target(run, 'ok') }),
      invoke_element: (run) => ({ type: 'invoke', at: at(run, 'ok'), target: target(run, 'ok') }),
      hover_element: (run) => ({ type: 'hover', at: at(run, 'ok'), forMs: 0, target: target(run, 'ok') }),
      scroll: (run) => ({ type: 'scroll', at: at(run, 'ok'), clicks: 1 }),
    }
    for (const [tool, action] of Object.entries(actions)) {
      const run = reacting(`{tool: ${tool}, target_id: ok}`)
      expect([tool, act(run, action(run)).run.state]).toEqual([tool, 'end'])
    }
  })

  it('[R2] follows invoking and double clicks as clicks, and a set value as typing', () => {
    const clicked = reacting('{tool: click_element, target_id: ok}')
    expect(act(clicked, { type: 'invoke', at: at(clicked, 'ok'), target: target(clicked, 'ok') }).run.state).toBe('end')
    const typed = reacting('{tool: type_text, target_id: name, text_regex: a+}')
    expect([setValue(typed, 'name', 'aaa').state, setValue(typed, 'name', 'abc').state]).toEqual(['end', 'start'])
  })

  it('[R2] follows a selection as a click on the option', () => {
    const select = (run: Run) =>
      act(run, { type: 'select', at: at(run, 'fruit'), target: target(run, 'fruit'), option: { name: 'Pear' } }).run
    expect(select(reacting('{tool: select_option, target_id: fruit, text_regex: Pear}')).state).toBe('end')
    expect(select(reacting('{tool: click_element, target_name: Pear}')).state).toBe('end')
    expect(select(reacting('{tool: click_element, target_id: apple}')).state).toBe('start')
  })

  it('[R2] follows both ends of a drag', () => {
    const drag = (run: Run) =>
      act(run, { type: 'drag', from: at(run, 'apple'), to: at(run, 'name'), modifiers: [], durationMs: 0 }).run.state
    expect(drag(reacting('{tool: drag, target_id: apple}'))).toBe('end')
    expect(drag(reacting('{tool: drop, target_id: name}'))).toBe('end')
    expect(drag(reacting('{tool: drop, target_id: apple}'))).toBe('start')
  })

  it('[R2] follows what the keyboard presses', () => {
    const run = reacting('{tool: click_element, target_id: ok}')
    expect(key(click(run, 'name'), 'enter').state).toBe('end')
    expect(key(run, 'ctrl+k').state).toBe('end')
    expect(key(run, 'escape').state).toBe('start')
  })

  it('[R2] follows what a key ticks, chooses or unfolds as it follows a click', () => {
    const dead = (id: string, keys: string, pressed = id) => {
      const run = begin(
        [
          'states:',
          '  start:',
          '    windows:',
          '      - uid: main',
          '        tree:',
          '          children:',
          '            - {id: tick, role: CheckBox, name: Tick, keyboard_shortcut: F2}',
          '            - role: Group',
          '              children: [{id: s, role: RadioButton, name: S}, {id: l, role: RadioButton, name: L}]',
          '            - {id: more, role: Expander, name: More, children: [{role: Text, name: Inside}]}',
          '  end:',
          '    windows: [{uid: main, tree: {role: Window}}]',
          `reactions: [{on: {tool: click_element, target_id: ${pressed}}, transition_to: end}]`,
        ].join('\n'),
      )
      const focused = act(run, { type: 'focus', at: at(run, id), target: target(run, id) }).run
      return key(focused, keys).state === 'start'
    }
    expect([
      dead('tick', 'space'),
      dead('more', 'f2', 'tick'),
      dead('s', 'down', 'l'),
      dead('s', 'space'),
      dead('more', 'enter'),
    ]).toEqual([false, false, false, false, false])
    expect([dead('tick', 'tab'), dead('s', 'down', 's')]).toEqual([true, true])
  })

  it('[R2] follows what arrows choose as it follows a click, and only Enter as invoking', () => {
    const list = (tool: string, ...more: readonly string[]) =>
      begin(
        [
          'states:',
          '  start: {windows: [{uid: main, tree: {children: [{id: log, role: List, height: 90, rows: [a, b, c, d, e]}]}}]}',
          '  end: {windows: [{uid: main, tree: {role: Window}}]}',
          `reactions: [{on: {tool: ${tool}, target_id: log${more.join('')}}, transition_to: end}]`,
        ].join('\n'),
      )
    const ending = (run: Run, ...keys: readonly string[]) => {
      const focused = act(run, { type: 'focus', at: at(run, 'log'), target: target(run, 'log') }).run
      return keys.reduce(key, focused).state
    }
    expect([ending(list('click_element'), 'down'), ending(list('click_element'), 'end')]).toEqual(['end', 'end'])
    const invoked = list('invoke_element')
    expect([ending(invoked, 'down', 'end'), ending(invoked, 'down', 'enter')]).toEqual(['start', 'end'])
    const far = list('select_option', ', text_regex: e')
    const select = { type: 'select', at: at(far, 'log'), target: target(far, 'log') } as const
    expect(act(far, { ...select, option: { index: 4 } }).run.state).toBe('end')
    expect(act(far, { ...select, option: { index: 3 } }).run.state).toBe('start')
  })

  it('[R3] to what holds an element follows the pointer, not the keys', () => {
    expect(click(reacting('{tool: click_element, target_id: fruit}'), 'pear').state).toBe('end')
    expect(type(click(reacting('{tool: type_text, target_id: root}'), 'name'), 'x').state).toBe('start')
  })

  it('[R3] without a target is about all', () => {
    expect(key(reacting('{tool: press_key, text_regex: f5}'), 'f5').state).toBe('end')
    const nowhere = reacting('{tool: click_element}')
    expect(act(nowhere, { type: 'click', at: { x: 5, y: 5 }, button: 'left', count: 1 }).run.state).toBe('end')
  })

  it('[R3] is not reached through what is disabled, busy or waiting for its dialog', () => {
    const yaml = form('reactions:', '  - {on: {tool: click_element, target_id: ok}, transition_to: end}')
    const blind = (text: string) => {
      const run = begin(text)
      return act(run, { type: 'click', at: at(run, 'ok', 'main'), button: 'left', count: 1 }).run.state
    }
    expect(blind(yaml)).toBe('end')
    expect(blind(yaml.replace('presses: enter', 'enabled: false'))).toBe('start')
    expect(blind(yaml.replace('title: Main', 'busy: true'))).toBe('start')
    const dialog = '{uid: ask, bounds: {x: 800, y: 600, width: 200, height: 100}, modal_to: main}'
    expect(blind(yaml.replace('      - uid: main', `      - ${dialog}\n      - uid: main`))).toBe('start')
  })

  it('[R4] fits its text whole and captures groups', () => {
    const run = reacting(
      '{tool: type_text, target_id: name, text_regex: "(\\\\w+)@(\\\\w+)"}',
      'set: [{id: status, name: "{text} at {2}"}, {id: note, value: "{1}"}]',
    )
    const typed = type(click(run, 'name'), 'ann@home')
    expect([element(typed, 'status').name, element(typed, 'note').value]).toEqual(['ann at home', 'ann'])
    expect(element(type(click(run, 'name'), 'ann@home!'), 'status').name).toBe('Ready')
    const quoting = reacting(
      '{tool: click_element, target_id: ok}',
      'set: [{id: note, remove: true}, {id: status, name: "{name.value}, {ok.name}, {note.name}"}]',
    )
    expect(element(click(setValue(quoting, 'name', 'Ann'), 'ok'), 'status').name).toBe('Ann, OK, {note.name}')
    const bare = reacting('{tool: type_text}', 'set: [{id: status, name: "{text}"}]')
    expect(element(type(click(bare, 'name'), 'x'), 'status').name).toBe('{text}')
  })

  it('[R4] fills no more than a million characters into a text, whole ones', () => {
    const growing = begin(form('timers: [{every_ms: 10, set: [{id: status, name: "👍{status.name}{status.name}"}]}]'))
    const { name } = element(until(growing, 1000), 'status')
    expect([name.length, /\p{Surrogate}/u.test(name)]).toEqual([1_000_002, false])
  })

  it('[R4] tells the number of what has no other value', () => {
    const set = 'set: [{id: name, value_now: 7}, {id: name, value: ~}, {id: status, name: "{name.value}|{note.value}"}]'
    const counting = reacting('{tool: click_element, target_id: ok}', set)
    expect(element(click(counting, 'ok'), 'status').name).toBe('7|')
  })

  it('[R5] is not needed for typing', () => {
    const typed = type(click(begin(form()), 'name'), 'Alice')
    expect(element(typed, 'name').value).toBe('Alice')
  })

  it('[R9] follows the closing of a window, however it is closed', () => {
    const run = reacting('{tool: close_window, window: main}')
    expect(key(run, 'alt+f4').state).toBe('end')
    expect(act(run, { type: 'window', window: 'main', to: 'close' }).run.state).toBe('end')
  })
})

describe('a set', () => {
  const changedBy = (set: string): Run => click(reacting('{tool: click_element, target_id: ok}', `set: [${set}]`), 'ok')

  it('[R6] reaches every field', () => {
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

  it('[R6] moves the keyboard', () => {
    const run = changedBy('{id: note, focused: true}')
    expect([run.desktop.windows[0]!.focus, element(run, 'note').focused]).toEqual(['note', true])
    expect(element(changedBy('{id: ok, focused: false}'), 'ok').focused).toBe(false)
  })

  it('[R6] changes windows', () => {
    const run = changedBy('{window: main, title: Renamed, busy: true, bounds: {x: 0, y: 0, width: 500, height: 400}}')
    expect(run.desktop.windows[0]).toMatchObject({
      title: 'Renamed',
      busy: true,
      bounds: { x: 0, y: 0, width: 500, height: 400 },
    })
    expect(changedBy('{window: main, remove: true}').desktop.windows).toEqual([])
  })

  it('[R6] adds elements and takes them away', () => {
    const run = changedBy('{id: fruit, append: [{id: fig, role: ListItem, name: Fig}]}, {id: apple, remove: true}')
    expect(element(run, 'fruit').children.map(({ id, bounds }) => [id, bounds.y])).toEqual([
      ['pear', element(run, 'fruit').bounds.y],
      ['fig', element(run, 'fruit').bounds.y + 28],
    ])
    const twice = click(run, 'ok')
    expect(element(twice, 'fruit').children.map(({ id }) => id)).toEqual(['pear', 'fig', 'fig~2'])
  })

  it('[R6] lays the window out anew where the room does not do', () => {
    const run = changedBy('{id: status, name: "one\\ntwo"}, {id: note, hidden: true}')
    expect(['ok', 'status', 'fruit'].map((id) => element(run, id).bounds)).toEqual([
      { x: 120, y: 196, width: 88, height: 32 },
      { x: 120, y: 240, width: 560, height: 40 },
      { x: 120, y: 292, width: 560, height: 188 },
    ])
  })

  it('[Y5] lays a window out anew that gets another size, or in which an expander opens', () => {
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

  it('[R6] finds ids in the window of the event first', () => {
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
})

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

  it('[R7] keeps what was changed, also through a state without that element', () => {
    const run = setValue(begin(pages('{id: other, role: Text}')), 'f', 'new')
    expect(element(key(key(run, 'f2'), 'f1'), 'f').value).toBe('new')
    expect(element(key(run, 'f3'), 'f').value).toBe('new')
  })

  it('[R7] gives way to a state that writes another value, and to another role', () => {
    const run = setValue(begin(pages('{id: f, role: Edit, value: given}')), 'f', 'new')
    expect(element(key(run, 'f2'), 'f').value).toBe('given')
    const text = setValue(begin(pages('{id: f, role: Text, value: old}')), 'f', 'new')
    expect(element(key(text, 'f2'), 'f').value).toBe('old')
  })

  it('[R7] leaves a window alone that both states write alike', () => {
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

  it('[R7] keeps what was added, taken away, hidden or made secret, and the caret', () => {
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

  it('[R7] keeps the order of items, what was dragged, how far lists are scrolled and what is chosen in long ones', () => {
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
    const drag = (from: Run, id: string, to: string) =>
      act(from, { type: 'drag', from: at(from, id), to: at(from, to), modifiers: [], durationMs: 0 }).run
    const scroll = (from: Run, id: string) => act(from, { type: 'scroll', at: at(from, id), clicks: -2 }).run
    const dragged = drag(drag(run, 'a', 'c'), 'd', 'm')
    const changed = scroll(scroll(click(dragged, 'long.row-1'), 'long'), 'tall')
    const shown = (of: Run) => ({
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

  it('[R7] keeps what was changed through a state that writes it otherwise', () => {
    const run = key(setValue(begin(pages('{id: f, role: Edit, value: given}')), 'f', 'new'), 'f2')
    expect(element(key(run, 'f1'), 'f').value).toBe('new')
    expect(element(key(click(run, 'f'), 'f1'), 'f').value).toBe('new')
    expect(element(key(setValue(run, 'f', 'other'), 'f1'), 'f').value).toBe('old')
  })

  it('[R7] forgets what was changed back', () => {
    const run = setValue(begin(pages('{id: f, role: Edit, value: old}')), 'f', 'new')
    expect(element(key(setValue(key(run, 'f2'), 'f', 'old'), 'f3'), 'f').value).toBe('old')
  })

  it('[L15] fills the monitor of what is written as maximised, and restores it to its bounds', () => {
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
    const shown = (run: Run) => {
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

  it('[R8] leaves the same windows where the user put them, with the keyboard where it was', () => {
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

  it('[R8] shows other windows in their own order with the first active', () => {
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

describe('a planned fault', () => {
  const planned = (fault: string): Run => begin(form(`faults: [${fault}]`))
  const calls = (run: Run, tool: string, count: number): readonly (string | undefined)[] => {
    let current = run
    return Array.from({ length: count }, () => {
      const met = meetFault(current, tool)
      current = met.run
      return met.fault && `${met.fault.code}: ${met.fault.message}`
    })
  }

  it('[F1] is met after some calls and so many times', () => {
    const run = planned('{on: {tool: get_screenshot}, skip: 1, times: 2, code: Timeout, message: slow}')
    expect(calls(run, 'get_screenshot', 5)).toEqual([undefined, 'Timeout: slow', 'Timeout: slow', undefined, undefined])
    expect(calls(run, 'click_element', 2)).toEqual([undefined, undefined])
  })

  it('[F1] is met in its states only', () => {
    expect(calls(planned('{on: {tool: scroll}, in: end, code: Busy}'), 'scroll', 1)).toEqual([undefined])
    expect(calls(planned('{on: {tool: scroll}, in: [start], code: Busy}'), 'scroll', 1)).toEqual([
      'Busy: too much is waiting',
    ])
  })
})

it('[R7] a window that was away comes back as it was left, with what was added to it', () => {
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

it('[R12] what is written as open has its place', () => {
  const run = begin(
    'states: {a: {windows: [{uid: w, bounds: {x: 100, y: 100, width: 400, height: 300}, tree: {children: [' +
      '{id: fruit, role: ComboBox, name: Fruit, expanded: true, bounds: {x: 120, y: 150, width: 200, height: 32}, ' +
      'children: [{id: apple, role: ListItem, name: Apple}, {id: pear, role: ListItem, name: Pear}]}]}}]}}',
  )
  expect(element(run, 'pear').bounds).toEqual({ x: 124, y: 214, width: 192, height: 28 })
  const chosen = click(run, 'pear')
  expect([element(chosen, 'fruit').value, element(chosen, 'fruit').expanded]).toEqual(['Pear', false])
})

it('[Y4] a list that is open stays open below its box when something above that grows', () => {
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

describe('what makes no sense', () => {
  const start = () =>
    begin(
      [
        'monitors: [{bounds: {x: 0, y: 0, width: 800, height: 600}}]',
        'states: {a: {windows: [{uid: w, tree: {children: [{id: ok, role: Button, name: OK}]}}]}}',
      ].join('\n'),
    )
  const nonsense: readonly (readonly [string, Action, string])[] = [
    ['typing with nothing focused', { type: 'type', text: 'x' }, 'BadRequest'],
    [
      'a drag from outside the screens',
      { type: 'drag', from: { x: -5, y: 9 }, to: { x: 9, y: 9 }, modifiers: [], durationMs: 0 },
      'BadRequest',
    ],
    ['a click beyond the screens', { type: 'click', at: { x: 900, y: 9 }, button: 'left', count: 1 }, 'BadRequest'],
    ['an unknown key', { type: 'key', keys: 'ctrl+nonsense' }, 'BadRequest'],
    ['closing a window that is not there', { type: 'window', window: 'gone', to: 'close' }, 'WindowGone'],
    [
      'an element that is not there',
      { type: 'invoke', target: { window: 'w', element: 'no' }, at: { x: 1, y: 1 } },
      'ElementNotFound',
    ],
  ]

  it.each(nonsense)('[R1] %s is a fault, and the run stays as it was', (_name, action, code) => {
    const run = start()
    const before = treeHash(run.desktop.windows[0]!.tree)
    expect(faultOf(() => act(run, action))).toBe(code)
    expect([treeHash(run.desktop.windows[0]!.tree), run]).toEqual([before, start()])
  })

  it('[R1] a window is closed once', () => {
    const closed = act(start(), { type: 'window', window: 'w', to: 'close' }).run
    expect(closed.desktop.windows).toEqual([])
    expect(faultOf(() => act(closed, { type: 'window', window: 'w', to: 'close' }))).toBe('WindowGone')
  })
})

it('[R3] a dialog in the tree keeps reactions from what is behind it', () => {
  const start = begin(
    [
      'states:',
      '  a:',
      '    windows:',
      '      - tree:',
      '          children:',
      '            - {id: ask, role: Button, name: Ask}',
      '            - id: sure',
      '              role: Dialog',
      '              hidden: true',
      '              children: [{id: no, role: Button, name: No, presses: escape}]',
      '  b: ~',
      'reactions:',
      '  - {on: {tool: click_element, target_id: ask}, when: [{id: ask, selected: true}], transition_to: b}',
      '  - {on: {tool: click_element, target_id: ask}, set: [{id: sure, hidden: false}, {id: ask, selected: true}]}',
    ].join('\n'),
  )
  const asked = click(start, 'ask')
  expect([element(asked, 'no').focused, faultOf(() => click(asked, 'ask'))]).toEqual([true, 'ElementDisabled'])
  const past = act(asked, { type: 'click', at: at(asked, 'ask'), button: 'left', count: 1 }).run
  expect(past.state).toBe('a')
  const free = key(past, 'escape')
  expect([element(free, 'sure').traits?.hidden, click(free, 'ask').state]).toEqual([true, 'b'])
})
