import { drawInteger, type Random, seededRandom, split } from '../src/base/random.ts'

/** Random draws for one case: the same seed and name give the same sequence. */
export interface FuzzRandom {
  /** An integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

export function createFuzzRandom(seed: number, name: string): FuzzRandom {
  let random: Random = split(seededRandom(seed), name)
  const int = (low: number, high: number): number => {
    const [drawn, next] = drawInteger(random, low, high)
    random = next
    return drawn
  }
  return {
    int,
    happens: (probability) => int(0, 999_999) < probability * 1_000_000,
    pick: (from) => from[int(0, from.length - 1)]!,
  }
}
