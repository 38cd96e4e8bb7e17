import { isWireTree } from './wire.ts'

const SMALL = 16_384

const encoded = new WeakMap<object, Encoded>()

interface Encoded {
  readonly text: string
  readonly bytes: Buffer
}

/**
 * The bytes of an answer. Trees that were sent before are not serialised again: their bytes are kept as long as the
 * tree itself lives.
 */
export function toJson(answer: Readonly<Record<string, unknown>>): Buffer {
  const trees: [string, Encoded][] = []
  const rest: Record<string, unknown> = {}
  let size = 0
  for (const key in answer) {
    const value = answer[key]
    if (typeof value === 'object' && value !== null && isWireTree(value)) {
      const tree = encode(value)
      size += tree.bytes.length
      trees.push([`,${JSON.stringify(key)}:`, tree])
      continue
    }
    rest[key] = value
  }
  const text = JSON.stringify(rest)
  if (trees.length === 0) return Buffer.from(`${text}\n`)
  // An answer has an envelope, so there is always a field before the first tree.
  const open = text.slice(0, -1)
  if (size < SMALL) return Buffer.from(`${open}${trees.map(([key, tree]) => key + tree.text).join('')}}\n`)
  const pieces = trees.flatMap(([key, { bytes }]) => [Buffer.from(key), bytes])
  return Buffer.concat([Buffer.from(open), ...pieces, Buffer.from('}\n')])
}

function encode(tree: object): Encoded {
  const known = encoded.get(tree)
  if (known) return known
  const text = JSON.stringify(tree)
  const made = { text: text.length < SMALL ? text : '', bytes: Buffer.from(text) }
  encoded.set(tree, made)
  return made
}
