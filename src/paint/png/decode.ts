import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { decoded } from '../frame/skia.ts'
import { fromPixels, type Picture } from '../picture.ts'
import { checkSize, sizeOf } from './image-size.ts'

/** Files are decoded one at a time, because each may need hundreds of megabytes. */
const decoding = new SerialQueue()

/**
 * Reads a PNG, JPEG, GIF or WebP file, on white where it is transparent. Throws `BadRequest` for any other file, and
 * for a picture that is too large before it is decoded.
 */
export const fromImage = (file: Buffer): Promise<Picture> => decoding.run(() => read(file))

async function read(file: Buffer): Promise<Picture> {
  const size = sizeOf(file)
  if (size) checkSize(size)
  const image = size && (await decoded(file, yieldingWork().pause))
  if (!image) throw new Fault('BadRequest', 'the file cannot be read as a PNG, JPEG, GIF or WebP picture')
  return fromPixels(image.width, image.height, image.pixels)
}
