import { describe, expect, it } from 'vitest'
import { records, withRecords } from '../../test/support/desktop/anything.ts'
import { act, click, type } from '../../test/support/desktop/driver.ts'
import { TEXT_PAGE_SCREEN, textPage } from '../../test/support/desktop/text-page.ts'
import { expectGolden, golden } from '../../test/support/paint/golden.ts'
import {
  button,
  checkbox,
  comboBox,
  desktop,
  dialog,
  document,
  edit,
  element,
  group,
  link,
  list,
  listItem,
  menuBar,
  menuItem,
  monitor,
  pane,
  progressBar,
  radioButton,
  rect,
  slider,
  spinner,
  statusBar,
  tab,
  tabItem,
  table,
  text,
  toggle,
  toolBar,
  treeItem,
  treeView,
  window,
} from '../desktop/model/builders.ts'
import type { Desktop } from '../desktop/model/desktop.ts'
import type { VirtualGrid } from '../desktop/model/grid.ts'
import type { ScreenProjection } from '../desktop/projection.ts'
import { SHELL_STYLES } from '../desktop/style/style.ts'
import { describeWindow } from './describe.ts'
import { createPainter } from './painter.ts'
import { sketch } from './sketch/sketch.ts'
import type { ThemeName } from './theme/tokens.ts'

// Rules such as [PNT4] are stated in SPEC.md beside this file; fixtures/README.md explains how to regenerate the files.

const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })
const small = (width: number, height: number) => ({ monitors: [monitor(rect(0, 0, width, height))] })

/** A tool window with menus, an open one of them, tools, a form, tabs, a tree, a table and a status bar. */
const controls = (): Desktop =>
  desktop(
    { ...small(680, 700), nowMs: Date.UTC(2024, 2, 12, 14, 5), panel: true },
    window(
      'Controls',
      at(20, 14, 640, 632),
      menuBar(
        'Menus',
        at(20, 46, 640, 28),
        menuItem(
          'File',
          { expanded: true, traits: { current: 'open' } },
          at(24, 47, 50, 26),
          menuItem('New', { keyboardShortcut: 'Ctrl+N' }, at(28, 78, 210, 28)),
          menuItem(
            'Open…',
            { id: 'open', keyboardShortcut: 'Ctrl+O', traits: { icon: 'folder' } },
            at(28, 106, 210, 28),
          ),
          menuItem('Word wrap', { selected: true }, at(28, 134, 210, 28)),
          element('Separator', '', at(28, 162, 210, 9)),
          menuItem('Recent', at(28, 171, 210, 28), menuItem('report.txt')),
          menuItem('Quit', { enabled: false }, at(28, 199, 210, 28)),
        ),
        menuItem('Edit', at(74, 47, 50, 26)),
      ),
      toolBar(
        'Tools',
        at(20, 74, 640, 40),
        button('Save', { traits: { icon: 'save' } }, at(300, 78, 80, 32)),
        button('', { traits: { icon: 'search' } }, at(390, 78, 32, 32)),
        button('', { traits: { icon: 'trash' }, enabled: false }, at(426, 78, 32, 32)),
      ),
      group(
        'Account',
        at(300, 132, 340, 130),
        text('Full name', at(316, 148, 80, 28)),
        edit(
          'Full name',
          { value: 'Ada Lovelace', focused: true, traits: { caret: { at: 12, from: 4 } } },
          at(400, 148, 224, 30),
        ),
        text('E-mail', at(316, 184, 80, 28)),
        edit('E-mail', { traits: { placeholder: 'you@example.com' } }, at(400, 184, 224, 30)),
        edit('Password', { value: 'correct horse', traits: { secret: true } }, at(400, 220, 224, 30)),
      ),
      tab(
        'Pages',
        at(36, 274, 608, 150),
        tabItem('General', { selected: true }, at(36, 274, 90, 34)),
        tabItem('Privacy', at(126, 274, 90, 34)),
        tabItem('Advanced', { enabled: false }, at(216, 274, 96, 34)),
        pane(
          'General',
          at(36, 308, 608, 116),
          radioButton('Small', { selected: true }, at(48, 318, 100, 22)),
          radioButton('Large', at(158, 318, 100, 22)),
          checkbox('Notify me', { selected: true }, at(48, 350, 110, 22)),
          checkbox('Some', { value: 'mixed' }, at(168, 350, 80, 22)),
          checkbox('Off', { enabled: false }, at(258, 350, 70, 22)),
          toggle('Dark mode', { selected: true }, at(48, 384, 140, 24)),
          slider('Zoom', { valueNow: 70 }, at(210, 384, 120, 24)),
          progressBar('Saving', { valueNow: 30 }, at(350, 324, 130, 10)),
          comboBox('Language', { value: 'English' }, at(350, 346, 130, 30)),
          spinner('Copies', { valueNow: 12 }, at(350, 384, 90, 30)),
          button('Cancel', at(500, 346, 66, 30)),
          button('OK', { traits: { presses: 'enter' } }, at(574, 346, 60, 30)),
          link('Learn more', at(500, 388, 100, 22)),
        ),
      ),
      treeView(
        'Folders',
        at(36, 438, 220, 150),
        treeItem(
          'src',
          { expanded: true, traits: { icon: 'folder' } },
          at(37, 440, 218, 28),
          treeItem('paint', { expanded: false, traits: { icon: 'folder' } }, at(57, 468, 198, 28)),
          treeItem('index.ts', { selected: true, traits: { icon: 'file' } }, at(57, 496, 198, 28)),
        ),
        treeItem('docs', { expanded: false, traits: { icon: 'folder' } }, at(37, 524, 218, 28)),
      ),
      table(
        'Invoices',
        at(270, 438, 374, 150),
        element(
          'Header',
          '',
          at(271, 439, 372, 28),
          element('HeaderItem', 'Client', { traits: { sorted: 'ascending' } }, at(271, 439, 150, 28)),
          element('HeaderItem', 'Date', at(421, 439, 120, 28)),
          element('HeaderItem', 'Total', at(541, 439, 102, 28)),
        ),
        ...['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli'].map((name, row) =>
          element(
            'DataItem',
            name,
            { selected: row === 1 },
            at(271, 467 + row * 28, 372, 28),
            element('Cell', name, at(271, 467 + row * 28, 150, 28)),
            element('Cell', `2024-03-1${row}`, at(421, 467 + row * 28, 120, 28)),
            element('Cell', `$${1000 + row * 111}`, at(541, 467 + row * 28, 102, 28)),
          ),
        ),
      ),
      statusBar(
        'Status',
        at(20, 622, 640, 24),
        text('Ready', at(20, 622, 200, 24)),
        text('5 invoices', at(240, 622, 120, 24)),
      ),
    ),
  )

/** Three windows over one another, a dialog, a terminal, a message, and writing that the fonts do not have. */
const windows = (): Desktop =>
  desktop(
    { ...small(760, 480), nowMs: Date.UTC(2024, 11, 31, 23, 59), panel: true },
    window(
      'Mail — a rather long subject that does not fit',
      at(330, 60, 320, 300),
      element('Heading', 'Welcome back', at(350, 104, 280, 34)),
      text(
        'A longer paragraph wraps over several lines, as many as there is room for, and the last one ends early.',
        at(350, 144, 280, 62),
      ),
      document('Notes', { value: 'First line\n\nThird → « é ß Ж » 你好 😀' }, at(330, 220, 320, 140)),
    ),
    window(
      'note',
      { ...at(560, 360, 190, 64), frame: 'none' },
      element('Toast', 'Sent', { value: 'Bob will read it' }, at(560, 360, 190, 64)),
    ),
    window(
      'Terminal',
      at(30, 120, 340, 280),
      element('Terminal', 'sh', { value: '$ npm test\n ✓ 43 passed\n$ ' }, at(30, 152, 340, 248)),
      dialog(
        'Save changes?',
        at(60, 220, 280, 130),
        text('They will be lost otherwise.', at(80, 262, 240, 22)),
        button('Discard', at(80, 304, 90, 30)),
        button('Save', { traits: { presses: 'enter' } }, at(234, 304, 86, 30)),
      ),
    ),
    window(
      'Files',
      at(20, 30, 260, 200),
      list(
        'Files',
        at(20, 62, 260, 168),
        listItem('one.txt', { value: '12 KB', traits: { icon: 'file' } }, at(21, 63, 258, 28)),
      ),
    ),
    window('Minimised', { state: 'minimized' }),
  )

/** A table with pages and totals, whose sorted column has a selected row, and a spreadsheet with an edited cell. */
function tables(): Desktop {
  const totals = ['60', '1,770.00']
  const columns = [
    { field: 'id', title: 'Order', width: 80, sortable: true },
    { field: 'name', title: 'Total', align: 'end', editable: true },
  ] as const
  const table = (id: string, y: number, height: number, more: Partial<VirtualGrid>) =>
    element('Table', id, { id, bounds: rect(20, y, 400, height), traits: { grid: records(60, { columns, ...more }) } })
  const sorted = { column: 0, descending: true }
  const shown = withRecords(
    desktop(
      small(440, 600),
      window(
        'Records',
        at(0, 0, 440, 600),
        table('orders', 44, 230, { totals, pageSize: 20, sort: sorted }),
        table('sheet', 300, 280, { selects: 'cell', rowHeaders: true }),
      ),
    ),
    'orders',
    'sheet',
  )
  return act(shown, click('orders.row-57'), click('sheet.row-3.name', { count: 2 }), type('!'))
}

const SCREENS: readonly (readonly [string, ThemeName, () => Desktop])[] = [
  ['controls-light', 'light', controls],
  ['controls-dark', 'dark', controls],
  ['controls-high-contrast', 'high-contrast', controls],
  ['windows-light', 'light', windows],
  ['windows-dark', 'dark', windows],
  ['tables-light', 'light', tables],
  ['tables-high-contrast', 'high-contrast', tables],
  ['text-light', 'light', () => textPage('selection')],
  ['text-mirrored', 'dark', () => textPage('caret')],
]
const MIRRORED: ScreenProjection = { ratio: 1, scale: 1, mirror: TEXT_PAGE_SCREEN.width }

const SHADES: readonly ThemeName[] = ['light', 'dark', 'high-contrast']

/** The scene with every control in another style, in each shade and scale. */
const STYLED = SHELL_STYLES.flatMap((style) =>
  SHADES.flatMap((theme) => [1, 2].map((scale) => ({ style, theme, scale, name: `${style}-${theme}-${scale}x` }))),
)

describe('a painted desktop', () => {
  it.each(SCREENS)('[PNT4] %s has the pixels it had before, in another process', async (name, theme, make) => {
    const projection = name === 'text-mirrored' ? MIRRORED : undefined
    await expectGolden(name, createPainter({ theme, projection }).screen(make()))
  })

  it.each(STYLED)('[PNT4] $name has the pixels it had before', async ({ style, theme, scale, name }) => {
    const projection = scale === 1 ? undefined : { ratio: scale, scale }
    await expectGolden(`styles/${name}`, createPainter({ theme, projection }).screen({ ...controls(), style }))
  })

  it.each([
    ['controls', controls],
    ['windows', windows],
    ['tables', tables],
  ] as const)('[PNT124] [PNT112] %s reads, and is sketched, as before', (name, make) => {
    const { tree, ...front } = make().windows[0]!
    const prose = `${describeWindow(front, tree)}\n`
    expect(prose).toBe(golden(`prose/${name}.txt`, () => Buffer.from(prose)).toString())
    const drawn = `${sketch(tree, { width: 72, height: 24, reference: front.bounds }).text}\n`
    expect(drawn).toBe(golden(`sketches/${name}.txt`, () => Buffer.from(drawn)).toString())
  })
})
