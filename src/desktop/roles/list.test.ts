import { describe, expect, it } from 'vitest'
import {
  act,
  changeTree,
  click,
  clickAt,
  drag,
  find,
  focus,
  invoke,
  press,
  scroll,
  select,
  setValue,
  states,
  type,
} from '../../../test/support/desktop/driver.ts'
import { hitTest } from '../hit.ts'
import { button, comboBox, desktop, edit, element, list, listItem, rect, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { pathOf, walk } from '../model/element.ts'
import { centerOf } from '../model/geometry.ts'
import { without } from '../tree/tree-edits.ts'
import { visibilityOf } from '../tree/visibility.ts'
import { shownBounds } from '../visible-bounds.ts'

describe('lists', () => {
  const names = Array.from({ length: 12 }, (_, index) => `Item ${index}`)
  const items = (many: boolean) =>
    desktop(
      window(
        'Lists',
        list(
          'List',
          { id: 'list', bounds: rect(120, 150, 200, 112), traits: { multiSelect: many } },
          ...names.map((name, index) =>
            listItem(name, { id: `i${index}`, bounds: rect(120, 150 + index * 28, 188, 28) }),
          ),
          element('ScrollBar', '', { id: 'bar', bounds: rect(308, 150, 12, 112) }),
        ),
      ),
    )
  const chosen = (on: Desktop) => names.filter((_, index) => find(on, `i${index}`).selected)

  it('[DT121] take the focus themselves and mark the selected item', () => {
    const after = act(items(false), click('i1'), press('down'))
    expect([chosen(after), find(after, 'list').focused]).toEqual([['Item 2'], true])
    expect(chosen(act(after, press('end')))).toEqual(['Item 11'])
    expect(chosen(act(after, press('home', 'up')))).toEqual(['Item 0'])
  })

  it('[DT121] continue at the index of the current item when it is removed', () => {
    const removed = (on: Desktop, id: string) => changeTree(on, (tree) => without(tree, pathOf(tree, id)!))
    const after = removed(act(items(false), click('i2')), 'i2')
    expect([find(after, 'list').traits?.current, find(after, 'i3').selected]).toEqual(['i3', undefined])
    const chosenIn = (on: Desktop) => [...walk(find(on, 'list'))].filter(({ selected }) => selected).map(({ id }) => id)
    expect([chosenIn(act(after, press('down'))), chosenIn(act(after, press('up')))]).toEqual([['i4'], ['i1']])
    const last = removed(act(items(true), click('i0'), press('end')), 'i11')
    expect(chosenIn(act(last, press('up')))).toEqual(['i9'])
    expect(chosenIn(act(removed(act(items(true), click('i2')), 'i2'), press('shift+down')))).toEqual(['i3', 'i4'])
    expect(chosenIn(act(removed(act(items(false), click('i2')), 'i1'), press('down')))).toEqual(['i3'])
  })

  it('[DT122] find the item that begins as typed', () => {
    expect(chosen(act(items(false), click('i1'), type('item 7')))).toEqual(['Item 7'])
    expect(chosen(act(items(false), click('i1'), press('i', 'i')))).toEqual(['Item 3'])
  })

  it('[DT123] take several items by ctrl and shift, where they may', () => {
    const several = act(items(true), click('i0'), click('i2', { modifiers: ['ctrl'] }))
    expect(chosen(several)).toEqual(['Item 0', 'Item 2'])
    expect(chosen(act(several, click('i2', { modifiers: ['ctrl'] })))).toEqual(['Item 0'])
    expect(chosen(act(items(true), click('i1'), press('shift+down', 'shift+down')))).toEqual([
      'Item 1',
      'Item 2',
      'Item 3',
    ])
    expect(chosen(act(items(true), click('i1'), press('ctrl+a')))).toEqual(names)
    expect(chosen(act(items(false), click('i1'), click('i2', { modifiers: ['ctrl'] })))).toEqual(['Item 2'])
  })

  it('[DT124] scroll the selection into view, by the wheel and by their scrollbar', () => {
    const far = act(items(false), click('i1'), press('end'))
    expect(find(far, 'i11').bounds).toEqual(rect(120, 234, 188, 28))
    expect(find(far, 'bar')).toMatchObject({ valueNow: 224, valueMin: 0, valueMax: 224 })
    expect(find(act(far, scroll('list', 1)), 'i11').bounds.y).toBe(294)
    expect(act(far, scroll('list', -1)).windows).toBe(far.windows)
    const middle = act(far, scroll('list', 2), drag({ x: 314, y: 190 }, { x: 314, y: 260 }))
    expect(find(middle, 'bar').valueNow).toBe(224)
  })

  it('[DT125] are scrolled by the thin bar over their edge, which leaves the row under it alone', () => {
    const rows = Array.from({ length: 12 }, (_, i) =>
      listItem(`Item ${i}`, { id: `i${i}`, bounds: rect(120, 150 + 28 * i, 200, 28) }),
    )
    const on = desktop(window('List', list('Items', { id: 'list', bounds: rect(120, 150, 200, 112) }, ...rows)))
    const offset = (after: Desktop) => find(after, 'list').traits?.scrolled?.y ?? 0
    const paged = act(on, clickAt({ x: 314, y: 250 }))
    expect([offset(paged), find(paged, 'i3').selected ?? false, find(paged, 'list').focused]).toEqual([
      110,
      false,
      true,
    ])
    expect(offset(act(paged, clickAt({ x: 314, y: 152 })))).toBe(0)
    expect(act(paged, clickAt({ x: 314, y: 210 })).windows).toBe(paged.windows)
    const dragged = act(on, drag({ x: 314, y: 160 }, { x: 314, y: 400 }))
    expect([offset(dragged), offset(act(dragged, drag({ x: 314, y: 250 }, { x: 250, y: 0 })))]).toEqual([224, 0])
    expect(find(act(on, clickAt({ x: 305, y: 160 })), 'i0').selected).toBe(true)
  })

  it('[DT127] hold ten thousand rows of which only those in view are elements', () => {
    const rows = {
      names: Array.from({ length: 10_000 }, (_, i) => `Row ${i}`),
      height: 20,
      selected: [],
      current: -1,
      anchor: -1,
    }
    const long = desktop(
      window('Long', list('Rows', { id: 'rows', bounds: rect(120, 150, 200, 100), traits: { rows } })),
    )
    const end = act(long, focus('rows'), press('end'))
    expect(find(end, 'rows').children.map(({ name, selected }) => [name, selected])).toEqual([
      ['Row 9995', false],
      ['Row 9996', false],
      ['Row 9997', false],
      ['Row 9998', false],
      ['Row 9999', true],
    ])
    const typed = act(end, type('Row 42'))
    expect(find(typed, 'rows').traits!.rows!.selected).toEqual([42])
    expect(find(act(typed, click('rows.row-43')), 'rows.row-43').selected).toBe(true)
    expect(find(act(typed, select('rows', { index: 5000 })), 'rows.row-5000')).toMatchObject({ selected: true })
  })

  it('[DT128] say which options they have when one is asked for that they have not', () => {
    expect(() => act(items(false), select('list', { name: 'Nothing' }))).toThrow(
      'there is no option "Nothing"; there are 12 options, such as ',
    )
  })
})

it('[DT129] options that are disabled are refused as disabled, and count for positions', () => {
  const off = [listItem('NO', { id: 'no' }), listItem('FR', { id: 'fr', enabled: false }), listItem('SE', { id: 'se' })]
  const bounds = rect(120, 150, 200, 30)
  const land = desktop(
    window(
      'Form',
      comboBox('Land', { id: 'land', value: 'NO', bounds }, ...off),
      list('Other', { id: 'other' }, ...off),
      element(
        'Tab',
        'Pages',
        { id: 'pages' },
        ...['NO', 'FR', 'SE'].map((name) =>
          element('TabItem', name, { id: `tab-${name}`, enabled: name !== 'FR', selected: false }),
        ),
      ),
    ),
  )
  for (const holder of ['land', 'other', 'pages'])
    for (const name of ['FR', 'fr'])
      expect(() => act(land, select(holder, { name }))).toThrow('the option "FR" is disabled')
  for (const holder of ['land', 'pages']) {
    expect(() => act(land, select(holder, { index: 1 }))).toThrow('the option "FR" is disabled')
    expect(() => act(land, select(holder, { name: 'XX' }))).toThrow(
      'there is no option "XX"; the options are "NO", "FR", "SE"',
    )
  }
  expect(find(act(land, select('land', { index: 2 })), 'land').value).toBe('SE')
  expect(find(act(land, select('pages', { index: 2 })), 'tab-SE').selected).toBe(true)
})

describe('combo boxes', () => {
  const land = (count = 3) =>
    desktop(
      window(
        'Form',
        comboBox(
          'Land',
          { id: 'land', value: 'France', bounds: rect(120, 150, 200, 30) },
          ...['Chile', 'France', 'Ghana', ...Array.from({ length: count - 3 }, (_, i) => `Land ${i}`)].map((name) =>
            listItem(name, { id: name }),
          ),
        ),
        button('Below', { id: 'below', bounds: rect(120, 190, 200, 30) }),
      ),
    )
  const shown = (on: Desktop) => visibilityOf(find(on, 'land'), find(on, 'land').children[0]!)

  it('[DT130] fold their options away until a click opens them below, above other elements', () => {
    expect(shown(land())).toBe('folded')
    const open = act(land(), click('land'))
    expect([shown(open), find(open, 'land').expanded]).toEqual(['popup', true])
    expect(find(open, 'Chile').bounds).toEqual(rect(124, 184, 192, 28))
    expect(hitTest(open, centerOf(find(open, 'below').bounds))).toMatchObject({ element: { id: 'Chile' } })
    const done = act(open, click('Ghana'))
    expect([find(done, 'land').value, find(done, 'land').expanded, find(done, 'Ghana').selected]).toEqual([
      'Ghana',
      false,
      true,
    ])
  })

  it('[DT131] are driven by keys, open and closed; Escape keeps the value', () => {
    expect(find(act(land(), focus('land'), press('down')), 'land').value).toBe('Ghana')
    expect(find(act(land(), focus('land'), press('c')), 'land').value).toBe('Chile')
    const open = act(land(), focus('land'), press('alt+down', 'down'))
    expect(find(open, 'land')).toMatchObject({ value: 'France', traits: { current: 'Ghana' } })
    expect(find(act(open, press('enter')), 'land')).toMatchObject({ value: 'Ghana', expanded: false })
    expect(find(act(open, press('escape')), 'land')).toMatchObject({ value: 'France', expanded: false })
    expect(find(act(open, click('root')), 'land')).toMatchObject({ value: 'France', expanded: false })
  })

  it('[DT132] take an option by name or number, and no other text unless they have a field for it', () => {
    expect(find(act(land(), select('land', { name: 'Chile' })), 'land').value).toBe('Chile')
    expect(find(act(land(), setValue('land', 'ghana')), 'land').value).toBe('Ghana')
    expect(() => act(land(), setValue('land', 'Atlantis'))).toThrow(
      expect.objectContaining({ code: 'ElementNotFound' }),
    )
    const free = desktop(
      window('Form', comboBox('Free', { id: 'free' }, edit('Free', { id: 'inside' }), list('', listItem('A')))),
    )
    expect(find(act(free, setValue('free', 'Atlantis')), 'free').value).toBe('Atlantis')
    expect(find(act(free, select('free', { name: 'A' })), 'inside').value).toBe('A')
  })

  describe('with a text field', () => {
    const free = () =>
      desktop(
        window(
          'Form',
          comboBox(
            'Number',
            { id: 'number', value: 'One', bounds: rect(120, 150, 200, 30) },
            edit('Number', { id: 'inside', value: 'One', bounds: rect(120, 150, 170, 30) }),
            ...['One', 'Two', 'Three'].map((name) => listItem(name, { id: name })),
          ),
        ),
      )
    const typing = (...keys: string[]) => act(free(), focus('inside'), press(...keys))
    const values = (on: Desktop) => ['number', 'inside'].map((id) => find(on, id).value)

    it('[DT133] have one value, whether it is typed, set or chosen', () => {
      expect(values(typing('ctrl+a', 'x', 'y'))).toEqual(['xy', 'xy'])
      expect(values(act(free(), setValue('inside', 'abc')))).toEqual(['abc', 'abc'])
      expect(values(act(free(), setValue('number', 'abc')))).toEqual(['abc', 'abc'])
      expect(values(act(typing('x', 'y', 'z'), press('ctrl+z')))).toEqual(['Onexy', 'Onexy'])
      const chosen = act(free(), setValue('inside', 'Two'))
      expect([values(chosen), ...states(chosen, 'One', 'Two')]).toEqual([['Two', 'Two'], false, true])
    })

    it('[DT133] focus it, at any click', () => {
      const at = (on: Desktop) => on.windows[0]!.focus
      const open = act(free(), clickAt({ x: 310, y: 165 }))
      expect([at(open), find(open, 'number').expanded]).toEqual(['inside', true])
      expect([at(act(free(), focus('number'))), at(act(free(), invoke('number')))]).toEqual(['inside', 'inside'])
      expect(values(act(open, press('ctrl+a', 't', 'h', 'enter')))).toEqual(['Three', 'Three'])
      expect(values(act(free(), focus('number'), scroll('number', -1)))).toEqual(['Two', 'Two'])
    })

    it('[DT133] are driven from it by the keys that it has no use for', () => {
      expect(values(typing('down'))).toEqual(['Two', 'Two'])
      expect(values(typing('down', 'down', 'up'))).toEqual(['Two', 'Two'])
      for (const keys of ['alt+down', 'f4']) expect(find(typing(keys), 'number').expanded).toBe(true)
      expect(values(typing('alt+down', 'down', 'enter'))).toEqual(['Two', 'Two'])
      expect(find(typing('f4', 'f4'), 'number').expanded).toBe(false)
      const left = typing('alt+down', 'down', 'escape')
      expect([values(left), find(left, 'number').expanded]).toEqual([['One', 'One'], false])
    })

    it('[DT133] highlight the option that begins with the typed text while open', () => {
      const open = typing('ctrl+a', 'alt+down', 't', 'h')
      expect([values(open), find(open, 'number').traits?.current]).toEqual([['th', 'th'], 'Three'])
      expect(values(act(open, press('enter')))).toEqual(['Three', 'Three'])
      const other = act(open, press('x', 'enter'))
      expect([values(other), find(other, 'number').expanded]).toEqual([['thx', 'thx'], false])
    })
  })

  it('[DT134] scroll when not all options fit on the screen', () => {
    const open = act(land(60), click('land'))
    const popup = find(open, 'land').traits!.popup!
    expect(popup).toEqual(rect(120, 180, 200, 620))
    const far = act(open, press('end'))
    const { tree } = far.windows[0]!
    const seen = ['Chile', 'Land 56'].map((id) => shownBounds(tree, pathOf(tree, id)!) !== undefined)
    expect(seen).toEqual([false, true])
    expect(find(far, 'Land 56').bounds.y).toBe(popup.y + popup.height - 4 - 28)
    expect(hitTest(far, { x: 200, y: 170 })).toMatchObject({ element: { id: 'land' } })
    expect(find(act(far, click('Land 56')), 'land').value).toBe('Land 56')
  })

  it('[DT125] [DT134] stay open while their thin bar is clicked and dragged', () => {
    const open = act(land(60), click('land'))
    const first = (on: Desktop) => find(on, 'Chile').bounds.y
    const down = act(open, drag({ x: 314, y: 200 }, { x: 314, y: 799 }))
    expect([find(down, 'land').expanded, find(down, 'Land 56').bounds.y]).toEqual([true, 800 - 4 - 28])
    const paged = act(open, clickAt({ x: 314, y: 790 }))
    expect([find(paged, 'land').expanded, first(open) - first(paged)]).toEqual([true, 618])
  })

  it('[DT134] scroll as a whole by the wheel where a list holds their options', () => {
    const options = Array.from({ length: 60 }, (_, i) => listItem(`Land ${i}`, { id: `l${i}` }))
    const closed = desktop(
      window('W', comboBox('Land', { id: 'land', bounds: rect(120, 150, 200, 30) }, list('Lands', ...options))),
    )
    const open = act(closed, click('land'))
    const wheeled = act(open, scroll('l9', -5))
    expect(find(wheeled, 'l0').bounds.y - find(open, 'l0').bounds.y).toBe(-5 * 3 * 28)
    const again = act(wheeled, press('escape'), click('land'), scroll('l9', 5))
    expect(find(again, 'l0').bounds.y).toBe(find(open, 'l0').bounds.y)
  })
})
