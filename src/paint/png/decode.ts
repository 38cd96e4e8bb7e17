import { Fault } from '../../base/fault.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { decoded } from '../frame/skia.ts'
import { fromPixels, type Picture } from '../picture.ts'
import { checkSize, sizeOf } from './image-size.ts'

/** Files wait for their turn, since each may take hundreds of megabytes while it is read. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * A picture read from a PNG, JPEG, GIF or WebP file, on white where it is not opaque. Throws `BadRequest` when it is
 * none, and before anything is unpacked when it is too large.
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
