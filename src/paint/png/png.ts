import { Band, joinSums } from './band.ts'
import { chunk } from './chunk.ts'

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
