import * as crypto from 'node:crypto'
import { type Element, remembered } from './element.ts'

/**
 * What clients see as `tree_hash`: `sha1:` and 40 digits over role, name, value, bounds, enabled and the number of
 * children of every node in document order. Subtrees that did not change are not written anew.
 */
export const treeHash = remembered((root) => `sha1:${sha1(writtenOf(root))}`)

/** In one call, where Node has it (20.12): an object for each hash costs several times as much as hashing a tree. */
const sha1: (text: string | Buffer) => string = crypto.hash
  ? (text) => crypto.hash('sha1', text)
  : (text) => crypto.createHash('sha1').update(text).digest('hex')

function writtenOf(root: Element): string | Buffer {
  if (root.children.every(({ children }) => children.length === 0)) return withLeaves(root)
  const all: Buffer[] = []
  collect(root, all)
  return Buffer.concat(all)
}

const withLeaves = (root: Element): string =>
  root.children.reduce((text, leaf) => text + recordOf(leaf), recordOf(root))

/** What a node and its leaves write: before its first child that has children, then after each of those. */
function collect(node: Element, all: Buffer[]): void {
  const own = segmentsOf(node)
  all.push(own[0]!)
  if (own.length === 1) return
  let next = 1
  for (const child of node.children) {
    if (child.children.length === 0) continue
    collect(child, all)
    all.push(own[next++]!)
  }
}

const segmentsOf = remembered((node): readonly Buffer[] => {
  const made: Buffer[] = []
  let text = recordOf(node)
  for (const child of node.children) {
    if (child.children.length === 0) {
      text += recordOf(child)
      continue
    }
    made.push(Buffer.from(text))
    text = ''
  }
  made.push(Buffer.from(text))
  return made
})

/** Joined, because text that was added up stays in pieces, and putting them together again for every tree costs most of a hash. */
const recordOf = remembered(({ role, name, value, bounds: { x, y, width, height }, enabled, children }) =>
  [role, name, value ?? '', `${x},${y},${width},${height}`, enabled ? 'E' : 'D', children.length, ''].join('\0'),
)

/**
 * A whole number of 53 bits over everything in a tree but carets: equal trees have equal numbers, and different ones
 * hardly ever. For our own caches only. Remembered per node, so that it costs what changed.
 */
export const fingerprint = remembered((node): number => {
  let print = ofFields(node)
  for (const child of node.children) print = chain(print, fingerprint(child))
  return print
})

/** Of the values that elements hold, such as their bounds and the earlier texts of a field. */
const fingerprints = new WeakMap<object, number>()

/** Not part of what is seen or remembered of an element: children come by themselves, a caret moves and blinks. */
const LEFT_OUT: ReadonlySet<string> = new Set(['children', 'caret'])

/** A sum, so that the order in which fields were written does not matter; undefined is the same as absent. */
function ofFields(fields: object): number {
  let low = 0
  let high = 0
  for (const name of Object.keys(fields)) {
    const value = (fields as Readonly<Record<string, unknown>>)[name]
    if (value === undefined || LEFT_OUT.has(name)) continue
    const field = chain(ofName(name), ofValue(value))
    low = (low + (field >>> 0)) | 0
    high = (high + field / WORD) | 0
  }
  return pack(low, high)
}

/** Field names are few and ours, so their numbers are kept. */
function ofName(name: string): number {
  const known = names.get(name)
  if (known !== undefined) return known
  const print = ofText(name)
  names.set(name, print)
  return print
}

const names = new Map<string, number>()

function ofValue(value: unknown): number {
  if (typeof value === 'string') return ofText(value)
  if (typeof value !== 'object' || value === null) return chain(1, ofText(String(value)))
  const known = fingerprints.get(value)
  if (known !== undefined) return known
  const print = Array.isArray(value)
    ? value.reduce<number>((sum, entry) => chain(sum, ofValue(entry)), 2)
    : chain(3, ofFields(value))
  fingerprints.set(value, print)
  return print
}

function ofText(text: string): number {
  let low = 0x243f6a88
  let high = 0x13198a2e
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(((low << 5) | (low >>> 27)) ^ unit, 0x2c1b3c6d)
    high = Math.imul(((high << 7) | (high >>> 25)) ^ unit, 0x297a2d39)
  }
  return pack(low ^ text.length, high)
}

/** A number that depends on both and on their order. */
function chain(left: number, right: number): number {
  const low = Math.imul(left ^ 0x3c6ef372, 0x2c1b3c6d) ^ right
  const high = Math.imul((left / WORD) ^ (right >>> 11), 0x297a2d39) ^ (right / WORD)
  return pack(low, high)
}

const WORD = 2 ** 32

/** Both halves spread over each other, as one number of 53 bits. */
function pack(low: number, high: number): number {
  const a = Math.imul(low ^ (low >>> 15) ^ (high << 9), 0x2c1b3c6d)
  const b = Math.imul(high ^ (high >>> 13) ^ a, 0x297a2d39)
  const lower = (a ^ (a >>> 16) ^ (b << 3)) >>> 0
  return ((b ^ (b >>> 15)) >>> 11) * WORD + lower
}
