import { expect, it } from 'vitest'
import { smallRecording, storedElement } from '../../../test/support/viewer/small-recording.ts'
import { createTreeReader } from './read-recording.ts'
import type { StoredElement, StoredWindow } from './recording.ts'
import { compareTrees, lineKey } from './tree-changes.ts'

// Rules such as [VW5] are stated in README.md of the viewer.

const storedWindow = (root: number, parts: Partial<StoredWindow> = {}): StoredWindow => ({
  uid: 'w',
  title: 'Desk',
  process: 'desk.exe',
  bounds: { x: 0, y: 0, width: 100, height: 100 },
  focused: true,
  root,
  ...parts,
})

const readerOf = (elements: readonly StoredElement[], desks: readonly (readonly StoredWindow[])[]) =>
  createTreeReader(smallRecording({ tables: { elements, desks } }).tables)

const elements = [
  storedElement('left'), // 0
  storedElement('right'), // 1
  storedElement('right', [], 'Renamed'), // 2
  storedElement('new'), // 3
  storedElement('root', [0, 1]), // 4
  storedElement('root', [0, 2, 3]), // 5
  storedElement('root', [1]), // 6
  storedElement('box', [0]), // 7
  storedElement('root', [7, 1]), // 8
]

it('[VW5] shares the elements of desks, and fills the fields that are not stored', () => {
  const at = readerOf(elements, [[storedWindow(4)], [storedWindow(5)]])
  const [before, after] = [at(0)[0]!.tree!, at(1)[0]!.tree!]
  expect(after.children[0]).toBe(before.children[0])
  expect(at(0)).toBe(at(0))
  expect(before.children[0]).toEqual({
    ...storedElement('left'),
    ...{ value: null, enabled: true, focused: false, keyboard_shortcut: null, description: null, children: [] },
  })
  expect(at(undefined)).toEqual([])
})

it('[VW6] finds changed and added elements', () => {
  const at = readerOf(elements, [[storedWindow(4)], [storedWindow(5, { title: 'Desk 2' })]])
  const { changes, kinds } = compareTrees(at(0), at(1))
  expect(changes.map(({ kind, label, properties }) => [kind, label, ...properties])).toEqual([
    ['changed', 'window Desk 2', { name: 'title', before: 'Desk', after: 'Desk 2' }],
    ['changed', 'Group Renamed', { name: 'name', before: 'right', after: 'Renamed' }],
    ['added', 'Group new'],
  ])
  expect(kinds.get(lineKey('w', 'new'))).toBe('added')
})

it('[VW16] keeps a removed element at its place', () => {
  const at = readerOf(elements, [[storedWindow(4)], [storedWindow(6)]])
  const { changes, merged } = compareTrees(at(0), at(1))
  expect(changes.map(({ kind, label }) => [kind, label])).toEqual([['removed', 'Group left']])
  expect(merged[0]!.tree!.children.map(({ id }) => id)).toEqual(['left', 'right'])
})

it('[VW6] does not call a moved element removed', () => {
  const at = readerOf(elements, [[storedWindow(4)], [storedWindow(8)]])
  const { changes, merged } = compareTrees(at(0), at(1))
  expect(changes.map(({ kind, label, below }) => [kind, label, below])).toEqual([['added', 'Group box', 1]])
  expect(merged[0]!.tree!.children.map(({ id }) => id)).toEqual(['box', 'right'])
})

it('[VW16] marks all elements of windows that opened and closed', () => {
  const at = readerOf(elements, [[storedWindow(4)], [storedWindow(6, { uid: 'v' })]])
  const { changes, kinds, merged } = compareTrees(at(0), at(1))
  expect(changes.map(({ kind, window, below }) => [kind, window, below])).toEqual([
    ['added', 'v', 2],
    ['removed', 'w', 3],
  ])
  expect([kinds.get(lineKey('v', 'right')), kinds.get(lineKey('w', 'right'))]).toEqual(['added', 'removed'])
  expect(merged.map(({ uid }) => uid)).toEqual(['w', 'v'])
})

it('[VW6] does not look at desks that are the same', () => {
  const at = readerOf(elements, [[storedWindow(4)]])
  expect(compareTrees(at(0), at(0)).merged[0]!.tree).toBe(at(0)[0]!.tree)
})
