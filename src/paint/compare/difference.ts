import { pixelOf } from '../colour.ts'
import { bytesOf, fromPixels, type Picture, wordsOf } from '../picture.ts'

const GAP = 8
const GROUND = '#20242e'
const CHANGED = '#ff2d55'

/**
 * An image for people: the expected picture, the actual one, and the actual one in pale grey with every changed pixel
 * in red.
 */
export function imageDiff(expected: Picture, actual: Picture): Picture {
  const width = Math.max(expected.width, actual.width)
  const height = Math.max(expected.height, actual.height)
  const across = 3 * width + 2 * GAP
  const whole = new Uint32Array(across * height).fill(pixelOf(GROUND))
  const changed = pixelOf(CHANGED)
  const [before, after] = [wordsOf(expected.pixels()), wordsOf(actual.pixels())]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const old = x < expected.width && y < expected.height ? before[y * expected.width + x] : undefined
      const now = x < actual.width && y < actual.height ? after[y * actual.width + x] : undefined
      const at = y * across + x
      if (old !== undefined) whole[at] = old
      if (now !== undefined) whole[at + width + GAP] = now
      whole[at + 2 * (width + GAP)] = now !== undefined && old === now ? pale(now) : changed
    }
  return fromPixels(across, height, bytesOf(whole))
}

function pale(pixel: number): number {
  const grey = Math.round(((pixel & 255) + ((pixel >>> 8) & 255) + ((pixel >>> 16) & 255)) / 3)
  const light = 170 + (grey >> 2)
  return (0xff000000 | (light << 16) | (light << 8) | light) >>> 0
}
