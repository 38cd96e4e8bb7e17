import { isWireTree } from './wire.ts'

const encoded = new WeakMap<object, Buffer>()

/**
 * The bytes of an answer. Trees that were sent before are not serialised again: their bytes are kept as long as the
 * tree itself lives.
 */
export function toJson(answer: Readonly<Record<string, unknown>>): Buffer {
  const pieces: Buffer[] = []
  let text = '{'
  let separator = ''
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) continue
    text += `${separator}${JSON.stringify(key)}:`
    separator = ','
    if (typeof value === 'object' && value !== null && isWireTree(value)) {
      pieces.push(Buffer.from(text), bytesOf(value))
      text = ''
      continue
    }
    text += JSON.stringify(value)
  }
  pieces.push(Buffer.from(`${text}}\n`))
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

function bytesOf(tree: object): Buffer {
  const known = encoded.get(tree)
  if (known) return known
  const bytes = Buffer.from(JSON.stringify(tree))
  encoded.set(tree, bytes)
  return bytes
}
