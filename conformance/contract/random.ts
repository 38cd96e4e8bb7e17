/** A seeded random generator: the same seed and purpose give the same sequence. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
  /** `length` lower-case letters. */
  word(length?: number): string
  /** An independent generator for a named purpose. */
  split(purpose: string): Random
  readonly seed: number
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: small, and good enough to choose payloads and an order.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    seed: seed >>> 0,
    int,
    pick: (from) => from[int(0, from.length - 1)]!,
    shuffle: (items) => {
      const left = [...items]
      for (let index = left.length - 1; index > 0; index--) {
        const other = int(0, index)
        ;[left[index], left[other]] = [left[other]!, left[index]!]
      }
      return left
    },
    word: (length = 8) => Array.from({ length }, () => String.fromCharCode(int(97, 122))).join(''),
    split: (purpose) => {
      let mixed = seed >>> 0
      for (const character of purpose) mixed = Math.imul(mixed ^ character.codePointAt(0)!, 0x9e3779b1) >>> 0
      return createRandom(mixed)
    },
  }
}
