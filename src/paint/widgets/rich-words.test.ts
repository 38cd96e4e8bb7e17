import { expect, it } from 'vitest'
import { desktop, element, monitor, rect, window } from '../../desktop/model/builders.ts'
import { richTextSize } from '../../desktop/model/rich-flow.ts'
import { parseMarkup, type RichText } from '../../desktop/model/rich-text.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { createPainter } from '../painter.ts'

// Rules such as [P41] are stated in SPEC.md of the folder above.

const painter = createPainter()
const shown = (source: string, details = {}, name?: string) => {
  const rich = parseMarkup(source) as RichText
  const bounds = rect(0, 0, 300, 100)
  const text = element('Text', name ?? rich.text, { bounds: rect(10, 10, 200, 40), traits: { rich }, ...details })
  return painter.screen(desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, text)))
}
const isSame = (a: ReturnType<typeof shown>, b: ReturnType<typeof shown>) =>
  Buffer.compare(a.pixels(), b.pixels()) === 0

it('[P41] paints bold, coloured and linked parts of a text', () => {
  const plain = shown('one two')
  const others = ['**one** two', '[one](danger) two', '[one](accent) two', '[one](#id) two'].map((each) => shown(each))
  expect(others.map((each) => isSame(each, plain))).toEqual([false, false, false, false])
  expect(others.map(({ text }) => text?.map((run) => run.text).join(' '))).toEqual(Array(4).fill('one two'))
})

it('[P41] paints each part where the text has it', () => {
  const { text } = shown('one [two](danger) three')
  expect(text!.map((run) => run.text)).toEqual(['one', 'two', 'three'])
  const [one, two, three] = text!.map(({ bounds }) => bounds)
  expect(one!.x).toBe(10)
  expect(two!.x).toBeGreaterThan(one!.x + one!.width)
  expect(three!.x).toBeGreaterThan(two!.x + two!.width)
})

it.each([...(['windows', 'macos', 'gnome'] as const)])(
  '[P41b] paints parts without a gap between them: %s',
  (style) => {
    const rich = parseMarkup('changed since **the last Friday of March**, so') as RichText
    const bounds = rect(0, 0, 500, 100)
    const child = element('Text', rich.text, { bounds: rect(10, 10, 480, 40), traits: { rich } })
    const on = desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, child))
    const [first, bold, rest] = painter.screen(on).text!.map((run) => run.bounds)
    expect(rest!.x - bold!.x - bold!.width).toBeLessThanOrEqual(0)
    expect(rest!.x - bold!.x - bold!.width).toBeGreaterThanOrEqual(-2)
    expect(bold!.x - first!.x - first!.width).toBeGreaterThanOrEqual(2)
    expect(bold!.x - first!.x - first!.width).toBeLessThanOrEqual(5)
  },
)

it('[P41] paints a disabled text in one colour, and one with another name as it is', () => {
  expect(isSame(shown('[one](danger)', { enabled: false }), shown('one', { enabled: false }))).toBe(true)
  expect(shown('**one**', {}, 'other').text?.map((run) => run.text)).toEqual(['other'])
})

it('[P41c] leans italic parts to the right, as wide as upright ones, and shows headings larger', () => {
  const [upright, italic] = [shown('one two'), shown('[one two](italic)')]
  expect(isSame(upright, italic)).toBe(false)
  expect(italic.text).toEqual(upright.text)
  const [heading] = shown('# one two').text!
  expect(heading!.text).toBe('one two')
  expect(heading!.bounds.width).toBeGreaterThan(upright.text![0]!.bounds.width * 1.15)
})

it.each(['windows', 'macos', 'gnome'] as const)('[P41b] keeps the blank between two bold parts: %s', (style) => {
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

it.each([...(['windows', 'macos', 'gnome'] as const)])('[P41e] does not cut bold Arabic and Hebrew: %s', (style) => {
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
])('[P41d] keeps the order of parts on a mirrored screen: $text', ({ text, isRightToLeft }) => {
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
