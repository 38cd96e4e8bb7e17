import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  button,
  checkbox,
  comboBox,
  type Draft,
  dialog,
  document,
  edit,
  element,
  group,
  listItem,
  menu,
  menuBar,
  menuItem,
  pane,
  progressBar,
  radioButton,
  rect,
  slider,
  text,
  treeItem,
  treeView,
  window,
} from '../../desktop/model/builders.ts'
import { type Sketch, sketch } from './sketch.ts'

// Rules such as [PNT113] are stated in SPEC.md beside this file.

const bounds = rect(0, 0, 600, 240)
const drawn = (options: { width?: number; height?: number; unicode?: boolean }, ...parts: readonly Draft[]): Sketch =>
  sketch(window('W', { bounds }, ...parts).tree, { width: 60, height: 12, reference: bounds, ...options })
const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })
const rowsOf = ({ text: picture }: Sketch): readonly string[] => picture.split('\n')

describe('a sketch', () => {
  it.each([
    ['letters with marks', 'e\u0301\u0301'],
    ['flags', '🇩🇪🇫🇷'],
    ['families', '👩‍👩‍👧'],
    ['letters read from the right', 'שלום '],
    ['wide letters', '漢字'],
    ['line feeds', '\n'],
    ['blanks', ' \t'],
  ])('[PNT123] draws half a million %s without delay, and the same as a few', (_what, part) => {
    const picture = (count: number) =>
      drawn(
        {},
        edit('Name', { value: part.repeat(count) }, at(20, 50, 500, 20)),
        document('Notes', { value: `${part.repeat(count)}x` }, at(20, 80, 500, 150)),
      ).text
    const few = picture(8000)
    const startedMs = performance.now()
    const many = picture(Math.ceil(500_000 / part.length))
    expect(performance.now() - startedMs).toBeLessThan(20_000)
    expect(many).toBe(few)
  })

  it('[PNT112] [PNT117] shows controls at their positions, by their roles', () => {
    const picture = drawn(
      {},
      menuBar('Menus', at(0, 0, 600, 20), menuItem('File', at(0, 0, 60, 20)), menuItem('Edit', at(60, 0, 60, 20))),
      text('Name', at(20, 50, 60, 20)),
      edit('Name', { value: 'Ada' }, at(100, 50, 200, 20)),
      checkbox('Remember', { selected: true }, at(100, 80, 150, 20)),
      radioButton('Daily', { selected: true }, at(100, 100, 100, 20)),
      comboBox('Size', { value: 'Large' }, at(100, 140, 150, 20)),
      slider('Volume', { valueNow: 30 }, at(20, 170, 260, 20)),
      progressBar('Copying', { valueNow: 40 }, at(20, 190, 260, 20)),
      button('Save', { focused: true }, at(100, 210, 120, 24)),
      button('Print', { enabled: false }, at(400, 210, 160, 24)),
      document('Notes', { value: 'one\ntwo' }, at(340, 30, 240, 160)),
    )
    expect(rowsOf(picture)).toEqual([
      '+----------------------------------------------------------+',
      '| Window "W"                                               |',
      '| File Edit                               MenuBar "Menus"  |',
      '| Name    [Name: Ada         ]    + Document "Notes" ----+ |',
      '|         [x] Remember            | one                  | |',
      '|         (o) Daily               | two                  | |',
      '|                                 |                      | |',
      '|         [Size: Large v]         |                      | |',
      '| Volume |---o------| 30%         +----------------------+ |',
      '| Copying [####......] 40%                                 |',
      '|         [  *Save   ]                  [  Print (x)   ]   |',
      '+----------------------------------------------------------+',
    ])
  })

  it('[PNT117] uses box characters and signs when asked for, joined where lines meet', () => {
    const picture = drawn(
      { width: 44, height: 10, unicode: true },
      group(
        'Box',
        at(60, 40, 480, 160),
        text('In it', { focused: true }, at(100, 80, 200, 20)),
        comboBox('Size', { value: 'L', expanded: false }, at(100, 110, 200, 20)),
        slider('Zoom', { valueNow: 50 }, at(100, 140, 300, 20)),
        element('Separator', '', at(60, 170, 480, 2)),
      ),
    )
    expect(rowsOf(picture)).toEqual([
      '┌──────────────────────────────────────────┐',
      '│ Window "W"                               │',
      '│   ┌ Group "Box" ────────────────────┐    │',
      '│   │  ●In it                         │    │',
      '│   │  [Size: L ▶    ]                │    │',
      '│   │  Zoom ├─────●────┤ 50%          │    │',
      '│   │                                 │    │',
      '│   │ ─────────────────────────────── │    │',
      '│   └─────────────────────────────────┘    │',
      '└──────────────────────────────────────────┘',
    ])
  })

  it('[PNT115] gives keys to elements too small for their labels, and lists only those', () => {
    const picture = drawn(
      { width: 30, height: 8 },
      button('Preferences of the moment', at(100, 80, 20, 24)),
      button('OK', at(300, 80, 200, 24)),
      element('ScrollBar', 'Down', at(580, 40, 20, 200)),
    )
    expect(picture.legend).toEqual({ A: 'Button "Preferences of the moment"', B: 'ScrollBar "Down"' })
    expect(rowsOf(picture)).toEqual([
      '+----------------------------+',
      '| Window "W"                 |',
      '|    [A]       [   OK   ]  | |',
      '|                          B |',
      '|                          | |',
      '|                          | |',
      '|                          | |',
      '+--------------------------+-+',
      '',
      '  LEGEND',
      '  --------------------------------------------------',
      '     A  Button "Preferences of the moment"',
      '     B  ScrollBar "Down"',
    ])
    expect(picture.elements.map(({ name, legend_key }) => [name, legend_key])).toEqual([
      ['W', undefined],
      ['Preferences of the moment', 'A'],
      ['OK', undefined],
      ['Down', 'B'],
    ])
  })

  it('[PNT114] does not draw outside or empty elements, and clips the others', () => {
    const { elements } = drawn(
      {},
      button('Outside', at(700, 20, 80, 24)),
      button('Above', at(10, -50, 80, 24)),
      button('Flat', at(10, 20, 80, 0)),
      group('Wide', at(300, 60, 900, 120), text('t', at(310, 80, 100, 20)), text('u', at(310, 200, 100, 20))),
      text('Hidden', { traits: { hidden: true } }, at(10, 100, 80, 20)),
    )
    expect(elements.map(({ name, bounds_grid }) => [name, bounds_grid])).toEqual([
      ['W', [0, 0, 59, 11]],
      ['Outside', undefined],
      ['Above', undefined],
      ['Flat', undefined],
      ['Wide', [30, 3, 57, 8]],
      ['t', [32, 4, 40, 4]],
      ['u', undefined],
      ['Hidden', undefined],
    ])
  })

  it('[PNT116] keeps names and values on one line', () => {
    const { text: picture, legend } = drawn(
      { width: 20, height: 8 },
      edit('A\nB', { value: 'x\r\ny\u001b[2J\u202e' }, at(20, 40, 2, 20)),
      text('C\u0007\u2028D', at(200, 40, 200, 20)),
    )
    expect(legend).toEqual({ A: 'Edit "A B" [x y [2J]' })
    expect(picture).toContain('C D')
    expect(picture).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028-\u202e]/)
  })

  it('[PNT118] spreads crowded controls, so that every label is legible', () => {
    const names = ['Inbox', 'Starred', 'Sent', 'Drafts', 'Archive', 'Spam', 'Trash']
    const picture = drawn(
      { width: 72, height: 16 },
      ...names.map((name, place) => listItem(name, at(0, place * 10, 100, 10))),
      ...names.map((name, place) => button(name, at(120 + place * 50, 0, 50, 20))),
      document('Letter', { value: 'Dear all,' }, at(120, 40, 460, 190)),
    )
    expect(picture.legend).toEqual({})
    expect(rowsOf(picture)).toEqual([
      '+----------------------------------------------------------------------+',
      '| Window "W"                                                           |',
      '| Inbox       [Inbox][Starred][Sent][Drafts][Archive][Spam][Trash]     |',
      '| Starred                                                              |',
      '| Sent                                                                 |',
      '| Drafts                                                               |',
      '| Archive     + Document "Letter" ----------------------------------+  |',
      '| Spam        | Dear all,                                           |  |',
      '| Trash       |                                                     |  |',
      '|             |                                                     |  |',
      '|             |                                                     |  |',
      '|             |                                                     |  |',
      '|             |                                                     |  |',
      '|             |                                                     |  |',
      '|             +-----------------------------------------------------+  |',
      '+----------------------------------------------------------------------+',
    ])
  })

  it('[PNT119] counts elements that do not fit', () => {
    const rows = Array.from({ length: 40 }, (_, place) => listItem(`Row ${place}`, at(0, place * 6, 600, 6)))
    const picture = rowsOf(drawn({}, ...rows))
    expect(picture.length).toBe(12 + 3 + 1)
    expect(picture.at(-1)).toBe('  and 31 more, for which a larger grid is needed')
  })

  it('[PNT120] omits elements below a dialog', () => {
    const picture = drawn(
      {},
      text('Behind', at(200, 100, 100, 20)),
      text('Beside', at(20, 100, 60, 20)),
      dialog('Sure?', at(100, 60, 400, 120), button('Yes', at(200, 130, 100, 24))),
    )
    expect(rowsOf(picture)).toEqual([
      '+----------------------------------------------------------+',
      '| Window "W"                                               |',
      '|                                                          |',
      '|         + Dialog "Sure?" ----------------------+         |',
      '|         |                                      |         |',
      '| Beside  |                                      |         |',
      '|         |         [  Yes   ]                   |         |',
      '|         |                                      |         |',
      '|         +--------------------------------------+         |',
      '|                                                          |',
      '|                                                          |',
      '+----------------------------------------------------------+',
    ])
    expect(picture.elements.map(({ name, occluded }) => [name, occluded])).toEqual([
      ['W', false],
      ['Behind', true],
      ['Beside', false],
      ['Sure?', false],
      ['Yes', false],
    ])
  })

  it('[PNT120] shows the items of an open menu over the rest, and none of a closed one', () => {
    const menus = (expanded: boolean) =>
      menuBar(
        'Menus',
        at(0, 0, 600, 20),
        menuItem(
          'File',
          { expanded },
          at(0, 0, 60, 20),
          menuItem('Open', at(0, 20, 120, 20)),
          menuItem('Save as', at(0, 40, 120, 20)),
        ),
      )
    const page = document('Notes', { value: 'one\ntwo\nthree' }, at(0, 20, 600, 220))
    expect(rowsOf(drawn({ height: 14 }, menus(true), page))).toEqual([
      '+----------------------------------------------------------+',
      '| Window "W"                                               |',
      '| File                                    MenuBar "Menus"  |',
      '| +----------+ Document "Notes" -------------------------+ |',
      '| | Open     | one                                       | |',
      '| | Save as  | two                                       | |',
      '| +----------+ three                                     | |',
      '| |                                                      | |',
      '| |                                                      | |',
      '| |                                                      | |',
      '| |                                                      | |',
      '| |                                                      | |',
      '| +------------------------------------------------------+ |',
      '+----------------------------------------------------------+',
    ])
    expect(drawn({}, menus(false), page).text).not.toContain('Open')
  })

  it('[PNT120] shows a context menu on one card, and its submenus', () => {
    const picture = drawn(
      { height: 14 },
      menu(
        'Context',
        { expanded: true },
        at(60, 40, 120, 80),
        menuItem('Cut', at(60, 40, 120, 20)),
        menuItem(
          'Share',
          { expanded: true },
          at(60, 60, 120, 20),
          menu('Share', { expanded: true }, at(180, 60, 120, 40), menuItem('E-mail', at(180, 60, 120, 20))),
        ),
        menuItem('Paste', { enabled: false }, at(60, 80, 120, 20)),
      ),
      element('ToolTip', 'Shares it', { expanded: true }, at(320, 120, 100, 20)),
      document('Notes', { value: 'one' }, at(0, 20, 600, 220)),
    )
    expect(rowsOf(picture)).toEqual([
      '+----------------------------------------------------------+',
      '| Window "W"                                               |',
      '| +---+------------+ Document "Notes" -------------------+ |',
      '| |   | Cut        | one                                 | |',
      '| |   | Share      |+---------+                          | |',
      '| |   |            || E-mail  |                          | |',
      '| |   | Paste (x)  |+---------+                          | |',
      '| |   +------------+                                     | |',
      '| |                             +------------+           | |',
      '| |                             | Shares it  |           | |',
      '| |                             +------------+           | |',
      '| |                                                      | |',
      '| +------------------------------------------------------+ |',
      '+----------------------------------------------------------+',
    ])
  })

  it('[PNT121] shows no secret', () => {
    const { text: picture, elements } = drawn(
      {},
      edit('Password', { value: 'hunter2', traits: { secret: true } }, at(20, 40, 400, 20)),
    )
    expect(picture).toContain('[Password: ***')
    expect(elements[1]!.value).toBe('***')
  })

  it('[PNT122] gives wide letters two cells', () => {
    const rows = rowsOf(drawn({ width: 30, height: 8 }, button('設定', at(60, 100, 300, 24))))
    expect(rows.filter((row) => row.includes('設定'))).toEqual(['|  [Button "設定"]           |'])
  })

  it('shows the levels of a tree', () => {
    const picture = drawn(
      {},
      treeView(
        'Files',
        at(0, 0, 300, 240),
        treeItem(
          'src',
          { expanded: true },
          at(0, 0, 300, 24),
          treeItem('paint', { expanded: false }, at(0, 24, 300, 24), treeItem('png.ts', at(0, 48, 300, 24))),
          treeItem('index.ts', { selected: true }, at(0, 48, 300, 24)),
        ),
      ),
    )
    expect(rowsOf(picture).slice(3, 6)).toEqual([
      '| | - src                    |                             |',
      '| |   + paint                |                             |',
      '| |   > index.ts             |                             |',
    ])
  })

  it('labels a control without a name by its content', () => {
    const { text: picture } = drawn({}, button('', at(60, 80, 200, 24), text('Sign in', at(80, 84, 60, 16))))
    expect(picture).toContain('[ Button "Sign in" ]')
  })

  it('does not draw groups without a name', () => {
    expect(drawn({}, pane('', at(0, 40, 600, 160), button('OK', at(60, 80, 100, 24)))).text).toBe(
      drawn({}, button('OK', at(60, 80, 100, 24))).text,
    )
  })

  it('[PNT112] [PNT113] [PNT115] [PNT119] shows everything that has cells by its label or its key, and nothing over it', () => {
    const box = fc.record({
      x: fc.integer({ min: -50, max: 620 }),
      y: fc.integer({ min: -50, max: 260 }),
      width: fc.nat(300),
      height: fc.nat(120),
    })
    const leaf = fc.record({
      role: fc.constantFrom('Button', 'Text', 'Edit', 'CheckBox', 'MenuItem', 'Document', 'Slider', 'ScrollBar'),
      box,
    })
    fc.assert(
      fc.property(
        fc.array(leaf, { maxLength: 12 }),
        fc.integer({ min: 8, max: 90 }),
        fc.integer({ min: 4, max: 30 }),
        (leaves, width, height) => {
          const parts = leaves.map(({ role, box: place }, count) => element(role, `N${count}e`, { bounds: place }))
          const picture = drawn({ width, height }, ...parts)
          const rows = rowsOf(picture)
          const grid = rows.slice(0, height)
          expect(grid.every((row) => Array.from(row).length <= width)).toBe(true)
          const left = Number(/and (\d+) more/.exec(rows.at(-1)!)?.[1] ?? 0)
          const shown = picture.elements.slice(1).filter(({ name, bounds_grid, legend_key }) => {
            if (!bounds_grid) return false
            return legend_key
              ? picture.legend[legend_key]!.includes(name) && grid.join('\n').includes(legend_key)
              : grid.join('\n').includes(name)
          })
          const visible = picture.elements.slice(1).filter((one) => {
            const { x, y, width: across, height: down } = one.bounds_screen
            return !one.occluded && across > 0 && down > 0 && x < 600 && y < 240 && x + across > 0 && y + down > 0
          })
          expect(shown.length + left).toBe(visible.length)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('shows nothing in a grid too small to show anything', () => {
    expect(drawn({ width: 1, height: 1 }).text).toBe('')
  })
})
