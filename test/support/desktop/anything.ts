import fc from 'fast-check'
import type { Action } from '../../../src/desktop/input/action.ts'
import {
  button,
  checkbox,
  comboBox,
  type Draft,
  desktop,
  dialog,
  document,
  type ElementDetails,
  edit,
  element,
  group,
  link,
  list,
  listItem,
  menu,
  menuBar,
  menuItem,
  monitor,
  pane,
  radioButton,
  rect,
  slider,
  spinner,
  tab,
  tabItem,
  table,
  text,
  toggle,
  treeItem,
  treeView,
  window,
} from '../../../src/desktop/model/builders.ts'
import type { Desktop } from '../../../src/desktop/model/desktop.ts'
import { changeAt, type Element, pathOf, walk } from '../../../src/desktop/model/element.ts'
import type { Point } from '../../../src/desktop/model/geometry.ts'
import type { GridRow, VirtualGrid } from '../../../src/desktop/model/grid.ts'
import { createGrid } from '../../../src/desktop/widgets/grid-state.ts'
import { realisedGrid } from '../../../src/desktop/widgets/realise.ts'

/** Generators for property tests: a desktop with a control of every kind, and any action on it. */

const place = (column: number, line: number, width = 180, height = 28): ElementDetails => ({
  bounds: rect(20 + column * 200, 60 + line * 36, width, height),
})
const rows = (count: number, make: (index: number) => Draft): Draft[] =>
  Array.from({ length: count }, (_, i) => make(i))
const cells = (role: string, line: number) =>
  element(
    'DataItem',
    '',
    { bounds: rect(620, 260 + line * 28, 300, 28) },
    ...rows(3, (column) =>
      element(role, `r${line}c${column}`, { bounds: rect(620 + column * 100, 260 + line * 28, 100, 28) }),
    ),
  )

/** A virtual table of records with a number and a name that is editable. */
export const records = (
  count: number,
  more: Partial<VirtualGrid> & { readonly rows?: readonly GridRow[] } = {},
): VirtualGrid =>
  createGrid({
    columns: [
      { field: 'id', title: 'Id', width: 60, sortable: true },
      { field: 'name', title: 'Name', sortable: true, editable: true },
    ],
    rows: Array.from({ length: count }, (_, index) => recordRow(String(index), index, `Name ${(index * 7) % count}`)),
    rowHeight: 28,
    selects: 'row',
    ...more,
  })

/** A row of `records`. */
export const recordRow = (key: string, id: number, name: string): GridRow => ({
  key,
  cells: [String(id), name],
  values: [id, name],
})

/** The desktop with the elements of virtual tables, as a layout creates them. */
export const withRecords = (on: Desktop, ...ids: readonly string[]): Desktop => ({
  ...on,
  windows: on.windows.map((each) => ({
    ...each,
    tree: ids.reduce((tree, id) => {
      const path = pathOf(tree, id)
      return path ? changeAt(tree, path, (element) => realisedGrid(element, element.traits!.grid!)) : tree
    }, each.tree),
  })),
})

/** One window with a control of every kind, one with a long list, a dialog that blocks the first, and a busy one. */
export function everything(): Desktop {
  const controls = window(
    'Controls',
    { uid: 'w:controls', bounds: rect(0, 0, 960, 700) },
    menuBar(
      'Menu',
      { bounds: rect(0, 32, 960, 24) },
      menuItem(
        'File',
        { bounds: rect(0, 32, 60, 24) },
        menuItem('Open', { keyboardShortcut: 'Ctrl+Q' }),
        menuItem('Recent', menuItem('One'), menuItem('Two')),
        element('Separator'),
        menuItem('Save', { traits: { fileCommand: { does: 'save', element: 'notes' } }, keyboardShortcut: 'Ctrl+S' }),
        menuItem('Load', { traits: { fileCommand: { does: 'open', element: 'notes' } }, keyboardShortcut: 'Ctrl+O' }),
        menuItem('Wrap', { selected: false }),
        menuItem('Off', { enabled: false }),
      ),
      menuItem(
        'View',
        { bounds: rect(60, 32, 60, 24) },
        menu('View', menuItem('Zoom'), element('CheckMenuItem', 'Grid')),
      ),
    ),
    edit('Name', { id: 'name', ...place(0, 0) }),
    edit('Short', { id: 'short', traits: { maxLength: 5 }, ...place(0, 1) }),
    edit('Fixed', { id: 'fixed', value: 'read me', traits: { readOnly: true }, ...place(0, 2) }),
    edit('Secret', { id: 'secret', traits: { secret: true }, ...place(0, 3) }),
    document('Notes', { id: 'notes', value: 'one\ntwo 👩‍👩‍👧\n\nthree', ...place(0, 4, 180, 90) }),
    checkbox('Tick', { id: 'tick', ...place(0, 7) }),
    checkbox('Maybe', { id: 'maybe', traits: { triState: true }, ...place(0, 8) }),
    toggle('Dark', { id: 'dark', ...place(0, 9) }),
    group('Size', place(0, 10, 180, 60), radioButton('S', place(0, 10)), radioButton('L', place(0, 11))),
    button(
      'OK',
      { id: 'ok', traits: { presses: 'enter' }, ...place(0, 12, 80) },
      element('ToolTip', 'Done', place(0, 13)),
    ),
    button('Off', { id: 'off', enabled: false, ...place(0, 13, 80) }),
    link('Help', place(0, 14, 80)),
    comboBox('Land', { id: 'land', ...place(1, 0) }, ...rows(40, (i) => listItem(`Land ${i}`))),
    comboBox(
      'Free',
      { id: 'free', ...place(1, 1) },
      edit('Free', place(1, 1)),
      list('Choices', listItem('A'), listItem('B')),
    ),
    slider('Volume', { id: 'volume', valueNow: 5, valueMin: 0, valueMax: 10, ...place(1, 2) }),
    spinner('Copies', { id: 'copies', value: '1', valueMin: 1, valueMax: 9, ...place(1, 3) }),
    list(
      'Files',
      { id: 'files', traits: { multiSelect: true, reorder: true }, ...place(1, 4, 180, 100) },
      ...rows(12, (i) => listItem(`File ${i}`, { bounds: rect(220, 204 + i * 28, 160, 28) })),
      element('ScrollBar', '', { bounds: rect(388, 204, 12, 100), valueNow: 0, valueMin: 0, valueMax: 236 }),
      menu('Context', menuItem('Copy'), menuItem('Delete')),
    ),
    list('Home', {
      id: 'home-folder',
      traits: { folder: '/home', multiSelect: true },
      bounds: rect(620, 590, 300, 100),
    }),
    list('Long', {
      id: 'long',
      traits: {
        rows: {
          names: Array.from({ length: 500 }, (_, i) => `Row ${i}`),
          height: 20,
          selected: [],
          current: -1,
          anchor: -1,
        },
      },
      ...place(1, 8, 180, 100),
    }),
    tab(
      'Tabs',
      place(1, 12, 180, 100),
      tabItem('General', { selected: true, bounds: rect(220, 492, 80, 24) }),
      tabItem('More', { bounds: rect(300, 492, 80, 24) }),
      pane('General', { bounds: rect(220, 520, 180, 70) }, edit('Inside', { bounds: rect(230, 530, 100, 24) })),
      pane('More', { bounds: rect(220, 520, 180, 70) }, button('Deep', { bounds: rect(230, 530, 100, 24) })),
    ),
    treeView(
      'Folders',
      { id: 'folders', ...place(2, 0, 180, 150) },
      treeItem(
        'home',
        { bounds: rect(420, 60, 180, 28), expanded: true },
        treeItem('docs', { bounds: rect(440, 88, 160, 28) }, treeItem('old', { bounds: rect(460, 116, 140, 28) })),
      ),
      treeItem('tmp', { bounds: rect(420, 116, 180, 28) }),
    ),
    element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', ...place(2, 5) }),
    element(
      'DataGrid',
      'Sheet',
      { id: 'sheet', bounds: rect(620, 232, 300, 100) },
      element(
        'Header',
        '',
        { bounds: rect(620, 232, 300, 28) },
        ...rows(3, (i) => element('HeaderItem', `H${i}`, { bounds: rect(620 + i * 100, 232, 100, 28) })),
      ),
      ...rows(5, (line) => cells('Cell', line)),
    ),
    table('People', { id: 'people', bounds: rect(620, 60, 300, 100) }, ...rows(2, (line) => cells('Text', line - 7))),
    table('Records', {
      id: 'records',
      bounds: rect(420, 280, 190, 220),
      traits: { grid: records(60, { pageSize: 25, totals: ['60', ''] }), multiSelect: true },
    }),
    table('Cells', {
      id: 'cells',
      bounds: rect(420, 510, 190, 160),
      traits: { grid: records(40, { selects: 'cell', rowHeaders: true }) },
    }),
    pane(
      'Split',
      { bounds: rect(620, 360, 300, 100) },
      pane('Left', { bounds: rect(620, 360, 140, 100) }, text('L', { bounds: rect(630, 370, 50, 20) })),
      element('Splitter', '', { id: 'bar', bounds: rect(760, 360, 8, 100) }),
      pane('Right', { bounds: rect(768, 360, 152, 100) }),
    ),
    element(
      'ScrollArea',
      'Area',
      { id: 'area', bounds: rect(620, 480, 300, 100) },
      ...rows(10, (i) => edit(`Line ${i}`, { bounds: rect(630, 490 + i * 40, 200, 30) })),
    ),
  )
  const built = desktop(
    {
      panel: true,
      files: { '/home/a.txt': 'alpha', '/home/b.txt': 'beta', '/home/docs/c.txt': 'gamma', '/tmp': null },
      monitors: [monitor(rect(0, 0, 1280, 800)), monitor(rect(-800, -100, 800, 600), 1)],
    },
    controls,
    window(
      'Other',
      { uid: 'w:other', bounds: rect(900, 100, 360, 300), frame: 'outside' },
      edit('Elsewhere'),
      button('Do'),
    ),
    window(
      'Ask',
      { uid: 'w:ask', bounds: rect(-500, 50, 300, 200), modalTo: 'w:other' },
      button('No', { traits: { presses: 'escape' } }),
      button('Yes', { traits: { closes: true } }),
    ),
    window(
      'Page',
      { uid: 'w:page', bounds: rect(-760, 60, 240, 300) },
      edit('Query', { id: 'query' }),
      button('Ask', { id: 'ask' }),
      dialog(
        'Sure?',
        { id: 'sure', traits: { hidden: true } },
        edit('Why', { id: 'why' }),
        button('No', { traits: { presses: 'escape' } }),
        button('Yes', { traits: { presses: 'enter', closes: true } }),
      ),
    ),
    window('Slow', { uid: 'w:slow', bounds: rect(1000, 500, 200, 200), busy: true }, button('Wait')),
  )
  return withRecords(built, 'records', 'cells')
}

const KEYS = [
  'tab', 'shift+tab', 'enter', 'escape', 'space', 'up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown',
  'backspace', 'delete', 'ctrl+a', 'ctrl+c', 'ctrl+x', 'ctrl+v', 'ctrl+z', 'ctrl+y', 'shift+left', 'ctrl+left', 'shift+end',
  'ctrl+backspace', 'alt+down', 'f2', 'f4', 'f10', 'alt+f', 'menu', 'ctrl+o', 'ctrl+tab', 'alt+tab', 'shift+down', 'ctrl+space',
  'a', 'shift+b', '5', 'meta+up', 'meta+down', 'nonsense', 'ctrl+down', 'ctrl+end',
] // biome-ignore format: a table of keys
const BUTTONS = ['left', 'left', 'left', 'right', 'middle', 'back'] as const
const RARE = ['alt+f4', 'meta+d']

/** Any pixel, mostly of the first window. */
export const point = (): fc.Arbitrary<Point> =>
  fc.oneof(
    { arbitrary: fc.record({ x: fc.integer({ min: 0, max: 960 }), y: fc.integer({ min: 0, max: 700 }) }), weight: 8 },
    {
      arbitrary: fc.record({ x: fc.integer({ min: -900, max: 1400 }), y: fc.integer({ min: -200, max: 900 }) }),
      weight: 2,
    },
  )

const modifiers = fc.subarray(['ctrl', 'shift'] as const)

const listed = new WeakMap<Element, readonly Element[]>()

function nodesOf(root: Element): readonly Element[] {
  const nodes = listed.get(root) ?? [...walk(root)]
  listed.set(root, nodes)
  return nodes
}

/** An action encoded as numbers, resolved against the current desktop. */
export const anyAction = (): fc.Arbitrary<(on: Desktop) => Action> => {
  const pick = fc.nat()
  const aimed = (make: (target: { window: string; element: string }, at: Point, n: number) => Action) =>
    fc.tuple(pick, pick, pick).map(([w, e, n]) => (on: Desktop) => {
      const main = w % 4 ? on.windows.find(({ uid }) => uid === 'w:controls') : undefined
      const window = main ?? on.windows[w % Math.max(1, on.windows.length)]
      const nodes = window ? nodesOf(window.tree) : []
      const node = nodes[e % Math.max(1, nodes.length)]
      const target = { window: window?.uid ?? 'w:none', element: node?.id ?? 'none' }
      const { x, y, width, height } = node?.bounds ?? { x: 0, y: 0, width: 0, height: 0 }
      return make(target, { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) }, n)
    })
  const words = fc.oneof(
    fc.constantFrom(
      'a',
      'File 3',
      'Land 2',
      '42',
      '2024-02-30',
      '2025-02-28',
      'two\nlines',
      'x\ty',
      '👍🏽é',
      '\u0007',
      '',
    ),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
  )
  return fc.oneof(
    {
      weight: 12,
      arbitrary: aimed((_target, at, n): Action => ({ type: 'click', at, button: 'left', count: 1 + (n % 3) })),
    },
    {
      weight: 4,
      arbitrary: aimed(
        (target, at, n): Action => ({ type: 'click', at, button: n % 4 ? 'left' : 'right', count: 1, target }),
      ),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(point(), fc.constantFrom('left', 'right', 'middle'), fc.integer({ min: 1, max: 3 }), modifiers)
        .map(
          ([at, button, count, modifiers]) =>
            (): Action => ({ type: 'click', at, button, count, modifiers }),
        ),
    },
    { weight: 12, arbitrary: fc.constantFrom(...KEYS).map((keys) => (): Action => ({ type: 'key', keys })) },
    { weight: 1, arbitrary: fc.constantFrom(...RARE).map((keys) => (): Action => ({ type: 'key', keys })) },
    { weight: 6, arbitrary: words.map((text) => (): Action => ({ type: 'type', text })) },
    {
      weight: 4,
      arbitrary: fc.tuple(point(), point()).map(
        ([from, to]) =>
          (): Action => ({ type: 'drag', from, to, modifiers: [], durationMs: 0 }),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(point(), fc.integer({ min: -20, max: 20 })).map(
        ([at, clicks]) =>
          (): Action => ({ type: 'scroll', at, clicks }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(point(), fc.array(point(), { maxLength: 4 }), modifiers).map(
        ([at, through, held]) =>
          (): Action => ({ type: 'drag', from: at, to: through[0] ?? at, through, modifiers: held, durationMs: 0 }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(point(), fc.double({ min: -9, max: 9, noNaN: true }), modifiers).map(
        ([at, across, held]) =>
          (): Action => ({ type: 'scroll', at, clicks: across / 3, across, modifiers: held }),
      ),
    },
    {
      weight: 8,
      arbitrary: fc.tuple(point(), fc.constantFrom('press', 'release', 'release'), fc.constantFrom(...BUTTONS)).map(
        ([at, type, button]) =>
          (): Action => ({ type, at, button }),
      ),
    },
    {
      weight: 3,
      arbitrary: aimed((_target, at, n): Action => ({ type: n % 2 ? 'press' : 'release', at, button: 'left' })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('key_down', 'key_up', 'key_up'), fc.constantFrom('ctrl', 'shift', 'x', 'down'))
        .map(
          ([type, key]) =>
            (): Action => ({ type, key }),
        ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...KEYS).map((keys) => (): Action => ({ type: 'hold', keys, forMs: 600 })),
    },
    { weight: 2, arbitrary: point().map((at) => (): Action => ({ type: 'hover', at, forMs: 600 })) },
    { weight: 2, arbitrary: aimed((target, at): Action => ({ type: 'focus', at, target })) },
    { weight: 4, arbitrary: aimed((target, at): Action => ({ type: 'invoke', at, target })) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(words, fc.boolean())
        .chain(([value, clearFirst]) =>
          aimed((target, at): Action => ({ type: 'set_value', target, at, value, clearFirst })),
        ),
    },
    {
      weight: 3,
      arbitrary: aimed((target, at, n): Action => ({ type: 'select', target, at, option: { index: n % 6 } })),
    },
    { weight: 1, arbitrary: aimed((target, at): Action => ({ type: 'clear_text', target, at })) },
    { weight: 1, arbitrary: aimed(({ window }): Action => ({ type: 'activate', window })) },
    {
      weight: 1,
      arbitrary: aimed(
        ({ window }, _at, n): Action => ({
          type: 'window',
          window,
          to: n % 20 ? (['minimize', 'maximize', 'restore'] as const)[n % 3]! : 'close',
        }),
      ),
    },
  )
}
