import { describe, expect, it } from 'vitest'
import { ABSENT, assertAgree, describeDifferences, differences } from './differences.ts'
import { assertSamePixels, comparePixels, crop, decode, encode, type Pixels } from './pixels.ts'
import { inside, overlap } from './rectangle.ts'

describe('rectangles', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 }

  it('lie inside each other or overlap', () => {
    expect(inside(box, { x: 2, y: 2, width: 8, height: 8 })).toBe(true)
    expect(inside(box, { x: 2, y: 2, width: 9, height: 8 })).toBe(false)
    expect(overlap(box, { x: 9, y: 9, width: 5, height: 5 })).toBe(true)
    expect(overlap(box, { x: 10, y: 0, width: 5, height: 5 })).toBe(false)
  })
})

describe('a picture', () => {
  const grey = (level: number): Pixels => ({
    width: 128,
    height: 64,
    data: Buffer.alloc(128 * 64 * 4, level).fill(255, 3, 4),
  })
  const flat: Pixels = { width: 128, height: 64, data: Buffer.alloc(128 * 64 * 4, 200) }
  const dotted = (): Pixels => {
    const data = Buffer.from(flat.data)
    for (let y = 10; y < 20; y++) data.fill(20, (y * 128 + 100) * 4, (y * 128 + 110) * 4)
    return { ...flat, data }
  }

  it('survives being encoded', () => {
    expect(decode(encode(dotted()), 'a picture').data.equals(dotted().data)).toBe(true)
  })

  it('fails the check when it is not a picture', () => {
    expect(() => decode(Buffer.from('GIF89a').toString('base64'), 'the answer')).toThrow(
      'the answer is not a PNG picture',
    )
  })

  it('differs nowhere from itself', () => {
    expect(comparePixels(flat, flat)).toMatchObject({ density: 0, worstPatch: 1, bounds: undefined })
    expect(() => assertSamePixels(grey(9), grey(9), 'same')).not.toThrow()
  })

  it('with a missing button differs little on the whole and much in one patch', () => {
    const found = comparePixels(flat, dotted())
    expect(found.bounds).toEqual({ x: 100, y: 10, width: 10, height: 10 })
    expect(found.density).toBeLessThan(0.05)
    expect(found.worstPatch).toBeLessThan(0.97)
  })

  it('is reported with the other one when they differ', () => {
    const failure = (() => {
      try {
        assertSamePixels(flat, dotted(), 'the button')
      } catch (error) {
        return error as { message: string; pictures: object }
      }
    })()
    expect(failure?.message).toContain('the button: pixels differ within 100,10 10x10')
    expect(Object.keys(failure?.pictures ?? {})).toEqual(['expected', 'actual', 'difference'])
  })

  it('is cut to a part of itself', () => {
    const part = crop(dotted(), { x: 100, y: 10, width: 10, height: 10 })
    expect(part.data.every((byte) => byte === 20)).toBe(true)
  })
})

describe('differences of values', () => {
  it('are the innermost places that differ', () => {
    const expected = { count: 2, tree: { name: 'Desk', children: [{ id: 'a' }, { id: 'b' }] } }
    const actual = { count: 2, tree: { name: 'Desk', children: [{ id: 'c' }], more: 1 } }
    expect(differences(expected, actual)).toEqual([
      { path: 'tree.children.0.id', expected: 'a', actual: 'c' },
      { path: 'tree.children.1', expected: { id: 'b' }, actual: ABSENT },
      { path: 'tree.more', expected: ABSENT, actual: 1 },
    ])
  })

  it('are described briefly', () => {
    expect(describeDifferences(differences({ a: 1, b: 2 }, { a: 1 }))).toBe('b: expected 2, found nothing')
    expect(describeDifferences(differences(200, 404))).toBe('expected 200, found 404')
    expect(describeDifferences(differences([1, 2, 3, 4], [5, 6, 7, 8]))).toMatch(/; and 1 more$/)
  })

  it('[CN2] of long texts say what was lost, added or replaced where', () => {
    const text = 'Quay 7, Pier-B: 50% off!'.repeat(4)
    const of = (actual: string) => describeDifferences(differences(text, actual))
    expect(of(text.replace('off!Quay 7, ', 'off!Quay 7,'))).toBe(
      "' ' is lost at character 32 ('… off!Quay 7,[ ]Pier-B: 50% …')",
    )
    expect(of(text.replace('7, P', '7, Big P'))).toBe("'Big ' is added at character 9 ('…Quay 7, [Big ]Pier-B: 50% …')")
    expect(of(text.replace('Pier', 'Boat'))).toBe(
      "'Pier' became 'Boat' at character 9 ('…Quay 7, [Pier]-B: 50% off!…')",
    )
    expect(of(`${text.slice(0, 72)}${'x'.repeat(300)}`)).toBe(
      `from character 73 on expected '${text.slice(72)}', found '${'x'.repeat(80)}'... 220 more characters`,
    )
  })

  it('[CN2] quote long values without hiding that they go on', () => {
    expect(describeDifferences(differences('a'.repeat(90), undefined))).toBe(
      `expected '${'a'.repeat(80)}'... 10 more characters, found undefined`,
    )
  })
})

describe('statements of one server', () => {
  it('[CN1] name both sources when they differ, and blame neither', () => {
    const statements = { 'POST /screen_size': { width: 1281 }, 'the picture': { width: 1280 } }
    const failure = failureOf(() => assertAgree(statements, 'the size'))
    expect(failure).toMatchObject({
      message: 'the size: width: POST /screen_size says 1281, the picture says 1280',
      expected: undefined,
      actual: undefined,
      statements,
    })
  })

  it('[CN1] fail for the first two that differ', () => {
    expect(failureOf(() => assertAgree({ one: 1, two: 1, three: 2 }))).toMatchObject({
      message: 'one says 1, three says 2',
    })
    expect(() => assertAgree({ one: [1], two: [1] })).not.toThrow()
  })
})

function failureOf(run: () => void): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}
