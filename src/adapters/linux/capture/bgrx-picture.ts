import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Picture } from '../../../paint/picture.ts'
import { pngOf } from '../../../paint/png/png.ts'

const deflateInBackground = promisify(deflate)

/** A picture from the pixels of an X server: rows of blue, green, red and an unused byte. */
export function pictureFromBgrx(width: number, height: number, bgrx: Buffer): Picture {
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

/** Encodes a PNG without alpha. Compression runs on another thread. */
const encode = async (width: number, height: number, bgrx: Buffer): Promise<Buffer> =>
  pngOf(width, height, await deflateInBackground(scanlines(width, height, bgrx), { level: 1 }))

/** Encodes each row as the difference from the row above, which is zero for most of a desktop. */
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
