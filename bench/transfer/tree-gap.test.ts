import { expect, it } from 'vitest'
import { type Element, shaped } from '../../src/desktop/model/element.ts'
import { equalShare, treeGap } from './tree-gap.ts'

let ids = 0
const node = (
  identifier: string,
  name: string,
  children: readonly Element[] = [],
  more: Partial<Element> = {},
): Element =>
  shaped({
    id: `e${ids++}`,
    role: identifier,
    identifier,
    name,
    value: null,
    bounds: { x: 0, y: 0, width: 10, height: 10 },
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children,
    ...more,
  })
const three = (make: () => Element) => Array.from({ length: 3 }, make)

it('compares what most elements of a native role have', () => {
  const real = node('frame', '', [
    ...three(() => node('check box', 'a', [], { selected: true })),
    node('check box', ''),
  ])
  const ours = node(
    'frame',
    '',
    three(() => node('check box', 'b', [], { value: 'x' })),
  )
  const facts = treeGap([real], [ours])
  expect(
    facts.filter(({ isEqual }) => !isEqual).map(({ native, fact, real, ours }) => [native, fact, real, ours]),
  ).toEqual([
    ['check box', 'value', 'no', 'yes'],
    ['check box', 'selected', 'yes', 'no'],
  ])
  expect(facts.every(({ elements }) => elements === 4)).toBe(true)
  expect(equalShare(facts)).toBe(6 / 8)
})

it('counts a role that the personality never has as one fact, and leaves out what is rare', () => {
  const rare = [node('slider', ''), node('slider', '')]
  const real = node('frame', '', [
    ...three(() => node('push button', 'a')),
    ...three(() => node('filler', '')),
    ...rare,
  ])
  const ours = node('frame', '', [...three(() => node('push button', 'a')), ...rare])
  const facts = treeGap([real], [ours])
  expect(facts.filter(({ isEqual }) => !isEqual)).toEqual([
    { native: 'filler', fact: 'covered', real: '3', ours: '0', isEqual: false, elements: 3 },
  ])
  expect(equalShare(facts)).toBe(8 / 9)
})

it('compares places of visible elements with those of their parents', () => {
  const inside = node(
    'frame',
    '',
    three(() => node('push button', 'a')),
  )
  const beyond = node(
    'frame',
    '',
    three(() => node('push button', 'a', [], { bounds: { x: 5, y: 0, width: 10, height: 10 } })),
  )
  const hidden = node(
    'frame',
    '',
    three(() => node('push button', 'a', [], { traits: { hidden: true } })),
  )
  const boundsOf = (real: Element) => treeGap([real], [inside]).find(({ fact }) => fact === 'bounds')
  expect(boundsOf(inside)).toMatchObject({ real: 'inside', isEqual: true })
  expect(boundsOf(beyond)).toMatchObject({ real: 'beyond', isEqual: false })
  expect(boundsOf(hidden)).toMatchObject({ real: 'none', isEqual: false })
})
