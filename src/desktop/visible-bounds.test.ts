import { array, assert, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rect } from './model/builders.ts'
import { contains } from './model/geometry.ts'
import { clickPoint, visibleRegions } from './visible-bounds.ts'

// Rules such as [DT48] are stated in SPEC.md beside this file.

const screen = rect(0, 0, 1000, 800)

describe('visibleRegions', () => {
  it('[DT48] is the window itself when nothing covers it', () => {
    expect(visibleRegions(rect(10, 10, 100, 50), [], [screen])).toEqual([rect(10, 10, 100, 50)])
  })

  it('[DT48] returns the strips above, below, left and right of a covered part', () => {
    expect(visibleRegions(rect(0, 0, 100, 100), [rect(20, 30, 50, 40)], [screen])).toEqual([
      rect(0, 0, 100, 30),
      rect(0, 70, 100, 30),
      rect(0, 30, 20, 40),
      rect(70, 30, 30, 40),
    ])
  })

  it('[DT48] clips at the edges of the screens, at any origin', () => {
    const left = rect(-500, -100, 500, 400)
    expect(visibleRegions(rect(-50, -50, 100, 100), [], [screen, left])).toEqual([
      rect(0, 0, 50, 50),
      rect(-50, -50, 50, 100),
    ])
    expect(visibleRegions(rect(2000, 0, 10, 10), [], [screen])).toEqual([])
    expect(visibleRegions(rect(10, 10, 0, 50), [], [screen])).toEqual([])
  })

  it('[DT48] knows no edge when nothing is known of the screens', () => {
    expect(visibleRegions(rect(5000, 0, 10, 10), [rect(5005, 0, 10, 10)], [])).toEqual([rect(5000, 0, 5, 10)])
  })

  const anyRect = record({
    x: integer({ min: -5, max: 12 }),
    y: integer({ min: -5, max: 12 }),
    width: integer({ min: 0, max: 9 }),
    height: integer({ min: 0, max: 9 }),
  })

  it('[DT49] covers each pixel that is seen once, and no other', () => {
    const law = property(
      anyRect,
      array(anyRect, { maxLength: 4 }),
      array(anyRect, { minLength: 1, maxLength: 3 }),
      (window, above, screens) => {
        const regions = visibleRegions(window, above, screens)
        for (let x = -6; x < 22; x++) {
          for (let y = -6; y < 22; y++) {
            const at = { x, y }
            const holds = (area: typeof window) => contains(area, at)
            const seen = holds(window) && screens.some(holds) && !above.some(holds)
            if (regions.filter(holds).length !== Number(seen)) expect({ at, regions }).toBe(seen)
          }
        }
      },
    )
    assert(law, { numRuns: 300 })
  })

  it('[DT50] clicks a visible point of the element whenever there is one', () => {
    const law = property(anyRect, array(anyRect, { maxLength: 4 }), anyRect, (window, above, bounds) => {
      const regions = visibleRegions(window, above, [screen])
      const point = clickPoint(regions, bounds)
      const parts = visibleRegions(bounds, [], regions.length > 0 ? regions : [rect(0, 0, 0, 0)])
      if (point) expect(contains(bounds, point) && regions.some((region) => contains(region, point))).toBe(true)
      expect(point !== undefined).toBe(parts.length > 0)
    })
    assert(law, { numRuns: 500 })
  })
})

describe('clickPoint', () => {
  it('[DT50] is the centre, rounded down, where that is seen', () => {
    expect(clickPoint([screen], rect(10, 10, 25, 5))).toEqual({ x: 22, y: 12 })
  })

  it('[DT50] is else the centre of the largest part that is seen', () => {
    const regions = visibleRegions(rect(0, 0, 100, 100), [rect(40, 0, 40, 100)], [screen])
    expect(clickPoint(regions, rect(0, 10, 100, 20))).toEqual({ x: 20, y: 20 })
  })

  it('[DT50] is undefined for covered, off-screen and empty elements', () => {
    expect(clickPoint([rect(0, 0, 10, 10)], rect(20, 20, 5, 5))).toBeUndefined()
    expect(clickPoint([], rect(0, 0, 5, 5))).toBeUndefined()
    expect(clickPoint([screen], rect(5, 5, 0, 9))).toBeUndefined()
  })
})
