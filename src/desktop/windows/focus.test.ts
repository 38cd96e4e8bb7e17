import { describe, expect, it } from 'vitest'
import { act, click, clickAt, find, focus, press, type } from '../../../test/support/desktop/driver.ts'
import { apply, performAction } from '../apply/apply.ts'
import {
  button,
  checkbox,
  comboBox,
  desktop,
  edit,
  element,
  group,
  link,
  list,
  listItem,
  pane,
  radioButton,
  rect,
  tabItem,
  text,
  window,
} from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { walk } from '../model/element.ts'
import { encloses } from '../model/geometry.ts'
import { focusElement } from './focus.ts'

const form = () =>
  desktop(
    window(
      'Form',
      { uid: 'form' },
      text('Title'),
      edit('Name', { id: 'name' }),
      edit('Off', { id: 'off', enabled: false }),
      edit('Gone', { id: 'gone', traits: { hidden: true } }),
      group('Size', radioButton('S', { id: 's' }), radioButton('L', { id: 'l', selected: true })),
      list('List', { id: 'list' }, listItem('One', { id: 'one' })),
      checkbox('Tick', { id: 'tick' }),
      link('Help', { id: 'help' }),
      button('OK', { id: 'ok' }),
    ),
    window('Other', { uid: 'other' }, edit('Else', { id: 'else' })),
  )
const focused = (on: Desktop) =>
  on.windows.flatMap(({ tree }) => [...walk(tree)].filter((node) => node.focused).map(({ id }) => id))

describe('focus', () => {
  it('[DT72] stays on the button of a calendar whose month it turns', () => {
    const due = element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', bounds: rect(120, 150, 160, 30) })
    let on = act(desktop(window('Form', { uid: 'form' }, due)), click('due'))
    for (const id of ['due.previous', 'due.previous', 'due.next']) {
      on = act(on, click(id))
      expect([focused(on), on.windows[0]?.focus]).toEqual([[id], id])
    }
  })

  it('[DT64] moves in document order, skips elements that take no focus, and wraps around', () => {
    const visited = ['name', 'l', 'list', 'tick', 'help', 'ok', 'name']
    let on = form()
    for (const id of visited) {
      on = act(on, press('tab'))
      expect(focused(on)).toEqual([id])
    }
    expect(focused(act(on, press('shift+tab')))).toEqual(['ok'])
    expect(focused(act(form(), press('shift+tab')))).toEqual(['ok'])
  })

  it('[DT64] enters a group of radio buttons whose first or chosen one is hidden', () => {
    const group = (selected?: string) =>
      desktop(
        window(
          'Sizes',
          edit('Name', { id: 'name' }),
          radioButton('S', { id: 's', traits: { hidden: true }, selected: selected === 's' }),
          radioButton('M', { id: 'm', enabled: false }),
          radioButton('L', { id: 'l' }),
          radioButton('XL', { id: 'xl', selected: selected === 'xl' }),
        ),
      )
    const reached = (on: Desktop) => focused(act(on, focus('name'), press('tab')))
    expect([reached(group()), reached(group('s')), reached(group('xl'))]).toEqual([['l'], ['l'], ['xl']])
  })

  it('[DT64] stops once at a combo box, at its field', () => {
    const boxes = desktop(
      window(
        'Boxes',
        edit('Before', { id: 'before' }),
        comboBox('Free', { id: 'free' }, edit('Free', { id: 'inside' }), button('Open', { id: 'open' }), listItem('A')),
        comboBox('Fixed', { id: 'fixed' }, edit('Fixed', { id: 'shown', traits: { readOnly: true } }), listItem('A')),
        edit('After', { id: 'after' }),
      ),
    )
    const visited = (...keys: readonly string[]) => focused(act(boxes, focus('before'), press(...keys)))
    expect([visited('tab'), visited('tab', 'tab'), visited('tab', 'tab', 'tab')]).toEqual([
      ['inside'],
      ['fixed'],
      ['after'],
    ])
    expect(visited('shift+tab', 'shift+tab', 'shift+tab')).toEqual(['inside'])
    expect([focused(act(boxes, click('open'))), focused(act(boxes, click('shown')))]).toEqual([['inside'], ['fixed']])
  })

  it('[DT124] scrolls an element focused by key into view, but not one focused by click', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const inside = (role: string) => {
      const fields = names.map((id, line) =>
        edit(id, {
          id,
          bounds: rect(110, 150 + line * 40, 100, 30),
          ...(id === 'e' && { keyboardShortcut: 'Ctrl+E' }),
        }),
      )
      return desktop(window('Form', element(role, 'All', { id: 'all', bounds: rect(100, 140, 200, 100) }, ...fields)))
    }
    const seen = (on: Desktop, id: string) => encloses(find(on, 'all').bounds, find(on, id).bounds)
    for (const role of ['ScrollArea', 'Document']) {
      let on = act(inside(role), focus('a'))
      for (const id of ['b', 'c', 'd', 'e', 'f']) {
        on = act(on, press('tab'))
        expect([focused(on), seen(on, id)]).toEqual([[id], true])
      }
      for (const id of ['e', 'd', 'c', 'b', 'a']) {
        on = act(on, press('shift+tab'))
        expect([focused(on), seen(on, id)]).toEqual([[id], true])
      }
      expect(seen(act(on, type('x\ty\tz\t')), 'd')).toBe(true)
      expect([focused(act(on, press('ctrl+e'))), seen(act(on, press('ctrl+e')), 'e')]).toEqual([['e'], true])
      expect(seen(act(inside(role), press('shift+tab')), 'f')).toBe(true)
      expect(find(act(inside(role), clickAt({ x: 120, y: 235 })), 'c')).toMatchObject({
        focused: true,
        bounds: { y: 230 },
      })
    }
  })

  it('[DT65] is one on the whole desktop, and each window knows its own', () => {
    const on = act(form(), focus('name'), focus('else'))
    expect([focused(on), on.active, on.windows.map(({ uid, focus }) => [uid, focus])]).toEqual([
      ['else'],
      'other',
      [
        ['other', 'else'],
        ['form', 'name'],
      ],
    ])
  })

  it('[DT66] moves to the list of an item, and to any other target', () => {
    expect(focused(act(form(), focus('one')))).toEqual(['list'])
    expect(focused(act(form(), focus('root.0')))).toEqual(['root.0'])
    expect(() => act(form(), focus('off'))).toThrow(expect.objectContaining({ code: 'ElementDisabled' }))
    expect(() => act(form(), focus('gone'))).toThrow(expect.objectContaining({ code: 'ElementOccluded' }))
  })

  it('[DT69] can be taken away, and stays when a click hits nothing that takes it', () => {
    const on = act(form(), focus('name'))
    expect(focused(focusElement(on, undefined))).toEqual([])
    expect(focused(act(on, click('root.0')))).toEqual(['name'])
    const pages = desktop(
      window(
        'Pages',
        element('Tab', 'Pages', tabItem('One', { selected: true }), pane('One', text('Said', { id: 'said' }))),
        element('Expander', 'More', { expanded: true }, text('Held', { id: 'held' })),
        edit('Name', { id: 'name' }),
      ),
    )
    for (const id of ['said', 'held']) expect(focused(act(pages, focus('name'), click(id)))).toEqual(['name'])
    expect(focused(act(pages, focus('said')))).toEqual(['said'])
  })

  it('[DT67] stays in a window whose root is the target, or moves to the root', () => {
    const on = act(form(), focus('name'), focus('else'), focus('root'))
    expect([on.active, focused(on)]).toEqual(['other', ['else']])
    expect(focused(act(form(), focus('root')))).toEqual(['root'])
  })

  it('[DT68] at a menu item opens its menu by Enter, Space and Down', () => {
    const bar = desktop(
      window(
        'W',
        element(
          'MenuBar',
          'Bar',
          element('MenuItem', 'File', { id: 'file' }, element('MenuItem', 'Open', { id: 'open' })),
          element('MenuItem', 'Help', { id: 'help' }),
        ),
        button('OK', { id: 'ok' }),
      ),
    )
    const on = act(bar, focus('file'))
    expect(focused(on)).toEqual(['file'])
    for (const key of ['enter', 'space', 'down']) expect(find(act(on, press(key)), 'file').expanded).toBe(true)
    const open = act(on, press('enter'), focus('open'))
    expect(find(open, 'file').traits?.current).toBe('open')
    expect(
      performAction(open, { type: 'key', keys: 'enter' }, { isInteractive: true }).pressed.map((each) => each.element),
    ).toEqual(['open'])
  })

  it('[DT70] costs only the way to it: everything else keeps its identity', () => {
    const before = act(form(), focus('name'))
    const after = act(before, press('tab'))
    const [tree, next] = [before.windows[0]!.tree, after.windows[0]!.tree]
    expect(next.children.map((child, index) => child === tree.children[index])).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
      true,
      true,
      true,
    ])
    expect(after.windows[1]).toBe(before.windows[1])
    expect(act(after, focus('l'))).toBe(after)
  })
})

describe('inert controls', () => {
  it('[DT59] move the focus and take text, and do nothing else', () => {
    const inert = (on: Desktop, ...actions: Parameters<typeof apply>[1][]) =>
      actions.reduce((next, action) => apply(next, action, { isInteractive: false }), on)
    const target = { window: 'form', element: 'tick' }
    const clicked = inert(form(), { type: 'click', at: { x: 0, y: 0 }, button: 'left', count: 1, target })
    expect([find(clicked, 'tick').selected, focused(clicked)]).toEqual([undefined, ['tick']])
    const typed = inert(
      form(),
      {
        type: 'set_value',
        target: { window: 'form', element: 'name' },
        at: { x: 0, y: 0 },
        value: 'alice',
        clearFirst: true,
      },
      { type: 'type', text: '!' },
    )
    expect(find(typed, 'name').value).toBe('alice!')
    expect(inert(typed, { type: 'key', keys: 'tab' })).toBe(typed)
    expect(() => inert(form(), { type: 'type', text: 'x' })).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  })

  it('[DT55] rejects typing while a button has the focus', () => {
    expect(() => act(form(), focus('ok'), type('x'))).toThrow(
      'the Button "OK" has the keyboard and takes no text; click or focus a field first',
    )
  })
})
