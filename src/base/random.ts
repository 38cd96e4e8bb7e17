import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** An immutable seeded random generator. Every draw returns the next generator, so that a state can be stored, forked and rewound. */
export interface Random {
  readonly state: readonly number[]
}

/** The seeds that are accepted, in words. */
export const SEED_RANGE = `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

/** `seed` is a safe integer. Each has a state of its own: the bits beyond 32 are a word of it. */
export function seededRandom(seed: number): Random {
  const beyond = Math.floor(seed / 2 ** 32)
  const state = xoroshiro128plus(seed >>> 0).getState()
  return { state: beyond === 0 ? state : [...state.slice(0, -1), Math.imul(beyond, 0x9e3779b1)] }
}

/** Draws an integer from `low` to `high`, both inclusive. */
export function drawInteger(random: Random, low: number, high: number): [number, Random] {
  const [raw, next] = next32(random)
  const span = high - low + 1
  return [low + Math.floor(((raw >>> 0) / 0x1_0000_0000) * span), next]
}

/** Formats 16 bits as four digits. V8 formats 32 bits more slowly. */
const hexOf = (half: number): string => (half + 0x10000).toString(16).slice(1)

/** Draws `length` hexadecimal digits. */
export function drawHex(random: Random, length: number): [string, Random] {
  const generator = xoroshiro128plusFromState(random.state)
  let text = ''
  while (text.length < length) {
    const raw = generator.next()
    text += hexOf(raw >>> 16) + hexOf(raw & 0xffff)
  }
  return [text.slice(0, length), { state: generator.getState() }]
}

/** Derives an independent generator for a named purpose. The parent stays unchanged. */
export function split(random: Random, purpose: string): Random {
  let mixed = random.state.reduce((sum, word) => Math.imul(sum ^ word, 0x9e3779b1), 0x85ebca6b)
  for (const character of purpose) mixed = Math.imul(mixed ^ character.codePointAt(0)!, 0xc2b2ae35)
  return seededRandom(mixed >>> 0)
}

function next32(random: Random): [number, Random] {
  const generator = xoroshiro128plusFromState(random.state)
  const raw = generator.next()
  return [raw, { state: generator.getState() }]
}
