import type { Rect } from '../../desktop/model/geometry.ts'
import { Bits } from './bits.ts'
import { CHUNK_DATA, chunk } from './chunk.ts'
import { CODES, END_OF_BLOCK, HEADER, LENGTHS } from './deflate-table.ts'
import { encodeSegments, SEGMENT_FIELDS, SEGMENT_PX, STALE_FIELD } from './segments.ts'

/** The two halves of an Adler-32 checksum, and the number of bytes. */
export interface Sum {
  readonly a: number
  readonly b: number
  readonly length: number
}

const MODULUS = 65521

/** The checksum of concatenated data. */
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

/** The buffer in which bands are encoded, one after another. */
const out = new Bits()
/** An empty stored block without its three header bits: its length and the complement. */
const EMPTY = [0, 0, 255, 255]

/**
 * Some rows of a picture, encoded for a PNG file. Its first row is filtered against its own left neighbours, so a band
 * does not depend on others. When pixels change, only the segments that contain or refer to them are encoded again; the
 * bits of all others are copied. The result equals a newly encoded band.
 */
export class Band {
  readonly #width: number
  readonly #from: number
  readonly #to: number
  /** The number of segments per row. */
  readonly #across: number
  /** The record of each segment of each row. */
  readonly #notes: Float64Array
  #isStale = true
  #chunk = chunk('IDAT', new Uint8Array(0))
  #sum: Sum = { a: 1, b: 0, length: 0 }
  #base64: string | undefined

  /** Rows `from` to `to`, none of which is encoded yet. */
  constructor(width: number, from: number, to: number) {
    this.#width = width
    this.#from = from
    this.#to = to
    this.#across = Math.ceil(width / SEGMENT_PX)
    this.#notes = new Float64Array((to - from) * this.#across * SEGMENT_FIELDS)
    this.outdate({ x: 0, y: from, width, height: to - from })
  }

  /** The chunk with the band, a multiple of three bytes long. */
  get chunk(): Buffer {
    return this.#chunk
  }

  /** The checksum of the filtered rows. */
  get sum(): Sum {
    return this.#sum
  }

  /** The base64 of the chunk. */
  get base64(): string {
    this.#base64 ??= this.#chunk.toString('base64')
    return this.#base64
  }

  /** Marks a part of the picture as changed. */
  outdate({ x, y, width, height }: Rect): void {
    // The encoding of a pixel depends on the one above, and on the two to its left.
    const first = Math.floor(x / SEGMENT_PX)
    const last = Math.min(this.#across - 1, Math.floor((x + width + 1) / SEGMENT_PX))
    const below = Math.min(this.#to, y + height + 1)
    for (let row = Math.max(this.#from, y); row < below; row++)
      for (let place = first; place <= last; place++)
        this.#notes[((row - this.#from) * this.#across + place) * SEGMENT_FIELDS + STALE_FIELD] = 1
    this.#isStale = true
  }

  /** Encodes the changes. `pixels` are those of the whole picture, opaque, red in the lowest byte. */
  update(pixels: Uint32Array): void {
    if (!this.#isStale) return
    const length = (this.#to - this.#from) * (1 + 3 * this.#width)
    // No literal takes more than 15 bits.
    out.begin(length * 2 + HEADER.bytes.length + 64)
    out.append(HEADER.bytes)
    out.put(HEADER.rest, HEADER.restBits)
    this.#writeRows(pixels)
    out.put(CODES[END_OF_BLOCK]!, LENGTHS[END_OF_BLOCK]!)
    // A stored block starts with three bits and continues at the next whole byte.
    out.put(0, 3)
    out.put(0, -out.count & 7)
    out.append(EMPTY)
    while (out.length % 3 !== 0) {
      out.put(0, 8)
      out.append(EMPTY)
    }
    this.#chunk = chunk('IDAT', out.bytes.subarray(0, out.length))
    this.#sum = sumOf(this.#notes, length)
    this.#base64 = undefined
    this.#isStale = false
  }

  #writeRows(pixels: Uint32Array): void {
    const notes = this.#notes
    const width = this.#width
    const across = this.#across
    const old = new DataView(this.#chunk.buffer, this.#chunk.byteOffset + CHUNK_DATA)
    let at = 8 * HEADER.bytes.length + HEADER.restBits
    let done = 0
    for (let y = this.#from; y < this.#to; y++) {
      const row = (y - this.#from) * across * SEGMENT_FIELDS
      for (let first = 0; first < across; first++) {
        if (notes[row + first * SEGMENT_FIELDS + STALE_FIELD] === 0) continue
        let last = first
        while (last + 1 < across && notes[row + (last + 1) * SEGMENT_FIELDS + STALE_FIELD] !== 0) last++
        const start = row + first * SEGMENT_FIELDS
        const end = row + (last + 1) * SEGMENT_FIELDS
        const kept = bitsIn(notes, done, start)
        out.copy(old, at, kept)
        at += kept + bitsIn(notes, start, end)
        done = end
        const isFirst = y === this.#from
        const isSame = last - first === across - 1 && !isFirst && isSameRow(pixels, width, y)
        const bytesBehind = (this.#to - y - 1) * (1 + 3 * width)
        encodeSegments(out, { pixels, width, y, isFirst, isSame, bytesBehind }, first, last, notes, row)
        first = last
      }
    }
    out.copy(old, at, bitsIn(notes, done, notes.length))
  }
}

/** The checksum of a band with a number of bytes. It starts at 1, which is part of each sum. */
function sumOf(notes: Float64Array, length: number): Sum {
  let a = 1
  let b = length
  for (let note = 0; note < notes.length; note += SEGMENT_FIELDS) {
    a += notes[note + 1]!
    b += notes[note + 2]!
  }
  return { a: a % MODULUS, b: b % MODULUS, length }
}

/** The size in bits of the segments in a range of records. */
function bitsIn(notes: Float64Array, from: number, to: number): number {
  let bits = 0
  for (let note = from; note < to; note += SEGMENT_FIELDS) bits += notes[note]!
  return bits
}

/** Whether a row equals the one above it, compared natively. */
function isSameRow({ buffer, byteOffset, byteLength }: Uint32Array, width: number, y: number): boolean {
  const memory = Buffer.from(buffer, byteOffset, byteLength)
  const start = y * width * 4
  const bytes = width * 4
  return memory.compare(memory, start - bytes, start, start, start + bytes) === 0
}
