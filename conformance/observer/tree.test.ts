import { describe, expect, it } from 'vitest'
import type { CustomChange, Node } from './shapes.ts'
import { applyPatch, changed, hashTree, place, roleIndex, withoutHashes } from './tree.ts'

const node = (id: string, role: string, name: string, children: readonly Node[] = []): Node => ({
  id,
  role,
  name,
  value: null,
  bounds: { x: 0, y: 0, width: 10, height: 10 },
  enabled: true,
  focused: false,
  keyboard_shortcut: null,
  description: null,
  children,
})

const before = node('root', 'Window', 'Desk', [
  node('a', 'Button', 'One'),
  node('b', 'Edit', 'Two'),
  node('c', 'Button', 'Three'),
])

describe('a tree', () => {
  it('is walked parents first, each node with its path and its place among its role', () => {
    const placed = place(before)
    expect(placed.map((one) => one.path)).toEqual([[], [0], [1], [2]])
    expect(placed.map(roleIndex)).toEqual([0, 0, 0, 1])
  })

  it('is hashed as the reference server does', () => {
    const empty = { ...node('root', 'Window', '(empty)'), bounds: { x: 0, y: 0, width: 800, height: 600 } }
    expect(hashTree(empty)).toMatch(/^sha1:[0-9a-f]{40}$/)
    expect(hashTree({ ...empty, value: '' })).toBe(hashTree(empty))
    expect(hashTree({ ...empty, focused: true })).toBe(hashTree(empty))
    expect(hashTree({ ...empty, enabled: false })).not.toBe(hashTree(empty))
  })

  it('keeps its documented fields only', () => {
    const more = { ...before, selected: true } as Node
    expect(withoutHashes(more)).toEqual(before)
  })
})

describe('a difference', () => {
  const after = node('root', 'Window', 'Desk', [node('c', 'Button', 'Four'), node('a', 'Button', 'One')])

  it('in custom form is applied one change after another', () => {
    const changes: CustomChange[] = [
      { op: 'remove', path: '1' },
      { op: 'move', from: '1', to: '0' },
      { op: 'replace', path: '0', fields: { name: 'Four' } },
    ]
    expect(changed(before, changes)).toEqual(after)
  })

  it('in custom form that names no node is the server’s failure', () => {
    expect(() => changed(before, [{ op: 'remove', path: '7' }])).toThrow(/which does not exist/)
  })

  it('as JSON Patch is applied by another library', () => {
    const changes = [
      { op: 'remove', path: '/children/1' },
      { op: 'move', from: '/children/1', path: '/children/0' },
      { op: 'replace', path: '/children/0/name', value: 'Four' },
    ]
    expect(applyPatch(before, changes)).toEqual(after)
  })

  it('as JSON Patch that does not apply is the server’s failure', () => {
    expect(() => applyPatch(before, [{ op: 'remove', path: '/children/9' }])).toThrow(/does not apply/)
  })
})
