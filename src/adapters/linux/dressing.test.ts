import { describe, expect, it } from 'vitest'
import { NOWHERE, type Rect } from '../../desktop/model/geometry.ts'
import type { Toolkit } from './accessibility.ts'
import { acceleratorOf, dress } from './dressing.ts'
import type { Reading } from './reading.ts'
import { ROLE, STATE, type State } from './roles.ts'

const states = (...names: readonly State[]): readonly number[] => {
  const words = [0, 0]
  for (const name of names) words[STATE[name] >> 5]! |= 1 << (STATE[name] & 31)
  return words
}

let paths = 0
const node = (role: number, name: string, more: Partial<Reading> = {}): Reading => ({
  ref: { bus: ':1.1', path: `/${++paths}` },
  role,
  name,
  description: '',
  states: states('sensitive', 'showing', 'visible'),
  patterns: new Set(['Component']),
  extents: { x: 10, y: 20, width: 30, height: 40 },
  text: undefined,
  value: undefined,
  keys: undefined,
  chosen: undefined,
  children: [],
  ...more,
})

const frame = (...children: readonly Reading[]) => node(ROLE.frame, 'Form', { children })
const BOUNDS: Rect = { x: 100, y: 100, width: 200, height: 200 }
const NO_SHADOW = { left: 0, right: 0, top: 0, bottom: 0 }

const treeOf = (
  reading: Reading,
  toolkit: Toolkit = 'gtk3',
  shadow = NO_SHADOW,
  focused = true,
  popups: readonly Rect[] = [],
) =>
  dress(
    reading,
    { toolkit, popups, window: { bounds: BOUNDS, inner: BOUNDS, shadow, focused, title: 'Title' } },
    ({ path }) => path,
  ).tree
const only = (reading: Reading, toolkit: Toolkit = 'gtk3') => treeOf(frame(reading), toolkit).children[0]!

describe('an element', () => {
  it("[L6] has the document's role, the raw one as its identifier, and its place on the screen", () => {
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

  it('[L6] is a document with several lines, an edit with one, a text when it cannot be changed', () => {
    const text = (...names: State[]) =>
      only(node(ROLE.text, '', { states: states('showing', ...names), text: 'x' })).role
    expect(text('multiLine', 'editable')).toBe('Document')
    expect(text('editable')).toBe('Edit')
    const label = node(ROLE.text, '', { patterns: new Set(['Component', 'Text']), text: 'x' })
    expect(only(label).role).toBe('Text')
  })

  it('[L6] that is a password is secret', () => {
    expect(only(node(ROLE.passwordText, 'PIN', { text: '●●●' })).traits).toEqual({ secret: true })
  })

  it('[L6] that is not showing is hidden; for Qt, whatever lies in it as well', () => {
    const inner = node(ROLE.label, 'inner')
    const outer = node(ROLE.pageTab, 'outer', { states: states('sensitive'), children: [inner] })
    expect(only({ ...outer, children: [] }).traits).toEqual({ hidden: true })
    expect(only(outer, 'qt').children[0]!).toMatchObject({ traits: { hidden: true }, bounds: NOWHERE })
  })

  it('[L6] that is nowhere itself is around what is seen of it', () => {
    const inner = node(ROLE.label, 'inner')
    const outer = node(ROLE.pageTab, 'outer', { states: states('sensitive'), extents: undefined, children: [inner] })
    expect(only(outer)).toMatchObject({ bounds: { x: 10, y: 20, width: 30, height: 40 } })
    expect(only(outer).traits).toBeUndefined()
  })

  it('[L6] is unfolded when something of what it pops up is seen', () => {
    const save = (...names: State[]) => node(ROLE.menuItem, 'Save', { states: states('sensitive', ...names) })
    const menu = (item: Reading) => only(node(ROLE.menu, 'File', { children: [item] })).expanded
    expect([menu(save()), menu(save('showing'))]).toEqual([false, true])
    expect(only(node(ROLE.comboBox, '', { children: [node(ROLE.pushButton, '')] })).expanded).toBe(false)
  })

  it('[L6] has what its combo box shows as value', () => {
    const red = node(ROLE.menuItem, 'Red')
    const blue = node(ROLE.menuItem, 'Blue')
    const menu = node(ROLE.menu, '', { children: [red, blue] })
    expect(only(node(ROLE.comboBox, 'Colour', { children: [menu], chosen: blue.ref })).value).toBe('Blue')
    expect(only(node(ROLE.comboBox, 'Red', { children: [menu] }), 'qt').value).toBe('Red')
  })

  it('[L6] has the state that its role has: ticked, chosen or unfolded', () => {
    const box = node(ROLE.checkBox, 'Agree', { states: states('showing', 'sensitive', 'checked') })
    const item = node(32, 'Pear', { states: states('showing', 'sensitive', 'selectable', 'selected') })
    const branch = node(91, 'src', { states: states('showing', 'sensitive', 'expandable') })
    expect(only(box).selected).toBe(true)
    expect(only(item).selected).toBe(true)
    expect(only(branch).expanded).toBe(false)
  })
})

describe('GTK 4', () => {
  it("[L6] tells places in the window, to which the window's own is added, with its shadow or its border", () => {
    const button = node(ROLE.pushButton, 'OK')
    const window = { ...frame(button), extents: { x: 0, y: 0, width: 190, height: 190 } }
    expect(treeOf(window, 'gtk4').children[0]!.bounds).toEqual({ x: 115, y: 125, width: 30, height: 40 })
    const shadow = { left: 20, right: 20, top: 10, bottom: 30 }
    expect(treeOf(window, 'gtk4', shadow).children[0]!.bounds).toEqual({ x: 130, y: 130, width: 30, height: 40 })
  })

  it('[L6] tells where a popover would be in the window; its X window is where it is', () => {
    const item = node(ROLE.menuItem, 'Open', { extents: { x: 15, y: 25, width: 20, height: 10 } })
    const menu = node(ROLE.menu, '', { children: [item] })
    const button = node(ROLE.pushButton, 'Menu', { children: [menu] })
    const tree = treeOf(frame(button), 'gtk4', NO_SHADOW, true, [{ x: 300, y: 400, width: 30, height: 40 }])
    const shown = tree.children[0]!.children[0]!
    expect(shown.bounds).toEqual({ x: 300, y: 400, width: 30, height: 40 })
    expect(shown.children[0]!.bounds).toEqual({ x: 305, y: 405, width: 20, height: 10 })
  })

  it('[L6] gives names of classes and doubled labels, which become the label within', () => {
    const labelled = (name: string) => node(ROLE.pushButton, name, { children: [node(ROLE.label, '7')] })
    expect(only(labelled('7 7'), 'gtk4').name).toBe('7')
    expect(only(labelled('GtkButton'), 'gtk4').name).toBe('7')
    expect(only(node(ROLE.entry, 'GtkEntry'), 'gtk4').name).toBe('')
    expect(only(labelled('Seven'), 'gtk4').name).toBe('Seven')
  })
})

describe('the focus', () => {
  const on = { states: states('showing', 'sensitive', 'focused') }

  it('[L6] is the innermost element that says so, in the active window only', () => {
    const field = node(ROLE.entry, 'field', on)
    const list = node(31, 'list', { ...on, children: [field] })
    const tree = treeOf(frame(list))
    expect([tree.children[0]!.focused, tree.children[0]!.children[0]!.focused]).toEqual([false, true])
    expect(treeOf(frame(list), 'gtk3', NO_SHADOW, false).children[0]!.children[0]!.focused).toBe(false)
  })
})

describe('a window', () => {
  it('[L6] has the bounds that the X server gives it, its title when it has no name, and the role of one', () => {
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

it('an accelerator is the last of three parts, in our spelling', () => {
  expect(['n;<Alt>f:n;<Primary><Shift>n', ';;F5', 'f', ''].map(acceleratorOf)).toEqual([
    'Ctrl+Shift+N',
    'F5',
    null,
    null,
  ])
})
