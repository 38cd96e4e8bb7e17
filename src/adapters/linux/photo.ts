import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Picture } from '../../paint/picture.ts'

const deflateInBackground = promisify(deflate)

/** A picture of a real screen from the X server's pixels: rows of blue, green, red and a byte that means nothing. */
export function pictureOf(width: number, height: number, bgrx: Buffer): Picture {
  let rgba: Uint8Array | undefined
  let encoded: Promise<Buffer> | undefined
  return {
    width,
    height,
    pixels() {
      rgba ??= rgbaOf(bgrx)
      return rgba
    },
    png() {
      encoded ??= encode(width, height, bgrx)
      return encoded
    },
  }
}

function rgbaOf(bgrx: Buffer): Uint8Array {
  const rgba = new Uint8Array(bgrx.length)
  for (let at = 0; at < bgrx.length; at += 4) {
    rgba[at] = bgrx[at + 2]!
    rgba[at + 1] = bgrx[at + 1]!
    rgba[at + 2] = bgrx[at]!
    rgba[at + 3] = 255
  }
  return rgba
}

const FILTER_UP = 2

/** A PNG (W3C recommendation "Portable Network Graphics") without alpha; a thread of its own does the compressing. */
async function encode(width: number, height: number, bgrx: Buffer): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const body = await deflateInBackground(scanlines(width, height, bgrx), { level: 1 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))])
}

/** Each row as its difference from the row above, which is nothing at all for most of a desktop. */
function scanlines(width: number, height: number, bgrx: Buffer): Buffer {
  const rowBytes = width * 3 + 1
  const lines = Buffer.alloc(rowBytes * height)
  const stride = width * 4
  for (let y = 0; y < height; y++) {
    let to = y * rowBytes
    lines[to++] = FILTER_UP
    let from = y * stride
    const end = from + stride
    if (y === 0) {
      for (; from < end; from += 4) {
        lines[to++] = bgrx[from + 2]!
        lines[to++] = bgrx[from + 1]!
        lines[to++] = bgrx[from]!
      }
      continue
    }
    let above = from - stride
    for (; from < end; from += 4, above += 4) {
      lines[to++] = bgrx[from + 2]! - bgrx[above + 2]!
      lines[to++] = bgrx[from + 1]! - bgrx[above + 1]!
      lines[to++] = bgrx[from]! - bgrx[above]!
    }
  }
  return lines
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  whole.set(data, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8)
  return whole
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function crc32(bytes: Uint8Array): number {
  let sum = -1
  for (const byte of bytes) sum = CRC_TABLE[(sum ^ byte) & 255]! ^ (sum >>> 8)
  return ~sum >>> 0
}
