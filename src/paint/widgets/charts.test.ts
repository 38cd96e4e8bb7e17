import { describe, expect, it } from 'vitest'
import { desktop, element, monitor, rect, window } from '../../desktop/model/builders.ts'
import { chartGeometry } from '../../desktop/model/chart.ts'
import type { ChartKind } from '../../desktop/model/traits.ts'
import { channelsOf } from '../colour.ts'
import { createPainter } from '../painter.ts'
import { chartColours } from '../styles/chart-colours.ts'
import { themeOf } from '../theme.ts'

// Rules such as [P42] are stated in SPEC.md of the folder above.

const painter = createPainter()
const bounds = rect(0, 0, 400, 300)
const chart = (kind: ChartKind, values: readonly number[], enabled = true) =>
  element(
    'Chart',
    'Sales',
    { bounds: rect(10, 10, 380, 280), enabled, traits: { chart: kind } },
    ...values.map((valueNow, index) => element('DataPoint', `Part ${index}`, { valueNow })),
  )
const shown = (...args: Parameters<typeof chart>) =>
  desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, chart(...args)))
const pixelAt = (on: ReturnType<typeof shown>, { x, y }: { x: number; y: number }) => [
  ...painter.area(on, rect(x, y, 1, 1)).pixels(),
]
const geometryOf = (on: ReturnType<typeof shown>) => chartGeometry(on.windows[0]!.tree.children[0]!)
const middleOf = ({ x, y, width, height }: typeof bounds) => ({ x: x + (width >> 1), y: y + (height >> 1) })

describe('a chart', () => {
  it('[P42] shows its name, the numbers of its axis and the names of its bars', () => {
    const on = shown('bar', [30, 10])
    const words = painter.screen(on).text!.map((run) => run.text)
    expect(words).toEqual(['Sales', '0', '10', '20', '30', 'Part 0', 'Part 1'])
    const { accent } = themeOf()
    for (const { bounds: bar } of geometryOf(on).points)
      expect(pixelAt(on, middleOf(bar))).toEqual([...channelsOf(accent)])
  })

  it('[P42] draws a line between its points', () => {
    const on = shown('line', [0, 10, 0])
    const [from, to] = geometryOf(on).points
    const between = { x: Math.round((from!.x + to!.x) / 2), y: Math.round((from!.y + to!.y) / 2) }
    const { field } = themeOf()
    expect(pixelAt(on, between)).not.toEqual([...channelsOf(field)])
    expect(pixelAt(on, { ...between, y: between.y - 30 })).toEqual([...channelsOf(field)])
  })

  it('[P42] fills the sectors of a pie in the colours of its legend', () => {
    const on = shown('pie', [3, 1])
    const words = painter.screen(on).text!.map((run) => run.text)
    expect(words).toEqual(['Sales', 'Part 0 (75 %)', 'Part 1 (25 %)'])
    const { points } = geometryOf(on)
    const sectors = points.map((point) => pixelAt(on, point))
    const swatches = points.map(({ label }) => pixelAt(on, { x: label.x + 6, y: label.y + 11 }))
    expect(sectors).toEqual(swatches)
    expect(sectors[0]).not.toEqual(sectors[1])
  })

  it.each(['bar', 'line', 'pie'] as const)('[P42] is pale when it is disabled: %s', (kind) => {
    const [on, off] = [shown(kind, [3, 1]), shown(kind, [3, 1], false)]
    expect(Buffer.compare(painter.screen(on).pixels(), painter.screen(off).pixels())).not.toBe(0)
  })

  it.each(['bar', 'line', 'pie'] as const)('[P42] is painted without values: %s', (kind) => {
    expect(painter.screen(shown(kind, [])).text!.map((run) => run.text)[0]).toBe('Sales')
  })
})

const SHADES = ['light', 'dark', 'high-contrast'] as const

describe.each(['windows', 'macos', 'gnome'] as const)('the sectors of a pie in the style %s', (style) => {
  it.each([...SHADES])('[P42a] have colours that differ: %s', (name) => {
    const colours = chartColours(themeOf(style, name)).map(channelsOf)
    const distances = colours.flatMap((one, index) =>
      colours.slice(index + 1).map((other) => Math.max(...one.map((channel, at) => Math.abs(channel - other[at]!)))),
    )
    expect(distances).toHaveLength(15)
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(32)
  })
})
