import { describe, expect, it } from 'vitest'
import { appScenario, refusalOf } from '../../../test/support/scenario/problems.ts'
import { drawnPictureFile } from '../../desktop/model/drawn-picture.ts'
import type { Element } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { withVariant } from '../seeds.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC23] are stated in SPEC.md beside this folder.

const scenario = appScenario(900, 600)

const started = (text: string) => startScenario(parseScenario(text), { atMs: 0 })
const picturesOf = ({ children }: Element): readonly unknown[] =>
  children.flatMap((child) => [child.traits?.picture, ...picturesOf(child)]).filter((each) => each !== undefined)
const shownIn = (run: ReturnType<typeof started>) => picturesOf(run.desktop.windows[0]!.tree)
const pressed = (run: ReturnType<typeof started>, keys: string) =>
  stepScenario(run, { type: 'action', action: { type: 'key', keys } }).run

const RECEIPT = '{kind: receipt, shop: Corner, date: 2026-03-14, lines: [{id: 4, name: Tea, price: 2}]}'

describe('pictures from data', () => {
  it('[SC23] are drawn on images, list items and cards', () => {
    const run = started(
      scenario(
        [
          `{role: Image, name: Scan, picture: ${RECEIPT}}`,
          '{role: List, name: Files, children: [{role: ListItem, name: a.jpg, picture: {kind: photo, seed: 7}}]}',
          "{role: Button, name: b.jpg, look: card, picture: {kind: photo, seed: '7'}}",
        ].join(', '),
      ),
    )
    const receipt = drawnPictureFile({
      kind: 'receipt',
      shop: 'Corner',
      date: '2026-03-14',
      lines: [{ name: 'Tea', price: 2 }],
    })
    const photo = drawnPictureFile({ kind: 'photo', seed: '7' })
    expect(shownIn(run)).toEqual([receipt, photo, photo])
    const [image] = run.desktop.windows[0]!.tree.children
    expect([image!.bounds.width, image!.bounds.height, image!.value, image!.children]).toEqual([360, 286, null, []])
  })

  it('[SC23] change no hash of a tree', () => {
    const hashOf = (shop: string) =>
      treeHash(
        started(scenario(`{role: Image, name: Scan, picture: {kind: business-card, name: ${shop}}}`)).desktop
          .windows[0]!.tree,
      )
    expect(hashOf('Ada')).toBe(hashOf('Grace'))
  })

  it('[SC24] follow the data in all their parts', () => {
    const run = started(
      scenario(
        `{id: scan, role: Image, name: Scan, picture: {kind: receipt, shop: 'Shop {{ number }}', date: today, total: '{{ total }}', lines: '{{ lines }}'}}`,
        `vars: {number: 1, total: 2.5, lines: [{name: Tea, price: 2.5, note: green}]}
reactions: [{on: {tool: press_key, text_regex: F1}, set: [{var: number, to: 2}, {var: lines, append: {name: Milk, price: 1, note: ''}}]}]`,
      ),
    )
    const receipt = (shop: string, lines: readonly { readonly name: string; readonly price: number }[]) =>
      drawnPictureFile({ kind: 'receipt', shop, date: 'today', lines, total: 2.5 })
    const tea = { name: 'Tea', price: 2.5 }
    expect(shownIn(run)).toEqual([receipt('Shop 1', [tea])])
    expect(shownIn(pressed(run, 'F1'))).toEqual([receipt('Shop 2', [tea, { name: 'Milk', price: 1 }])])
  })

  it('[SC24] follow the items of a repeat', () => {
    const run = started(
      scenario(
        `{repeat: photos, as: photo, id: photo, role: Image, name: '{{ photo.id }}', picture: {kind: photo, seed: 'photo {{ photo.id }}', scene: '{{ photo.scene }}'}}`,
        `vars: {photos: [{id: 1, scene: beach}, {id: 2, scene: food}]}
reactions: [{on: {tool: press_key, text_regex: F1}, set: [{var: photos, where: row.id == 1, change: {scene: moon}}]}]`,
      ),
    )
    const photo = (id: number, scene?: 'beach' | 'food') =>
      drawnPictureFile({ kind: 'photo', seed: `photo ${id}`, scene })
    expect(shownIn(run)).toEqual([photo(1, 'beach'), photo(2, 'food')])
    const after = pressed(run, 'F1')
    expect(shownIn(after)).toEqual([photo(2, 'food')])
  })

  it('[SC24] are set by a reaction', () => {
    const run = started(
      scenario(
        `{id: photo, role: Image, name: Photo, picture: {kind: photo, seed: a}}`,
        `vars: {seed: b}
reactions:
  - {on: {tool: press_key, text_regex: F1}, set: [{id: photo, picture: {kind: photo, seed: '{{ seed }}', scene: beach}}]}
  - {on: {tool: press_key, text_regex: F2}, set: [{id: photo, picture: {kind: photo, seed: '{{ seed }}', scene: '{{ seed }}'}}]}`,
      ),
    )
    const b = drawnPictureFile({ kind: 'photo', seed: 'b', scene: 'beach' })
    expect(shownIn(pressed(run, 'F1'))).toEqual([b])
    expect(shownIn(pressed(pressed(run, 'F1'), 'F2'))).toEqual([b])
  })

  it.each([
    ['{role: Image, name: A, picture: {kind: painting}}', 'picture'],
    ['{role: Image, name: A, picture: {kind: photo}}', 'seed'],
    ['{role: Image, name: A, picture: {kind: photo, seed: 1, scnee: beach}}', 'scnee'],
    ['{role: Image, name: A, picture: {kind: photo, seed: 1, width: 9000}}', 'width'],
    [
      '{role: Text, name: A, picture: {kind: photo, seed: 1}}',
      'only Image, ListItem, Button can have picture, and this is a Text',
    ],
    ['{role: Button, name: A, picture: {kind: photo, seed: 1}}', 'only a button with the look card has a picture'],
    ['{role: Chart, name: A, chart: bar, picture: {kind: photo, seed: 1}}', 'write one of them'],
  ])('[SC25] are refused: %s', (element, message) => {
    expect(refusalOf(scenario(element))).toMatch(/a\.yaml:10:/)
    expect(refusalOf(scenario(element))).toContain(message)
  })

  it('[SC26] are not translated', () => {
    const text = scenario(`{role: Image, name: Scan, picture: ${RECEIPT}}, {role: Text, name: Hello}`)
    const plain = parseScenario(text)
    const other = withVariant(plain, { locale: 'pseudo' })
    const treeOf = (each: typeof plain) => startScenario(each, { atMs: 0 }).desktop.windows[0]!.tree
    expect(picturesOf(treeOf(other))).toEqual(picturesOf(treeOf(plain)))
    expect(treeOf(other).children[1]!.name).not.toBe('Hello')
  })
})
