import zlib from 'node:zlib'
import type { Rect } from '../../desktop/model/geometry.ts'
import {
  Bits,
  CODES,
  END_OF_BLOCK,
  encodeSegments,
  HEADER,
  LENGTHS,
  SEGMENT_FIELDS,
  SEGMENT_PX,
  STALE_FIELD,
} from './deflate.ts'

/** The offset of the data in a chunk, after its length and type. */
const CHUNK_DATA = 8

/** A chunk of a PNG file: length, type, data and checksum. */
function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafeSlow(data.length + 12)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  whole.set(data, CHUNK_DATA)
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + CHUNK_DATA)), data.length + CHUNK_DATA)
  return whole
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

/** The CRC of a chunk. Native since Node 20.15. */
const crc32 = (bytes: Uint8Array): number => zlib.crc32?.(bytes) ?? slowCrc32(bytes)

function slowCrc32(bytes: Uint8Array): number {
  let sum = -1
  for (let at = 0; at < bytes.length; at++) sum = CRC_TABLE[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8)
  return ~sum >>> 0
}

/** The number of rows that are encoded together and reused while none of them changes. */
export const BAND_ROWS = 32

/** The bands of a picture, top to bottom, not encoded yet. */
export const bandsOf = (width: number, height: number): readonly Band[] =>
  Array.from({ length: Math.ceil(height / BAND_ROWS) }, (_, place) => {
    const from = place * BAND_ROWS
    return new Band(width, from, Math.min(height, from + BAND_ROWS))
  })

/**
 * The start of a PNG file, before its bands (W3C recommendation "Portable Network Graphics"). All pieces of a file are
 * multiples of three bytes, so that the base64 of the file is the concatenation of theirs.
 */
export const pngHead = (width: number, height: number): Buffer =>
  Buffer.concat([SIGNATURE, headerOf(width, height), chunk('IDAT', ZLIB_START)])

/** The end of a PNG file, after its bands. */
export function pngTail(bands: readonly Band[]): Buffer {
  const { a, b } = joinSums(bands.map((band) => band.sum))
  const end = Uint8Array.from([...ZLIB_END, b >>> 8, b & 255, a >>> 8, a & 255])
  return Buffer.concat([chunk('IDAT', end), END])
}

/** A PNG file of opaque pixels, red in the lowest byte. */
export function encodePng(width: number, height: number, pixels: Uint32Array): Buffer {
  const bands = bandsOf(width, height)
  for (const band of bands) band.update(pixels)
  return Buffer.concat([pngHead(width, height), ...bands.map((band) => band.chunk), pngTail(bands)])
}

/** A true colour PNG file from compressed rows, each with its filter byte. */
export const pngOf = (width: number, height: number, compressed: Uint8Array): Buffer =>
  Buffer.concat([SIGNATURE, headerOf(width, height), chunk('IDAT', compressed), END])

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const TRUE_COLOUR = 2
const EMPTY_STORED = [0x00, 0x00, 0x00, 0xff, 0xff]
/** The two bytes that open zlib data, then two empty blocks to make the piece a multiple of three bytes. */
const ZLIB_START = Uint8Array.from([0x78, 0x01, ...EMPTY_STORED, ...EMPTY_STORED])
/** The last block, empty. */
const ZLIB_END = [0x03, 0x00]
const END = chunk('IEND', new Uint8Array(0))

function headerOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8)
  return chunk('IHDR', header)
}

/** The two halves of an Adler-32 checksum, and the number of bytes. */
export interface Sum {
  readonly a: number
  readonly b: number
  readonly length: number
}

const MODULUS = 65521

/** The checksum of concatenated data. */
function joinSums(sums: readonly Sum[]): Sum {
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
