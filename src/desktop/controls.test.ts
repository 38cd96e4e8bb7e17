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
  menuBar,
  menuItem,
  pane,
  radioButton,
  rect,
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
import { changeWindow, type Desktop } from './desktop.ts'
import {
  act,
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
  type,
} from './driver.ts'
import { changeAt, type Element, pathOf, walk } from './element.ts'
import { foldOf } from './fold.ts'
import { centerOf, type Rect } from './geometry.ts'
import { hitTest } from './hit.ts'
import { moved } from './placing.ts'
import { without } from './removal.ts'
import { shownBounds } from './visible.ts'

const changeTree = (on: Desktop, change: (tree: Element) => Element): Desktop =>
  on.windows.reduce(
    (next, { uid }) => changeWindow(next, uid, (window) => ({ ...window, tree: change(window.tree) })),
    on,
  )
const changeElement = (on: Desktop, id: string, change: (element: Element) => Element): Desktop =>
  changeTree(on, (tree) => changeAt(tree, pathOf(tree, id)!, change))
const changeBounds = (on: Desktop, id: string, bounds: Rect): Desktop =>
  changeElement(on, id, (element) => ({ ...element, bounds }))

const rectOf = (...[x, y, width, height]: [number, number, number, number]) => ({ bounds: rect(x, y, width, height) })

const states = (on: Desktop, ...ids: string[]) => ids.map((id) => find(on, id).selected ?? false)

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

  it('[C3] are one of a group, which arrows and an option can choose as well', () => {
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

  it('[C4] have the keyboard themselves and mark the item chosen', () => {
    const after = act(items(false), click('i1'), press('down'))
    expect([chosen(after), find(after, 'list').focused]).toEqual([['Item 2'], true])
    expect(chosen(act(after, press('end')))).toEqual(['Item 11'])
    expect(chosen(act(after, press('home', 'up')))).toEqual(['Item 0'])
  })

  it('[C4] go on from where the item at the keyboard was when it is removed', () => {
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

  it('[C5] find the item that begins as typed', () => {
    expect(chosen(act(items(false), click('i1'), type('item 7')))).toEqual(['Item 7'])
    expect(chosen(act(items(false), click('i1'), press('i', 'i')))).toEqual(['Item 3'])
  })

  it('[C6] take several items by ctrl and shift, where they may', () => {
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

  it('[C7] scroll what is chosen into view, by the wheel and by their bar', () => {
    const far = act(items(false), click('i1'), press('end'))
    expect(find(far, 'i11').bounds).toEqual(rect(120, 234, 188, 28))
    expect(find(far, 'bar')).toMatchObject({ valueNow: 224, valueMin: 0, valueMax: 224 })
    expect(find(act(far, scroll('list', 1)), 'i11').bounds.y).toBe(294)
    expect(act(far, scroll('list', -1)).windows).toBe(far.windows)
    const middle = act(far, scroll('list', 2), drag({ x: 314, y: 190 }, { x: 314, y: 260 }))
    expect(find(middle, 'bar').valueNow).toBe(224)
  })

  it('[C8] hold ten thousand rows of which only those in view are elements', () => {
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

  it('[C9] say which options they have when one is asked for that they have not', () => {
    expect(() => act(items(false), select('list', { name: 'Nothing' }))).toThrow(
      'there is no option "Nothing"; there are 12 options',
    )
  })
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
  const shown = (on: Desktop) => foldOf(find(on, 'land'), find(on, 'land').children[0]!)

  it('[C10] fold their options away until a click opens them below, over what stands there', () => {
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

  it('[C11] are driven by keys, open and closed; Escape keeps the value', () => {
    expect(find(act(land(), focus('land'), press('down')), 'land').value).toBe('Ghana')
    expect(find(act(land(), focus('land'), press('c')), 'land').value).toBe('Chile')
    const open = act(land(), focus('land'), press('alt+down', 'down'))
    expect(find(open, 'land')).toMatchObject({ value: 'France', traits: { current: 'Ghana' } })
    expect(find(act(open, press('enter')), 'land')).toMatchObject({ value: 'Ghana', expanded: false })
    expect(find(act(open, press('escape')), 'land')).toMatchObject({ value: 'France', expanded: false })
    expect(find(act(open, click('root')), 'land')).toMatchObject({ value: 'France', expanded: false })
  })

  it('[C12] take an option by name or number, and no other text unless they have a field for it', () => {
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

    it('[C30] have one value, whether it is typed, set or chosen', () => {
      expect(values(typing('ctrl+a', 'x', 'y'))).toEqual(['xy', 'xy'])
      expect(values(act(free(), setValue('inside', 'abc')))).toEqual(['abc', 'abc'])
      expect(values(act(free(), setValue('number', 'abc')))).toEqual(['abc', 'abc'])
      expect(values(act(typing('x', 'y', 'z'), press('ctrl+z')))).toEqual(['Onexy', 'Onexy'])
      const chosen = act(free(), setValue('inside', 'Two'))
      expect([values(chosen), ...states(chosen, 'One', 'Two')]).toEqual([['Two', 'Two'], false, true])
    })

    it('[C30] are driven from it by the keys that it has no use for', () => {
      expect(values(typing('down'))).toEqual(['Two', 'Two'])
      expect(values(typing('down', 'down', 'up'))).toEqual(['Two', 'Two'])
      for (const keys of ['alt+down', 'f4']) expect(find(typing(keys), 'number').expanded).toBe(true)
      expect(values(typing('alt+down', 'down', 'enter'))).toEqual(['Two', 'Two'])
      expect(find(typing('f4', 'f4'), 'number').expanded).toBe(false)
      const left = typing('alt+down', 'down', 'escape')
      expect([values(left), find(left, 'number').expanded]).toEqual([['One', 'One'], false])
    })

    it('[C30] mark what begins as it is typed while they are open', () => {
      const open = typing('ctrl+a', 'alt+down', 't', 'h')
      expect([values(open), find(open, 'number').traits?.current]).toEqual([['th', 'th'], 'Three'])
      expect(values(act(open, press('enter')))).toEqual(['Three', 'Three'])
      const other = act(open, press('x', 'enter'))
      expect([values(other), find(other, 'number').expanded]).toEqual([['thx', 'thx'], false])
    })
  })

  it('[C13] scroll more options than the screen has room for', () => {
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
  })
})

describe('tables, dates, split panes and tooltips', () => {
  const grid = (role: string) =>
    desktop(
      window(
        'Sheet',
        element(
          role,
          'Prices',
          { id: 'grid', bounds: rect(110, 140, 200, 200) },
          element(
            'Header',
            '',
            { bounds: rect(110, 140, 200, 28) },
            ...['Name', 'Price'].map((name, i) =>
              element('HeaderItem', name, { id: name, bounds: rect(110 + i * 100, 140, 100, 28) }),
            ),
          ),
          ...[
            ['pear', '10'],
            ['apple', '9'],
            ['fig', '1,000'],
          ].map((cells, line) =>
            element(
              'DataItem',
              cells[0]!,
              { id: `row${line}`, bounds: rect(110, 168 + line * 28, 200, 28) },
              ...cells.map((value, i) =>
                element('Cell', '', {
                  id: `c${line}${i}`,
                  value,
                  bounds: rect(110 + i * 100, 168 + line * 28, 100, 28),
                }),
              ),
            ),
          ),
        ),
      ),
    )
  const order = (on: Desktop) =>
    find(on, 'grid')
      .children.slice(1)
      .map(({ id, bounds }) => [id, bounds.y])

  it('[C20] sort by a click on a header, numbers as numbers, and back by another', () => {
    expect(order(act(grid('Table'), click('Name')))).toEqual([
      ['row1', 168],
      ['row2', 196],
      ['row0', 224],
    ])
    expect(order(act(grid('Table'), click('Price')))).toEqual([
      ['row1', 168],
      ['row0', 196],
      ['row2', 224],
    ])
    const back = act(grid('Table'), click('Price'), click('Price'))
    expect([order(back)[0], find(back, 'Price').traits]).toEqual([['row2', 168], { sorted: 'descending' }])
  })

  it('[C7] keep their header in sight: rows scrolled under it are neither hit nor shown', () => {
    const small = changeBounds(grid('Table'), 'grid', rect(110, 140, 200, 56))
    const scrolled = act(small, scroll('row0', -1))
    expect(['Name', 'row1', 'row2'].map((id) => find(scrolled, id).bounds.y)).toEqual([140, 140, 168])
    expect(states(act(scrolled, click('Name')), 'row0', 'row1', 'row2')).toEqual([false, false, false])
    expect(find(act(scrolled, click('Name')), 'Name').traits).toEqual({ sorted: 'ascending' })
    const shownOf = (on: Desktop, id: string) => shownBounds(on.windows[0]!.tree, pathOf(on.windows[0]!.tree, id)!)
    expect(['Name', 'row1', 'c20'].map((id) => shownOf(scrolled, id))).toEqual([
      rect(110, 140, 100, 28),
      undefined,
      rect(110, 168, 100, 28),
    ])
    const half = changeElement(scrolled, 'row2', (row) => moved(row, 0, -10))
    expect([shownOf(half, 'c21'), hitTest(half, { x: 220, y: 165 })]).toMatchObject([
      rect(210, 168, 100, 18),
      { element: { id: 'Price' } },
    ])
  })

  it('[C21] are chosen by rows, a grid by cells', () => {
    const row = act(grid('Table'), click('c11'))
    expect(states(row, 'row0', 'row1', 'c11')).toEqual([false, true, false])
    const cell = act(grid('DataGrid'), click('c11'), press('left', 'up'))
    expect(states(cell, 'c11', 'c00', 'row0')).toEqual([false, true, false])
  })

  it('[C4] go on in the same column when the row at the keyboard of a grid is removed', () => {
    const on = changeTree(act(grid('DataGrid'), click('c11')), (tree) => without(tree, pathOf(tree, 'row1')!))
    expect(find(on, 'grid').traits?.current).toBe('c21')
    expect(states(act(on, press('up')), 'c01', 'c00')).toEqual([true, false])
  })

  it('[C22] edit a cell in place: typing replaces, F2 continues, Enter goes down, Escape takes back', () => {
    const typed = act(grid('DataGrid'), click('c01'), type('12'), press('enter'))
    expect([find(typed, 'c01').value, find(typed, 'c11').selected]).toEqual(['12', true])
    expect(find(act(grid('DataGrid'), click('c01'), press('f2', '5', 'tab')), 'c01').value).toBe('105')
    expect(find(act(grid('DataGrid'), click('c01'), type('12'), press('escape')), 'c01').value).toBe('10')
    expect(find(act(grid('DataGrid'), click('c01'), press('ctrl+c'), click('c11'), press('ctrl+v')), 'c11').value).toBe(
      '10',
    )
    expect(find(act(grid('DataGrid'), setValue('c11', 'x')), 'c11')).toMatchObject({ value: 'x' })
    expect(find(act(grid('DataGrid'), click('c01'), press('delete')), 'c01').value).toBe('')
  })

  /** A grid whose first price is being edited, in a window with a menu, a field and a shortcut. */
  const editing = () => {
    const { windows } = grid('DataGrid')
    const more = desktop(
      window(
        'More',
        menuBar(
          'Bar',
          rectOf(110, 100, 200, 24),
          menuItem('File', { id: 'file', ...rectOf(110, 100, 60, 24) }, menuItem('New')),
        ),
        edit('Else', { id: 'else', ...rectOf(400, 140, 100, 28) }),
        button('Save', { id: 'save', keyboardShortcut: 'Ctrl+S', ...rectOf(400, 180, 100, 28) }),
      ),
    ).windows[0]!
    const on = desktop({
      ...more,
      tree: { ...more.tree, children: [...more.tree.children, ...windows[0]!.tree.children] },
    })
    return act(on, click('c01'), press('f2'), type('5'))
  }

  it('[C22] keep what was typed when the cell is left, whichever way', () => {
    const ways = [
      click('else'),
      focus('else'),
      press('f10', 'escape', 'enter'),
      click('c11'),
      select('grid', { name: 'fig' }),
      click('Name'),
    ]
    for (const leave of ways) {
      const left = act(editing(), leave)
      expect([find(left, 'c01').value, find(left, 'c01').traits]).toEqual(['105', undefined])
    }
    const back = act(editing(), click('else'), focus('grid'), press('escape'))
    expect(find(back, 'c01').value).toBe('105')
    expect(find(act(back, type('7')), 'c01').value).toBe('7')
  })

  it('[C22] leave keys to the window that the cell being edited does not use', () => {
    const saved = perform(editing(), { type: 'key', keys: 'ctrl+s' }, { live: true })
    expect(saved.pressed).toEqual([{ window: 'mock:more', element: 'save' }])
    expect(find(saved.desktop, 'c01').traits?.editing).toBe('10')
    expect(find(act(editing(), press('alt+f')), 'file').expanded).toBe(true)
    expect(find(act(editing(), press('ctrl+enter')), 'c01').traits?.editing).toBe('10')
  })

  it('[C22] take clicks and drags in the cell being edited as a field does', () => {
    const caretOf = (on: Desktop) => find(on, 'c01').traits?.caret
    expect(caretOf(act(editing(), clickAt({ x: 212, y: 182 })))).toEqual({ at: 0, from: 0 })
    expect(caretOf(act(editing(), clickAt({ x: 222, y: 182 }, { count: 2 })))).toEqual({ at: 3, from: 0 })
    expect(caretOf(act(editing(), drag({ x: 212, y: 182 }, { x: 300, y: 182 })))).toEqual({ at: 3, from: 0 })
    expect(find(act(editing(), clickAt({ x: 212, y: 182 }), type('9')), 'c01').value).toBe('9105')
  })

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
})
