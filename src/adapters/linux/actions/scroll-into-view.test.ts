import { expect, it } from 'vitest'
import { build, button, element } from '../../../desktop/model/builders.ts'
import { type Element, pathOf } from '../../../desktop/model/element.ts'
import type { Point } from '../../../desktop/model/geometry.ts'
import { bringIntoView, type ElementInTree, wheelClicksTowards } from '../../element-target.ts'

/** A window with a view of 100 pixels and a button in it, scrolled by so much. */
const scrolledBy = (scrolled: number): Element =>
  build(
    element(
      'Window',
      'Form',
      { id: 'root', bounds: { x: 0, y: 0, width: 300, height: 200 } },
      element(
        'ScrollArea',
        '',
        { id: 'view', bounds: { x: 0, y: 50, width: 300, height: 100 } },
        button('Far', { id: 'far', bounds: { x: 10, y: 1000 - scrolled, width: 80, height: 20 } }),
      ),
    ),
  )

const foundIn = (tree: Element): ElementInTree => ({
  tree,
  path: pathOf(tree, 'far')!,
  element: tree.children[0]!.children[0]!,
})

/** A program whose view follows the wheel, or does not. */
function program(pxPerClick: number) {
  let scrolled = 0
  const turns: (readonly [Point, number])[] = []
  const scroller = {
    inTree: (found: ElementInTree) => found,
    scrollIntoView: async () => false,
    focus: async () => false,
    find: async () => foundIn(scrolledBy(scrolled)),
    wheel: async (at: Point, clicks: number) => {
      turns.push([at, clicks])
      scrolled -= clicks * pxPerClick
    },
    pause: async () => {},
  }
  return { scroller, turns }
}

it('[LX35] turns the wheel over the container, by the distance, until the element is in view', async () => {
  const { scroller, turns } = program(50)
  const seen = await bringIntoView(scroller, foundIn(scrolledBy(0)))
  expect(seen.element.bounds.y).toBeLessThan(150)
  expect(turns.map(([at, clicks]) => [at.x, at.y, clicks])).toEqual([
    [150, 100, -10],
    [150, 100, -7],
    [150, 100, -1],
  ])
})

it('[LX35] stops at a container that does not scroll', async () => {
  const { scroller, turns } = program(0)
  const seen = await bringIntoView(scroller, foundIn(scrolledBy(0)))
  expect([seen.element.bounds.y, turns.length]).toEqual([1000, 3])
})

it('[LX35] scrolls up to elements above, and not for elements in view', () => {
  expect(wheelClicksTowards(scrolledBy(1500), [0, 0])?.clicks).toBe(10)
  expect(wheelClicksTowards(scrolledBy(900), [0, 0])).toBeUndefined()
})
