import { describe, expect, it } from 'vitest'
import { widthOf } from '../../paint/text/fonts.ts'
import { textWidth } from './text-width.ts'

// Rules such as [DT102] are stated in ../SPEC.md.

describe('[DT102] the widths of the model', () => {
  const thousandths = (text: string, family: 'ui' | 'humanist') => widthOf(text, { family, size: 1000, weight: 400 })

  it.each([
    ['ui', 'Settings 12:30'],
    ['ui', 'Настройки'],
    ['ui', 'Ρυθμίσεις'],
    ['ui', 'הגדרות'],
    ['ui', 'إعدادات البريد'],
    ['ui', '設定を開く'],
    ['ui', '⌃⌥⇧⌘S'],
    ['ui', '↩⇥⎋⌫⌦⇞⇟⇪'],
    ['humanist', 'Settings 12:30'],
    ['humanist', 'Größe, prénom'],
    ['humanist', 'Настройки'],
  ] as const)('are those of the fonts: %s, %s', (family, text) => {
    const [model, painted] = [textWidth(text, 1000, family), thousandths(text, family)]
    expect(model / painted).toBeGreaterThan(0.98)
    expect(model / painted).toBeLessThan(1.07)
  })

  it('has no width for marks and joiners', () => {
    expect(textWidth('e\u0301', 100)).toBe(textWidth('e', 100))
    expect(textWidth('👩‍👩‍👧', 100)).toBe(textWidth('😀', 100))
    expect(textWidth('🇩🇪', 100)).toBe(textWidth('😀', 100))
    expect(textWidth('שָׁ', 100)).toBe(textWidth('ש', 100))
  })
})
