import type { Rect } from '../desktop/geometry.ts'
import { Bits } from './bits.ts'
import { CODES, END_OF_BLOCK, HEADER, LENGTHS } from './deflate-table.ts'
import { encodeStretches, NOTES, STRETCH } from './stretch.ts'

/** Some rows of a picture as they stand in a PNG: filtered, deflated to whole bytes, and the check sum of what was deflated. */
export interface Band {
  /** A multiple of three bytes, so that base64 can be made band by band. Lent: the next band is written over it. */
  readonly bytes: Uint8Array
  readonly sum: Sum
  /** What is noted of each stretch of each row. */
  readonly notes: Float64Array
}

/** An Adler-32 check sum in its two halves, with the number of bytes it is of. */
export interface Sum {
  readonly a: number
  readonly b: number
  readonly length: number
}

const MODULUS = 65521

/** The check sum of texts behind one another. */
export function joinSums(sums: readonly Sum[]): Sum {
  let a = 1
  let b = 0
  let length = 0
  for (const sum of sums) {
    b = (b + sum.b + (sum.length % MODULUS) * (a + MODULUS - 1)) % MODULUS
    a = (a + sum.a + MODULUS - 1) % MODULUS
    length += sum.length
  }
  return { a, b, length }
}

/** A band as it was before some of its pixels changed. Its notes are handed on to the repaired one. */
export interface Repair {
  readonly band: Band
  /** Outside it all pixels are as they were. */
  readonly dirty: Rect
}

const out = new Bits()
/** An empty stored block behind its three bits: its length and the complement. */
const EMPTY = [0, 0, 255, 255]

/**
 * Rows `from` to `to` of opaque pixels, red in the lowest byte. The first row refers to its own left, so that a band
 * needs no other. A band that is repaired becomes what it would be if it were encoded anew: the stretches that show or
 * refer to changed pixels are made, the bits of all others copied.
 */
export function encodeBand(pixels: Uint32Array, width: number, from: number, to: number, repair?: Repair): Band {
  const across = Math.ceil(width / STRETCH)
  const rowBytes = 1 + 3 * width
  const length = (to - from) * rowBytes
  const { bytes, notes } = repair?.band ?? { bytes: NO_BYTES, notes: new Float64Array((to - from) * across * NOTES) }
  const old = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const dirty = repair?.dirty ?? { x: 0, y: from, width, height: to - from }
  // What is written of a pixel depends on the one above, and on the two at its left.
  const first = Math.floor(dirty.x / STRETCH)
  const last = Math.min(across - 1, Math.floor((dirty.x + dirty.width + 1) / STRETCH))
  const below = Math.min(to, dirty.y + dirty.height + 1)
  const memory = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)

  // No literal takes more than 15 bits.
  out.begin(length * 2 + HEADER.bytes.length + 64)
  out.append(HEADER.bytes)
  out.put(HEADER.rest, HEADER.restBits)
  let at = 8 * HEADER.bytes.length + HEADER.restBits
  let done = 0
  for (let y = Math.max(from, dirty.y); y < below; y++) {
    const row = (y - from) * across * NOTES
    const start = row + first * NOTES
    const end = row + (last + 1) * NOTES
    const kept = bitsIn(notes, done, start)
    out.copy(old, at, kept)
    at += kept + bitsIn(notes, start, end)
    done = end
    const isFirst = y === from
    const isSame = !repair && !isFirst && isSameRow(memory, width, y)
    const bytesBehind = (to - y - 1) * rowBytes
    encodeStretches(out, { pixels, width, y, isFirst, isSame, bytesBehind }, first, last, notes, row)
  }
  out.copy(old, at, bitsIn(notes, done, notes.length))
  out.put(CODES[END_OF_BLOCK]!, LENGTHS[END_OF_BLOCK]!)
  // A stored block begins with three bits and goes on at the next whole byte.
  out.put(0, 3)
  out.put(0, -out.count & 7)
  out.append(EMPTY)
  while (out.length % 3 !== 0) {
    out.put(0, 8)
    out.append(EMPTY)
  }
  return { bytes: out.bytes.subarray(0, out.length), sum: sumOf(notes, length), notes }
}

const NO_BYTES = new Uint8Array(0)

/** The check sum of a band of so many bytes; it begins with 1, which each of the sums after a byte holds once. */
function sumOf(notes: Float64Array, length: number): Sum {
  let a = 1
  let b = length
  for (let note = 0; note < notes.length; note += NOTES) {
    a += notes[note + 1]!
    b += notes[note + 2]!
  }
  return { a: a % MODULUS, b: b % MODULUS, length }
}

/** The size in bits of the stretches whose notes lie in a part of all notes. */
function bitsIn(notes: Float64Array, from: number, to: number): number {
  let bits = 0
  for (let note = from; note < to; note += NOTES) bits += notes[note]!
  return bits
}

const isSameRow = (memory: Buffer, width: number, y: number): boolean =>
  memory.compare(memory, (y - 1) * width * 4, y * width * 4, y * width * 4, (y + 1) * width * 4) === 0
