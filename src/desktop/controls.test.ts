import { describe, expect, it } from 'vitest'
import { perform } from './apply.ts'
import {
  button,
  checkbox,
  comboBox,
  type Details,
  desktop,
  edit,
  element,
  group,
  list,
  listItem,
  menuItem,
  pane,
  radioButton,
  rect,
  rectOf,
  slider,
  spinner,
  tab,
  tabItem,
  text,
  toggle,
  treeItem,
  treeView,
  window,
} from './builders.ts'
import type { Desktop } from './desktop.ts'
import {
  act,
  changeTree,
  click,
  clickAt,
  drag,
  find,
  focus,
  hover,
  invoke,
  press,
  scroll,
  select,
  setValue,
  states,
  type,
} from './driver.ts'
import { pathOf } from './element.ts'
import { foldOf } from './fold.ts'
import { centerOf } from './geometry.ts'
import { hitTest } from './hit.ts'
import { without } from './removal.ts'

describe('check boxes, switches and radio buttons', () => {
  const choices = desktop(
    window(
      'Choices',
      checkbox('Plain', { id: 'plain' }),
      checkbox('Three', { id: 'three', traits: { triState: true } }),
      toggle('Dark', { id: 'dark' }),
      group(
        'Size',
        { id: 'size' },
        ...['S', 'M', 'L'].map((name) => radioButton(name, { id: name, enabled: name !== 'M' })),
      ),
    ),
  )

  it('[C1] are ticked by a click, Space or their action, and set by words', () => {
    expect(states(act(choices, click('plain')), 'plain')).toEqual([true])
    expect(states(act(choices, click('plain'), press('space')), 'plain')).toEqual([false])
    expect(states(act(choices, invoke('dark'), setValue('plain', 'on')), 'dark', 'plain')).toEqual([true, true])
    expect(() => act(choices, setValue('plain', 'maybe'))).toThrow(
      '"Plain" is ticked with "true" or "false"; "maybe" is neither',
    )
  })

  it('[C2] go from off over on to mixed when they have three states', () => {
    const seen = [1, 2, 3].map((times) =>
      find(act(choices, ...Array.from({ length: times }, () => click('three'))), 'three'),
    )
    expect(seen.map(({ selected, value }) => [selected, value])).toEqual([
      [true, null],
      [false, 'mixed'],
      [false, null],
    ])
  })

  it('[C3] [C27] are one of a group, which arrows and an option can choose as well', () => {
    const small = act(choices, click('S'))
    expect(states(small, 'S', 'M', 'L')).toEqual([true, false, false])
    const next = act(small, press('down'))
    expect([states(next, 'S', 'M', 'L'), find(next, 'L').focused]).toEqual([[false, false, true], true])
    expect(states(act(next, press('down')), 'S')).toEqual([true])
    expect(states(act(choices, select('size', { name: 'l' })), 'L')).toEqual([true])
  })

  it('[C3] pass over radio buttons that are hidden or disabled', () => {
    const radios = (...hidden: readonly string[]) =>
      desktop(
        window(
          'Sizes',
          ...['S', 'M', 'L', 'XL'].map((name) =>
            radioButton(name, { id: name, enabled: name !== 'L', traits: { hidden: hidden.includes(name) } }),
          ),
        ),
      )
    const next = act(radios('M'), click('S'), press('down'))
    expect([states(next, 'S', 'M', 'L', 'XL'), find(next, 'XL').focused]).toEqual([[false, false, false, true], true])
    const back = act(next, press('up'))
    expect([states(back, 'S', 'XL'), find(back, 'S').focused]).toEqual([[true, false], true])
    expect(states(act(radios('S'), focus('M'), press('up')), 'XL')).toEqual([true])
  })
})

describe('sliders and spinners', () => {
  const numbers = desktop(
    window(
      'Numbers',
      slider('Volume', { id: 'volume', valueNow: 5, valueMin: 0, valueMax: 10, bounds: rect(100, 150, 216, 24) }),
      spinner('Copies', { id: 'copies', value: '1', valueMin: 1, valueMax: 9, bounds: rect(100, 200, 100, 30) }),
      slider('Part', {
        id: 'part',
        valueNow: 0,
        valueMin: 0,
        valueMax: 1,
        traits: { step: 0.1 },
        bounds: rect(100, 250, 216, 24),
      }),
    ),
  )
  const now = (on: Desktop, id: string) => find(on, id).valueNow

  it('[C14] move by keys, the wheel, a click and a drag, within their range and on their steps', () => {
    const at = act(numbers, focus('volume'))
    expect(
      ['right', 'down', 'home', 'end', 'pageup', 'pagedown'].map((key) => now(act(at, press(key)), 'volume')),
    ).toEqual([6, 4, 0, 10, 10, 0])
    expect([now(act(at, scroll('volume', 2)), 'volume'), now(act(numbers, scroll('volume', 2)), 'volume')]).toEqual([
      7, 5,
    ])
    expect(now(act(numbers, clickAt({ x: 128, y: 160 })), 'volume')).toBe(1)
    expect(now(act(numbers, drag({ x: 208, y: 160 }, { x: 900, y: 160 })), 'volume')).toBe(10)
    expect(now(act(numbers, focus('part'), press('right', 'right', 'right')), 'part')).toBe(0.3)
  })

  it('[C15] have arrows to click and digits to type, and their value says the number', () => {
    expect(find(act(numbers, clickAt({ x: 190, y: 205 })), 'copies')).toMatchObject({ value: '2', valueNow: 2 })
    expect(find(act(numbers, clickAt({ x: 190, y: 225 })), 'copies').value).toBe('1')
    expect(find(act(numbers, focus('copies'), type('7'), press('up')), 'copies').value).toBe('8')
    expect(find(act(numbers, setValue('copies', '99')), 'copies').value).toBe('9')
    expect(() => act(numbers, setValue('volume', 'loud'))).toThrow('"Volume" takes a number; "loud" is none')
  })

  it('[C14] end with the last step that is in range', () => {
    const thirds = { id: 'thirds', valueNow: 9, valueMin: 0, valueMax: 10, traits: { step: 3 } }
    const on = act(desktop(window('Numbers', slider('Thirds', thirds))), focus('thirds'))
    expect(['right', 'end', 'left'].map((key) => now(act(on, press(key)), 'thirds'))).toEqual([9, 9, 6])
  })

  const spinning = (details: Details) =>
    act(
      desktop(
        window(
          'Numbers',
          spinner('Number', { id: 'number', ...details }),
          button('OK', { id: 'ok', traits: { presses: 'enter', closes: true } }),
        ),
        window('Other', button('Other')),
      ),
      focus('number'),
    )
  const said = (on: Desktop) => [find(on, 'number').value, now(on, 'number')]
  const tens = { value: '12', valueNow: 12, valueMin: 10, valueMax: 50 }

  it.each<[string, Details, string[], unknown]>([
    ['fractions', { value: '0', valueMin: 0, traits: { step: 0.5 } }, ['1', '.', '5'], ['1.5', 1.5]],
    ['below zero', { value: '0', valueMin: -10 }, ['-', '5'], ['-5', -5]],
    ['in the place of all', tens, ['ctrl+a', '2', '5'], ['25', 25]],
    ['in the place of what was typed', tens, ['2', '5', 'ctrl+a', '3', '1'], ['31', 31]],
    ['after removing', tens, ['backspace', 'backspace', '4', '0'], ['40', 40]],
    ['not in range yet', tens, ['2'], ['2', 12]],
    ['out of range', tens, ['9', '9', 'tab'], ['50', 50]],
    ['between steps', { value: '0', valueMin: 0, traits: { step: 5 } }, ['1', '2', 'shift+tab'], ['10', 10]],
    ['no number', tens, ['backspace', 'backspace', '-', 'tab'], ['12', 12]],
    ['before an arrow', tens, ['9', 'up'], ['11', 11]],
    ['where no value was', { valueNow: 3 }, ['4', '2'], ['42', 42]],
  ])('[C29] take in what is typed: %s', (_, details, keys, expected) => {
    expect(said(act(spinning(details), press(...keys)))).toEqual(expected)
  })

  it('[C29] take in typed text as keys, and put it in range where the keyboard leaves or Enter is pressed', () => {
    expect(said(act(spinning(tens), type('2'), type('5')))).toEqual(['25', 25])
    expect(said(act(spinning(tens), type('99'), click('root')))).toEqual(['99', 12])
    expect(said(act(spinning(tens), type('99'), press('alt+tab')))).toEqual(['50', 50])
    expect(said(act(spinning(tens), type('99\t')))).toEqual(['50', 50])
    expect(said(act(spinning({ ...tens, traits: { readOnly: true } }), type('31')))).toEqual(['12', 12])
    expect(said(act(spinning(tens), type('2e1')))).toEqual(['20', 20])
    expect(() => act(spinning(tens), type('many'))).toThrow('"Number" takes a number; "many" is none')
    const entered = perform(act(spinning(tens), type('31')), { type: 'key', keys: 'enter' }, { live: true })
    expect(entered.pressed).toMatchObject([{ element: 'ok' }])
  })
})

describe('tabs, trees and expanders', () => {
  const pages = desktop(
    window(
      'Pages',
      tab(
        'Tabs',
        { id: 'tabs', bounds: rect(110, 140, 400, 200) },
        tabItem('One', { id: 'one', bounds: rect(110, 140, 80, 28) }),
        tabItem('Two', { id: 'two', bounds: rect(190, 140, 80, 28) }),
        pane('First', { bounds: rect(110, 170, 400, 170) }, edit('A', { id: 'a', bounds: rect(120, 180, 100, 28) })),
        pane('Second', { bounds: rect(110, 170, 400, 170) }, edit('B', { id: 'b', bounds: rect(120, 180, 100, 28) })),
      ),
    ),
  )
  const here = (on: Desktop) => {
    const hit = hitTest(on, { x: 150, y: 190 })
    return hit && 'element' in hit ? hit.element.id : undefined
  }

  it('[C16] show the page of the tab that a click, an arrow, ctrl+Tab or an option turns to', () => {
    expect(here(pages)).toBe('a')
    const turns = [
      click('two'),
      select('tabs', { name: 'Two' }),
      press('ctrl+tab'),
      (on: Desktop) => act(on, focus('tabs'), press('right')),
    ]
    expect(turns.map((turn) => here(act(pages, turn)))).toEqual(['b', 'b', 'b', 'b'])
    expect(() => act(pages, setValue('b', 'x'))).toThrow(expect.objectContaining({ code: 'ElementOccluded' }))
  })

  it('[C17] take the keyboard from a page that is turned away', () => {
    const after = act(pages, click('a'), press('ctrl+tab'))
    expect([find(after, 'a').focused, find(after, 'tabs').focused]).toEqual([false, true])
  })

  const folders = desktop(
    window(
      'Folders',
      treeView(
        'Tree',
        { id: 'tree', bounds: rect(110, 140, 300, 200) },
        treeItem(
          'home',
          { id: 'home', bounds: rect(110, 140, 300, 28) },
          treeItem('docs', { id: 'docs' }),
          treeItem('pictures', { id: 'pictures' }),
        ),
        treeItem('tmp', { id: 'tmp', bounds: rect(110, 168, 300, 28) }),
      ),
    ),
  )

  it('[C18] open by a double click, the arrow or Right, and move what is below', () => {
    const open = act(folders, click('home', { count: 2 }))
    expect(find(open, 'docs').bounds).toEqual(rect(130, 168, 280, 28))
    expect(find(open, 'tmp').bounds).toEqual(rect(110, 224, 300, 28))
    expect(act(folders, clickAt({ x: 115, y: 150 })).windows[0]!.tree.children[0]!.children[0]!.expanded).toBe(true)
    const inside = act(folders, click('home'), press('right', 'right'))
    expect([find(inside, 'home').expanded, find(inside, 'docs').selected]).toEqual([true, true])
    const closed = act(inside, press('left', 'left'))
    expect([find(closed, 'home').expanded, find(closed, 'home').selected, find(closed, 'tmp').bounds.y]).toEqual([
      false,
      true,
      168,
    ])
  })

  it('[C18] choose the item that a double click opens or closes, and none by its arrow', () => {
    const open = act(folders, click('tmp'), click('home', { count: 2 }))
    expect([find(open, 'tree').traits?.current, ...states(open, 'home', 'tmp')]).toEqual(['home', true, false])
    const shut = act(open, click('docs'), click('home', { count: 2 }))
    expect([find(shut, 'home').expanded, ...states(shut, 'home', 'docs')]).toEqual([false, true, false])
    const arrow = act(folders, click('tmp'), clickAt({ x: 115, y: 150 }, { count: 2 }))
    expect([find(arrow, 'home').expanded, ...states(arrow, 'home', 'tmp')]).toEqual([true, false, true])
  })

  it('[C4] go on beside a branch that is removed with the keyboard in it, else with what held it', () => {
    const at = (id: string, ...keys: string[]) => act(folders, click('home', { count: 2 }), click(id), press(...keys))
    const removed = (on: Desktop, id: string) => changeTree(on, (tree) => without(tree, pathOf(tree, id)!))
    const currentIn = (on: Desktop) => find(on, 'tree').traits?.current
    expect(currentIn(removed(at('docs'), 'home'))).toBe('tmp')
    expect(currentIn(removed(at('docs'), 'docs'))).toBe('pictures')
    expect(currentIn(removed(removed(at('pictures'), 'docs'), 'pictures'))).toBe('home')
    expect(currentIn(removed(at('docs'), 'tmp'))).toBe('docs')
  })

  it('[C19] keep what an expander holds folded until it is opened', () => {
    const more = desktop(
      window('More', element('Expander', 'Details', { id: 'more' }, text('Hidden', { id: 'hidden' }))),
    )
    expect(foldOf(find(more, 'more'), find(more, 'hidden'))).toBe('folded')
    const open = act(more, click('more'))
    expect(foldOf(find(open, 'more'), find(open, 'hidden'))).toBe('loose')
    expect(find(act(open, click('hidden')), 'more').expanded).toBe(true)
    expect(find(act(open, invoke('hidden')), 'more').expanded).toBe(true)
  })
})

describe('dates, split panes and tooltips', () => {
  const due = desktop(
    window('Form', element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', bounds: rect(120, 150, 160, 30) })),
  )

  it('[C23] step by days and months, and take a day from the calendar or from text', () => {
    const value = (...keys: string[]) => find(act(due, focus('due'), press(...keys)), 'due').value
    expect([value('down'), value('pagedown'), value('home'), value('up', 'end')]).toEqual([
      '2024-02-01',
      '2024-02-29',
      '2024-01-01',
      '2024-01-31',
    ])
    const open = act(due, click('due'), click('due.next'))
    expect(find(open, 'due.month').name).toBe('February 2024')
    const chosen = act(open, click('due.2024-02-14'))
    expect([find(chosen, 'due').value, find(chosen, 'due').expanded, find(chosen, 'due').children]).toEqual([
      '2024-02-14',
      false,
      [],
    ])
    expect(() => act(due, setValue('due', '2024-02-30'))).toThrow(
      '"Due" takes a day such as 2024-03-12; "2024-02-30" is none',
    )
  })

  it('[C23] have no calendar in the tree when it has closed, whichever way', () => {
    const on = desktop(
      window(
        'Form',
        element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', ...rectOf(120, 150, 160, 30) }),
        edit('Note', { id: 'note', ...rectOf(600, 150, 160, 30) }),
        button('Last', { id: 'last', ...rectOf(600, 200, 160, 30) }),
      ),
    )
    const open = act(on, click('due'))
    const turned = act(open, click('due.next'))
    const titleBy = drag({ x: 200, y: 110 }, { x: 220, y: 120 })
    const ways = [
      press('tab'),
      press('shift+tab'),
      press('escape'),
      click('note'),
      click('root'),
      invoke('due'),
      titleBy,
    ]
    for (const shut of ways)
      for (const from of [open, turned])
        expect(find(act(from, shut), 'due')).toMatchObject({ expanded: false, children: [] })
    const focusAfter = (...keys: string[]) => act(turned, press(...keys)).windows[0]!.focus
    expect([focusAfter('tab'), focusAfter('shift+tab'), focusAfter('escape')]).toEqual(['note', 'last', 'due'])
    expect([find(act(turned, press('escape')), 'due').focused, act(turned, click('root')).windows[0]!.focus]).toEqual([
      true,
      'due',
    ])
  })

  it('[C24] give room from one pane to the other, as much as there is', () => {
    const split = desktop(
      window(
        'Split',
        pane(
          'Both',
          { bounds: rect(110, 140, 300, 100) },
          pane(
            'Left',
            { id: 'left', bounds: rect(110, 140, 140, 100) },
            text('wide', { id: 'wide', bounds: rect(120, 150, 120, 20) }),
          ),
          element('Splitter', '', { id: 'bar', bounds: rect(250, 140, 8, 100) }),
          pane('Right', { id: 'right', bounds: rect(258, 140, 152, 100) }),
        ),
      ),
    )
    const after = act(split, drag({ x: 254, y: 190 }, { x: 304, y: 190 }))
    expect(['left', 'bar', 'right', 'wide'].map((id) => find(after, id).bounds)).toEqual([
      rect(110, 140, 190, 100),
      rect(300, 140, 8, 100),
      rect(308, 140, 102, 100),
      rect(120, 150, 170, 20),
    ])
    expect(find(act(split, drag({ x: 254, y: 190 }, { x: 700, y: 190 })), 'right').bounds.width).toBe(24)
  })

  it('[C24] take the keyboard by a click, Tab and focus, and are moved by arrows then', () => {
    const split = desktop(
      window(
        'Split',
        pane(
          'Both',
          { bounds: rect(110, 140, 300, 100) },
          edit('Left', { id: 'left', bounds: rect(110, 140, 140, 100) }),
          element('Splitter', '', { id: 'bar', bounds: rect(250, 140, 8, 100) }),
          edit('Right', { id: 'right', bounds: rect(258, 140, 152, 100) }),
        ),
      ),
    )
    const ways = [click('bar'), focus('bar'), (on: Desktop) => act(on, focus('left'), press('tab'))]
    for (const way of ways) {
      const wider = act(split, way, press('right', 'down'))
      expect([find(wider, 'bar').focused, find(wider, 'left').bounds.width]).toEqual([true, 156])
      expect(find(act(wider, press('left', 'left')), 'left').bounds.width).toBe(124)
    }
    const others = desktop(
      window(
        'Others',
        element(
          'SplitPane',
          '',
          { id: 'panes' },
          slider('Volume', { id: 'volume' }, element('Thumb', '', { id: 'thumb' })),
          text('Hint', { id: 'hint' }),
        ),
      ),
    )
    expect(find(act(others, click('thumb')), 'volume').focused).toBe(true)
    expect(find(act(others, click('thumb'), click('hint')), 'volume').focused).toBe(true)
    expect(find(act(others, press('tab')), 'volume').focused).toBe(true)
  })

  it('[V6] click through a tooltip what stands below it', () => {
    const tip = desktop(
      window(
        'Tips',
        button(
          'Save',
          { id: 'save', bounds: rect(120, 140, 80, 30) },
          element('ToolTip', 'Writes', { id: 'tip', bounds: rect(0, 0, 120, 24) }),
        ),
        checkbox('Under', { id: 'under', bounds: rect(120, 172, 300, 40) }),
      ),
    )
    const shown = act(tip, hover('save'))
    const { bounds } = find(shown, 'tip')
    const ticked = act(shown, clickAt(centerOf(bounds)))
    expect([find(ticked, 'under').selected, find(ticked, 'tip').expanded]).toEqual([true, false])
  })

  it('[C23] keep the calendar clear of the panel', () => {
    const low = desktop(
      { panel: true },
      window('Low', element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', bounds: rect(120, 480, 160, 30) })),
    )
    expect(find(act(low, click('due')), 'due').traits?.popup?.y).toBe(480 - 272)
  })

  it('[C25] show a tooltip while the pointer rests on its owner', () => {
    const tip = desktop(
      window(
        'Tips',
        button(
          'Save',
          { id: 'save' },
          element('ToolTip', 'Writes the file', { id: 'tip', bounds: rect(0, 0, 120, 24) }),
        ),
        edit('Other', { id: 'other' }),
      ),
    )
    const shown = act(tip, hover('save'))
    expect(find(shown, 'tip')).toMatchObject({
      expanded: true,
      bounds: { x: shown.pointer.x + 12, y: shown.pointer.y + 20 },
    })
    expect(find(act(tip, hover('save', 100)), 'tip').expanded).toBeUndefined()
    expect(find(act(shown, hover('other')), 'tip').expanded).toBe(false)
  })

  it('[C25] keep a tooltip on its screen, and keys go past it', () => {
    const tip = element('ToolTip', 'Closes the window', { id: 'tip', bounds: rect(0, 0, 120, 24) })
    const away = button(
      'Away',
      { id: 'away', traits: { closes: true, presses: 'escape' }, bounds: rect(1230, 760, 50, 40) },
      tip,
    )
    const on = desktop(window('Tips', { bounds: rect(1000, 600, 280, 200) }, away))
    const shown = act(on, hover('away'))
    expect(find(shown, 'tip').bounds).toEqual({ x: 1160, y: 748, width: 120, height: 24 })
    expect(act(shown, press('escape')).windows).toEqual([])
  })

  it('[C26] open the menu of a split button by click and key', () => {
    const on = desktop(
      window(
        'Form',
        element('SplitButton', 'Send', { id: 'send' }, menuItem('Later', { id: 'later' }), menuItem('Now')),
      ),
    )
    expect(find(act(on, click('send')), 'send').expanded).toBe(true)
    const opened = act(on, focus('send'), press('enter'))
    expect(perform(opened, { type: 'key', keys: 'enter' }, { live: true }).pressed).toEqual([
      { window: 'mock:form', element: 'later' },
    ])
  })

  it('[B6] say what an action pressed, also by a key', () => {
    const on = desktop(
      window('Form', edit('Name', { id: 'name' }), button('OK', { id: 'ok', traits: { presses: 'enter' } })),
    )
    const before = act(on, focus('name'))
    expect(perform(before, { type: 'key', keys: 'enter' }, { live: true })).toEqual({
      desktop: before,
      pressed: [{ window: 'mock:form', element: 'ok' }],
    })
  })

  it('[B7] say what an action ticked, chose, turned to or unfolded, also by a key', () => {
    const on = desktop(
      window(
        'Form',
        checkbox('Tick', { id: 'tick', keyboardShortcut: 'F2' }),
        toggle('Dark', { id: 'dark', keyboardShortcut: 'F3' }),
        group(
          'Size',
          radioButton('S', { id: 's', selected: true, keyboardShortcut: 'F4' }),
          radioButton('L', { id: 'l', keyboardShortcut: 'F5' }),
        ),
        tab(
          'Pages',
          { id: 'tabs' },
          tabItem('One', { id: 'one', selected: true }),
          tabItem('Two', { id: 'two', keyboardShortcut: 'F6' }),
        ),
        element('Expander', 'More', { id: 'more', keyboardShortcut: 'F7' }, text('Hidden')),
        treeView('Tree', { id: 'tree' }, treeItem('Home', { id: 'home', keyboardShortcut: 'F8' }, treeItem('Docs'))),
        comboBox('Fruit', { id: 'fruit', keyboardShortcut: 'F9' }, listItem('Pear')),
        edit('Name', { id: 'name', keyboardShortcut: 'F11' }),
      ),
    )
    const pressed = (id: string, keys: string) =>
      perform(act(on, focus(id)), { type: 'key', keys }, { live: true }).pressed.map(({ element }) => element)
    const ways: readonly (readonly [string, string, ...string[]])[] = [
      ['tick', 'space', 'tick'],
      ['dark', 'space', 'dark'],
      ['dark', 'enter', 'dark'],
      ['s', 'space', 's'],
      ['s', 'down', 'l'],
      ['l', 'left', 's'],
      ['tabs', 'right', 'two'],
      ['tabs', 'end', 'two'],
      ['name', 'ctrl+tab', 'two'],
      ['more', 'enter', 'more'],
      ['name', 'f2', 'tick'],
      ['name', 'f3', 'dark'],
      ['name', 'f4', 's'],
      ['name', 'f5', 'l'],
      ['name', 'f6', 'two'],
      ['name', 'f7', 'more'],
      ['name', 'f8', 'home'],
      ['name', 'f9', 'fruit'],
      ['tick', 'f11'],
      ['tick', 'down'],
      ['tick', 'enter'],
      ['tabs', 'home'],
      ['name', 'tab'],
    ]
    expect(ways.map(([id, keys]) => [id, keys, ...pressed(id, keys)])).toEqual(ways)
  })

  it('[B9] say what keys, letters and the wheel chose, and what they only moved to is not chosen', () => {
    const on = desktop(
      window(
        'Form',
        comboBox('Fruit', { id: 'fruit' }, listItem('Apple', { id: 'Apple' }), listItem('Pear', { id: 'Pear' })),
        list('Mails', { id: 'mails' }, listItem('One', { id: 'One' }), listItem('Two', { id: 'Two' })),
        list(
          'Many',
          { id: 'many', traits: { multiSelect: true } },
          listItem('a', { id: 'a' }),
          listItem('b', { id: 'b' }),
        ),
        treeView('Tree', { id: 'tree' }, treeItem('Home', { id: 'home' }, treeItem('Docs', { id: 'Docs' }))),
        element(
          'DataGrid',
          'Grid',
          { id: 'grid' },
          element('DataItem', '', element('Cell', 'a', { id: 'c1' }), element('Cell', 'b', { id: 'c2' })),
        ),
        element('DatePicker', 'Due', { id: 'due', value: '2024-03-12' }),
      ),
    )
    const chosen = (id: string, ...keys: readonly string[]) => {
      const at = act(on, focus(id), press(...keys.slice(0, -1)))
      const { pressed } = perform(at, { type: 'key', keys: keys.at(-1)! }, { live: true })
      return pressed.map((each) => (each.chosen ? each.element : `pressed ${each.element}`))
    }
    const ways: readonly (readonly [readonly string[], ...string[]])[] = [
      [['fruit', 'down'], 'Apple'],
      [['fruit', 'p'], 'Pear'],
      [['fruit', 'end', 'down']],
      [['fruit', 'f4'], 'pressed fruit'],
      [['fruit', 'f4', 'down']],
      [['fruit', 'f4', 'down', 'enter'], 'Apple'],
      [['fruit', 'f4', 'escape']],
      [['mails', 'down'], 'One'],
      [['mails', 't'], 'Two'],
      [['mails', 'end', 'down']],
      [['mails', 'down', 'enter'], 'pressed One'],
      [['many', 'down', 'ctrl+down']],
      [['many', 'down', 'shift+down'], 'b'],
      [['tree', 'down'], 'home'],
      [['tree', 'down', 'right'], 'home'],
      [['tree', 'down', 'right', 'right'], 'Docs'],
      [['tree', 'down', 'right', 'right', 'left'], 'home'],
      [['grid', 'down'], 'c1'],
      [['grid', 'down', 'right'], 'c2'],
      [['due', 'space'], 'pressed due'],
      [['due', 'space', 'down', 'enter'], 'due.2024-03-19'],
    ]
    expect(ways.map(([[id, ...keys]]) => [[id, ...keys], ...chosen(id!, ...keys)])).toEqual(ways)
    const wheel = { type: 'scroll', at: centerOf(find(on, 'fruit').bounds), clicks: -1 } as const
    const { pressed } = perform(act(on, focus('fruit')), wheel, { live: true })
    expect(pressed).toEqual([{ window: 'mock:form', element: 'Apple', chosen: true }])
  })
})
