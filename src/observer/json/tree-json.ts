import { ByteBuffer } from '../../base/byte-buffer.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { countWireElements, type WireElement } from '../wire/element.ts'

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
  const written = write(tree, last)
  const bytes = buffer.cut()
  latest.set(name, { written, bytes, at: 0 })
  return bytes
}

const NOTHING: readonly never[] = []
const NO_CHILDREN = '"children":[]}'

function write(node: WireElement, last: NodePosition | undefined): SerializedNode {
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
      written[index] = write(child, last && childPosition(last, index))
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
