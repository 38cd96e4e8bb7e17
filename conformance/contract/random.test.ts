import { describe, expect, it } from 'vitest'
import { createRandom } from './random.ts'

describe('seeded chance', () => {
  it('repeats itself for the same seed', () => {
    const draws = (seed: number) => {
      const random = createRandom(seed)
      return [random.int(0, 1000), random.word(), random.shuffle([1, 2, 3, 4, 5])]
    }
    expect(draws(5)).toEqual(draws(5))
    expect(draws(5)).not.toEqual(draws(6))
  })

  it('gives a purpose the same sequence, independent of earlier draws', () => {
    const one = createRandom(3)
    one.word(100)
    expect(one.split('check').word()).toBe(createRandom(3).split('check').word())
    expect(one.split('check').word()).not.toBe(one.split('other').word())
  })

  it('draws both ends of a range, and keeps all items in a shuffle', () => {
    const random = createRandom(1)
    const drawn = new Set(Array.from({ length: 200 }, () => random.int(1, 3)))
    expect([...drawn].sort()).toEqual([1, 2, 3])
    expect(random.shuffle([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4])
  })
})
