import { ByteBuffer } from '../../base/byte-buffer.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { countWireElements, type WireElement } from '../wire/element.ts'

/** How a node was written: its size in bytes, and where those of its children begin, counted from its own first. */
interface Written {
  readonly node: WireElement
  readonly size: number
  readonly starts: readonly number[]
  readonly children: readonly Written[]
}

/** Where something was written before. */
interface Place {
  readonly written: Written
  readonly bytes: Buffer
  readonly at: number
}

const MAX_CACHED_BYTES = 32 * 1024 * 1024
/** A piece of a roll keeps all of the roll. */
const MIN_CACHED_BYTES = 256 * 1024
/** Larger trees would not be kept, and are written faster in one go. */
const MAX_NODES = 50_000

/** The latest trees, by what their roots are called. */
const latest = new LruCache<string, Place>(MAX_CACHED_BYTES, ({ bytes }) => Math.max(bytes.length, MIN_CACHED_BYTES))
const roll = new ByteBuffer()

/**
 * The JSON of a tree, in bytes that are not to be changed. What stands in the latest tree of that name is copied from
 * there, since trees share the nodes that are the same: writing a tree costs what changed in it.
 */
export function treeJson(tree: WireElement): Buffer {
  const name = `${tree.id} ${tree.name}`
  const last = latest.get(name)
  if (last?.written.node === tree) return last.bytes
  if (countWireElements(tree) > MAX_NODES) return Buffer.from(JSON.stringify(tree))
  roll.begin()
  const written = write(tree, last)
  const bytes = roll.cut()
  latest.set(name, { written, bytes, at: 0 })
  return bytes
}

const NOTHING: readonly never[] = []
const NO_CHILDREN = '"children":[]}'

function write(node: WireElement, last: Place | undefined): Written {
  const start = roll.length
  const isOpen = node.children.length > 0 && writeOwn(node, last)
  if (!isOpen) {
    roll.text(JSON.stringify(node))
    return { node, size: roll.length - start, starts: NOTHING, children: NOTHING }
  }
  const { starts, children } = writeChildren(node, start, last)
  roll.text(']}')
  return { node, size: roll.length - start, starts, children }
}

/** All but the children, which are last in every node but one that tells of a cut: false for that one. */
function writeOwn(node: WireElement, last: Place | undefined): boolean {
  const first = last?.written.starts[0]
  if (last && first !== undefined && isSameBeside(node, last.written.node)) {
    roll.copy(last.bytes, last.at, last.at + first)
    return true
  }
  const own = JSON.stringify({ ...node, children: [] })
  if (!own.endsWith(NO_CHILDREN)) return false
  roll.text(own.slice(0, -2))
  return true
}

function isSameBeside(node: WireElement, other: WireElement): boolean {
  for (const key in node) {
    const name = key as keyof WireElement
    if (name !== 'children' && node[name] !== other[name]) return false
  }
  for (const key in other) if (!(key in node)) return false
  return true
}

/** Neighbours that were neighbours before are copied in one go, with the comma between them. */
function writeChildren({ children }: WireElement, start: number, last: Place | undefined) {
  const starts = new Array<number>(children.length)
  const written = new Array<Written>(children.length)
  const before = last?.written.children ?? NOTHING
  const shift = before.length - children.length
  /** What is to be copied, out of the bytes of before. */
  let [from, to] = [0, 0]
  const copy = () => {
    if (last) roll.copy(last.bytes, from, to)
    to = from
  }
  for (let index = 0; index < children.length; index++) {
    const child = children[index]!
    const place = before[index]?.node === child ? index : index + shift
    const known = before[place]
    const at = last && known?.node === child ? placeOf(last, place) : undefined
    const isNext = at !== undefined && from < to && at === to + 1
    if (!isNext) {
      copy()
      if (index > 0) roll.text(',')
    }
    if (at === undefined) {
      starts[index] = roll.length - start
      written[index] = write(child, last && childOf(last, index))
      continue
    }
    if (!isNext) from = at
    starts[index] = roll.length - start + at - from
    written[index] = known!
    to = at + known!.size
  }
  copy()
  return { starts, children: written }
}

/** Where in the bytes a child begins. */
const placeOf = ({ written, at }: Place, child: number): number => at + written.starts[child]!

function childOf(place: Place, index: number): Place | undefined {
  const written = place.written.children[index]
  return written && { written, bytes: place.bytes, at: placeOf(place, index) }
}
