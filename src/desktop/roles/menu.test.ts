import { describe, expect, it } from 'vitest'
import {
  act,
  activate,
  changeElement,
  click,
  clickAt,
  find,
  focus,
  hover,
  invoke,
  press,
  scroll,
  select,
  type as typeText,
} from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import type { Action } from '../input/action.ts'
import {
  button,
  desktop,
  document,
  edit,
  element,
  list,
  listItem,
  menu,
  menuBar,
  menuItem,
  rect,
  window,
} from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { centerOf } from '../model/geometry.ts'
import { visibilityOf } from '../tree/visibility.ts'

const editor = () =>
  desktop(
    window(
      'Editor',
      menuBar(
        'Menu',
        { id: 'bar', bounds: rect(100, 132, 800, 24) },
        menuItem(
          'File',
          { id: 'file', bounds: rect(100, 132, 60, 24) },
          menuItem('New', { id: 'new', keyboardShortcut: 'Ctrl+N' }),
          menuItem('Recent', { id: 'recent' }, menuItem('a.txt', { id: 'a' }), menuItem('b.txt', { id: 'b' })),
          element('Separator', '', { id: 'line' }),
          menuItem('Close', { id: 'close', enabled: false }),
        ),
        menuItem(
          'View',
          { id: 'view', bounds: rect(160, 132, 60, 24) },
          menu(
            'View',
            { id: 'views' },
            menuItem('Wrap', { id: 'wrap', selected: false }),
            element('CheckMenuItem', 'Ruler', { id: 'ruler' }),
          ),
        ),
      ),
      document(
        'Body',
        { id: 'body', bounds: rect(100, 160, 800, 500) },
        menu('Context', { id: 'context' }, menuItem('Paste', { id: 'paste' })),
      ),
    ),
  )
const open = (on: Desktop) => ['file', 'recent', 'view', 'views', 'context'].filter((id) => find(on, id).expanded)
const pressed = (on: Desktop, action: Action) =>
  performAction(on, action, { isInteractive: true }).pressed.map(({ element }) => element)
const key = (keys: string): Action => ({ type: 'key', keys })
const clickOn = (on: Desktop, id: string): Action => ({
  type: 'click',
  at: centerOf(find(on, id).bounds),
  button: 'left',
  count: 1,
})

describe('menus', () => {
  it('[DT183] fold their items away until a click, and press one at a click, which closes them all', () => {
    expect(visibilityOf(find(editor(), 'file'), find(editor(), 'new'))).toBe('folded')
    const shown = act(editor(), click('file'))
    expect([open(shown), find(shown, 'new').bounds]).toEqual([['file'], rect(104, 160, 136, 28)])
    expect(pressed(shown, clickOn(shown, 'new'))).toEqual(['new'])
    expect(open(act(shown, click('new')))).toEqual([])
    expect(open(act(shown, click('close')))).toEqual(['file'])
    expect(open(act(shown, clickAt({ x: 600, y: 500 })))).toEqual([])
    expect(open(act(shown, click('file')))).toEqual([])
  })

  it('[DT184] open submenus beside them, by pointer or Right', () => {
    const nested = act(editor(), click('file'), click('recent'))
    expect([open(nested), find(nested, 'a').bounds.x]).toEqual([
      ['file', 'recent'],
      find(nested, 'recent').bounds.x + find(nested, 'recent').bounds.width + 4,
    ])
    expect(pressed(nested, clickOn(nested, 'b'))).toEqual(['b'])
    expect(open(act(editor(), click('file'), hover('recent')))).toEqual(['file', 'recent'])
    expect(open(act(editor(), click('file'), hover('view')))).toEqual(['view', 'views'])
    const off = changeElement(editor(), 'view', (item) => ({ ...item, enabled: false }))
    expect(open(act(off, click('file'), hover('view')))).toEqual(['file'])
  })

  it('[DT183] open to the left after one did not fit on the right', () => {
    const inner = menuItem('Inner', { id: 'inner' }, menuItem('Leaf', { id: 'leaf' }))
    const outer = menuItem('Outer', { id: 'outer' }, inner)
    const help = menuItem('Help', { id: 'help', bounds: rect(1200, 52, 60, 28) }, outer)
    const bar = menuBar('Menu', { bounds: rect(680, 52, 600, 28) }, help)
    const on = desktop(window('W', { bounds: rect(680, 20, 600, 400) }, bar))
    const nested = act(on, click('help'), click('outer'), click('inner'))
    const [first, second, third] = ['help', 'outer', 'inner'].map((id) => find(nested, id).traits!.popup!)
    expect([first!.x, second!.x, third!.x]).toEqual([1160, 1044, 928])
  })

  it('[DT188] open completely at a point without space below or above', () => {
    const items = Array.from({ length: 20 }, (_, place) => menuItem(`Entry ${place}`, { id: `e${place}` }))
    const page = document(
      'Page',
      { id: 'page', bounds: rect(100, 100, 600, 600) },
      menu('Context', { id: 'm' }, ...items),
    )
    const open = act(desktop(window('W', { bounds: rect(80, 60, 700, 700) }, page)), click('page', { button: 'right' }))
    expect(find(open, 'm').traits!.popup).toEqual(rect(400, 232, 120, 568))
  })

  it('[DT185] are driven by keys: alt and a letter, F10, arrows, letters, Enter, Escape', () => {
    const file = act(editor(), press('alt+f'))
    expect([open(file), find(file, 'file').traits!.current]).toEqual([['file'], 'new'])
    expect(pressed(file, key('enter'))).toEqual(['new'])
    expect(open(act(file, press('down', 'right')))).toEqual(['file', 'recent'])
    expect(open(act(file, press('down', 'right', 'left')))).toEqual(['file'])
    expect(open(act(file, press('right')))).toEqual(['view', 'views'])
    expect(pressed(act(file, press('down', 'right')), key('b'))).toEqual(['b'])
    expect(open(act(file, press('escape')))).toEqual([])
    expect(open(act(editor(), press('f10', 'left')))).toEqual(['view', 'views'])
    expect(find(act(file, press('down', 'down')), 'file').traits!.current).toBe('new')
  })

  it('[DT61] say that they were opened by keys', () => {
    const file = act(editor(), press('alt+f'))
    expect([pressed(editor(), key('alt+f')), pressed(editor(), key('f10'))]).toEqual([['file'], ['file']])
    expect(pressed(act(file, press('down')), key('right'))).toEqual(['recent'])
    expect(pressed(file, key('escape'))).toEqual([])
  })

  it('[DT63] take typed text like keys; after they close, text goes into the field', () => {
    const at = act(editor(), click('body'), press('alt+f'))
    const typed = act(at, typeText('n'))
    expect([open(typed), find(typed, 'body').value]).toEqual([[], null])
    expect(pressed(at, { type: 'type', text: 'n' })).toEqual(['new'])
    expect(find(act(at, typeText('noted')), 'body').value).toBe('oted')
    expect([open(act(at, typeText('xyz'))), open(act(at, typeText('r')))]).toEqual([['file'], ['file', 'recent']])
    expect(open(act(at, typeText('\t')))).toEqual([])
  })

  it('[DT186] press an item by its shortcut while they are closed, and never a disabled one', () => {
    expect(pressed(editor(), key('ctrl+n'))).toEqual(['new'])
  })

  it('[DT187] tick the items that can be ticked', () => {
    const ticked = act(editor(), click('view'), click('wrap'), click('view'), click('ruler'))
    expect([find(ticked, 'wrap').selected, find(ticked, 'ruler').selected, open(ticked)]).toEqual([true, true, []])
  })

  it('[DT187] have one choice among their RadioMenuItems, however it is made', () => {
    const sizes = desktop(
      window(
        'Editor',
        menuBar(
          '',
          { bounds: rect(100, 132, 800, 24) },
          menuItem(
            'Size',
            { id: 'size', bounds: rect(100, 132, 60, 24) },
            ...['Small', 'Medium', 'Large'].map((name) =>
              element('RadioMenuItem', name, {
                id: name,
                selected: name === 'Small',
                keyboardShortcut: `F${name.length}`,
              }),
            ),
            element('CheckMenuItem', 'Bold', { id: 'Bold' }),
          ),
        ),
        document('Body', { id: 'body', bounds: rect(100, 160, 800, 500), focused: true }),
      ),
    )
    const shown = act(sizes, click('size'))
    const chosen = (on: Desktop) => ['Small', 'Medium', 'Large', 'Bold'].filter((id) => find(on, id).selected)
    const ways = [
      act(shown, click('Medium')),
      act(shown, invoke('Medium')),
      act(shown, select('size', { name: 'Medium' })),
      act(shown, press('down', 'down', 'enter')),
      act(shown, press('m')),
      act(sizes, press('f6')),
    ]
    for (const on of ways)
      expect([chosen(on), find(on, 'size').expanded ?? false, find(on, 'body').focused]).toEqual([
        ['Medium'],
        false,
        true,
      ])
    expect(chosen(act(ways[0]!, press('f6', 'f6')))).toEqual(['Medium'])
    const bold = act(sizes, press('alt+s', 'b'))
    expect([chosen(bold), chosen(act(bold, click('size'), invoke('Bold')))]).toEqual([['Small', 'Bold'], ['Small']])
    expect(
      pressed(shown, { type: 'invoke', at: { x: 0, y: 0 }, target: { window: 'mock:editor', element: 'Bold' } }),
    ).toEqual(['Bold'])
  })

  it('[DT188] open at a right click, and at the focused element by the menu key', () => {
    const shown = act(editor(), clickAt({ x: 300, y: 400 }, { button: 'right' }))
    expect([open(shown), find(shown, 'paste').bounds]).toEqual([['context'], rect(304, 404, 112, 28)])
    expect(pressed(shown, clickOn(shown, 'paste'))).toEqual(['paste'])
    expect(open(act(editor(), focus('body'), press('menu')))).toEqual(['context'])
    expect(open(act(shown, press('escape')))).toEqual([])
  })

  it('[DT188] open by key at the current item while it is in view', () => {
    const rows = Array.from({ length: 12 }, (_, i) =>
      listItem(`Item ${i}`, { id: `i${i}`, bounds: rect(120, 150 + 28 * i, 200, 28) }),
    )
    const items = list(
      'Items',
      { id: 'list', bounds: rect(120, 150, 200, 112) },
      ...rows,
      menu('C', { id: 'm' }, menuItem('Copy')),
    )
    const on = act(desktop(window('List', items)), click('i1'))
    const top = (shown: Desktop) => find(shown, 'm').traits!.popup!.y
    expect(top(act(on, press('shift+f10')))).toBe(150 + 28 + 14)
    expect(top(act(on, scroll('list', -9), press('menu')))).toBe(150 + 56)
  })

  it('[DT189] offer their items as options', () => {
    expect(open(act(editor(), select('bar', { name: 'View' })))).toEqual(['view', 'views'])
    expect(find(act(editor(), click('view'), select('view', { name: 'wrap' })), 'wrap').selected).toBe(true)
  })

  it('[DT190] close when another window comes to the front', () => {
    const both = desktop(...editor().windows, window('Other', { uid: 'other' }, edit('A')))
    expect(open(act(both, click('file'), activate('other')))).toEqual([])
  })

  it('[DT191] a right click chooses the item it is over', () => {
    const on = desktop(
      window(
        'Files',
        list(
          'Files',
          { id: 'files' },
          listItem('a', { id: 'one' }),
          listItem('b', { id: 'two' }),
          menu('Context', { id: 'context' }, menuItem('Delete', { id: 'delete' })),
        ),
        button('OK'),
      ),
    )
    const shown = act(on, click('two', { button: 'right' }))
    expect([find(shown, 'two').selected, find(shown, 'context').expanded]).toEqual([true, true])
  })

  it('[DT192] keep the place that they have in a bar or menu while they are open', () => {
    const on = desktop(
      window(
        'Editor',
        menuBar(
          '',
          { bounds: rect(100, 132, 800, 24) },
          menu(
            'File',
            { id: 'file', bounds: rect(100, 132, 60, 24) },
            menuItem('New', { id: 'new' }),
            menu('Recent', { id: 'recent' }, menuItem('a.txt', { id: 'a' })),
          ),
        ),
        document('Body', { id: 'body', bounds: rect(100, 160, 800, 500) }),
      ),
    )
    const shown = act(on, click('file'))
    expect([find(shown, 'file').bounds, find(shown, 'new').bounds]).toEqual([
      rect(100, 132, 60, 24),
      rect(104, 160, 112, 28),
    ])
    const nested = act(shown, hover('recent'))
    expect([find(nested, 'recent').bounds, find(nested, 'recent').expanded]).toEqual([rect(104, 188, 112, 28), true])
    expect(find(nested, 'a').bounds.x).toBe(104 + 112 + 4)
    expect(find(act(nested, hover('new'), hover('recent')), 'recent').expanded).toBe(true)
    const again = act(nested, click('file'), click('file'))
    expect([find(again, 'file').expanded, find(again, 'new').bounds]).toEqual([true, rect(104, 160, 112, 28)])
  })

  it('[DT151] open the menu of a split button by click and key', () => {
    const on = desktop(
      window(
        'Form',
        element('SplitButton', 'Send', { id: 'send' }, menuItem('Later', { id: 'later' }), menuItem('Now')),
      ),
    )
    expect(find(act(on, click('send')), 'send').expanded).toBe(true)
    const opened = act(on, focus('send'), press('enter'))
    expect(performAction(opened, { type: 'key', keys: 'enter' }, { isInteractive: true }).pressed).toEqual([
      { window: 'mock:form', element: 'later' },
    ])
  })
})
