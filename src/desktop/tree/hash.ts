import * as crypto from 'node:crypto'
import { type Element, memoize } from '../model/element.ts'
import { sameRect } from '../model/geometry.ts'

/**
 * The `tree_hash` that clients see: `sha1:` and 40 hex digits over role, name, value, bounds, enabled and child count
 * of every node in document order. Unchanged subtrees are not encoded again.
 */
export const treeHash = memoize((root) => `sha1:${sha1(writtenOf(root))}`, {
  // Most actions, such as moving the focus, change nothing that is hashed.
  update: (hash, before, after) => (isWrittenAlike(before, after) ? hash : undefined),
})

function isWrittenAlike(a: Element, b: Element): boolean {
  if (a === b) return true
  if (a.role !== b.role || a.name !== b.name || (a.value ?? '') !== (b.value ?? '') || a.enabled !== b.enabled)
    return false
  if (!sameRect(a.bounds, b.bounds) || a.children.length !== b.children.length) return false
  for (let at = 0; at < a.children.length; at++) if (!isWrittenAlike(a.children[at]!, b.children[at]!)) return false
  return true
}

/** A single call if Node has it (20.12): a `Hash` object per hash costs several times as much as hashing a tree. */
const sha1: (text: string | Buffer) => string = crypto.hash
  ? (text) => crypto.hash('sha1', text)
  : (text) => crypto.createHash('sha1').update(text).digest('hex')

function writtenOf(root: Element): string | Buffer {
  if (root.children.every(({ children }) => children.length === 0)) return withLeaves(root)
  const all: Buffer[] = []
  collect(root, all)
  return Buffer.concat(all)
}

function withLeaves(root: Element): string {
  const records = [recordOf(root)]
  for (const leaf of root.children) records.push(recordOf(leaf))
  return records.join('')
}

/** Encodes a node and its leaves: up to its first child with children, then after each of those. */
function collect(node: Element, all: Buffer[]): void {
  if (node.children.length >= MIN_CHUNKED) {
    collectChunks(node, all)
    return
  }
  const own = segmentsOf(node)
  all.push(own[0]!)
  if (own.length === 1) return
  let next = 1
  for (const child of node.children) {
    if (child.children.length === 0) continue
    collect(child, all)
    const between = own[next++]!
    if (between !== NOTHING) all.push(between)
  }
}

/** The children of a node with many are encoded in runs of some, so that a change of one encodes only its run. */
const MIN_CHUNKED = 64
const CHUNK = 32

/** The encoded runs of children. One with a child that has changed is absent until it is asked for. */
const chunksOf = memoize((): (Buffer | undefined)[] => [], {
  update: (chunks, _before, _after, at) => {
    const others = chunks.slice()
    others[Math.floor(at / CHUNK)] = undefined
    return others
  },
})

function collectChunks(node: Element, all: Buffer[]): void {
  all.push(Buffer.from(recordOf(node)))
  const chunks = chunksOf(node)
  for (let from = 0; from < node.children.length; from += CHUNK) {
    const at = from / CHUNK
    const chunk = chunks[at] ?? encoded(node.children.slice(from, from + CHUNK))
    chunks[at] = chunk
    all.push(chunk)
  }
}

function encoded(nodes: readonly Element[]): Buffer {
  const all: Buffer[] = []
  for (const node of nodes) collect(node, all)
  return Buffer.concat(all)
}

const NOTHING = Buffer.alloc(0)

const segmentsOf = memoize(
  (node): readonly Buffer[] => {
    const made: Buffer[] = []
    let text = recordOf(node)
    for (const child of node.children) {
      if (child.children.length === 0) {
        text += recordOf(child)
        continue
      }
      made.push(text === '' ? NOTHING : Buffer.from(text))
      text = ''
    }
    made.push(text === '' ? NOTHING : Buffer.from(text))
    return made
  },
  // A child with children is not in them.
  { update: (made, before, after) => (before.children.length > 0 && after.children.length > 0 ? made : undefined) },
)

/** Joined: a concatenated string stays a rope, and flattening it for every tree costs most of a hash. */
const recordOf = memoize(({ role, name, value, bounds: { x, y, width, height }, enabled, children }) =>
  [role, name, value ?? '', `${x},${y},${width},${height}`, enabled ? 'E' : 'D', children.length, ''].join('\0'),
)

/**
 * A 53-bit hash over everything in a tree except carets. Equal trees have equal numbers; collisions are very unlikely.
 * For internal caches only. Memoised per node, so it costs what changed.
 */
export const fingerprint = (node: Element): number => {
  if (node.children.length > 0) return ofTree(node)
  const { low, high } = ofNode(node)
  return pack(low, high)
}

/** Not memoised for leaves: computing it again is cheaper than storing it. */
const ofTree = memoize(
  (node): number => {
    let { low, high } = ofNode(node)
    for (let at = 0; at < node.children.length; at++) {
      const child = atPlace(fingerprint(node.children[at]!), at)
      low = (low + child.low) | 0
      high = (high + child.high) | 0
    }
    return pack(low, high)
  },
  {
    update(print, before, after, at) {
      const old = atPlace(fingerprint(before), at)
      const child = atPlace(fingerprint(after), at)
      return pack(lowOf(print) - old.low + child.low, highOf(print) - old.high + child.high)
    },
  },
)

/**
 * The contribution of a child to its parent. Contributions are summed, so replacing a child does not read the others.
 */
const atPlace = (print: number, at: number): Mixer => {
  const mixer = start()
  mix(mixer, at)
  mix(mixer, lowOf(print))
  mix(mixer, highOf(print))
  return mixer
}

/** Mixes field by field in this order. Absent fields count too, so that no field can stand for another. */
function ofNode(node: Element): Mixer {
  const { x, y, width, height } = node.bounds
  const mixer = start()
  mixText(mixer, node.id)
  mixText(mixer, node.role)
  mixText(mixer, node.name)
  mixValue(mixer, node.value)
  mixNumber(mixer, x)
  mixNumber(mixer, y)
  mixNumber(mixer, width)
  mixNumber(mixer, height)
  mix(mixer, node.enabled ? 1 : 0)
  mix(mixer, node.focused ? 1 : 0)
  mixValue(mixer, node.keyboardShortcut)
  mixValue(mixer, node.description)
  mixValue(mixer, node.selected)
  mixValue(mixer, node.expanded)
  mixValue(mixer, node.valueNow)
  mixValue(mixer, node.valueMin)
  mixValue(mixer, node.valueMax)
  mixValue(mixer, node.identifier)
  mixValue(mixer, node.traits)
  mixValue(mixer, node.layout)
  mixValue(mixer, node.place)
  return mixer
}

/** Carets move and blink. What an element was made from is not seen. */
const LEFT_OUT: ReadonlySet<string> = new Set(['caret', 'instance'])

/** Hashes of objects that elements refer to, such as undo histories. */
const ofHeld = new WeakMap<object, number>()

function ofObject(held: object): number {
  const known = ofHeld.get(held)
  if (known !== undefined) return known
  const print = Array.isArray(held) ? ofEntries(held) : ofFields(held)
  ofHeld.set(held, print)
  return print
}

function ofEntries(entries: readonly unknown[]): number {
  const mixer = start()
  for (const entry of entries) mixValue(mixer, entry)
  return pack(mixer.low, mixer.high)
}

/** A sum, so that the order of fields does not matter. Undefined counts as absent. */
function ofFields(fields: object): number {
  const sum: Mixer = { low: 0, high: 0 }
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || LEFT_OUT.has(name)) continue
    const field = start()
    mixText(field, name)
    mixValue(field, value)
    sum.low = (sum.low + field.low) | 0
    sum.high = (sum.high + field.high) | 0
  }
  return pack(sum.low, sum.high)
}

/** The state of a hash: two 32-bit words. */
interface Mixer {
  low: number
  high: number
}

const start = (): Mixer => ({ low: 0x243f6a88, high: 0x13198a2e })

function mix(mixer: Mixer, word: number): void {
  const low = Math.imul(((mixer.low << 5) | (mixer.low >>> 27)) ^ word, 0x2c1b3c6d)
  mixer.high = Math.imul(((mixer.high << 7) | (mixer.high >>> 25)) ^ word ^ (low >>> 15), 0x297a2d39)
  mixer.low = low
}

function mixText(mixer: Mixer, text: string): void {
  for (let at = 0; at < text.length; at++) mix(mixer, text.charCodeAt(at))
  mix(mixer, ~text.length)
}

/** Integers, the usual case, are mixed directly. */
function mixNumber(mixer: Mixer, value: number): void {
  if ((value | 0) === value) mix(mixer, value)
  else mixText(mixer, String(value))
}

/** Each kind of value is prefixed by a word of its own. */
function mixValue(mixer: Mixer, value: unknown): void {
  if (value === undefined) mix(mixer, -1)
  else if (value === null) mix(mixer, -2)
  else if (typeof value === 'boolean') mix(mixer, value ? -3 : -4)
  else if (typeof value === 'string') {
    mix(mixer, -5)
    mixText(mixer, value)
  } else if (typeof value === 'number') {
    mix(mixer, -6)
    mixNumber(mixer, value)
  } else {
    mix(mixer, Array.isArray(value) ? -7 : -8)
    const print = ofObject(value as object)
    mix(mixer, lowOf(print))
    mix(mixer, highOf(print))
  }
}

const WORD = 2 ** 32

const HIGH = 2 ** 21 - 1

/** Combines two words to a 53-bit number. */
const pack = (low: number, high: number): number => (high & HIGH) * WORD + (low >>> 0)
const lowOf = (print: number): number => print | 0
const highOf = (print: number): number => Math.floor(print / WORD)
