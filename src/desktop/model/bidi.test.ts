import { describe, expect, it } from 'vitest'
import { directionOf, directionRuns, visualLine } from './bidi.ts'

// Rules such as [DT99] are stated in ../SPEC.md.

/** Each unit is ten pixels wide. */
const measure = (part: string): number => part.length * 10

describe('[DT99] the direction of a line', () => {
  it.each([
    ['Mail (3)', 'ltr'],
    ['12:30', 'ltr'],
    ['Ctrl+,', 'ltr'],
    ['48 kB', 'ltr'],
    ['(3) שלום', 'rtl'],
    ['البريد Mail', 'rtl'],
    ['Mail البريد', 'ltr'],
    ['تقرير.pdf', 'ltr'],
  ] as const)('of %j is %s', (text, direction) => expect(directionOf(text)).toBe(direction))
})

describe('[DT100] a line with both directions', () => {
  const inOrder = (text: string, direction?: 'ltr' | 'rtl') =>
    directionRuns(text, direction).map(({ from, to }) => text.slice(from, to))

  it('is ordered by the bidirectional algorithm', () => {
    expect(inOrder('ab אב cd')).toEqual(['ab ', 'אב', ' cd'])
    expect(inOrder('אב cd 12')).toEqual(['cd 12', 'אב '])
    expect(inOrder('אב 12 גד')).toEqual([' גד', '12', 'אב '])
    expect(inOrder('ab ', 'rtl')).toEqual([' ', 'ab'])
  })

  it('has its carets at the leading edges of characters', () => {
    const line = visualLine('ab אבג', measure)
    expect([0, 2, 3, 4, 6].map(line.caretAt)).toEqual([0, 20, 60, 50, 30])
    const mirrored = visualLine('אב', measure)
    expect([0, 1, 2].map(mirrored.caretAt)).toEqual([20, 10, 0])
    expect(visualLine('', measure).caretAt(0)).toBe(0)
  })

  it('splits a selection where the direction changes', () => {
    expect(visualLine('ab אבג cd', measure).spansOf(1, 4)).toEqual([
      { left: 10, right: 30 },
      { left: 50, right: 60 },
    ])
  })

  it('is hit at the nearer edge of a character', () => {
    const line = visualLine('ab אבג', measure)
    expect([-5, 4, 6, 24, 34, 36, 58, 99].map(line.offsetAt)).toEqual([0, 0, 1, 2, 6, 5, 3, 3])
  })
})
