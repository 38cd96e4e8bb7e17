import { isWireTree, type WireElement } from './wire.ts'

const SMALL = 16_384

/** Fields whose text is base64, so that nothing in it is to be escaped. */
const PICTURES: ReadonlySet<string> = new Set(['data', 'screenshot_b64'])

/** The latest trees that were sent more than once: the text of small ones, the bytes of large ones. */
const encoded = new Map<WireElement, string | Buffer>()
const ENCODED_MOST = 64

/** Most trees are sent once, since what is done to a desktop makes another; keeping them would be in the way. */
const sent = new WeakSet<WireElement>()

type Fields = Readonly<Record<string, unknown>>

/** Text to be encoded, bytes that are ready, or the letters of base64, a byte each. */
type Piece = string | Buffer | Letters

interface Letters {
  readonly letters: string
}

/**
 * The JSON of an answer: a text, or bytes when it is large, since the server would measure and copy a large text several
 * times. Trees that were sent before are not serialised again: the latest are kept, and of all others the leaves.
 * Pictures are copied as they are.
 */
export function toJson(answer: Fields): string | Buffer {
  if (!holdsLarge(answer)) return asSent(`${JSON.stringify(answer)}\n`)
  const pieces: Piece[] = []
  write(answer, pieces)
  pieces.push('\n')
  return join(pieces)
}

const asSent = (text: string): string | Buffer => (text.length < SMALL ? text : Buffer.from(text))

/** Whether an answer, or an object right in it, has a tree or a picture for a field. */
function holdsLarge(fields: Fields): boolean {
  for (const key in fields) if (isLarge(key, fields[key]) || isEnvelope(fields[key])) return true
  return false
}

function isEnvelope(value: unknown): value is Fields {
  if (!isObject(value) || Array.isArray(value)) return false
  for (const key in value) if (isLarge(key, value[key])) return true
  return false
}

const isLarge = (key: string, value: unknown): boolean =>
  isObject(value) ? isWireTree(value) : typeof value === 'string' && value.length >= SMALL && PICTURES.has(key)

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function write(fields: Fields, pieces: Piece[]): void {
  let lead = '{'
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    const large = isLarge(key, value)
    const text = large || isEnvelope(value) ? '' : JSON.stringify(value)
    if (text === undefined) continue
    pieces.push(`${lead}${JSON.stringify(key)}:${text}`)
    lead = ','
    if (large) writeLarge(value as WireElement | string, pieces)
    if (text === '' && !large) write(value as Fields, pieces)
  }
  pieces.push(lead === '{' ? '{}' : '}')
}

function writeLarge(value: WireElement | string, pieces: Piece[]): void {
  if (typeof value === 'string') pieces.push('"', { letters: value }, '"')
  else pieces.push(encode(value))
}

function join(pieces: readonly Piece[]): string | Buffer {
  const parts = withTextsTogether(pieces)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'string') return asSent(only)
  const whole = Buffer.allocUnsafe(parts.reduce((size, part) => size + sizeOf(part), 0))
  let at = 0
  for (const part of parts) at += put(part, whole, at)
  return whole
}

/** Neighbouring texts are encoded together, since each call costs more than a few hundred letters. */
function withTextsTogether(pieces: readonly Piece[]): readonly Piece[] {
  const parts: Piece[] = []
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    parts.push(text, piece)
    text = ''
  }
  return [...parts, text]
}

function sizeOf(part: Piece): number {
  if (typeof part === 'string') return Buffer.byteLength(part)
  return 'letters' in part ? part.letters.length : part.length
}

function put(part: Piece, whole: Buffer, at: number): number {
  if (typeof part === 'string') return whole.write(part, at)
  return 'letters' in part ? whole.write(part.letters, at, 'latin1') : part.copy(whole, at)
}

function encode(tree: WireElement): Piece {
  const known = encoded.get(tree)
  if (known !== undefined) return known
  const written = asSent(textOf(tree))
  if (typeof written === 'string' && !sent.has(tree)) {
    sent.add(tree)
    return written
  }
  if (encoded.size >= ENCODED_MOST) encoded.delete(encoded.keys().next().value!)
  encoded.set(tree, written)
  return written
}

const texts = new WeakMap<WireElement, string>()

/** The JSON of a node; that of leaves is remembered, most of which are the same the next time. */
function textOf(node: WireElement): string {
  if (node.children.length > 0) return aroundChildren(node)
  const known = texts.get(node)
  if (known !== undefined) return known
  const text = JSON.stringify(node)
  texts.set(node, text)
  return text
}

const NO_CHILDREN = '"children":[]}'

/** Children are last in all nodes but those that tell of a cut. */
function aroundChildren(node: WireElement): string {
  const own = JSON.stringify({ ...node, children: [] })
  if (!own.endsWith(NO_CHILDREN)) return JSON.stringify(node)
  return `${own.slice(0, -2)}${node.children.map(textOf).join(',')}]}`
}
