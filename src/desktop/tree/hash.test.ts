import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  build,
  button,
  checkbox,
  document,
  edit,
  element,
  group,
  menuBar,
  menuItem,
  progressBar,
  rect,
  statusBar,
  text,
} from '../model/builders.ts'
import { changeAt, changeBoth, countNodes, type Element, pathOf, walk, withFields } from '../model/element.ts'
import { fingerprint, treeHash } from './hash.ts'
import { selectorOf } from './select.ts'

// Rules such as [DT35] are stated in SPEC.md beside this file.

const login = (user: string, password: string): Element =>
  build(
    element(
      'Window',
      'Acme Login',
      { bounds: rect(100, 100, 800, 600) },
      edit('Username', { id: 'u', value: user, bounds: rect(200, 200, 240, 24) }),
      edit('Password', { id: 'p', value: password, bounds: rect(200, 240, 240, 24), traits: { secret: true } }),
      button('Login', { id: 'btn', bounds: rect(200, 280, 100, 28) }),
    ),
  )

const welcome = build(
  element(
    'Window',
    'Acme — Welcome',
    { bounds: rect(100, 100, 800, 600) },
    text('Hello, alice', { bounds: rect(200, 200, 240, 24) }),
  ),
)

const notepad = build(
  element(
    'Window',
    'Untitled — Notepad',
    { bounds: rect(80, 60, 800, 600) },
    menuBar(
      'MenuBar',
      { bounds: rect(80, 60, 800, 22) },
      ...['File', 'Edit', 'Format', 'View', 'Help'].map((name, i) =>
        menuItem(name, { bounds: rect(80 + 58 * i, 60, 56, 22) }),
      ),
    ),
    document('Text Editor', {
      value: 'Hello, world!\nThis is a test document.\nLine 3 has some content here.\n',
      bounds: rect(80, 82, 800, 514),
      focused: true,
    }),
    element('ScrollBar', 'Horizontal ScrollBar', { bounds: rect(80, 596, 784, 18) }),
    element('ScrollBar', 'Vertical ScrollBar', { bounds: rect(864, 82, 18, 532) }),
    progressBar('Saving', { bounds: rect(560, 600, 200, 10), valueNow: 40, valueMin: 0, valueMax: 100 }),
    checkbox('Word Wrap', { bounds: rect(80, 636, 120, 18), selected: true }),
    statusBar(
      'Status Bar',
      { bounds: rect(80, 614, 800, 22) },
      ...Object.entries({ Position: 'Ln 1, Col 1', Zoom: '100%', Encoding: 'UTF-8', EOL: 'Windows (CRLF)' }).map(
        ([name, value], i) => text(name, { value, bounds: rect(80 + 190 * i, 614, 188, 22) }),
      ),
    ),
  ),
)

describe('treeHash', () => {
  it.each([
    ['an editor', notepad, 'sha1:c6d1c5dcac4098d1f2611051fa1372c9311d05f0'],
    ['a login form', login('', ''), 'sha1:fea1872051222609de110f1d998873b68a4e8faf'],
    ['one with a user', login('alice', ''), 'sha1:977b969b93162c31920cf9de2aaeec6fb4c10062'],
    ['one with a password', login('alice', '<filled>'), 'sha1:729c8168a66cbfa1a180f6b936665b1224c7d96e'],
    ['a welcome', welcome, 'sha1:e7106eade464b8752bdca437379f6d39e0a45dec'],
    [
      'a window without a tree',
      build(element('Window', '(empty)', { bounds: rect(0, 0, 800, 600) })),
      'sha1:288cf2f4a9e135970ed87c00274d22e65ceb2555',
    ],
  ])('[DT35] is what other servers say of %s', (_, tree, hash) => {
    expect(treeHash(tree)).toBe(hash)
  })

  it('[DT36] does not change with fields that it does not cover', () => {
    const same = build(
      element('Window', 'Acme Login', {
        bounds: rect(100, 100, 800, 600),
        id: 'other',
        focused: true,
        description: 'x',
        keyboardShortcut: 'F1',
        selected: true,
        expanded: true,
        valueNow: 1,
        identifier: 'y',
        value: '',
      }),
    )
    const bare = build(element('Window', 'Acme Login', { bounds: rect(100, 100, 800, 600) }))
    expect(treeHash(same)).toBe(treeHash(bare))
  })

  it('[DT37] is the same for a changed tree as for a new one', () => {
    const form = (name: string) =>
      build(group('A', group('B', text('1'), group('C', text(name)), text('2')), text('3'), group('D', text('4'))))
    const before = form('old')
    treeHash(before)
    const after = changeAt(before, [0, 1, 0], (node) => ({ ...node, name: 'new' }))
    expect(treeHash(after)).toBe(treeHash(form('new')))
    expect(treeHash(after)).not.toBe(treeHash(before))
  })
})

describe('fingerprint', () => {
  const form = login('alice', '')

  it('[DT38] is equal for equal trees, in any order of fields', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      )
    }
    expect(fingerprint(reversed(form) as Element)).toBe(fingerprint(login('alice', '')))
  })

  it.each<[string, (node: Element) => Element]>([
    ['id', (node) => ({ ...node, id: 'v' })],
    ['role', (node) => ({ ...node, role: 'Document' })],
    ['name', (node) => ({ ...node, name: 'User' })],
    ['value', (node) => ({ ...node, value: null })],
    ['bounds', (node) => ({ ...node, bounds: rect(200, 200, 24, 240) })],
    ['enabled', (node) => ({ ...node, enabled: false })],
    ['focused', (node) => ({ ...node, focused: true })],
    ['keyboardShortcut', (node) => ({ ...node, keyboardShortcut: 'ctrl+u' })],
    ['description', (node) => ({ ...node, description: 'null' })],
    ['selected', (node) => ({ ...node, selected: false })],
    ['valueNow', (node) => ({ ...node, valueNow: 0 })],
    ['traits', (node) => ({ ...node, traits: { readOnly: true } })],
    ['layout', (node) => ({ ...node, layout: { arrange: 'row' } })],
    ['children', (node) => ({ ...node, children: [node] })],
  ])('[DT38] changes with %s', (_, change) => {
    expect(fingerprint(changeAt(form, [0], change))).not.toBe(fingerprint(form))
  })

  it('[DT38] changes with the order of children', () => {
    expect(fingerprint({ ...form, children: form.children.toReversed() })).not.toBe(fingerprint(form))
  })

  it('[DT39] leaves carets out', () => {
    const withCaret = (at: number) =>
      changeAt(form, [0], (node) => ({ ...node, traits: { maxLength: 9, caret: { at, from: 0 } } }))
    expect(fingerprint(withCaret(1))).toBe(fingerprint(withCaret(2)))
  })

  it('[DT39] distinguishes a hundred thousand texts', () => {
    const node = build(text('x'))
    const prints = Array.from({ length: 100_000 }, (_, i) =>
      fingerprint({ ...node, name: String(i % 250), value: String(Math.floor(i / 250)) }),
    )
    expect(new Set(prints).size).toBe(prints.length)
  })
})

describe('the cache of a tree', () => {
  const wide = build(element('Window', 'Wide', ...rows(4)))
  const CHANGES: readonly ((node: Element) => Element)[] = [
    (node) => withFields(node, { focused: !node.focused }),
    (node) => withFields(node, { name: `${node.name}!` }),
    (node) => withFields(node, { value: node.value === null ? 'x' : null }),
    (node) => withFields(node, { traits: { icon: 'open' } }),
    (node) => withFields(node, { children: node.children.slice(1) }),
  ]
  const tellAll = (tree: Element) => [treeHash(tree), fingerprint(tree), countNodes(tree), selectorsOf(tree)]

  it('[DT40] stays right through any changes of one node or of two', () => {
    const where = fc.tuple(fc.nat(3), fc.nat(4)).map((path) => path.slice(0, path[1] === 4 ? 1 : 2))
    const edit = fc.tuple(where, fc.constantFrom(...CHANGES))
    const law = fc.property(fc.array(fc.tuple(edit, fc.option(edit)), { minLength: 1, maxLength: 12 }), (edits) => {
      let tree = wide
      for (const [one, two] of edits) {
        tellAll(tree)
        tree = two ? changeBoth(tree, one, two) : changeAt(tree, ...one)
        expect(tellAll(tree)).toEqual(tellAll(structuredClone(tree)))
      }
    })
    fc.assert(law, { numRuns: 300 })
  })
})

const selectorsOf = (tree: Element) => [...walk(tree)].map(({ id }) => selectorOf(tree, pathOf(tree, id)!))

function rows(count: number) {
  return Array.from({ length: count }, (_, row) =>
    group(`Row ${row}`, ...Array.from({ length: 4 }, (_, column) => button(`${row}/${column}`))),
  )
}

describe('the hash of a node with many children', () => {
  /** Two hundred children, of which some have children, with other names at some places. */
  const many = (names: ReadonlyMap<number, string>): Element =>
    build(
      element(
        'Window',
        'Log',
        { bounds: rect(0, 0, 800, 600) },
        ...Array.from({ length: 200 }, (_, at) => {
          const name = names.get(at) ?? `Line ${at}`
          return at % 3 === 0 ? text(name) : group(name, {}, button(name))
        }),
      ),
    )

  it('[DT37] of a tree in which children changed equals that of a new one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(199), { minLength: 1, maxLength: 5 }), (places) => {
        const names = new Map<number, string>()
        let tree = many(names)
        treeHash(tree)
        for (const [turn, at] of places.entries()) {
          names.set(at, `Changed ${turn}`)
          const next = many(names).children[at]!
          tree = changeAt(tree, [at], (child) => withFields(next, { id: child.id }))
          expect(treeHash(tree)).toBe(treeHash(many(names)))
        }
      }),
      { numRuns: 20, seed: 1 },
    )
  })
})
