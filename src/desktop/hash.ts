import crypto from 'node:crypto'
import type { Element } from './element.ts'
import { holdsAlways, note, noted, notedOfChildren } from './notes.ts'

interface Hashed {
  readonly own: string
  readonly below: readonly string[]
  readonly hash: string
}

/** The latest hash, with what it was made of: much of what changes in a tree, such as focus, is not part of it. */
const hashed = note<Hashed>(holdsAlways)

/**
 * What clients see as `tree_hash`: `sha1:` and 40 digits over role, name, value, bounds, enabled and the number of
 * children of every node in document order. Remembered per tree; what did not change is not written anew.
 */
export const treeHash: (root: Element) => string = noted((root) => {
  const known = hashed.of(root)
  const own = write(root)
  const below = textsBelow(root)
  if (known?.below === below && known.own === own) return known.hash
  const hash = `sha1:${sha1(own + below.join(''))}`
  hashed.put(root, { own, below, hash })
  return hash
})

/** Node 20.12 hashes in one call, which costs half as much as an object for it. */
const sha1 = (text: string): string =>
  crypto.hash?.('sha1', text) ?? crypto.createHash('sha1').update(text).digest('hex')

/** What each child writes with all that is below it. */
const textsBelow: (node: Element) => readonly string[] = notedOfChildren((child) =>
  child.children.length === 0 ? write(child) : write(child) + textsBelow(child).join(''),
)

const write = ({ role, name, value, bounds, enabled, children }: Element): string =>
  `${role}\0${name}\0${value ?? ''}\0${bounds.x},${bounds.y},${bounds.width},${bounds.height}\0` +
  `${enabled ? 'E' : 'D'}\0${children.length}\0`

/**
 * A whole number of 53 bits over everything in a tree but carets: equal trees have equal numbers, and different ones
 * hardly ever. For our own caches only. Remembered per node, so that it costs what changed.
 */
export const fingerprint: (node: Element) => number = noted((node) => printsBelow(node).reduce(chain, ofFields(node)))

const printsBelow = notedOfChildren((child) => fingerprint(child))

/** Of the values that elements hold, such as bounds or the earlier texts of a field. */
const fingerprints = new WeakMap<object, number>()

/** Not part of what is seen or remembered of an element: children come by themselves, a caret moves and blinks. */
const LEFT_OUT: ReadonlySet<string> = new Set(['children', 'caret'])

/** A sum, so that the order in which fields were written does not matter; undefined is the same as absent. */
function ofFields(fields: object): number {
  let low = 0
  let high = 0
  for (const [name, value] of Object.entries(fields)) {
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
