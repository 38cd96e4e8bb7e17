import { PNG } from 'pngjs'
import { Fault } from '../../base/fault.ts'
import { checkSize, imageType, sizeOf } from './image-size.ts'

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
