import { createHash } from 'node:crypto'
import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { DrawnPicture } from '../desktop/model/drawn-picture.ts'
import type { PictureFile } from '../desktop/model/pictures.ts'
import { drawnPixels } from './drawn/drawn-picture.ts'
import { resample } from './picture.ts'
import { type PngPixels, readPng } from './png/read-png.ts'
import { isSvg, readSvg, svgPixels } from './svg-picture.ts'

/** The size of the largest picture file of a scenario. */
export const MAX_PICTURE_FILE_BYTES = 4_000_000
const MAX_SIDE_PX = 4096
const MAX_PIXELS = 4_000_000

/**
 * Checks the bytes of a picture file that a scenario shows. Throws `BadRequest` for a file that is neither PNG nor
 * SVG, or is too large to be painted.
 */
export function toPictureFile(file: Buffer): PictureFile {
  if (file.length > MAX_PICTURE_FILE_BYTES)
    throw new Fault('BadRequest', `the picture has ${file.length} bytes; at most ${MAX_PICTURE_FILE_BYTES} are allowed`)
  const format = isSvg(file) ? 'svg' : 'png'
  const { width, height } = format === 'svg' ? readSvg(file) : readPng(file)
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE_PX)
    throw new Fault(
      'BadRequest',
      `the picture has ${width} × ${height} pixels; at most ${MAX_PIXELS} in all and ${MAX_SIDE_PX} per side are allowed`,
    )
  const hash = createHash('sha256').update(file).digest('hex')
  return { hash, format, width, height, data: file.toString('base64') }
}

/** The pictures painted last, decoded, by the hash of their bytes. */
const decoded = new LruCache<string, PngPixels>(4 * MAX_PIXELS, ({ width, height }) => width * height)

/** The premultiplied pixels of a picture file in a size, red in the lowest byte. */
export function paintedPixels(file: PictureFile, width: number, height: number): Uint32Array {
  if (file.format === 'drawn') return drawnPixels(JSON.parse(file.data) as DrawnPicture, width, height)
  if (file.format === 'svg') return svgPixels(readSvg(Buffer.from(file.data, 'base64')), width, height)
  const source = decoded.get(file.hash) ?? premultiplied(readPng(Buffer.from(file.data, 'base64')))
  decoded.keep(file.hash, source)
  const isSame = source.width === width && source.height === height
  const bytes = isSame ? source.data : resample(source.data, source, { width, height }, 4)
  return new Uint32Array(bytes.buffer, bytes.byteOffset, width * height)
}

function premultiplied({ width, height, data }: PngPixels): PngPixels {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++) data[channel] = Math.round((data[channel]! * alpha) / 255)
  }
  return { width, height, data }
}
