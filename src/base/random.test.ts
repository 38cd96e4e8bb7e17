import { expect, it } from 'vitest'
import { drawHex, seededRandom } from './random.ts'

const streamOf = (seed: number) => drawHex(seededRandom(seed), 16)[0]

it('gives different streams for different seeds, also beyond 32 bits', () => {
  const seeds = [
    0,
    1,
    -1,
    2 ** 31,
    2 ** 32 - 1,
    -(2 ** 32),
    Number.MIN_SAFE_INTEGER,
    2 ** 32,
    2 ** 32 + 1,
    2 ** 33 + 1,
    -(2 ** 32) - 1,
    Number.MAX_SAFE_INTEGER,
  ]
  expect(new Set(seeds.map(streamOf)).size).toBe(seeds.length)
  expect(streamOf(2 ** 40 + 7)).toBe(streamOf(2 ** 40 + 7))
})
