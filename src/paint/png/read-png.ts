import { PNG } from 'pngjs'
import { Fault } from '../../base/fault.ts'

/** The pixels of a PNG file: rows of red, green, blue, alpha bytes, not premultiplied. */
export interface PngPixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Reads a PNG file. Throws `BadRequest` for any other file, and for a picture that is too large before it is decoded. */
export function readPng(file: Buffer): PngPixels {
  const refuse = (why: string) => new Fault('BadRequest', `the picture cannot be read as a PNG file: ${why}`)
  const size = sizeOf(file)
  if (!size || imageType(file) !== 'image/png') throw refuse('it does not begin as one')
  checkSize(size)
  try {
    const { width, height, data } = PNG.sync.read(file)
    return { width, height, data: new Uint8Array(data) }
  } catch (error) {
    throw refuse((error as Error).message)
  }
}

/** Reads the size of a picture from the first bytes of its file, before its pixels are decoded. */

export interface Size {
  readonly width: number
  readonly height: number
}

/** Wider than three monitors of 5K side by side. */
const MAX_SIDE_PX = 16_384
/** A little more than three monitors of 5K have. */
const MAX_PIXELS = 48_000_000

/** Throws `BadRequest` for a picture larger than any screen. */
export function checkSize({ width, height }: Size): void {
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX)
    throw new Fault('BadRequest', `the picture is ${width} × ${height}; a side may have at most ${MAX_SIDE_PX} pixels`)
  if (width * height > MAX_PIXELS)
    throw new Fault(
      'BadRequest',
      `the picture has ${width} × ${height} = ${width * height} pixels; at most ${MAX_PIXELS} are allowed`,
    )
}

/** The supported formats: the first bytes of their files, and how to read the size. */
const FORMATS: readonly {
  readonly type: string
  readonly begins: (file: Buffer) => boolean
  readonly size: (file: Buffer) => Size | undefined
}[] = [
  {
    type: 'image/png',
    begins: (file) => file.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47])),
    size: (file) => ({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }),
  },
  {
    type: 'image/jpeg',
    begins: (file) => file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
    size: jpegSize,
  },
  {
    type: 'image/gif',
    begins: (file) => file.subarray(0, 4).toString('latin1') === 'GIF8',
    size: (file) => ({ width: file.readUInt16LE(6), height: file.readUInt16LE(8) }),
  },
  {
    type: 'image/webp',
    begins: (file) => file.subarray(8, 12).toString('latin1') === 'WEBP',
    size: webpSize,
  },
]

/** The content type of an image file by its first bytes; undefined for anything else. */
export const imageType = (file: Buffer): string | undefined => FORMATS.find(({ begins }) => begins(file))?.type

/** The size in an image file. Undefined if it is not a picture, or is cut before the size. */
export function sizeOf(file: Buffer): Size | undefined {
  try {
    return FORMATS.find(({ begins }) => begins(file))?.size(file)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Markers of JPEG that begin a frame: all from C0 to CF but the tables C4 and CC and the reserved C8. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** The largest frame: a file may have several, such as a thumbnail before the picture. */
function jpegSize(file: Buffer): Size | undefined {
  let largest: Size | undefined
  for (let at = 2; at + 4 <= file.length; ) {
    if (file[at] !== 0xff) return largest
    const marker = file[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    if (isFrame(marker)) {
      const size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size
    }
    // Pixels follow the start of a scan.
    if (marker === 0xda) return largest
    at += isAlone(marker) ? 2 : 2 + file.readUInt16BE(at + 2)
  }
  return largest
}

/** Markers without a length. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** The three kinds of WebP: lossy, lossless and extended (RFC 9649). */
function webpSize(file: Buffer): Size | undefined {
  const kind = file.subarray(12, 16).toString('latin1')
  if (kind === 'VP8 ') return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8L') {
    const bits = file.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8X') return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }
  return undefined
}
