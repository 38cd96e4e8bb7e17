import { describe, expect, it } from 'vitest'
import { FACES } from '../../paint/canvas/faces.ts'
import { widthOf } from '../../paint/text/fonts.ts'
import { textWidth } from './text-width.ts'

// Rules such as [DT102] are stated in ../SPEC.md.

/** Texts of each face that every installation has, with the family that searches it. */
const SAMPLES: Readonly<Record<string, readonly (readonly [family: 'ui' | 'humanist', text: string])[]>> = {
  'Backlot Sans': [
    ['ui', 'Settings 12:30'],
    ['ui', 'Настройки'],
    ['ui', 'Ρυθμίσεις'],
    ['ui', '設定を開く'],
    ['ui', '⌃⌥⇧⌘S'],
    ['ui', '↩⇥⎋⌫⌦⇞⇟⇪'],
  ],
  // Its texts are not measured: all characters of a terminal have one width.
  'Backlot Mono': [],
  'Backlot Hebrew': [['ui', 'הגדרות']],
  'Backlot Arabic': [['ui', 'إعدادات البريد']],
  'Backlot Humanist latin': [
    ['humanist', 'Settings 12:30'],
    ['humanist', 'Größe, prénom'],
  ],
  'Backlot Humanist latin-ext': [['humanist', 'Łódź, šćěř']],
  'Backlot Humanist cyrillic': [['humanist', 'Настройки']],
  'Backlot Humanist greek': [['humanist', 'Ρυθμίσεις']],
  // Its letters count as those that the model does not know.
  'Backlot Humanist vietnamese': [],
}

describe('[DT102] the widths of the model', () => {
  const thousandths = (text: string, family: 'ui' | 'humanist') => widthOf(text, { family, size: 1000, weight: 400 })

  it.each(Object.values(SAMPLES).flat())('are those of the fonts: %s, %s', (family, text) => {
    const [model, painted] = [textWidth(text, 1000, family), thousandths(text, family)]
    expect(model / painted).toBeGreaterThan(0.98)
    expect(model / painted).toBeLessThan(1.07)
  })

  it('are compared with each font', () => {
    const names = new Set(Object.values(FACES).flatMap((faces) => faces.map(({ name }) => name)))
    expect(Object.keys(SAMPLES).toSorted()).toEqual([...names].toSorted())
  })

  it('has no width for marks and joiners', () => {
    expect(textWidth('e\u0301', 100)).toBe(textWidth('e', 100))
    expect(textWidth('👩‍👩‍👧', 100)).toBe(textWidth('😀', 100))
    expect(textWidth('🇩🇪', 100)).toBe(textWidth('😀', 100))
    expect(textWidth('שָׁ', 100)).toBe(textWidth('ש', 100))
  })
})
