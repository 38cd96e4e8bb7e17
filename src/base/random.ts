import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** Seeded chance as a value: every draw returns the next generator, so that a state can be kept, forked and rewound. */
export interface Random {
  readonly state: readonly number[]
}

/** `seed`: a whole number; what of it lies beyond 32 bits is mixed in. */
export function seededRandom(seed: number): Random {
  const beyond = Math.trunc(seed / 2 ** 32)
  return { state: xoroshiro128plus(seed ^ Math.imul(beyond ^ (beyond >>> 15), 0x9e3779b1)).getState() }
}

/** A whole number from `low` to `high`, both included. */
export function drawInteger(random: Random, low: number, high: number): [number, Random] {
  const [raw, next] = next32(random)
  const span = high - low + 1
  return [low + Math.floor(((raw >>> 0) / 0x1_0000_0000) * span), next]
}

/** The four digits of a half word; a whole word is beyond what V8 writes quickly. */
const hexOf = (half: number): string => (half + 0x10000).toString(16).slice(1)

/** `length` hexadecimal digits. */
export function drawHex(random: Random, length: number): [string, Random] {
  const generator = xoroshiro128plusFromState(random.state)
  let text = ''
  while (text.length < length) {
    const raw = generator.next()
    text += hexOf(raw >>> 16) + hexOf(raw & 0xffff)
  }
  return [text.slice(0, length), { state: generator.getState() }]
}

/** A generator of its own for a named purpose: draws from it leave the parent as it is. */
export function split(random: Random, purpose: string): Random {
  let mixed = random.state.reduce((sum, word) => Math.imul(sum ^ word, 0x9e3779b1), 0x85ebca6b)
  for (const character of purpose) mixed = Math.imul(mixed ^ character.codePointAt(0)!, 0xc2b2ae35)
  return seededRandom(mixed)
}

function next32(random: Random): [number, Random] {
  const generator = xoroshiro128plusFromState(random.state)
  const raw = generator.next()
  return [raw, { state: generator.getState() }]
}
