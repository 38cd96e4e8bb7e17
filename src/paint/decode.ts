import { Fault } from '../base/fault.ts'
import { fromPixels, fromPng, type Picture } from './picture.ts'
import { decoded } from './skia.ts'

const PIXELS_MOST = 40_000_000

/** The formats that are read, by how their files begin. */
const SIGNATURES: readonly (readonly [type: string, begins: (file: Buffer) => boolean])[] = [
  ['image/png', (file) => file.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))],
  ['image/jpeg', (file) => file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (file) => file.subarray(0, 4).toString('latin1') === 'GIF8'],
  ['image/webp', (file) => file.subarray(8, 12).toString('latin1') === 'WEBP'],
]

/** The content type of an image file by its first bytes; undefined for anything else. */
export const imageType = (file: Buffer): string | undefined => SIGNATURES.find(([, begins]) => begins(file))?.[0]

/** A picture read from a PNG, JPEG, GIF or WebP file. Throws `BadRequest` when it is none, or too large. */
export async function fromImage(file: Buffer): Promise<Picture> {
  const type = imageType(file)
  if (type === 'image/png') return fromPng(file)
  const image = type === undefined ? undefined : await decoded(file, PIXELS_MOST)
  if (!image) throw new Fault('BadRequest', 'the file cannot be read as a PNG, JPEG, GIF or WebP picture')
  return fromPixels(image.width, image.height, image.pixels)
}
