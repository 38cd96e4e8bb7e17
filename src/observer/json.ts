import { LruCache } from '../base/lru-cache.ts'
import { countWireElements, isWireTree, type WireElement } from './wire.ts'

const BLOCK_BYTES = 256 * 1024
/** The most bytes in UTF-8 for one UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3

/**
 * A buffer that is appended to and cut off in pieces. Pieces share memory, which is allocated in blocks of 256 KiB and
 * never overwritten.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** The number of bytes written since the start. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Discards the bytes that were written but not cut off. */
  begin(): void {
    this.#start = this.#end
  }

  text(text: string): void {
    this.#demand(text.length * MAX_BYTES_PER_CHARACTER)
    this.#end += this.#bytes.write(text, this.#end)
  }

  copy(from: Buffer, start: number, end: number): void {
    this.#demand(end - start)
    this.#end += from.copy(this.#bytes, this.#end, start, end)
  }

  /** Returns the bytes written since the start. */
  cut(): Buffer {
    const piece = this.#bytes.subarray(this.#start, this.#end)
    this.begin()
    return piece
  }

  #demand(more: number): void {
    if (this.#end + more <= this.#bytes.length) return
    const written = this.#bytes.subarray(this.#start, this.#end)
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * (written.length + more)))
    this.#start = 0
    this.#end = written.copy(this.#bytes)
  }
}

const MIN_CACHED_CHARACTERS = 16_384

/** Fields with base64 text, which needs no escaping. */
const PICTURES: ReadonlySet<string> = new Set(['data', 'screenshot_b64'])

const MAX_CACHED_PARTS = 32
const MAX_NAMES = 1024
const pictures = new LruCache<string, Buffer>(MAX_CACHED_PARTS)
const parts = new LruCache<Fields, Buffer>(MAX_CACHED_PARTS)
const sent = new WeakSet<object>()

type Fields = Readonly<Record<string, unknown>>

/** A part of the JSON: text, or bytes that must not be modified, since they may be sent again. */
export type JsonChunk = string | Buffer

/**
 * Serialises a result as chunks, since joining large ones would copy them. Reuses the bytes of trees and pictures that were
 * sent before, of what they share with the latest one of their name, and of `cached`, further fields of the result, if an
 * earlier result had the cached object.
 */
export function toJsonChunks(fields: Fields, cached?: Fields): readonly JsonChunk[] {
  if (cached) return withCached(fields, cached)
  if (!holdsLarge(fields)) return [`${JSON.stringify(fields)}\n`]
  const pieces: JsonChunk[] = []
  pushFields(fields, pieces)
  add('\n', pieces)
  return pieces
}

function withCached(fields: Fields, cached: Fields): readonly JsonChunk[] {
  const others: string[] = []
  const text = openObject(fields, others)
  if (sent.has(cached) && others.length === 0 && text !== '{') return [`${text},`, bytesOf(cached)]
  sent.add(cached)
  return toJsonChunks({ ...fields, ...cached })
}

/** The JSON of the fields without the opening brace. */
const bytesOf = (cached: Fields): Buffer =>
  parts.get(cached) ?? parts.keep(cached, Buffer.concat(toJsonChunks(cached).map(Buffer.from)).subarray(1))

/** Whether a result, or an object directly in it, has a tree or a picture as a field. */
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
  isObject(value)
    ? isWireTree(value)
    : typeof value === 'string' && value.length >= MIN_CACHED_CHARACTERS && PICTURES.has(key)

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Small fields are written before the large ones, so that they form one chunk. */
function pushFields(fields: Fields, pieces: JsonChunk[]): void {
  const others: string[] = []
  const text = openObject(fields, others)
  add(text, pieces)
  for (const [place, key] of others.entries()) {
    add((place === 0 && text === '{' ? '' : ',') + nameOf(key), pieces)
    writeLarge(key, fields[key], pieces)
  }
  add('}', pieces)
}

/** The small fields of an object without its closing brace. The names of the large ones are added to `others`. */
function openObject(fields: Fields, others: string[]): string {
  let text = '{'
  for (const key in fields) {
    const value = fields[key]
    if (value === undefined) continue
    if (isLarge(key, value) || isEnvelope(value)) others.push(key)
    else text += (text === '{' ? '' : ',') + nameOf(key) + jsonOf(value)
  }
  return text
}

/** Serialised names of fields, of which there are few. */
const names = new Map<string, string>()

function nameOf(key: string): string {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = `${JSON.stringify(key)}:`
  if (names.size < MAX_NAMES) names.set(key, name)
  return name
}

/** Like `JSON.stringify`, but faster for values without quotes. */
function jsonOf(value: unknown): string {
  if (typeof value === 'boolean' || value === null || Number.isFinite(value)) return String(value)
  return JSON.stringify(value)
}

function add(piece: JsonChunk, pieces: JsonChunk[]): void {
  const last = pieces.at(-1)
  if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece
  else pieces.push(piece)
}

function writeLarge(key: string, value: unknown, pieces: JsonChunk[]): void {
  if (typeof value === 'string') for (const piece of ['"', encodePicture(value), '"']) add(piece, pieces)
  else if (isLarge(key, value)) add(treeJson(value as WireElement), pieces)
  else pushFields(value as Fields, pieces)
}

const encodePicture = (base64: string): Buffer =>
  pictures.get(base64) ?? pictures.keep(base64, Buffer.from(base64, 'latin1'))

/** A serialised node: its size in bytes and the offsets of its children. */
interface SerializedNode {
  readonly node: WireElement
  readonly size: number
  readonly starts: readonly number[]
  readonly children: readonly SerializedNode[]
}

/** The position of a node in serialised bytes. */
interface NodePosition {
  readonly written: SerializedNode
  readonly bytes: Buffer
  readonly at: number
}

const MAX_CACHED_BYTES = 32 * 1024 * 1024
/** A slice keeps its whole buffer in memory. */
const MIN_CACHED_BYTES = 256 * 1024
/** Larger trees would not be cached, and are serialised faster at once. */
const MAX_NODES = 50_000

/** The latest trees, by id and name of their roots. */
const latest = new LruCache<string, NodePosition>(MAX_CACHED_BYTES, ({ bytes }) =>
  Math.max(bytes.length, MIN_CACHED_BYTES),
)
const buffer = new ByteBuffer()

/**
 * Serialises a tree as bytes that must not be modified. Copies unchanged nodes from the latest tree of that name, since trees
 * share unchanged nodes. The cost depends on the size of the change.
 */
export function treeJson(tree: WireElement): Buffer {
  const name = `${tree.id} ${tree.name}`
  const last = latest.get(name)
  if (last?.written.node === tree) return last.bytes
  if (countWireElements(tree) > MAX_NODES) return Buffer.from(JSON.stringify(tree))
  buffer.begin()
  const written = serializeNode(tree, last)
  const bytes = buffer.cut()
  latest.set(name, { written, bytes, at: 0 })
  return bytes
}

const NOTHING: readonly never[] = []
const NO_CHILDREN = '"children":[]}'

function serializeNode(node: WireElement, last: NodePosition | undefined): SerializedNode {
  const start = buffer.length
  const isOpen = node.children.length > 0 && writeFields(node, last)
  if (!isOpen) {
    buffer.text(JSON.stringify(node))
    return { node, size: buffer.length - start, starts: NOTHING, children: NOTHING }
  }
  const { starts, children } = writeChildren(node, start, last)
  buffer.text(']}')
  return { node, size: buffer.length - start, starts, children }
}

/** Writes all fields but the children, which must be the last field. Returns false for a cut node, where they are not. */
function writeFields(node: WireElement, last: NodePosition | undefined): boolean {
  const first = last?.written.starts[0]
  if (last && first !== undefined && hasSameFields(node, last.written.node)) {
    buffer.copy(last.bytes, last.at, last.at + first)
    return true
  }
  const own = JSON.stringify({ ...node, children: [] })
  if (!own.endsWith(NO_CHILDREN)) return false
  buffer.text(own.slice(0, -2))
  return true
}

function hasSameFields(node: WireElement, other: WireElement): boolean {
  for (const key in node) {
    const name = key as keyof WireElement
    if (name !== 'children' && node[name] !== other[name]) return false
  }
  for (const key in other) if (!(key in node)) return false
  return true
}

/** Adjacent children that were adjacent before are copied at once, with the comma between them. */
function writeChildren({ children }: WireElement, start: number, last: NodePosition | undefined) {
  const starts = new Array<number>(children.length)
  const written = new Array<SerializedNode>(children.length)
  const before = last?.written.children ?? NOTHING
  const shift = before.length - children.length
  /** The range of the previous bytes to copy. */
  let [from, to] = [0, 0]
  const copy = () => {
    if (last) buffer.copy(last.bytes, from, to)
    to = from
  }
  for (let index = 0; index < children.length; index++) {
    const child = children[index]!
    const oldIndex = before[index]?.node === child ? index : index + shift
    const known = before[oldIndex]
    const at = last && known?.node === child ? offsetOf(last, oldIndex) : undefined
    const isNext = at !== undefined && from < to && at === to + 1
    if (!isNext) {
      copy()
      if (index > 0) buffer.text(',')
    }
    if (at === undefined) {
      starts[index] = buffer.length - start
      written[index] = serializeNode(child, last && childPosition(last, index))
      continue
    }
    if (!isNext) from = at
    starts[index] = buffer.length - start + at - from
    written[index] = known!
    to = at + known!.size
  }
  copy()
  return { starts, children: written }
}

/** The offset of a child. */
const offsetOf = ({ written, at }: NodePosition, child: number): number => at + written.starts[child]!

function childPosition(oldIndex: NodePosition, index: number): NodePosition | undefined {
  const written = oldIndex.written.children[index]
  return written && { written, bytes: oldIndex.bytes, at: offsetOf(oldIndex, index) }
}
