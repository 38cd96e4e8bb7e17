import type { Embedder } from '../perception.ts'

const DIMENSION = 384
const WORD_WEIGHT = 2
const GRAM_WEIGHT = 1
const GRAM_LENGTHS = [3, 4] as const

/**
 * An embedder without a model. Each word and each run of three or four letters has its own direction, and a text is the
 * sum of its parts. Texts that share words or parts of words are near each other.
 */
export const ngramEmbedder: Embedder = {
  provider: 'local-hashed-ngram',
  model: 'hashed-ngram-v1',
  dimension: DIMENSION,
  embed: async (texts) => texts.map(embedded),
}

function embedded(text: string): readonly number[] {
  const vector = new Float64Array(DIMENSION)
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words) {
    add(vector, `w:${word}`, WORD_WEIGHT)
    const framed = `<${word}>`
    for (const length of GRAM_LENGTHS)
      for (let at = 0; at + length <= framed.length; at++) add(vector, framed.slice(at, at + length), GRAM_WEIGHT)
  }
  // A text without words still needs a vector.
  if (words.length === 0) add(vector, `t:${text}`, 1)
  const norm = Math.hypot(...vector)
  return Array.from(vector, (part) => part / norm)
}

/** Adds a part in two dimensions, which two independent digits of its hash select, each with a sign. */
function add(vector: Float64Array, piece: string, weight: number): void {
  const hash = fnv(piece)
  const other = Math.imul(hash ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  for (const number of [hash, other]) vector[(number >>> 1) % DIMENSION]! += number & 1 ? weight : -weight
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
