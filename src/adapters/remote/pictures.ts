import { Fault } from '../../base/fault.ts'
import { intersect, type Rect, sameRect, translate } from '../../desktop/model/geometry.ts'
import { bytesOf, fromPixels, fromPng, type Picture, wordsOf } from '../../paint/picture.ts'
import { checkSize, imageType, sizeOf } from '../../paint/png/image-size.ts'
import type { RemoteAnswer } from './faults.ts'

/** The picture in an answer. Its pixels are decoded when they are needed. Undefined for anything but a PNG. */
export function toPicture({ data }: RemoteAnswer): Picture | undefined {
  if (typeof data !== 'string') return undefined
  const file = Buffer.from(data, 'base64')
  const size = imageType(file) === 'image/png' ? sizeOf(file) : undefined
  if (!size || !isPlausible(size)) return undefined
  let decoded: Uint8Array | undefined
  return {
    ...size,
    pixels() {
      decoded ??= decode(file)
      return decoded
    },
    png: () => file,
    base64: () => data,
  }
}

function isPlausible(size: { readonly width: number; readonly height: number }): boolean {
  try {
    checkSize(size)
    return size.width > 0 && size.height > 0
  } catch (thrown) {
    if (thrown instanceof Fault) return false
    throw thrown
  }
}

function decode(file: Buffer): Uint8Array {
  try {
    return fromPng(file).pixels()
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    throw new Fault('PlatformUnsupported', `the other server sent a picture that cannot be read: ${thrown.message}`)
  }
}

const BLACK = 0xff000000

/** A picture of an area outside of the screen. */
export const blackPicture = ({ width, height }: Rect): Picture =>
  fromPixels(width, height, bytesOf(new Uint32Array(width * height).fill(BLACK)))

/** The part `wanted` of the screen, from a picture that shows the part `shown`. Black where the picture shows nothing. */
export function partOfScreen(picture: Picture, shown: Rect, wanted: Rect): Picture {
  if (sameRect(shown, wanted)) return picture
  const common = intersect(shown, wanted)
  const words = new Uint32Array(wanted.width * wanted.height).fill(BLACK)
  if (common) {
    const source = wordsOf(picture.pixels())
    const [from, to] = [translate(common, -shown.x, -shown.y), translate(common, -wanted.x, -wanted.y)]
    for (let row = 0; row < common.height; row++) {
      const start = (from.y + row) * picture.width + from.x
      words.set(source.subarray(start, start + common.width), (to.y + row) * wanted.width + to.x)
    }
  }
  return fromPixels(wanted.width, wanted.height, bytesOf(words))
}
