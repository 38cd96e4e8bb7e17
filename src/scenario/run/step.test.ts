import { describe, expect, it } from 'vitest'
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
} from '../../../test/support/scenario/player.ts'
import type { Action } from '../../desktop/input/action.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { parseScenario } from '../load/load.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { runAt } from './elapse.ts'
import { startScenario } from './step.ts'

// Rules such as [SC131] are stated in SPEC.md beside this file.

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
    const hash = (run: ScenarioRun) => treeHash(run.desktop.windows[0]!.tree)
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

  it('[SC131] stays closed to anybody else', () => {
    const named = type(click(gallery('login.yaml'), 'u'), 'mallory')
    expect(click(type(click(named, 'p'), 'x'), 'btn').state).toBe('start')
  })
})

describe('a reaction', () => {
  it('[SC131] is the first that fits, and is carried out once', () => {
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

  it('[SC131] sees the desktop after its own behaviour', () => {
    const run = reacting('{tool: type_text, target_id: name}', 'when: [{id: name, value: abc}], transition_to: end')
    const typed = type(click(run, 'name'), 'ab')
    expect([typed.state, type(typed, 'c').state]).toEqual(['start', 'end'])
  })

  it('[SC131] does not react to rejected actions, and the run is unchanged', () => {
    const run = reacting('{tool: click_element, target_id: ok}')
    const disabled = begin(form().replace('presses: enter', 'enabled: false'))
    expect(faultOf(() => click(disabled, 'ok'))).toBe('ElementDisabled')
    expect(faultOf(() => key(run, 'no-such-key'))).toBe('BadRequest')
    expect(faultOf(() => type(run, '\u0001'))).toBe('BadRequest')
  })

  it('[SC131] may react to unsupported actions, and to text that nothing takes', () => {
    const named = reacting('{tool: set_value, target_id: status}', 'set: [{id: status, name: "set"}]')
    expect(element(setValue(named, 'status', 'x'), 'status').name).toBe('set')
    expect(type(reacting('{tool: type_text}'), 'text').state).toBe('end')
    const unheard = reacting('{tool: type_text, target_id: name}')
    expect(type(unheard, 'text')).toBe(unheard)
  })

  it('[SC133] follows a click at coordinates as it follows a click on an element', () => {
    const run = reacting('{tool: click_element, target_id: ok}')
    expect(act(run, { type: 'click', at: at(run, 'ok'), button: 'left', count: 1 }).run.state).toBe('end')
    expect(act(run, { type: 'click', at: at(run, 'status'), button: 'left', count: 1 }).run.state).toBe('start')
    expect(act(run, { type: 'click', at: at(run, 'ok'), button: 'right', count: 1 }).run.state).toBe('start')
  })

  it('[SC134] to a right click takes the place of the menu of a text field', () => {
    const rightClick = (run: ScenarioRun) =>
      act(run, { type: 'click', at: at(run, 'name'), button: 'right', count: 1, target: target(run, 'name') })
    const noted = rightClick(
      reacting('{tool: right_click_element, target_id: name}', 'set: [{id: status, name: "Menu"}]'),
    )
    expect([element(noted.run, 'name').children, element(noted.run, 'status').name]).toEqual([[], 'Menu'])
    const opened = rightClick(reacting('{tool: right_click_element, target_id: note}'))
    expect([opened.via, element(opened.run, 'name.menu').expanded]).toEqual(['behaviour', true])
    const pasted = click(reacting('{tool: click_element, target_id: name.menu.select-all}'), 'name')
    const chosen = click(rightClick(type(pasted, 'x')).run, 'name.menu.select-all')
    expect(chosen.state).toBe('end')
  })

  it('[SC133] follows every element action', () => {
    const actions: Readonly<Record<string, (run: ScenarioRun) => Action>> = {
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

  it('[SC133] follows invoking and double clicks as clicks, and a set value as typing', () => {
    const clicked = reacting('{tool: click_element, target_id: ok}')
    expect(act(clicked, { type: 'invoke', at: at(clicked, 'ok'), target: target(clicked, 'ok') }).run.state).toBe('end')
    const typed = reacting('{tool: type_text, target_id: name, text_regex: a+}')
    expect([setValue(typed, 'name', 'aaa').state, setValue(typed, 'name', 'abc').state]).toEqual(['end', 'start'])
  })

  it('[SC133] follows a selection as a click on the option', () => {
    const select = (run: ScenarioRun) =>
      act(run, { type: 'select', at: at(run, 'fruit'), target: target(run, 'fruit'), option: { name: 'Pear' } }).run
    expect(select(reacting('{tool: select_option, target_id: fruit, text_regex: Pear}')).state).toBe('end')
    expect(select(reacting('{tool: click_element, target_name: Pear}')).state).toBe('end')
    expect(select(reacting('{tool: click_element, target_id: apple}')).state).toBe('start')
  })

  it('[SC133] follows both ends of a drag', () => {
    const drag = (run: ScenarioRun) =>
      act(run, { type: 'drag', from: at(run, 'apple'), to: at(run, 'name'), modifiers: [], durationMs: 0 }).run.state
    expect(drag(reacting('{tool: drag, target_id: apple}'))).toBe('end')
    expect(drag(reacting('{tool: drop, target_id: name}'))).toBe('end')
    expect(drag(reacting('{tool: drop, target_id: apple}'))).toBe('start')
  })

  it('[SC133] reacts to elements pressed by keys', () => {
    const run = reacting('{tool: click_element, target_id: ok}')
    expect(key(click(run, 'name'), 'enter').state).toBe('end')
    expect(key(run, 'ctrl+k').state).toBe('end')
    expect(key(run, 'escape').state).toBe('start')
  })

  it('[SC133] reacts to elements that a key toggles, chooses or expands as to clicks', () => {
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

  it('[SC133] reacts to items chosen by arrows as to clicks, and only to Enter as invoking', () => {
    const list = (tool: string, ...more: readonly string[]) =>
      begin(
        [
          'states:',
          '  start: {windows: [{uid: main, tree: {children: [{id: log, role: List, height: 90, rows: [a, b, c, d, e]}]}}]}',
          '  end: {windows: [{uid: main, tree: {role: Window}}]}',
          `reactions: [{on: {tool: ${tool}, target_id: log${more.join('')}}, transition_to: end}]`,
        ].join('\n'),
      )
    const ending = (run: ScenarioRun, ...keys: readonly string[]) => {
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

  it('[SC135] on an ancestor reacts to the pointer, not to keys', () => {
    expect(click(reacting('{tool: click_element, target_id: fruit}'), 'pear').state).toBe('end')
    expect(type(click(reacting('{tool: type_text, target_id: root}'), 'name'), 'x').state).toBe('start')
  })

  it('[SC135] without a target is about all', () => {
    expect(key(reacting('{tool: press_key, text_regex: f5}'), 'f5').state).toBe('end')
    const clicked = reacting('{tool: click_element}')
    expect(act(clicked, { type: 'click', at: at(clicked, 'ok', 'main'), button: 'left', count: 1 }).run.state).toBe(
      'end',
    )
  })

  it('[SC136] without a target is not set off by a pointer that hits no element', () => {
    const point = { x: 5, y: 5 }
    const inside = { x: 300, y: 300 }
    const click = { type: 'click', at: point, count: 1 } as const
    const drag = { type: 'drag', modifiers: [], durationMs: 0 } as const
    const ending = (tool: string, action: Action) => act(reacting(`{tool: ${tool}}`), action).run.state
    expect(ending('click_element', { ...click, button: 'left' })).toBe('start')
    expect(ending('double_click_element', { ...click, button: 'left', count: 2 })).toBe('start')
    expect(ending('right_click_element', { ...click, button: 'right' })).toBe('start')
    expect(ending('hover_element', { type: 'hover', at: point, forMs: 0 })).toBe('start')
    expect(ending('drag', { ...drag, from: point, to: inside })).toBe('start')
    expect(ending('drop', { ...drag, from: inside, to: point })).toBe('start')
    expect(ending('drag', { ...drag, from: inside, to: point })).toBe('end')
  })

  it('[SC135] is not triggered by elements that are disabled, busy or behind a dialog', () => {
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

  it('[SC137] fits its text whole and captures groups', () => {
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

  it('[SC137] fills no more than a million characters into a text, whole ones', () => {
    const growing = begin(form('timers: [{every_ms: 10, set: [{id: status, name: "👍{status.name}{status.name}"}]}]'))
    const { name } = element(until(growing, 190), 'status')
    expect([name.length, /\p{Surrogate}/u.test(name)]).toEqual([1_000_002, false])
  })

  it('[SC137] fills in the number of an element without other value', () => {
    const set = 'set: [{id: name, value_now: 7}, {id: name, value: ~}, {id: status, name: "{name.value}|{note.value}"}]'
    const counting = reacting('{tool: click_element, target_id: ok}', set)
    expect(element(click(counting, 'ok'), 'status').name).toBe('7|')
  })

  it.each(['value: "7"', 'value_not_empty: true', 'value_regex: 7'])(
    '[SC162] %s holds for a number without a text',
    (guard) => {
      const set = 'set: [{id: name, value_now: 7}, {id: name, value: ~}]'
      const run = begin(
        form(
          'reactions:',
          `  - {on: {tool: click_element, target_id: name}, ${set}}`,
          `  - {on: {tool: click_element, target_id: ok}, when: [{id: name, ${guard}}], set: [{id: status, name: It is}]}`,
        ),
      )
      expect(element(click(run, 'ok'), 'status').name).not.toBe('It is')
      expect(element(click(click(run, 'name'), 'ok'), 'status').name).toBe('It is')
    },
  )

  it('[SC159] is not needed for typing', () => {
    const typed = type(click(begin(form()), 'name'), 'Alice')
    expect(element(typed, 'name').value).toBe('Alice')
  })

  it('[SC168] follows the closing of a window, however it is closed', () => {
    const run = reacting('{tool: close_window, window: main}')
    expect(key(run, 'alt+f4').state).toBe('end')
    expect(act(run, { type: 'window', window: 'main', to: 'close' }).run.state).toBe('end')
  })
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
    ['typing what no keyboard types', { type: 'type', text: '\u0001' }, 'BadRequest'],
    ['an unknown key', { type: 'key', keys: 'ctrl+nonsense' }, 'BadRequest'],
    ['closing a window that is not there', { type: 'window', window: 'gone', to: 'close' }, 'WindowGone'],
    [
      'an element that is not there',
      { type: 'invoke', target: { window: 'w', element: 'no' }, at: { x: 1, y: 1 } },
      'ElementNotFound',
    ],
  ]

  it.each(nonsense)('[SC131] %s is a fault, and the run stays as it was', (_name, action, code) => {
    const run = start()
    const before = treeHash(run.desktop.windows[0]!.tree)
    expect(faultOf(() => act(run, action))).toBe(code)
    expect([treeHash(run.desktop.windows[0]!.tree), run]).toEqual([before, start()])
  })

  const unreceived: readonly (readonly [string, Action, string])[] = [
    ['typing with nothing focused', { type: 'type', text: 'x' }, 'nothing has the keyboard'],
    [
      'a drag from outside the screens',
      { type: 'drag', from: { x: -5, y: 9 }, to: { x: 9, y: 9 }, modifiers: [], durationMs: 0 },
      'the point -5,9 is on no monitor',
    ],
    [
      'a drag to beyond the screens',
      { type: 'drag', from: { x: 5, y: 9 }, to: { x: 9, y: 9000 }, modifiers: [], durationMs: 0 },
      'the point 9,9000 is on no monitor',
    ],
    ['a click beyond the screens', { type: 'click', at: { x: 900, y: 9 }, button: 'left', count: 1 }, '900,9'],
    ['hovering beyond the screens', { type: 'hover', at: { x: 900, y: 9 }, forMs: 900 }, '900,9'],
    ['scrolling beyond the screens', { type: 'scroll', at: { x: -1, y: -1 }, clicks: 1 }, '-1,-1'],
  ]

  it.each(unreceived)('[SC132] %s does nothing and says why', (_name, action, note) => {
    const run = start()
    const done = act(run, action)
    expect(done).toEqual({ run, via: 'nothing', reactions: [], note: expect.stringContaining(note) })
    expect(done.run).toBe(run)
  })

  it('[SC132] a click beyond the screens sets off no reaction, even on a window that reaches there', () => {
    const text =
      'states: {a: {windows: [{uid: w, bounds: {x: -50, y: 0, width: 200, height: 200}, tree: {id: root}}]}, b: {}}'
    const run = begin(`${text}\nreactions: [{on: {tool: click_element}, transition_to: b}]`)
    expect(act(run, { type: 'click', at: { x: -5, y: 50 }, button: 'left', count: 1 }).run).toBe(run)
    expect(act(run, { type: 'click', at: { x: 5, y: 50 }, button: 'left', count: 1 }).run.state).toBe('b')
  })

  it('[SC131] a window is closed once', () => {
    const closed = act(start(), { type: 'window', window: 'w', to: 'close' }).run
    expect(closed.desktop.windows).toEqual([])
    expect(faultOf(() => act(closed, { type: 'window', window: 'w', to: 'close' }))).toBe('WindowGone')
  })
})

it('[SC135] a dialog in the tree prevents reactions to elements behind it', () => {
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

it('[SC242] a run stays behind after too many timers at once, and catches up when it is asked again', () => {
  const window = (name: string) =>
    `{windows: [{uid: w, title: W, bounds: {x: 0, y: 0, width: 200, height: 100}, tree: {role: Window, name: ${name}}}]}`
  const scenario = parseScenario(`
initial_state: a
states:
  a: ${window('A')}
  b: ${window('B')}
timers:
  - {in: a, after_ms: 1, transition_to: b}
  - {in: b, after_ms: 1, transition_to: a}
`)
  const behind = runAt(startScenario(scenario, { atMs: 0 }), 10_001)
  expect([behind.nowMs, behind.state]).toEqual([10_000, 'a'])
  expect([runAt(behind, 10_001).nowMs, runAt(behind, 10_001).state]).toEqual([10_001, 'b'])
})
