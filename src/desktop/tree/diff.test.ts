import { array, assert, boolean, constantFrom, integer, property, tuple } from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { build, button, type Draft, element, list, listItem, rect, text } from '../model/builders.ts'
import { changeAt, type Element, nodeAt, walk } from '../model/element.ts'
import { applyTreeChanges, diffTrees, type TreeChange, toJsonPatch } from './diff.ts'

// Rules such as [DT42] are stated in SPEC.md beside this file.

const items = (...ids: readonly string[]): Element =>
  build(list('L', ...ids.map((id) => listItem(id, { id, bounds: rect(0, 0, 9, 9) }))), rect(0, 0, 9, 9))

describe('diffTrees', () => {
  it('[DT42] lists the fields of a node that differ and no others', () => {
    const before = build(element('Pane', '', text('a'), text('b', { selected: true, valueNow: 3 })))
    const after = changeAt(before, [1], ({ valueNow: _, ...node }) => ({
      ...node,
      name: 'c',
      focused: true,
      selected: false,
      bounds: { ...node.bounds, x: 7 },
    }))
    expect(diffTrees(before, after)).toEqual([
      {
        op: 'replace',
        path: '1',
        fields: { name: 'c', focused: true, selected: false, valueNow: null, bounds: after.children[1]?.bounds },
      },
    ])
  })

  it.each<Partial<Element>>([
    { id: 'other' },
    { role: 'Link' },
    { name: 'other' },
    { value: 'other' },
    { bounds: rect(1, 2, 3, 4) },
    { enabled: false },
    { focused: true },
    { keyboardShortcut: 'Ctrl+O' },
    { description: 'other' },
    { selected: true },
    { expanded: true },
    { valueNow: 1 },
    { valueMin: 1 },
    { valueMax: 1 },
    { identifier: 'other' },
  ])('[DT42] notices %o by itself', (fields) => {
    const before = build(text('a'))
    expect(diffTrees(before, { ...before, ...fields })).toEqual([{ op: 'replace', path: '', fields }])
  })

  it('[DT42] finds nothing where only behaviour and looks differ', () => {
    const before = build(element('Pane', '', text('a')))
    const after = changeAt(before, [0], (node) => ({ ...node, traits: { secret: true }, layout: { arrange: 'row' } }))
    expect(diffTrees(before, after)).toEqual([])
  })

  it.each<[string, string, string, readonly TreeChange[]]>([
    ['puts in', 'a b', 'a x b', [{ op: 'add', path: '1', node: items('x').children[0]! }]],
    [
      'takes out',
      'a b c',
      'a',
      [
        { op: 'remove', path: '2' },
        { op: 'remove', path: '1' },
      ],
    ],
    ['moves one to the end', 'a b c d', 'b c d a', [{ op: 'move', from: '0', to: '3' }]],
    ['moves one to the front', 'a b c d', 'd a b c', [{ op: 'move', from: '3', to: '0' }]],
    [
      'swaps the outer two',
      'a b c',
      'c b a',
      [
        { op: 'move', from: '2', to: '0' },
        { op: 'move', from: '2', to: '1' },
      ],
    ],
  ])('[DT43] %s in few steps: %s → %s', (_, before, after, changes) => {
    const [old, next] = [items(...before.split(' ')), items(...after.split(' '))]
    expect(applyTreeChanges(old, diffTrees(old, next))).toEqual(next)
    expect(diffTrees(old, next)).toHaveLength(changes.length)
    if (changes.length === 1 || changes[0]?.op === 'remove') expect(diffTrees(old, next)).toEqual(changes)
  })

  it('[DT43] needs one step for one more at the head of a thousand', () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `i${i}`)
    const before = items(...ids)
    const after = items('new', ...ids)
    expect(diffTrees(before, after)).toEqual([{ op: 'add', path: '0', node: after.children[0] }])
  })

  it('[DT44] skips subtrees that kept their identity', () => {
    const before = items('a', 'b')
    const untouchable = new Proxy(before.children[0]!, {
      get(node, key) {
        if (key === 'id') return node.id
        throw new Error(`looked at ${String(key)}`)
      },
    })
    const old = { ...before, children: [untouchable, before.children[1]!] }
    const next = changeAt(old, [1], (node) => ({ ...node, name: 'c' }))
    expect(diffTrees(old, next)).toEqual([{ op: 'replace', path: '1', fields: { name: 'c' } }])
  })
})

describe('applyChanges', () => {
  it.each<[string, TreeChange]>([
    ['9', { op: 'remove', path: '9' }],
    ['', { op: 'remove', path: '' }],
    ['0/0/0', { op: 'replace', path: '0/0/0', fields: {} }],
    ['3', { op: 'add', path: '3', node: items('x') }],
    ['a', { op: 'move', from: 'a', to: '0' }],
    ['7', { op: 'move', from: '0', to: '7' }],
  ])('[DT46] refuses a path that leads nowhere: %j', (path, change) => {
    expect(() => applyTreeChanges(items('a', 'b'), [change])).toThrow(
      `there is no node at "${path}"; a path is child indexes such as "0/2"`,
    )
  })
})

describe('toJsonPatch', () => {
  it('[DT47] writes one operation for each field, in the spelling that is asked for', () => {
    const before = build(element('Pane', '', button('a', { selected: true }), button('b')))
    const after = {
      ...before,
      name: 'Root',
      children: [{ ...before.children[1]!, keyboardShortcut: 'F1', valueNow: 1 }, build(text('t', { id: 't' }))],
    }
    const spell = (field: string) => field.toUpperCase()
    expect(toJsonPatch(diffTrees(before, after), spell, (node) => node.name)).toEqual([
      { op: 'replace', path: '/NAME', value: 'Root' },
      { op: 'remove', path: '/children/0' },
      { op: 'add', path: '/children/1', value: 't' },
      { op: 'replace', path: '/children/0/KEYBOARDSHORTCUT', value: 'F1' },
      { op: 'add', path: '/children/0/VALUENOW', value: 1 },
    ])
  })
})

// Ids from a small alphabet, so that edits meet ids that have been there before, sometimes twice.
const anyId = integer({ min: 0, max: 30 }).map((number) => `n${number}`)
const anyDraft = (depth: number) =>
  tuple(anyId, constantFrom('Pane', 'Button'), boolean(), array(integer({ min: 0, max: 2 }), { maxLength: depth })).map(
    ([id, role, on, counts]): Draft =>
      element(
        role,
        id,
        { id, ...(on ? { selected: on, valueNow: 1 } : {}) },
        ...counts.map((count, i) => text('leaf', { id: `${id}-${i % 2}`, ...(count ? { value: String(count) } : {}) })),
      ),
  )
const anyTree = array(anyDraft(4), { maxLength: 8 }).map((drafts) => build(element('Window', 'W', ...drafts)))

type Edit = (tree: Element) => Element

const pick = (tree: Element, place: number): readonly number[] => {
  const paths: (readonly number[])[] = []
  const collect = (node: Element, path: readonly number[]) => {
    paths.push(path)
    node.children.forEach((child, at) => {
      collect(child, [...path, at])
    })
  }
  collect(tree, [])
  return paths[place % paths.length]!
}

const place = integer({ min: 0, max: 1000 })
const anyEdit = tuple(integer({ min: 0, max: 6 }), place, place, anyDraft(3)).map(
  ([kind, where, other, draft]): Edit =>
    (tree) =>
      changeAt(tree, pick(tree, where), (node) => {
        const at = other % (node.children.length + 1)
        const { selected: _, ...plain } = node
        switch (kind) {
          case 0:
            return { ...node, name: `name ${other}`, value: other % 2 ? null : 'value', enabled: other % 3 > 0 }
          case 1:
            return { ...node, focused: !node.focused, bounds: { ...node.bounds, x: other }, expanded: other % 2 > 0 }
          case 2:
            return plain
          case 3:
            return { ...node, children: node.children.toSpliced(at, 0, build(draft)) }
          case 4:
            return { ...node, children: node.children.toSpliced(at, 2) }
          case 5:
            return { ...node, children: [...node.children.slice(at), ...node.children.slice(0, at)] }
          default:
            return { ...node, children: node.children.toReversed() }
        }
      }),
)

/** Without the fields that a node does not have, as they would travel. */
const asJson = (node: Element): unknown => JSON.parse(JSON.stringify(node))

it('[DT45] applied to the old tree, either format gives the new one: 2,000 random edits', () => {
  let edits = 0
  const law = property(anyTree, array(anyEdit, { minLength: 1, maxLength: 8 }), (before, steps) => {
    let after = before
    for (const step of steps) {
      const next = step(after)
      const changes = diffTrees(after, next)
      expect(applyTreeChanges(after, changes)).toEqual(next)
      const patch = toJsonPatch(changes, undefined, asJson)
      const patched = jsonPatch.applyPatch(structuredClone(after), structuredClone(patch) as never, true)
      expect(patched.newDocument).toEqual(next)
      after = next
      edits++
    }
    const changes = diffTrees(before, after)
    expect(applyTreeChanges(before, changes)).toEqual(after)
    expect(diffTrees(applyTreeChanges(before, changes), after)).toEqual([])
  })
  assert(law, { numRuns: 500 })
  expect(edits).toBeGreaterThanOrEqual(2000)
})

it('[DT45] and between any two trees', () => {
  const law = property(anyTree, anyTree, (before, after) => {
    const changes = diffTrees(before, after)
    expect(applyTreeChanges(before, changes)).toEqual(after)
  })
  assert(law, { numRuns: 500 })
})

it('[DT43] moves no more than has to move', () => {
  const order = Array.from({ length: 12 }, (_, i) => `i${i}`)
  const law = property(
    array(integer({ min: 0, max: 11 }), { maxLength: 3 }),
    array(integer({ min: 0, max: 11 }), { minLength: 3, maxLength: 3 }),
    (from, to) => {
      const next = from.reduce((ids, at, i) => ids.toSpliced(at, 1).toSpliced(to[i]!, 0, ids[at]!), order)
      const changes = diffTrees(items(...order), items(...next))
      expect(changes.every(({ op }) => op === 'move')).toBe(true)
      expect(changes.length).toBeLessThanOrEqual(from.length)
    },
  )
  assert(law, { numRuns: 300 })
})

it('leaves the trees it compares as they are', () => {
  const before = items('a', 'b')
  const after = items('b', 'c')
  const copies = structuredClone([before, after])
  applyTreeChanges(before, diffTrees(before, after))
  expect([before, after]).toEqual(copies)
  expect([...walk(before)].map(({ id }) => id)).toEqual(['root', 'a', 'b'])
  expect(nodeAt(before, [0])?.id).toBe('a')
})
