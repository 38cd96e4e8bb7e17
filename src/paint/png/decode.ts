import { Fault } from '../../base/fault.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { decoded } from '../frame/skia.ts'
import { fromPixels, type Picture } from '../picture.ts'
import { checkSize, sizeOf } from './image-size.ts'

/** Files are decoded one at a time, because each may need hundreds of megabytes. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Reads a PNG, JPEG, GIF or WebP file, on white where it is transparent. Throws `BadRequest` for any other file, and
 * for a picture that is too large before it is decoded.
 */
export function fromImage(file: Buffer): Promise<Picture> {
  const picture = turn.then(() => read(file))
  turn = picture.catch(() => {})
  return picture
}

async function read(file: Buffer): Promise<Picture> {
  const size = sizeOf(file)
  if (size) checkSize(size)
  const image = size && (await decoded(file, yieldingWork().pause))
  if (!image) throw new Fault('BadRequest', 'the file cannot be read as a PNG, JPEG, GIF or WebP picture')
  return fromPixels(image.width, image.height, image.pixels)
}
