import { describe, expect, it } from 'vitest'
import { EMPTY_RECT, type Rect } from '../../../desktop/model/geometry.ts'
import type { Toolkit } from './accessibility.ts'
import type { AccessibleNode } from './accessible-node.ts'
import { acceleratorOf, toElementTree, withMenus } from './element-tree.ts'
import { ROLE, STATE, type State } from './roles.ts'

const states = (...names: readonly State[]): readonly number[] => {
  const words = [0, 0]
  for (const name of names) words[STATE[name] >> 5]! |= 1 << (STATE[name] & 31)
  return words
}

let paths = 0
const node = (role: number, name: string, more: Partial<AccessibleNode> = {}): AccessibleNode => ({
  ref: { bus: ':1.1', path: `/${++paths}` },
  role,
  name,
  description: '',
  states: states('sensitive', 'showing', 'visible'),
  patterns: new Set(['Component']),
  extents: { x: 10, y: 20, width: 30, height: 40 },
  text: undefined,
  value: undefined,
  keyBinding: undefined,
  selectedChild: undefined,
  children: [],
  ...more,
})

const frame = (...children: readonly AccessibleNode[]) => node(ROLE.frame, 'Form', { children })
const BOUNDS: Rect = { x: 100, y: 100, width: 200, height: 200 }
const NO_SHADOW = { left: 0, right: 0, top: 0, bottom: 0 }

const treeOf = (
  reading: AccessibleNode,
  toolkit: Toolkit = 'gtk3',
  shadow = NO_SHADOW,
  focused = true,
  popups: readonly Rect[] = [],
) =>
  toElementTree(
    reading,
    { toolkit, popups, window: { bounds: BOUNDS, inner: BOUNDS, shadow, focused, title: 'Title' } },
    ({ path }) => path,
  ).tree
const only = (reading: AccessibleNode, toolkit: Toolkit = 'gtk3') => treeOf(frame(reading), toolkit).children[0]!

describe('an element', () => {
  it('[LX14] has the normalised role, the raw one as identifier, and its bounds on the screen', () => {
    const push = node(ROLE.pushButton, 'OK')
    expect(only(push)).toEqual({
      id: push.ref.path,
      role: 'Button',
      name: 'OK',
      value: null,
      bounds: { x: 10, y: 20, width: 30, height: 40 },
      enabled: true,
      focused: false,
      keyboardShortcut: null,
      description: null,
      identifier: 'push button',
      children: [],
    })
  })

  it('[LX14] is a Document with several lines, an Edit with one, a Text when it is not editable', () => {
    const text = (...names: State[]) =>
      only(node(ROLE.text, '', { states: states('showing', ...names), text: 'x' })).role
    expect(text('multiLine', 'editable')).toBe('Document')
    expect(text('editable')).toBe('Edit')
    const label = node(ROLE.text, '', { patterns: new Set(['Component', 'Text']), text: 'x' })
    expect(only(label).role).toBe('Text')
  })

  it('[LX14] that is a password is secret', () => {
    expect(only(node(ROLE.passwordText, 'PIN', { text: '●●●' })).traits).toEqual({ secret: true })
  })

  it('[LX14] that is not showing is hidden; for Qt, so are its descendants', () => {
    const inner = node(ROLE.label, 'inner')
    const outer = node(ROLE.pageTab, 'outer', { states: states('sensitive'), children: [inner] })
    expect(only({ ...outer, children: [] }).traits).toEqual({ hidden: true })
    expect(only(outer, 'qt').children[0]!).toMatchObject({ traits: { hidden: true }, bounds: EMPTY_RECT })
  })

  it('[LX14] without bounds encloses its visible children', () => {
    const inner = node(ROLE.label, 'inner')
    const outer = node(ROLE.pageTab, 'outer', { states: states('sensitive'), extents: undefined, children: [inner] })
    expect(only(outer)).toMatchObject({ bounds: { x: 10, y: 20, width: 30, height: 40 } })
    expect(only(outer).traits).toBeUndefined()
  })

  it('[LX14] is expanded when part of its popup is visible', () => {
    const save = (...names: State[]) => node(ROLE.menuItem, 'Save', { states: states('sensitive', ...names) })
    const menu = (item: AccessibleNode) => only(node(ROLE.menu, 'File', { children: [item] })).expanded
    expect([menu(save()), menu(save('showing'))]).toEqual([false, true])
    expect(only(node(ROLE.comboBox, '', { children: [node(ROLE.pushButton, '')] })).expanded).toBe(false)
  })

  it('[LX14] that is a combo box has the displayed option as value', () => {
    const red = node(ROLE.menuItem, 'Red')
    const blue = node(ROLE.menuItem, 'Blue')
    const menu = node(ROLE.menu, '', { children: [red, blue] })
    expect(only(node(ROLE.comboBox, 'Colour', { children: [menu], selectedChild: blue.ref })).value).toBe('Blue')
    expect(only(node(ROLE.comboBox, 'Red', { children: [menu] }), 'qt').value).toBe('Red')
  })

  it('[LX14] has the state of its role: checked, selected or expanded', () => {
    const box = node(ROLE.checkBox, 'Agree', { states: states('showing', 'sensitive', 'checked') })
    const item = node(32, 'Pear', { states: states('showing', 'sensitive', 'selectable', 'selected') })
    const branch = node(91, 'src', { states: states('showing', 'sensitive', 'expandable') })
    expect(only(box).selected).toBe(true)
    expect(only(item).selected).toBe(true)
    expect(only(branch).expanded).toBe(false)
  })
})

describe('GTK 4', () => {
  it('[LX14] reports positions in the window; the window position and its shadow or border are added', () => {
    const button = node(ROLE.pushButton, 'OK')
    const window = { ...frame(button), extents: { x: 0, y: 0, width: 190, height: 190 } }
    expect(treeOf(window, 'gtk4').children[0]!.bounds).toEqual({ x: 115, y: 125, width: 30, height: 40 })
    const shadow = { left: 20, right: 20, top: 10, bottom: 30 }
    expect(treeOf(window, 'gtk4', shadow).children[0]!.bounds).toEqual({ x: 130, y: 130, width: 30, height: 40 })
  })

  it('[LX14] positions a popover by its X window', () => {
    const item = node(ROLE.menuItem, 'Open', { extents: { x: 15, y: 25, width: 20, height: 10 } })
    const menu = node(ROLE.menu, '', { children: [item] })
    const button = node(ROLE.pushButton, 'Menu', { children: [menu] })
    const tree = treeOf(frame(button), 'gtk4', NO_SHADOW, true, [{ x: 300, y: 400, width: 30, height: 40 }])
    const shown = tree.children[0]!.children[0]!
    expect(shown.bounds).toEqual({ x: 300, y: 400, width: 30, height: 40 })
    expect(shown.children[0]!.bounds).toEqual({ x: 305, y: 405, width: 20, height: 10 })
  })

  it('[LX14] replaces class names and repeated labels by the label inside', () => {
    const labelled = (name: string) => node(ROLE.pushButton, name, { children: [node(ROLE.label, '7')] })
    expect(only(labelled('7 7'), 'gtk4').name).toBe('7')
    expect(only(labelled('GtkButton'), 'gtk4').name).toBe('7')
    expect(only(node(ROLE.entry, 'GtkEntry'), 'gtk4').name).toBe('')
    expect(only(labelled('Seven'), 'gtk4').name).toBe('Seven')
  })
})

describe('the focus', () => {
  const on = { states: states('showing', 'sensitive', 'focused') }

  it('[LX14] is the innermost element that reports it, in the active window only', () => {
    const field = node(ROLE.entry, 'field', on)
    const list = node(31, 'list', { ...on, children: [field] })
    const tree = treeOf(frame(list))
    expect([tree.children[0]!.focused, tree.children[0]!.children[0]!.focused]).toEqual([false, true])
    expect(treeOf(frame(list), 'gtk3', NO_SHADOW, false).children[0]!.children[0]!.focused).toBe(false)
  })
})

it('[LX14] the focus in Qt is not at the current option of a closed list', () => {
  const on = { states: states('showing', 'sensitive', 'focused') }
  const option = node(ROLE.listItem, '10 pt', { ...on, extents: undefined })
  const field = node(ROLE.entry, 'field', on)
  const tree = treeOf(frame(field, node(ROLE.list, '', { children: [option] })), 'qt')
  expect([tree.children[0]!.focused, tree.children[1]!.children[0]!.focused]).toEqual([true, false])
})

describe('a window', () => {
  it('[LX14] has the bounds of the X server, its title when it has no name, and the role Window', () => {
    expect(treeOf(node(20, '', { extents: undefined }), 'qt')).toMatchObject({
      id: 'root',
      role: 'Window',
      name: 'Title',
      bounds: BOUNDS,
      enabled: true,
    })
    expect(treeOf(node(ROLE.dialog, 'Sure?')).role).toBe('Dialog')
  })
})

it('parses the accelerator, the last of three parts', () => {
  expect(['n;<Alt>f:n;<Primary><Shift>n', ';;F5', 'f', ''].map(acceleratorOf)).toEqual([
    'Ctrl+Shift+N',
    'F5',
    null,
    null,
  ])
})

describe('text', () => {
  const text = (role: number, words: string, more: Partial<AccessibleNode> = {}) =>
    node(role, '', { patterns: new Set(['Component', 'Text']), text: words, ...more })

  it('[LX68] without a name becomes the name, including embedded text', () => {
    const link = text(ROLE.link, 'a link')
    const paragraph = text(ROLE.paragraph, 'See \ufffc or \ufffc.', { children: [link, node(ROLE.pushButton, 'OK')] })
    expect(only(paragraph, 'other')).toMatchObject({ role: 'Text', name: 'See a link or .', value: null })
    expect(only(text(ROLE.section, 'Plain'), 'other')).toMatchObject({ role: 'Text', name: 'Plain' })
    expect(only(text(ROLE.section, '\ufffc', { children: [paragraph] }), 'other')).toMatchObject({
      role: 'Group',
      name: '',
    })
    expect(only(node(ROLE.heading, 'Welcome'), 'other')).toMatchObject({ role: 'Heading', name: 'Welcome' })
  })

  it('[LX68] of editable elements, terminals and cells is the value', () => {
    const editable = { states: states('showing', 'sensitive', 'editable', 'multiLine') }
    expect(only(text(ROLE.paragraph, 'Dear Zoë', editable))).toMatchObject({
      role: 'Text',
      name: '',
      value: 'Dear Zoë',
    })
    expect(only(text(ROLE.terminal, '$ ls\nfile\n\n\n')).value).toBe('$ ls\nfile\n')
    const cell = node(ROLE.tableCell, 'B3', { text: '42' })
    expect(only(cell)).toMatchObject({ role: 'Cell', name: 'B3', value: '42' })
    expect(only(node(ROLE.tableCell, 'Pear', { text: 'Pear' })).value).toBeNull()
  })

  it('[LX81] scrolled out of view is not hidden; the inactive page of a notebook is', () => {
    const away = { states: states('sensitive', 'visible'), extents: undefined }
    const row = node(ROLE.listItem, 'row 90', away)
    const view = (child: AccessibleNode) => only(node(ROLE.scrollPane, '', { children: [child] }))
    expect(view(row).children[0]!.traits).toBeUndefined()
    expect(view(node(ROLE.pageTab, '', { ...away, children: [row] })).children[0]!.children[0]!.traits).toEqual({
      hidden: true,
    })
    expect(only(row).traits).toEqual({ hidden: true })
  })

  it('[LX68] in the labels of a nameless item becomes its name', () => {
    const item = node(ROLE.listItem, '', { children: [node(ROLE.static, '• '), node(ROLE.static, 'First')] })
    expect(only(item, 'chromium').name).toBe('First')
  })

  it('[LX67] is marked as truncated', () => {
    expect(only(text(ROLE.entry, 'so much', { isTextTruncated: true })).traits).toEqual({ childCount: 0 })
    expect(only(node(ROLE.list, '', { children: [node(ROLE.listItem, 'a')], childCount: 9 })).traits).toEqual({
      childCount: 9,
    })
  })
})

describe('roles', () => {
  it('[LX69] distinguish an item that opens a menu from the menu', () => {
    const menu = node(ROLE.menu, 'File', {
      children: [node(ROLE.menu, '', { children: [node(ROLE.menuItem, 'Save')] })],
    })
    const bar = only(node(ROLE.menuBar, '', { children: [menu] }))
    expect(bar.children[0]).toMatchObject({ role: 'MenuItem', name: 'File', children: [{ role: 'Menu' }] })
  })

  it('[LX69] turn windows within a window into panes', () => {
    expect(only(node(ROLE.frame, '84'), 'qt')).toMatchObject({ role: 'Text', name: '84' })
    expect(only(node(ROLE.frame, '', { children: [node(ROLE.label, 'x')] }), 'qt').role).toBe('Pane')
    expect(only(node(ROLE.internalFrame, ''), 'other').role).toBe('Pane')
  })

  it('[LX69] turn editable containers into fields', () => {
    const edited = (...names: State[]) =>
      only(node(ROLE.section, '', { text: 'x', states: states('showing', 'editable', 'focusable', ...names) }), 'other')
    expect([edited().role, edited('multiLine').role, edited().value]).toEqual(['Edit', 'Document', 'x'])
  })

  it('[LX70] hide the options of a collapsed combo box', () => {
    const box = (...names: State[]) =>
      only(
        node(ROLE.comboBox, 'Colour', {
          states: states('showing', 'sensitive', 'expandable', ...names),
          children: [node(ROLE.menuItem, 'Red')],
        }),
        'other',
      )
    expect(box()).toMatchObject({ expanded: false, children: [{ bounds: EMPTY_RECT, traits: { hidden: true } }] })
    expect(box('expanded')).toMatchObject({ expanded: true, children: [{ bounds: { x: 10 } }] })
  })

  it('[LX72] merge a GTK 4 button that contains a button', () => {
    const inner = node(ROLE.pushButton, 'Open', { children: [node(ROLE.label, 'Open')] })
    const outer = node(ROLE.pushButton, 'GtkMenuButton', {
      extents: { x: 1, y: 2, width: 90, height: 30 },
      children: [inner],
    })
    expect(only(outer, 'gtk4')).toMatchObject({
      role: 'Button',
      name: 'Open',
      bounds: { width: 90, height: 30 },
      children: [{ role: 'Text', name: 'Open' }],
    })
    expect(only(node(ROLE.filler, 'EditorPage'), 'gtk4').name).toBe('')
    expect(only(node(ROLE.label, 'LibreOffice'), 'gtk4').name).toBe('LibreOffice')
  })

  it('[LX65] of rows act as their first cell', () => {
    const cell = node(ROLE.tableCell, 'A1', { index: 0 })
    const row = node(ROLE.tableRow, '', { children: [cell], actionNode: cell, index: 7, patterns: new Set() })
    const { tree, sources: refs } = toElementTree(
      frame(row),
      {
        toolkit: 'gtk3',
        popups: [],
        window: { bounds: BOUNDS, inner: BOUNDS, shadow: NO_SHADOW, focused: true, title: '' },
      },
      ({ path }) => path,
    )
    expect(tree.children[0]!.role).toBe('DataItem')
    expect(refs.get(row.ref.path)).toMatchObject({ ref: cell.ref, role: ROLE.tableCell, index: 7 })
  })
})

describe('places', () => {
  const window = (extents: Rect, ...children: readonly AccessibleNode[]) =>
    node(ROLE.frame, 'Form', { extents, children })
  const button = (extents: Rect) => node(ROLE.pushButton, 'OK', { extents })
  const placed = (reading: AccessibleNode, toolkit: Toolkit) => treeOf(reading, toolkit).children[0]!.bounds

  it('[LX73] are screen pixels for a program that measures in larger ones', () => {
    const half = { x: 50, y: 50, width: 100, height: 100 }
    expect(placed(window(half, button({ x: 60, y: 70, width: 20, height: 10 })), 'gtk3')).toEqual({
      x: 120,
      y: 140,
      width: 40,
      height: 20,
    })
    expect(placed(window({ ...half, x: 0, y: 0 }, button({ x: 10, y: 20, width: 20, height: 10 })), 'gtk4')).toEqual({
      x: 120,
      y: 140,
      width: 40,
      height: 20,
    })
    const qt = window({ x: 400, y: 300, width: 160, height: 160 }, button({ x: 408, y: 316, width: 40, height: 16 }))
    expect(placed(qt, 'qt')).toEqual({ x: 110, y: 120, width: 50, height: 20 })
  })

  it('[LX74] of a page of a scaled Chromium are in pixels already, its window is elsewhere', () => {
    const heading = node(ROLE.heading, 'Welcome', { extents: { x: 70, y: 140, width: 80, height: 20 } })
    const page = node(ROLE.documentWeb, '', {
      extents: { x: 60, y: 120, width: 180, height: 160 },
      children: [heading],
    })
    const panel = node(ROLE.panel, '', { extents: { x: 30, y: 60, width: 90, height: 80 }, children: [page] })
    const chromium = node(ROLE.frame, '', { extents: { x: 25, y: 40, width: 100, height: 100 }, children: [panel] })
    const [outer] = treeOf(chromium, 'chromium').children
    expect(outer!.bounds).toEqual({ x: 110, y: 140, width: 180, height: 160 })
    expect(outer!.children[0]!.bounds).toEqual({ x: 110, y: 140, width: 180, height: 160 })
    expect(outer!.children[0]!.children[0]!.bounds).toEqual({ x: 120, y: 160, width: 80, height: 20 })
  })

  it("[LX75] of LibreOffice's own widgets are moved to where they are drawn, those of GTK inside are not", () => {
    const label = node(ROLE.label, 'Page 1', { extents: { x: 105, y: 130, width: 40, height: 10 } })
    const gtk = node(ROLE.text, '', { extents: { x: 120, y: 165, width: 60, height: 20 } })
    const vcl = node(ROLE.panel, 'Font', { extents: { x: 120, y: 140, width: 60, height: 20 }, children: [gtk] })
    const pane = node(ROLE.rootPane, '', {
      extents: { x: 100, y: 110, width: 200, height: 165 },
      children: [label, vcl],
    })
    const panel = node(ROLE.panel, '', { extents: { x: 100, y: 135, width: 200, height: 165 }, children: [pane] })
    const root = treeOf(frame(panel)).children[0]!.children[0]!
    expect(root.bounds.y).toBe(135)
    expect(root.children.map(({ bounds }) => bounds.y)).toEqual([155, 165])
    expect(root.children[1]!.children[0]!.bounds.y).toBe(165)
  })
})

it('[LX80] includes a menu with a separate window in the tree of its owner, once', () => {
  const menu = node(ROLE.menu, '', { children: [node(ROLE.menuItem, 'Paste')] })
  const window = frame(node(ROLE.text, 'field'))
  const popup = node(ROLE.window, '', { children: [menu] })
  const whole = withMenus(window, [popup])
  expect(treeOf(whole).children.map(({ role, expanded }) => [role, expanded])).toEqual([
    ['Edit', undefined],
    ['Menu', true],
  ])
  expect(withMenus(whole, [popup])).toEqual(whole)
})
