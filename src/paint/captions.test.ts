import { expect, it } from 'vitest'
import { desktop, element, monitor, rect, window } from '../desktop/model/builders.ts'
import { parseMarkup, type RichText } from '../desktop/model/rich-text.ts'
import type { DesktopStyle } from '../desktop/style/style.ts'
import { createPainter } from './painter.ts'

// Rules such as [PNT94] are stated in SPEC.md beside this file.

const bounds = rect(0, 0, 400, 300)

/** A switch and a slider of a form, whose names begin 120 pixels before the slider. */
function formIn(style: DesktopStyle, isEnd: boolean) {
  const place = {}
  const switched = element('Switch', 'Dark', {
    bounds: rect(20, 40, 160, 30),
    place,
    traits: { formLabel: { x: 0, width: 110, isEnd } },
  })
  const slider = element('Slider', 'Size', {
    bounds: rect(140, 100, 160, 30),
    place,
    valueNow: 25,
    traits: { formLabel: { x: -120, width: 110, isEnd } },
  })
  const form = element('Pane', 'Form', { bounds, place, layout: { arrange: 'form' } }, switched, slider)
  return desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, form))
}

it('[PNT94] writes the names of a form at their places, with a colon where they end at one line', () => {
  const runs = (style: DesktopStyle, isEnd: boolean) =>
    createPainter()
      .screen(formIn(style, isEnd))
      .text!.map(({ text, bounds: { x, width } }) => ({ text, x, end: x + width }))
  const cards = runs('gnome', false)
  expect(cards.map(({ text }) => text)).toEqual(['Dark', 'Size', '25'])
  expect(cards.map(({ x }) => x).slice(0, 2)).toEqual([20, 20])
  expect(cards[2]!.end).toBeLessThanOrEqual(130)
  const labels = runs('macos', true)
  expect(labels.map(({ text }) => text)).toEqual(['Dark:', 'Size:', '25'])
  expect(labels.map(({ end }) => end).slice(0, 2)).toEqual([130, 130])
  expect(labels[2]!.x).toBeGreaterThanOrEqual(300)
})

it('[PNT95] writes the name of choices as the other names, in plain letters with a colon', () => {
  const group = element('Text', 'Density', {
    bounds: rect(80, 40, 50, 24),
    place: {},
    traits: {
      rich: parseMarkup('**Density**') as RichText,
      formLabel: { x: -60, width: 110, isEnd: true },
    },
  })
  const form = element('Pane', 'Form', { bounds, place: {}, layout: { arrange: 'form' } }, group)
  const shown = desktop({ monitors: [monitor(bounds)], style: 'macos' }, window('W', { bounds, frame: 'none' }, form))
  const [run] = createPainter().screen(shown).text!
  expect(run!.text).toBe('Density:')
  expect(run!.bounds.x + run!.bounds.width).toBe(130)
})
