import { describe, expect, it, vi } from 'vitest'
import { isInstalled } from '../../base/optional.ts'
import { type Family, SHIPPED_FONTS } from '../canvas/faces.ts'
import { fontFile } from '../canvas/skia.ts'
import { charactersOf, type Font, piecesOf, replaceUnprintable, widthOf } from './fonts.ts'
import { elide, wrap } from './text.ts'

// Rules such as [PNT6] are stated in SPEC.md beside this file.

const font: Font = { family: 'ui', size: 14, weight: 400 }

/** The pieces of a line, each with the name of its face. */
const facesIn = (text: string, family: Family = 'ui') =>
  piecesOf(text, family).map((piece) => [piece.text, piece.face === 'missing' ? 'missing' : piece.face.name])

describe('fonts', () => {
  it('[PNT6] have a face for each stretch of a text, or none', () => {
    expect(facesIn('Größe Ж → ok')).toEqual([['Größe Ж → ok', 'Backlot Sans']])
    expect(facesIn('aคก👩‍👩‍👧b')).toEqual([
      ['a', 'Backlot Sans'],
      ['ค', 'missing'],
      ['ก', 'missing'],
      ['👩‍👩‍👧', 'missing'],
      ['b', 'Backlot Sans'],
    ])
    expect(facesIn('שלום, Ünï')).toEqual([
      ['Ünï', 'Backlot Sans'],
      [', ', 'Backlot Sans'],
      ['שלום', 'Backlot Hebrew'],
    ])
  })

  it('[PNT8] have faces that every installation has, of the named families', () => {
    expect(SHIPPED_FONTS.filter((file) => fontFile(file) === undefined)).toEqual([])
    expect(facesIn('Größe Ω Ж ש', 'humanist')).toEqual([
      ['Größe ', 'Backlot Humanist latin'],
      ['Ω', 'Backlot Humanist greek'],
      [' ', 'Backlot Humanist latin'],
      ['Ж', 'Backlot Humanist cyrillic'],
      [' ', 'Backlot Humanist latin'],
      ['ש', 'Backlot Hebrew'],
    ])
  })

  it('[PNT9] take text faces first, and one face for all signs of a character', () => {
    expect(facesIn('1 # ©')).toEqual([['1 # ©', 'Backlot Sans']])
    expect(facesIn('بِسْمِ')).toEqual([['بِسْمِ', 'Backlot Arabic']])
    expect(facesIn('می\u200cخواهم')).toEqual([['می\u200cخواهم', 'Backlot Arabic']])
  })

  it('[PNT10] take ideographs from the font of the syllables beside them', () => {
    const names = facesIn('設定を開く').map(([, face]) => face?.replace(/ \d+$/, ''))
    expect(new Set(names)).toEqual(new Set(['Backlot jp']))
  })

  it('[PNT12] are in visual order, with an ellipsis at the end of the direction', () => {
    const order = (text: string) =>
      piecesOf(text, 'ui')
        .map((piece) => piece.text)
        .join('|')
    expect(order('שלום (ab)…')).toBe(')…|ab| (|שלום')
    expect(order('Mail البريد…')).toBe('Mail |البريد|…')
  })

  it('[PNT6] gives every missing character the same width', () => {
    expect(widthOf('คก', font)).toBe(2 * widthOf('𓀀', font))
  })

  it('count a letter with its accents, or a family of emoji, as one character', () => {
    expect(charactersOf('e\u0301👩‍👩‍👧')).toEqual(['e\u0301', '👩‍👩‍👧'])
  })

  // The emoji are an optional package.
  it('[PNT7] draws a picture of several characters as one', { skip: !isInstalled('emoji') }, () => {
    const one = widthOf('😀', font)
    for (const picture of ['🏳️‍🌈', '❤️‍🔥', '👁️‍🗨️', '🏴‍☠️', '👩‍👩‍👧']) expect(widthOf(picture, font)).toBeCloseTo(one, 3)
    expect(widthOf('❤️🏳️‍🌈', font)).toBeCloseTo(2 * one, 3)
  })

  it('show control characters and marks of direction as blanks', () => {
    expect(replaceUnprintable('a\tb\u202ec\u0007')).toBe('a b c ')
  })
})

describe('text', () => {
  it('[PNT16] stays whole where it fits, and ends in an ellipsis where not', () => {
    expect(elide('Short', 100, font)).toBe('Short')
    const cut = elide('Much too long for this', 80, font)
    expect(cut).toMatch(/^Much.*…$/)
    expect(widthOf(cut, font)).toBeLessThanOrEqual(80)
    expect(elide('anything', 3, font)).toBe('')
  })

  it('[PNT16] is cut in time however long it is', () => {
    expect(elide('x'.repeat(1_000_000), 60, font)).toMatch(/^x+…$/)
  })

  it('[PNT11] are chosen in time in proportion to the length of a line', () => {
    const lookUps = (text: string) => {
      piecesOf(text, 'ui')
      const look = vi.spyOn(Set.prototype, 'has')
      piecesOf(text, 'ui')
      const { length } = look.mock.calls
      look.mockRestore()
      return length
    }
    expect(lookUps('漢字仮名'.repeat(100))).toBeLessThan(3 * lookUps('漢字仮名'.repeat(50)))
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
