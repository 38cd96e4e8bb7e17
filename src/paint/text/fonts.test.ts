import { describe, expect, it } from 'vitest'
import { charactersOf, type Font, piecesOf, replaceUnprintable, widthOf } from './fonts.ts'
import { elide, wrap } from './text.ts'

// Rules such as [P6] are stated in SPEC.md beside this file.

const font: Font = { family: 'ui', size: 14, weight: 400 }

describe('fonts', () => {
  it('[P6] have a family for each stretch of a text, or none', () => {
    expect(piecesOf('Größe Ж → ok', 'ui')).toEqual([{ text: 'Größe Ж → ok', family: 'ui' }])
    expect(piecesOf('a你👩‍👩‍👧b', 'ui')).toEqual([
      { text: 'a', family: 'ui' },
      { text: '你', family: 'missing' },
      { text: '👩‍👩‍👧', family: 'missing' },
      { text: 'b', family: 'ui' },
    ])
  })

  it('[P6] gives every missing character the same width', () => {
    expect(widthOf('你好', font)).toBe(2 * widthOf('😀', font))
  })

  it('count a letter with its accents, or a family of emoji, as one character', () => {
    expect(charactersOf('e\u0301👩‍👩‍👧')).toEqual(['e\u0301', '👩‍👩‍👧'])
  })

  it('show control characters and marks of direction as blanks', () => {
    expect(replaceUnprintable('a\tb\u202ec\u0007')).toBe('a b c ')
  })
})

describe('text', () => {
  it('[P7] stays whole where it fits, and ends in an ellipsis where not', () => {
    expect(elide('Short', 100, font)).toBe('Short')
    const cut = elide('Much too long for this', 80, font)
    expect(cut).toMatch(/^Much.*…$/)
    expect(widthOf(cut, font)).toBeLessThanOrEqual(80)
    expect(elide('anything', 3, font)).toBe('')
  })

  it('[P7] is cut in time however long it is', () => {
    expect(elide('x'.repeat(1_000_000), 60, font)).toMatch(/^x+…$/)
  })

  it('wraps between words, keeps line breaks, and breaks words that are too long', () => {
    expect(wrap('one two three\n\nfour', 60, font, 9)).toEqual([
      { text: 'one two ', from: 0, to: 8 },
      { text: 'three', from: 8, to: 13 },
      { text: '', from: 14, to: 14 },
      { text: 'four', from: 15, to: 19 },
    ])
    const lines = wrap('m'.repeat(40), 60, font, 99)
    expect(lines.map((line) => line.text).join('')).toBe('m'.repeat(40))
    expect(lines.every((line) => widthOf(line.text, font) <= 60)).toBe(true)
    expect(wrap('a b c d e f', 12, font, 2)).toHaveLength(2)
  })
})
