import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrange, type Need, orderEdges, type Span } from './placement.ts'

// Rules such as [PNT118] are stated in SPEC.md beside this file.

const span = (from: number, to: number, depth = 0): Span => ({ from, to, depth })
const need = (inside: number, before = 0, after = 0): Need => ({ before, inside, after })
const place = (spans: readonly Span[], needs: readonly Need[], cells: number) =>
  arrange(orderEdges(spans), needs, { from: 0, length: 100, cells })

describe('an arrangement along an axis', () => {
  it('[PNT112] is in proportion when everything fits', () => {
    expect(place([span(0, 100), span(10, 30, 1), span(50, 95, 1)], [need(1), need(1), need(5)], 20)).toEqual([
      { from: 0, to: 20 },
      { from: 2, to: 6 },
      { from: 10, to: 19 },
    ])
  })

  it('[PNT118] moves what follows crowded parts, no further than needed', () => {
    expect(place([span(0, 5), span(5, 10), span(40, 60)], [need(4), need(4), need(2)], 10)).toEqual([
      { from: 0, to: 4 },
      { from: 4, to: 8 },
      { from: 8, to: 10 },
    ])
  })

  it('[PNT118] gives a box space for its borders around children with the same edges', () => {
    expect(place([span(0, 100), span(0, 100, 1)], [need(1, 2, 1), need(1)], 10)).toEqual([
      { from: 0, to: 10 },
      { from: 2, to: 9 },
    ])
  })

  it('returns undefined when there is not enough space', () => {
    expect(place([span(0, 50), span(50, 100)], [need(5), need(6)], 10)).toBeUndefined()
    expect(place([span(0, 50), span(50, 100)], [need(4), need(6)], 10)).toEqual([
      { from: 0, to: 4 },
      { from: 4, to: 10 },
    ])
  })

  it('[PNT118] keeps order and fills needs for any spans', () => {
    const anySpan = fc
      .tuple(fc.nat(99), fc.integer({ min: 1, max: 100 }), fc.nat(3))
      .map(([from, length, depth]) => span(from, Math.min(100, from + length), depth))
    const anyNeed = fc
      .tuple(fc.nat(4), fc.nat(2), fc.nat(2))
      .map(([inside, before, after]) => need(inside, before, after))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anySpan, anyNeed), { maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        (all, cells) => {
          const spans = all.map(([one]) => one)
          const placed = place(
            spans,
            all.map(([, wanted]) => wanted),
            cells,
          )
          if (!placed) return
          all.forEach(([one, { before, inside, after }], at) => {
            const { from, to } = placed[at]!
            expect(to - from).toBeGreaterThanOrEqual(before + inside + after)
            expect(from).toBeGreaterThanOrEqual(0)
            expect(to).toBeLessThanOrEqual(cells)
            spans.forEach((other, index) => {
              if (other.to <= one.from) expect(placed[index]!.to).toBeLessThanOrEqual(from)
              if (other.from < one.from) expect(placed[index]!.from).toBeLessThanOrEqual(from)
            })
          })
        },
      ),
    )
  })
})
