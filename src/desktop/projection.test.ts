import { describe, expect, it } from 'vitest'
import type { Desktop } from './model/desktop.ts'
import { changeAt, shaped, withFields } from './model/element.ts'
import { contains, type Point } from './model/geometry.ts'
import {
  mirrorOf,
  projectMonitors,
  projectPoint,
  projectRect,
  projectTree,
  type ScreenProjection,
  unprojectAction,
  unprojectPoint,
} from './projection.ts'

const RATIOS = [0.75, 0.8, 1, 1.25, 1.5, 1.6, 2]
const SCREEN = { x: 0, y: 0, width: 1280, height: 800 }
const MIRRORED: ScreenProjection = { ratio: 1, scale: 1, mirror: 1280 }
const projections: readonly ScreenProjection[] = RATIOS.flatMap((ratio) => [
  { ratio, scale: ratio },
  { ratio, scale: 1, mirror: 1280 },
])

const element = (role: string, x: number, width: number, children: readonly ReturnType<typeof shaped>[] = []) =>
  shaped({
    id: `${role}${x}`,
    role,
    name: role,
    value: null,
    bounds: { x, y: 40, width, height: 30 },
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children,
  })
const tree = element('Window', 0, 400, [element('Button', 10, 80), element('Edit', 100, 200)])
const desktop: Desktop = {
  monitors: [{ index: 0, primary: true, bounds: SCREEN, scaleFactor: 1 }],
  windows: [
    {
      uid: 'app',
      handle: '1',
      title: 'App',
      process: 'app',
      pid: 1,
      bounds: { x: 0, y: 0, width: 400, height: 300 },
      tree: withFields(tree, { bounds: { x: 0, y: 0, width: 400, height: 300 } }),
      state: 'normal',
      frame: 'inside',
      focus: undefined,
    },
  ],
  active: 'app',
  pointer: { x: 0, y: 0 },
  clipboard: '',
}
const click = (at: Point) => ({ type: 'click', at, button: 'left', count: 1 }) as const

describe.each(projections)('a projection %o', (projection) => {
  it('[DT227] keeps neighbours together', () => {
    for (let x = 0; x < 40; x++) {
      const first = projectRect(projection, { x, y: x, width: 7, height: 5 })
      const below = projectRect(projection, { x, y: x + 5, width: 7, height: 3 })
      const beside = projectRect(projection, { x: x + 7, y: x, width: 9, height: 5 })
      expect(below.y).toBe(first.y + first.height)
      if (projection.mirror === undefined) expect(beside.x).toBe(first.x + first.width)
      else expect(first.x).toBe(beside.x + beside.width)
    }
  })

  it('[DT228] maps the pixels of a rectangle into it, and no others', () => {
    for (let start = 0; start < 13; start++) {
      const rect = { x: start, y: 2 * start, width: 5, height: 3 }
      const shown = projectRect(projection, rect)
      for (let x = shown.x - 2; x < shown.x + shown.width + 2; x++)
        for (let y = shown.y - 2; y < shown.y + shown.height + 2; y++)
          expect(contains(rect, unprojectPoint(projection, { x, y }))).toBe(contains(shown, { x, y }))
      expect(contains(shown, projectPoint(projection, { x: rect.x + 2, y: rect.y + 1 }))).toBe(true)
    }
  })
})

describe('a mirrored projection', () => {
  it('[DT229] swaps left and right around the middle of all monitors', () => {
    const monitors = [
      { index: 0, primary: true, bounds: SCREEN, scaleFactor: 1 },
      { index: 1, primary: false, bounds: { x: 1280, y: 0, width: 800, height: 600 }, scaleFactor: 2 },
    ]
    const mirror = mirrorOf(monitors)
    expect(projectMonitors({ ratio: 1, scale: 1.5, mirror }, monitors)).toMatchObject([
      { bounds: { x: 800, width: 1280 }, scaleFactor: 1.5 },
      { bounds: { x: 0, width: 800 }, scaleFactor: 3 },
    ])
  })

  it('[DT230] moves points in fields, and mirrors others', () => {
    const onButton = unprojectAction(MIRRORED, desktop, click({ x: 1280 - 1 - 12, y: 50 }))
    expect(onButton).toMatchObject({ at: { x: 12, y: 50 } })
    // The field is shown from 980 to 1180; ten pixels from its left edge are ten pixels from its left edge.
    expect(unprojectAction(MIRRORED, desktop, click({ x: 990, y: 50 }))).toMatchObject({ at: { x: 110, y: 50 } })
    const drag = {
      type: 'drag',
      from: { x: 990, y: 50 },
      to: { x: 1000, y: 50 },
      modifiers: [],
      durationMs: 0,
    } as const
    expect(unprojectAction(MIRRORED, desktop, drag)).toMatchObject({ from: { x: 110 }, to: { x: 120 } })
    expect(unprojectAction(MIRRORED, desktop, { type: 'type', text: 'a' })).toEqual({ type: 'type', text: 'a' })
  })
})

it('[DT231] keeps the projected nodes of unchanged elements', () => {
  const before = projectTree(MIRRORED, tree)
  const after = projectTree(
    MIRRORED,
    changeAt(tree, [0], (button) => withFields(button, { name: 'Other' })),
  )
  expect(before.children.map(({ bounds }) => bounds.x)).toEqual([1190, 980])
  expect(after.children[0]!.name).toBe('Other')
  expect(after.children[1]).toBe(before.children[1])
  expect(projectTree(MIRRORED, tree)).toBe(before)
})
