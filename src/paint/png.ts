import zlib from 'node:zlib'
import type { Rect } from '../desktop/geometry.ts'
import { encodeBand, joinSums, type Sum } from './band.ts'

/** How many rows are encoded together and kept as long as none of them changes. */
export const BAND_ROWS = 16

/** A band as a chunk of a PNG file. */
export interface BandChunk {
  readonly chunk: Buffer
  readonly sum: Sum
  readonly notes: Float64Array
}

/** A band that is about to be repaired and then no more, and outside of which part of the picture its pixels are still the same. */
export interface Stale {
  readonly band: BandChunk
  readonly dirty: Rect
}

/** Rows `place * 16` and following, of a picture of opaque pixels, red in the lowest byte. */
export function bandChunk(pixels: Uint32Array, width: number, height: number, place: number, stale?: Stale): BandChunk {
  const from = place * BAND_ROWS
  const repair = stale && {
    band: { bytes: stale.band.chunk.subarray(CHUNK_DATA), sum: stale.band.sum, notes: stale.band.notes },
    dirty: stale.dirty,
  }
  const { bytes, sum, notes } = encodeBand(pixels, width, from, Math.min(height, from + BAND_ROWS), repair)
  return { chunk: chunk('IDAT', bytes), sum, notes }
}

/**
 * What a PNG file begins with, before its bands (W3C recommendation "Portable Network Graphics"). All pieces of a file are a
 * multiple of three bytes long, so that the base64 of the file is that of its pieces.
 */
export const pngHead = (width: number, height: number): Buffer =>
  Buffer.concat([SIGNATURE, headerOf(width, height), chunk('IDAT', ZLIB_START)])

/** What a PNG file ends with, behind its bands. */
export function pngTail(bands: readonly BandChunk[]): Buffer {
  const { a, b } = joinSums(bands.map((band) => band.sum))
  const end = Uint8Array.from([...ZLIB_END, b >>> 8, b & 255, a >>> 8, a & 255])
  return Buffer.concat([chunk('IDAT', end), END])
}

/** A PNG file of opaque pixels, red in the lowest byte. */
export function encodePng(width: number, height: number, pixels: Uint32Array): Buffer {
  const bands = Array.from({ length: Math.ceil(height / BAND_ROWS) }, (_, place) =>
    bandChunk(pixels, width, height, place),
  )
  return Buffer.concat([pngHead(width, height), ...bands.map((band) => band.chunk), pngTail(bands)])
}

/** A PNG file of true colour whose rows, each behind its filter byte, somebody has compressed already. */
export const pngOf = (width: number, height: number, compressed: Uint8Array): Buffer =>
  Buffer.concat([SIGNATURE, headerOf(width, height), chunk('IDAT', compressed), END])

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const TRUE_COLOUR = 2
const EMPTY_STORED = [0x00, 0x00, 0x00, 0xff, 0xff]
/** The two bytes that open zlib data, then two empty blocks to make the piece a multiple of three bytes. */
const ZLIB_START = Uint8Array.from([0x78, 0x01, ...EMPTY_STORED, ...EMPTY_STORED])
/** The last block, empty. */
const ZLIB_END = [0x03, 0x00]

function headerOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8)
  return chunk('IHDR', header)
}

/** Where the data of a chunk begins, behind its length and type. */
const CHUNK_DATA = 8

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

/** The cyclic check sum of a chunk. Node 20.15 has it in machine code. */
const crc32 = (bytes: Uint8Array): number => zlib.crc32?.(bytes) ?? slowCrc32(bytes)

function slowCrc32(bytes: Uint8Array): number {
  let sum = -1
  for (let at = 0; at < bytes.length; at++) sum = CRC_TABLE[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8)
  return ~sum >>> 0
}

const END = chunk('IEND', new Uint8Array(0))
