import { describe, expect, it } from 'vitest'
import { desktop, element, monitor, rect, window } from '../../desktop/model/builders.ts'
import { chartGeometry } from '../../desktop/model/chart.ts'
import { richTextSize } from '../../desktop/model/rich-flow.ts'
import { parseMarkup, type RichText } from '../../desktop/model/rich-text.ts'
import type { ChartKind } from '../../desktop/model/traits.ts'
import { DESKTOP_STYLES, SHELL_STYLES, styleMetrics } from '../../desktop/style/style.ts'
import { channelsOf } from '../colour.ts'
import { createPainter } from '../painter.ts'
import { themeOf } from '../styles/styles.ts'
import { chartColours } from './words.ts'

// Rules such as [PNT42] are stated in SPEC.md of the folder above.

const painter = createPainter()
const bounds = rect(0, 0, 400, 300)
const chart = (kind: ChartKind, values: readonly number[], enabled = true) =>
  element(
    'Chart',
    'Sales',
    { bounds: rect(10, 10, 380, 280), enabled, traits: { chart: kind } },
    ...values.map((valueNow, index) => element('DataPoint', `Part ${index}`, { valueNow })),
  )
const shownChart = (...args: Parameters<typeof chart>) =>
  desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, chart(...args)))
const pixelAt = (on: ReturnType<typeof shownChart>, { x, y }: { x: number; y: number }) => [
  ...painter.area(on, rect(x, y, 1, 1)).pixels(),
]
const geometryOf = (on: ReturnType<typeof shownChart>) => chartGeometry(on.windows[0]!.tree.children[0]!)
const middleOf = ({ x, y, width, height }: typeof bounds) => ({ x: x + (width >> 1), y: y + (height >> 1) })

describe('a chart', () => {
  it('[PNT42] shows its name, the numbers of its axis and the names of its bars', () => {
    const on = shownChart('bar', [30, 10])
    const words = painter.screen(on).text!.map((run) => run.text)
    expect(words).toEqual(['Sales', '0', '10', '20', '30', 'Part 0', 'Part 1'])
    const { accent } = themeOf()
    for (const { bounds: bar } of geometryOf(on).points)
      expect(pixelAt(on, middleOf(bar))).toEqual([...channelsOf(accent)])
  })

  it('[PNT42] draws a line between its points', () => {
    const on = shownChart('line', [0, 10, 0])
    const [from, to] = geometryOf(on).points
    const between = { x: Math.round((from!.x + to!.x) / 2), y: Math.round((from!.y + to!.y) / 2) }
    const { field } = themeOf()
    expect(pixelAt(on, between)).not.toEqual([...channelsOf(field)])
    expect(pixelAt(on, { ...between, y: between.y - 30 })).toEqual([...channelsOf(field)])
  })

  it('[PNT42] fills the sectors of a pie in the colours of its legend', () => {
    const on = shownChart('pie', [3, 1])
    const words = painter.screen(on).text!.map((run) => run.text)
    expect(words).toEqual(['Sales', 'Part 0 (75 %)', 'Part 1 (25 %)'])
    const { points } = geometryOf(on)
    const sectors = points.map((point) => pixelAt(on, point))
    const swatches = points.map(({ label }) => pixelAt(on, { x: label.x + 6, y: label.y + 11 }))
    expect(sectors).toEqual(swatches)
    expect(sectors[0]).not.toEqual(sectors[1])
  })

  it.each(['bar', 'line', 'pie'] as const)('[PNT42] is pale when it is disabled: %s', (kind) => {
    const [on, off] = [shownChart(kind, [3, 1]), shownChart(kind, [3, 1], false)]
    expect(Buffer.compare(painter.screen(on).pixels(), painter.screen(off).pixels())).not.toBe(0)
  })

  it.each(['bar', 'line', 'pie'] as const)('[PNT42] is painted without values: %s', (kind) => {
    expect(painter.screen(shownChart(kind, [])).text!.map((run) => run.text)[0]).toBe('Sales')
  })
})

const SHADES = ['light', 'dark', 'high-contrast'] as const

describe.each(SHELL_STYLES)('the sectors of a pie in the style %s', (style) => {
  it.each([...SHADES])('[PNT43] have colours that differ: %s', (name) => {
    const colours = chartColours(themeOf(style, name)).map(channelsOf)
    const distances = colours.flatMap((one, index) =>
      colours.slice(index + 1).map((other) => Math.max(...one.map((channel, at) => Math.abs(channel - other[at]!)))),
    )
    expect(distances).toHaveLength(15)
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(32)
  })
})

const shownText = (source: string, details = {}, name?: string) => {
  const rich = parseMarkup(source) as RichText
  const bounds = rect(0, 0, 300, 100)
  const text = element('Text', name ?? rich.text, { bounds: rect(10, 10, 200, 40), traits: { rich }, ...details })
  return painter.screen(desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, text)))
}
const isSame = (a: ReturnType<typeof shownText>, b: ReturnType<typeof shownText>) =>
  Buffer.compare(a.pixels(), b.pixels()) === 0

it('[PNT37] paints bold, coloured and linked parts of a text', () => {
  const plain = shownText('one two')
  const others = ['**one** two', '[one](danger) two', '[one](accent) two', '[one](#id) two'].map((each) =>
    shownText(each),
  )
  expect(others.map((each) => isSame(each, plain))).toEqual([false, false, false, false])
  expect(others.map(({ text }) => text?.map((run) => run.text).join(' '))).toEqual(Array(4).fill('one two'))
})

it('[PNT37] paints each part where the text has it', () => {
  const { text } = shownText('one [two](danger) three')
  expect(text!.map((run) => run.text)).toEqual(['one', 'two', 'three'])
  const [one, two, three] = text!.map(({ bounds }) => bounds)
  expect(one!.x).toBe(10)
  expect(two!.x).toBeGreaterThan(one!.x + one!.width)
  expect(three!.x).toBeGreaterThan(two!.x + two!.width)
})

/** The styles in which a part of a text begins where the painted one before it ends. */
const JOINED = DESKTOP_STYLES.filter((style) => styleMetrics(style).text.isJoined)

it.each(JOINED)('[PNT40] paints parts without a gap between them: %s', (style) => {
  const rich = parseMarkup('changed since **the last Friday of March**, so') as RichText
  const bounds = rect(0, 0, 500, 100)
  const child = element('Text', rich.text, { bounds: rect(10, 10, 480, 40), traits: { rich } })
  const on = desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, child))
  const [first, bold, rest] = painter.screen(on).text!.map((run) => run.bounds)
  expect(rest!.x - bold!.x - bold!.width).toBeLessThanOrEqual(0)
  expect(rest!.x - bold!.x - bold!.width).toBeGreaterThanOrEqual(-2)
  expect(bold!.x - first!.x - first!.width).toBeGreaterThanOrEqual(2)
  expect(bold!.x - first!.x - first!.width).toBeLessThanOrEqual(5)
})

it('[PNT37] paints a disabled text in one colour, and one with another name as it is', () => {
  expect(isSame(shownText('[one](danger)', { enabled: false }), shownText('one', { enabled: false }))).toBe(true)
  expect(shownText('**one**', {}, 'other').text?.map((run) => run.text)).toEqual(['other'])
})

it('[PNT38] leans italic parts to the right, as wide as upright ones, and shows headings larger', () => {
  const [upright, italic] = [shownText('one two'), shownText('[one two](italic)')]
  expect(isSame(upright, italic)).toBe(false)
  expect(italic.text).toEqual(upright.text)
  const [heading] = shownText('# one two').text!
  expect(heading!.text).toBe('one two')
  expect(heading!.bounds.width).toBeGreaterThan(upright.text![0]!.bounds.width * 1.15)
})

it.each(JOINED)('[PNT40] keeps the blank between two bold parts: %s', (style) => {
  const rich = parseMarkup('see **you** **Friday** or **[later](muted)**') as RichText
  const bounds = rect(0, 0, 500, 100)
  const child = element('Text', rich.text, { bounds: rect(10, 10, 480, 40), traits: { rich } })
  const on = desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, child))
  const runs = painter.screen(on).text!
  expect(runs.map((run) => run.text)).toEqual(['see', 'you', 'Friday', 'or', 'later'])
  for (const [at, { bounds }] of runs.slice(1).entries()) {
    const before = runs[at]!.bounds
    expect(bounds.x - before.x - before.width).toBeGreaterThanOrEqual(2)
    expect(bounds.x - before.x - before.width).toBeLessThanOrEqual(6)
  }
})

it.each(JOINED)('[PNT41] does not cut bold Arabic and Hebrew: %s', (style) => {
  for (const words of ['الكثافة', 'يناير', 'عرض داكن للرسائل', 'צפיפות', 'הגדרות תצוגה']) {
    const rich = parseMarkup(`**${words}**`) as RichText
    const { width, height } = richTextSize(rich, 1000, styleMetrics(style).text)
    const bounds = rect(0, 0, 500, 100)
    const child = element('Text', words, { bounds: rect(10, 10, width, height), traits: { rich } })
    const on = desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, child))
    expect(painter.screen(on).text!.map((run) => run.text)).toEqual([words])
  }
})

it.each([
  { text: 'see **you Friday** or [later](#id)', isRightToLeft: false },
  { text: 'שלום **טוב** [Ada](#id)', isRightToLeft: true },
])('[PNT39] keeps the order of parts on a mirrored screen: $text', ({ text, isRightToLeft }) => {
  const rich = { ...(parseMarkup(text) as RichText), isMirrored: true as const }
  const bounds = rect(0, 0, 500, 100)
  const child = element('Text', rich.text, { bounds: rect(10, 10, 480, 40), traits: { rich } })
  const on = desktop({ monitors: [monitor(bounds)], style: 'gnome' }, window('W', { bounds, frame: 'none' }, child))
  const runs = createPainter({ projection: { ratio: 1, scale: 1, mirror: 500 } }).screen(on).text!
  const gaps = runs.slice(1).map(({ bounds }, at) => {
    const [left, right] = isRightToLeft ? [bounds, runs[at]!.bounds] : [runs[at]!.bounds, bounds]
    return right.x - left.x - left.width
  })
  for (const gap of gaps) expect(Math.abs(gap - 4)).toBeLessThanOrEqual(2)
  // The text is at the start of the mirrored screen.
  expect(Math.max(...runs.map(({ bounds }) => bounds.x + bounds.width))).toBeGreaterThan(480)
})
