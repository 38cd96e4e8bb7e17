import { describe, expect, it } from 'vitest'
import {
  button,
  checkbox,
  comboBox,
  desktop,
  document,
  edit,
  element,
  rect,
  window,
} from '../../desktop/model/builders.ts'
import { changeAt, type Element, nodeById, pathOf, walk, withFields } from '../../desktop/model/element.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'
import { ROLE_TABLE } from '../../desktop/model/role-table.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { PERSONALITIES, personalityNamed } from './personalities.ts'
import type { Personality, ViewedKind } from './personality.ts'
import { asSeenOn, popupTree, popupWindows, toAuthored } from './platform-view.ts'

const named = (name: string): Personality => personalityNamed(name)!
const [uia, ax, gtk, qt, chromium, firefox] = PERSONALITIES as [
  Personality,
  Personality,
  Personality,
  Personality,
  Personality,
  Personality,
]

const place = rect(120, 200, 200, 28)
const office = desktop(
  window(
    'Office',
    { uid: 'office' },
    element(
      'MenuBar',
      '',
      { id: 'bar', bounds: rect(100, 130, 600, 24) },
      element(
        'MenuItem',
        'File',
        { id: 'file', expanded: false, bounds: rect(100, 130, 60, 24) },
        element('MenuItem', 'Save', { id: 'save', keyboardShortcut: 'Ctrl+S', bounds: rect(100, 154, 160, 24) }),
        element('CheckMenuItem', 'Wrap', { id: 'wrap', selected: true, bounds: rect(100, 178, 160, 24) }),
      ),
    ),
    edit('Name', { id: 'name', bounds: place }),
    element('Edit', 'PIN', { id: 'pin', traits: { secret: true }, bounds: rect(120, 260, 200, 28) }),
    document('Letter', { id: 'letter', value: 'Dear Ann', bounds: rect(120, 320, 200, 80) }),
    comboBox(
      'Size',
      { id: 'size', expanded: false, bounds: rect(360, 200, 120, 28) },
      element('ListItem', 'Large', { id: 'large', bounds: rect(360, 228, 120, 24) }),
    ),
    checkbox('Agree', { id: 'agree', bounds: rect(360, 260, 120, 24) }),
    button('Send', { id: 'send', keyboardShortcut: 'Ctrl+Enter', bounds: rect(360, 320, 80, 28) }),
    element('Heading', 'Orders', { id: 'title', bounds: rect(500, 180, 120, 20) }),
    element(
      'Table',
      'Orders',
      { id: 'orders', bounds: rect(500, 200, 300, 60) },
      element(
        'Row',
        'Ann 12',
        { id: 'ann', selected: true, bounds: rect(500, 200, 300, 30) },
        element('Cell', 'Ann', { id: 'ann.who', bounds: rect(500, 200, 150, 30) }),
        element('Cell', '12', { id: 'ann.sum', bounds: rect(650, 200, 150, 30) }),
      ),
      element(
        'Row',
        'Bob 7',
        { id: 'bob', bounds: rect(500, 500, 300, 30) },
        element('Cell', 'Bob', { id: 'bob.who', bounds: rect(500, 500, 150, 30) }),
      ),
    ),
  ),
)
const tree = office.windows[0]!.tree
const EMPTY = { x: 0, y: 0, width: 0, height: 0 }

const seen = (personality: Personality, id: string, of = tree): Element | undefined =>
  nodeById(asSeenOn(personality, of), id)
const parentOf = (personality: Personality, id: string): Element | undefined =>
  [...walk(asSeenOn(personality, tree))].find(({ children }) => children.some((child) => child.id === id))
const withOpen = (id: string): Element =>
  changeAt(tree, pathOf(tree, id)!, (node) => withFields(node, { expanded: true }))

describe('a personality', () => {
  it.each([
    ['windows-uia', 'name', 'Edit', undefined],
    ['windows-uia', 'orders', 'DataGrid', undefined],
    ['macos-ax', 'size', 'DropDown', 'AXPopUpButton'],
    ['macos-ax', 'send', 'Button', 'AXButton'],
    ['linux-gtk', 'title', 'Text', 'label'],
    ['linux-gtk', 'pin', 'PasswordEdit', 'password text'],
    ['linux-gtk', 'file', 'Menu', 'menu'],
    ['linux-qt', 'file', 'MenuItem', 'menu item'],
    ['linux-qt', 'root', 'Window', 'filler'],
    ['web-chromium', 'title', 'Heading', 'heading'],
    ['web-firefox', 'name', 'Edit', 'entry'],
  ])('[PER1] %s shows %s as %s, which is natively %s', (personality, id, role, identifier) => {
    expect(seen(named(personality), id)).toMatchObject({ role, ...(identifier && { identifier }) })
  })

  it('[PER1] names menu items, buttons and separators as the platform does', () => {
    const open = withOpen('file')
    expect(seen(uia, 'save', open)?.name).toBe('Save\tCtrl+S')
    expect(seen(firefox, 'send')?.name).toBe('Send (Ctrl+Enter)')
    expect(seen(qt, 'wrap', open)).toMatchObject({ role: 'MenuItem', selected: undefined })
    expect(seen(gtk, 'wrap', open)).toMatchObject({ role: 'MenuItem', selected: true })
  })

  /** Kinds that a platform may show by a role of another kind, since their role does not decide what is shown. */
  const VIEWED_AS_OTHERS: ReadonlySet<string> = new Set<ViewedKind>([
    'password',
    'text',
    'heading',
    'cell',
    'day',
    'toast',
    'link',
    'toggle',
    'edit',
    'document',
    'image',
    'checkInMenu',
    'radioInMenu',
    'statusbar',
    'group',
    'pane',
    'dialog',
    'separator',
    'menuInBar',
    'other',
  ])

  it.each(PERSONALITIES)('[PER1] $name shows each kind by a role of the same kind', ({ roles }) => {
    for (const kind of Object.keys(ROLE_TABLE) as RoleKind[])
      if (!VIEWED_AS_OTHERS.has(kind)) expect([kind, roleKind(roles[kind].role)]).toEqual([kind, kind])
  })

  it.each(PERSONALITIES)('[PER2] $name gives each element an id of its own and keeps those of the scenario', (each) => {
    const ids = [...walk(asSeenOn(each, tree))].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set([...walk(tree)].map(({ id }) => id))
    expect(ids.filter((id) => !known.has(id) && !known.has(id.slice(id.indexOf(':') + 1)))).toEqual([])
    expect(ids).toEqual(expect.arrayContaining(['root', 'name', 'label:name', 'send', 'ann.who']))
  })

  it.each(PERSONALITIES)('[PER3] $name projects only what changed', (each) => {
    const changed = changeAt(tree, pathOf(tree, 'send')!, (node) => withFields(node, { enabled: false }))
    for (const id of ['name', 'label:name', 'ann.who', 'bar', 'agree'])
      expect(seen(each, id, changed)).toBe(seen(each, id))
    expect(seen(each, 'send', changed)?.enabled).toBe(false)
    expect(asSeenOn(each, tree)).toBe(asSeenOn(each, tree))
  })

  it.each([
    ['windows-uia', undefined, undefined],
    ['macos-ax', EMPTY, EMPTY],
    ['linux-gtk', EMPTY, EMPTY],
    ['linux-qt', EMPTY, EMPTY],
    ['web-chromium', undefined, EMPTY],
    ['web-firefox', undefined, EMPTY],
  ])('[PER4] %s shows closed menus with bounds %o and closed options with %o', (name, menu, options) => {
    expect(seen(named(name), 'save')?.bounds).toEqual(menu)
    expect(seen(named(name), 'large')?.bounds).toEqual(options)
    if (options) expect(seen(named(name), 'large')?.traits?.hidden).toBe(true)
    expect(seen(named(name), 'save', withOpen('file'))?.bounds).toEqual(rect(100, 154, 160, 24))
  })

  it('[PER5] omits rows out of view, or shows them without bounds', () => {
    expect(seen(uia, 'bob')).toBeUndefined()
    expect(seen(uia, 'orders')?.traits).toMatchObject({ childCount: 2 })
    expect(seen(gtk, 'bob.who')).toMatchObject({ bounds: EMPTY, traits: { hidden: true } })
    expect(seen(chromium, 'bob')?.bounds).toEqual(rect(500, 500, 300, 30))
  })

  it.each(PERSONALITIES)('[PER6] $name has captions as elements above their fields', (each) => {
    const label = seen(each, 'label:name')!
    expect(label).toMatchObject({ name: 'Name', role: each.roles.text.role, children: [] })
    expect(label.bounds.y + label.bounds.height).toBeLessThanOrEqual(place.y)
    expect(seen(each, 'name')?.name).toBe(each === ax ? '' : 'Name')
    const action = { type: 'focus', target: { window: 'office', element: 'label:name' }, at: { x: 0, y: 0 } } as const
    expect(toAuthored(each, office, action)).toMatchObject({ target: { window: 'office', element: 'name' } })
  })

  it('[PER7] adds the containers of the platform', () => {
    expect(parentOf(gtk, 'letter')).toMatchObject({
      id: 'scroll:letter',
      role: 'ScrollArea',
      bounds: rect(120, 320, 200, 80),
    })
    expect(parentOf(ax, 'orders')).toMatchObject({ id: 'scroll:orders', identifier: 'AXScrollArea' })
    expect(parentOf(gtk, 'send')).toMatchObject({ id: 'filler:root', role: 'Group', identifier: 'filler' })
    expect(parentOf(chromium, 'send')).toMatchObject({ id: 'page:root', role: 'Document', name: 'Office' })
    expect(parentOf(firefox, 'page:root')).toMatchObject({ id: 'frame:root', role: 'Window' })
    expect([uia, ax, qt].map((each) => parentOf(each, 'send')?.id)).toEqual(['root', 'root', 'root'])
  })

  it('[PER9] has no rows on GTK', () => {
    expect(seen(gtk, 'ann')).toBeUndefined()
    expect(parentOf(gtk, 'ann.who')?.id).toBe('orders')
    expect([seen(gtk, 'ann.who')?.selected, seen(gtk, 'bob.who')?.selected]).toEqual([true, undefined])
    expect([uia, ax, qt, chromium].map((each) => parentOf(each, 'ann.who')?.id)).toEqual(['ann', 'ann', 'ann', 'ann'])
  })

  it.each([
    ['windows-uia', ['office#popup:file'], true],
    ['macos-ax', [], false],
    ['linux-gtk', ['office#popup:file'], true],
    ['linux-qt', ['office#popup:file'], false],
    ['web-chromium', [], false],
    ['web-firefox', [], false],
  ])('[PER11] %s shows an open menu in the windows %j', (name, uids, hasTree) => {
    const owner = { ...office.windows[0]!, tree: withOpen('file') }
    const popups = popupWindows(named(name), owner)
    expect(popups.map(({ uid }) => uid)).toEqual(uids)
    const root = popups[0] && popupTree(named(name), popups[0])
    expect(root?.children.map(({ id }) => id)).toEqual(hasTree ? ['save', 'wrap'] : undefined)
    if (root) expect(root).toMatchObject({ id: 'popup:file', role: 'Window', bounds: rect(100, 154, 160, 48) })
  })

  it('[PER12] turns an action on the window of a menu to its owner', () => {
    const popup = 'office#popup:file'
    const act = (type: 'invoke') => ({ type, target: { window: popup, element: 'save' }, at: { x: 0, y: 0 } })
    expect(toAuthored(gtk, office, act('invoke'))).toMatchObject({ target: { window: 'office', element: 'save' } })
    expect(toAuthored(gtk, office, { type: 'activate', window: popup })).toEqual({ type: 'activate', window: 'office' })
    expect(() => toAuthored(gtk, office, { type: 'window', window: popup, to: 'close' })).toThrow(
      expect.objectContaining({ code: 'PatternUnsupported' }),
    )
  })

  it.each([
    ['windows-uia', 'agree', true],
    ['windows-uia', 'send', false],
    ['macos-ax', 'ann', true],
    ['macos-ax', 'agree', false],
    ['linux-gtk', 'agree', false],
  ])('[PER13] %s refuses to invoke %s: %s', (name, id, isRefused) => {
    const action = { type: 'invoke', target: { window: 'office', element: id }, at: { x: 0, y: 0 } } as const
    const act = () => toAuthored(named(name), office, action)
    if (isRefused) expect(act).toThrow(expect.objectContaining({ code: 'PatternUnsupported' }))
    else expect(act()).toEqual(action)
  })

  it('[PER15] resolves selectors of the scenario that name nothing in the tree', () => {
    const ids = (personality: Personality, selector: string) =>
      querySelectorAll(asSeenOn(personality, tree), selector).map(({ element }) => element.id)
    for (const each of PERSONALITIES) {
      expect(ids(each, 'Window/Button "Send"')).toEqual(['send'])
      expect(ids(each, 'Edit "Name"')).toEqual(['name'])
      expect(ids(each, 'Heading "Orders"')).toEqual(['title'])
      expect(ids(each, 'Document[name="Letter"]')).toEqual(['letter'])
      expect(ids(each, 'Cell "Ann"')).toEqual(['ann.who'])
      expect(ids(each, 'Button "Nothing"')).toEqual([])
    }
    // What is seen comes first.
    expect(ids(ax, 'TextField')).toEqual(['name', 'pin'])
    expect(ids(gtk, 'Text')).toEqual(expect.arrayContaining(['title', 'label:name']))
    expect(ids(gtk, 'Table/Row "Ann 12"')).toEqual(['ann.who'])
  })
})
