import { describe, expect, it } from 'vitest'
import { act, find, focus, press } from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import {
  button,
  checkbox,
  comboBox,
  desktop,
  edit,
  element,
  group,
  list,
  listItem,
  radioButton,
  tab,
  tabItem,
  text,
  toggle,
  treeItem,
  treeView,
  window,
} from '../model/builders.ts'
import { centerOf } from '../model/geometry.ts'

describe('controls', () => {
  it('[DT60] reports what an action pressed, also by a key', () => {
    const on = desktop(
      window('Form', edit('Name', { id: 'name' }), button('OK', { id: 'ok', traits: { presses: 'enter' } })),
    )
    const before = act(on, focus('name'))
    expect(performAction(before, { type: 'key', keys: 'enter' }, { isInteractive: true })).toEqual({
      desktop: before,
      pressed: [{ window: 'mock:form', element: 'ok' }],
    })
  })

  it('[DT61] reports what an action toggled, chose, selected or expanded, also by a key', () => {
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
      performAction(act(on, focus(id)), { type: 'key', keys }, { isInteractive: true }).pressed.map(
        ({ element }) => element,
      )
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

  it('[DT62] reports what keys, letters and the wheel chose, but not moves alone', () => {
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
      const { pressed } = performAction(at, { type: 'key', keys: keys.at(-1)! }, { isInteractive: true })
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
    const { pressed } = performAction(act(on, focus('fruit')), wheel, { isInteractive: true })
    expect(pressed).toEqual([{ window: 'mock:form', element: 'Apple', chosen: true }])
  })
})
