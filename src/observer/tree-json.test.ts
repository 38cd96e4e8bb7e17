import fc from 'fast-check'
import { expect, it } from 'vitest'
import { button, desktop, pane, window } from '../desktop/model/builders.ts'
import { changeAt, type Element, withFields } from '../desktop/model/element.ts'
import { treeJson } from './json.ts'
import { cutDepth, toWireElement, type WireElement } from './wire.ts'

const treeOf = (...children: readonly ReturnType<typeof button>[]) =>
  desktop(window('Bench', {}, ...children)).windows[0]!.tree

const row = (name: string) => pane(name, ...['One', 'Zwölf', '日本'].map((each) => button(`${name} ${each}`)))
const start = treeOf(button('OK'), row('A'), pane('Empty'), row('B'), button('Cancel'))

/** Changes of a node at a path. Each returns another node or the same one. */
const changes: readonly ((node: Element) => Element)[] = [
  (node) => withFields(node, { name: `${node.name}€` }),
  (node) => withFields(node, { selected: node.selected !== true, value: 'line\nbreak "quoted"' }),
  (node) => withFields(node, { children: node.children.slice(1) }),
  (node) => withFields(node, { children: [...node.children.slice(-1), ...node.children] }),
  (node) => withFields(node, { children: [...node.children, start.children[0]!] }),
  (node) => withFields(node, { children: node.children.toReversed() }),
  (node) => withFields(node, { children: start.children }),
]
const path = fc.array(fc.nat(5), { maxLength: 2 })
const change = fc.tuple(path, fc.constantFrom(...changes))

const wordForWord = (tree: WireElement): void => expect(String(treeJson(tree))).toBe(JSON.stringify(tree))

it('writes the same text as JSON.stringify, regardless of earlier output', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(2), (all, depth) => {
      let tree = start
      for (const [at, how] of all) {
        wordForWord(toWireElement(tree))
        wordForWord(cutDepth(toWireElement(tree), depth))
        tree = changeAt(tree, at, how)
        wordForWord(toWireElement(tree))
      }
    }),
    { numRuns: 300, seed: 4 },
  )
})

it('does not change bytes that it returned earlier', () => {
  const trees = Array.from({ length: 50 }, (_, turn) =>
    toWireElement(changeAt(start, [1, 1], (node) => withFields(node, { name: `turn ${turn}` }))),
  )
  const all = trees.map(treeJson)
  expect(all.map(String)).toEqual(trees.map((tree) => JSON.stringify(tree)))
})

it('returns the same bytes for the same tree', () => {
  const tree = toWireElement(treeOf(button('Only')))
  expect(treeJson(tree)).toBe(treeJson(tree))
})

it('distinguishes windows with the same name', () => {
  const [one, two] = [toWireElement(treeOf(button('One'))), toWireElement(treeOf(button('Two'), row('C')))]
  for (const tree of [one, two, one, two]) wordForWord(tree)
})

it('writes a tree that is too large for the cache', () => {
  const [leaf] = toWireElement(treeOf(button('Größe'))).children
  const large: WireElement = { ...leaf!, children: Array.from({ length: 50_001 }, () => leaf!) }
  const [first, second] = [treeJson(large), treeJson(large)]
  expect(String(first) === JSON.stringify(large)).toBe(true)
  expect(first === second).toBe(false)
})
