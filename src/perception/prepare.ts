import { fromPixels, type Picture } from '../paint/picture.ts'

/** Pictures made easier to read for an engine that was trained on print. */

/** `times` as large; every pixel becomes a square. */
export function enlarged(picture: Picture, times: number): Picture {
  const from = new Uint32Array(copyOf(picture).buffer)
  const width = picture.width * times
  const height = picture.height * times
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / times) * picture.width
    for (let x = 0; x < width; x++) pixels[y * width + x] = from[row + Math.floor(x / times)]!
  }
  return fromPixels(width, height, new Uint8Array(pixels.buffer))
}

/** Light text on dark as dark text on light; a strong colour counts as dark, so that white on it stands out. */
export function inverted(picture: Picture): Picture {
  const bytes = copyOf(picture)
  for (let index = 0; index < bytes.length; index += 4) {
    const least = Math.min(bytes[index]!, bytes[index + 1]!, bytes[index + 2]!)
    bytes.fill(255 - least, index, index + 3)
  }
  return fromPixels(picture.width, picture.height, bytes)
}

const copyOf = (picture: Picture): Uint8Array<ArrayBuffer> => Uint8Array.from(picture.pixels())
