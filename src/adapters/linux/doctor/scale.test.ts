import { expect, it } from 'vitest'
import { checkScale } from './scale.ts'

// Rules such as [B10a] are stated in the README of the adapter.

it('[B10a] is good where nothing scales what programs draw', () => {
  const expected = { subject: 'scale', verdict: 'good', found: 'programs draw in screen pixels' }
  expect(checkScale({}, '')).toEqual(expected)
  expect(checkScale({ GDK_SCALE: '1', QT_SCALE_FACTOR: '' }, '*customization:\t-color\nXft.dpi:\t96\n')).toEqual(
    expected,
  )
})

it.each<[Record<string, string>, string, string]>([
  [{}, 'Xft.antialias:\t1\nXft.dpi:\t192\n', 'Xft.dpi is 192'],
  [{ GDK_SCALE: '2' }, '', 'GDK_SCALE=2'],
  [{ GDK_DPI_SCALE: '0.5' }, '', 'GDK_DPI_SCALE=0.5'],
  [{ QT_SCALE_FACTOR: '1.5' }, '', 'QT_SCALE_FACTOR=1.5'],
  [{ QT_SCREEN_SCALE_FACTORS: 'eDP-1=2;HDMI-1=1' }, '', 'QT_SCREEN_SCALE_FACTORS=eDP-1=2;HDMI-1=1'],
  [{ QT_FONT_DPI: '144' }, '', 'QT_FONT_DPI=144'],
  [{ GDK_SCALE: '2', QT_SCALE_FACTOR: '2' }, 'Xft.dpi: 120', 'Xft.dpi is 120, GDK_SCALE=2, QT_SCALE_FACTOR=2'],
])('[B10a] names what scales programs: %j %j', (env, resources, found) => {
  const check = checkScale(env, resources)
  expect(check).toMatchObject({ verdict: 'note', found, fix: expect.stringContaining('scale factor 1') })
})
