import { describe, expect, it } from 'vitest'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { type AccessibleNode, NO_DETAILS } from './accessible-node.ts'
import { originOf, withMenuAt, withPopupsBelow } from './origin.ts'
import { ROLE } from './roles.ts'

const node = (extents: Rect | undefined, children: readonly AccessibleNode[] = []): AccessibleNode => ({
  ref: { bus: ':1.1', path: '/0' },
  role: 23,
  name: '',
  description: '',
  states: [],
  patterns: new Set(),
  ...NO_DETAILS,
  extents,
  children,
})
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height })
const inner = rect(100, 50, 600, 400)

describe('the point that a program of Wayland counts from', () => {
  it.each([
    ['gtk3 without a shadow', 'gtk3', node(rect(0, 0, 600, 400)), { x: 100, y: 50 }],
    ['gtk3 with a shadow', 'gtk3', node(rect(0, 0, 652, 452), [node(rect(26, 23, 600, 400))]), { x: 74, y: 27 }],
    [
      'gtk3 with a shadow and a title bar',
      'gtk3',
      node(rect(0, 0, 652, 452), [node(rect(26, 60, 600, 363)), node(rect(26, 23, 600, 37))]),
      { x: 74, y: 27 },
    ],
    ['gtk4', 'gtk4', node(rect(0, 0, 640, 440)), { x: 100, y: 50 }],
    ['qt without decoration', 'qt', node(rect(0, 0, 600, 400)), { x: 100, y: 50 }],
    ['qt with decoration', 'qt', node(rect(0, 0, 594, 367)), { x: 103, y: 80 }],
    ['firefox', 'other', node(rect(26, 23, 600, 400)), { x: 74, y: 27 }],
    [
      'chromium',
      'chromium',
      node(rect(0, 0, 632, 440), [node(rect(0, 0, 632, 440), [node(rect(16, 10, 600, 400))])]),
      { x: 84, y: 40 },
    ],
    ['a frame without extents', 'other', node(undefined), { x: 100, y: 50 }],
    ['a program that is larger than its tile', 'gtk3', node(rect(0, 0, 600, 380)), { x: 100, y: 50 }],
  ] as const)('[LX54] of %s is where its window begins', (_, toolkit, frame, origin) => {
    expect(originOf(frame, toolkit, { inner })).toEqual(origin)
  })
})

it('[LX56] a popover of GTK 4 that is placed over its button is below it', () => {
  const item = node(rect(158, 56, 209, 30))
  const menu = (at: Rect) => ({ ...node(at, [item]), role: ROLE.menu })
  const button = (at: Rect) => node(rect(0, 0, 600, 400), [node(rect(137, 6, 86, 34), [menu(at)])])
  const placed = withPopupsBelow(button(rect(137, 6, 251, 180)), 'gtk4').children[0]!.children[0]!
  expect([placed.extents, placed.children[0]!.extents]).toEqual([rect(55, 40, 251, 180), rect(76, 90, 209, 30)])
  const elsewhere = button(rect(54, 38, 251, 180))
  expect(withPopupsBelow(elsewhere, 'gtk4')).toBe(elsewhere)
})

it('[LX58] the menu of a bar of GTK 3 is below its item', () => {
  const items = [node(rect(421, 31, 170, 26)), node(rect(421, 57, 170, 26)), node(rect(-2147483648, -2147483648, 1, 1))]
  const bar = { ...node(rect(26, 70, 600, 26), [node(rect(441, 70, 49, 26), items)]), role: ROLE.menuBar }
  const placed = withPopupsBelow(node(rect(0, 0, 652, 543), [bar]), 'gtk3').children[0]!.children[0]!.children
  expect(placed.slice(0, 2).map(({ extents }) => extents)).toEqual([rect(441, 96, 170, 26), rect(441, 122, 170, 26)])
  const closed = node(rect(0, 0, 652, 543), [{ ...bar, children: [node(rect(441, 70, 49, 26))] }])
  expect(withPopupsBelow(closed, 'gtk3')).toBe(closed)
})

it.each([
  ['below the press and to its right', { x: 640, y: 334 }, { x: 641, y: 335 }],
  ['on the other side of the press where the screen ends', { x: 1200, y: 790 }, { x: 1052, y: 704 }],
  ['above the press only', { x: 640, y: 790 }, { x: 641, y: 704 }],
])('[LX58a] a context menu of GTK 3 is %s', (_, at, drawn) => {
  const item = node(rect(157, 40, 148, 26))
  const popup = node(rect(151, 31, 160, 98), [{ ...node(rect(157, 36, 148, 86), [item]), role: ROLE.menu }])
  const menu = withMenuAt(popup, { at, screen: rect(0, 0, 1280, 800) }, { x: 464, y: 223 }).children[0]!
  expect([menu.extents, menu.children[0]!.extents]).toEqual([
    rect(drawn.x - 464, drawn.y - 223, 148, 86),
    rect(drawn.x - 464, drawn.y - 219, 148, 26),
  ])
})

it('[LX58a] a context menu of GTK 3 that is as high as the screen begins at its edge', () => {
  const popup = node(rect(0, 0, 160, 712), [{ ...node(rect(6, 5, 148, 700)), role: ROLE.menu }])
  const menu = withMenuAt(popup, { at: { x: 10, y: 400 }, screen: rect(0, 0, 1280, 800) }, { x: 0, y: 0 }).children[0]!
  expect(menu.extents).toEqual(rect(11, 100, 148, 700))
})
