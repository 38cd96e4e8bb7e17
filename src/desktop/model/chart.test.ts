import { describe, expect, it } from 'vitest'
import { build, element, rect } from './builders.ts'
import { chartGeometry, isDataPoint } from './chart.ts'
import type { ChartKind } from './traits.ts'

// Rules such as [DT13] are stated in SPEC.md of the folder above.

const chart = (kind: ChartKind, values: readonly number[], name = '') =>
  build(
    element(
      'Chart',
      name,
      { bounds: rect(100, 50, 352, 228), traits: { chart: kind } },
      ...values.map((valueNow, index) => element('DataPoint', `P${index}`, { valueNow })),
    ),
  )

describe('a chart', () => {
  it('[DT13] has an axis of round numbers with zero', () => {
    const axis = (...values: number[]) => {
      const { least, most, step } = chartGeometry(chart('bar', values))
      return [least, most, step]
    }
    expect([axis(3, 12, 7), axis(950), axis(-4, 3), axis(0.2, 0.31), axis(), axis(0)]).toEqual([
      [0, 12.5, 2.5],
      [0, 1000, 200],
      [-4, 4, 2],
      [0, expect.closeTo(0.4), 0.1],
      [0, expect.any(Number), expect.any(Number)],
      [0, expect.any(Number), expect.any(Number)],
    ])
  })

  it('[DT13] has bars from the line of zero, each in the middle of its share of the width', () => {
    const { plot, points } = chartGeometry(chart('bar', [10, -5, 0]))
    expect(plot).toEqual({ x: 144, y: 58, width: 300, height: 192 })
    const [up, down, none] = points.map(({ bounds }) => bounds)
    expect(up!.y + up!.height).toBe(down!.y)
    expect(up!.height).toBe(2 * down!.height)
    expect([up, down, none].map((bar) => bar!.x + bar!.width / 2)).toEqual([194, 294, 394])
    expect(none!.height).toBe(1)
  })

  it('[DT14] has the points of a line at their values', () => {
    const { plot, points } = chartGeometry(chart('line', [0, 10]))
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [plot.x + plot.width / 4, plot.y + plot.height],
      [plot.x + (3 * plot.width) / 4, plot.y],
    ])
    for (const { x, y, bounds } of points) expect(bounds).toEqual({ x: x - 5, y: y - 5, width: 10, height: 10 })
  })

  it('[DT15] has sectors by their shares, and points inside of them', () => {
    const { plot, points } = chartGeometry(chart('pie', [3, 1, 0]))
    expect(points.map(({ sector }) => sector)).toEqual([
      [0, 0.75],
      [0.75, 1],
      [1, 1],
    ])
    const middle = { x: plot.x + plot.width / 2, y: plot.y + plot.height / 2 }
    expect(points[0]!.x).toBeGreaterThan(middle.x)
    expect(points[0]!.y).toBeGreaterThan(middle.y)
    expect(points[1]!.x).toBeLessThan(middle.x)
    expect(points[1]!.y).toBeLessThan(middle.y)
  })

  it('[DT15] has no sectors without values', () => {
    expect(chartGeometry(chart('pie', [0, 0])).points.map(({ sector }) => sector)).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('[DT13] leaves space for its name', () => {
    expect(chartGeometry(chart('bar', [1], 'Sales')).plot.y).toBe(82)
  })

  it('[DT16] has data points, in any spelling of the role', () => {
    expect(['DataPoint', 'data point', 'data-point', 'Image'].map(isDataPoint)).toEqual([true, true, true, false])
  })
})
