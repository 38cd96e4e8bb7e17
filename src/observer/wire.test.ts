import { expect, it } from 'vitest'
import { element } from '../desktop/model/builders.ts'
import type { Element } from '../desktop/model/element.ts'
import { diffTrees } from '../desktop/tree/diff.ts'
import { wireWindow } from './tools/window-tools.ts'
import { cutDepth, toWireElement, wireChanges } from './wire.ts'

// Rules such as [OB43] are stated in src/observer/SPEC.md.

const node = (id: string, more: Partial<Element> = {}): Element =>
  ({
    ...element('List', id),
    id,
    value: null,
    bounds: { x: 0, y: 0, width: 10, height: 10 },
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children: [],
    ...more,
  }) as Element

it('[OB41] marks elements that their author or program hides', () => {
  expect(toWireElement(node('a', { traits: { hidden: true } }))).toMatchObject({ hidden: true })
  expect(toWireElement(node('a'))).not.toHaveProperty('hidden')
})

it('[OB43] marks an element with more children than were read, also where the depth is cut', () => {
  const list = node('list', { traits: { childCount: 10_000 }, children: [node('row')] })
  const wire = toWireElement(node('root', { children: [list] }))
  expect(wire.children[0]).toMatchObject({ truncated: true, child_count: 10_000, children: [{ id: 'row' }] })
  expect(cutDepth(wire, 1).children[0]).toMatchObject({ truncated: true, child_count: 10_000, children: [] })
})

it('[OB56] reports when an element is hidden or shown, and when more of it is read', () => {
  const before = node('root', { children: [node('a', { traits: { hidden: true } }), node('b')] })
  const after = node('root', { children: [node('a'), node('b', { traits: { childCount: 7 } })] })
  expect(wireChanges(before, after, 'custom')).toEqual([
    { op: 'replace', path: '0', fields: { hidden: null } },
    { op: 'replace', path: '1', fields: { child_count: 7, truncated: true } },
  ])
  expect(wireChanges(before, after, 'json-patch')).toEqual([
    { op: 'remove', path: '/children/0/hidden' },
    { op: 'add', path: '/children/1/child_count', value: 7 },
    { op: 'add', path: '/children/1/truncated', value: true },
  ])
  expect(diffTrees(before, before)).toEqual([])
})

it('[OB19] names the window that a popup belongs to', () => {
  const window = { uid: 'x11:2', handle: '2', title: '', process: '', pid: 0, bounds: node('a').bounds, focused: false }
  expect(wireWindow({ ...window, popupOf: 'x11:1' })).toMatchObject({ window_uid: 'x11:2', popup_of: 'x11:1' })
  expect(wireWindow(window)).not.toHaveProperty('popup_of')
})
