import { AssertionError } from 'node:assert/strict'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { fail } from '../probe/failure.ts'
import type { Rectangle } from './rectangle.ts'

/** A decoded picture: rows of red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

export function decode(base64: string, what: string): Pixels {
  try {
    const { width, height, data } = PNG.sync.read(Buffer.from(base64, 'base64'))
    return { width, height, data }
  } catch (error) {
    fail(`${what} is not a PNG picture: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function encode({ width, height, data }: Pixels): string {
  const png = new PNG({ width, height })
  data.copy(png.data)
  return PNG.sync.write(png).toString('base64')
}

export interface PixelDifference {
  /** Share of pixels that differ visibly. */
  readonly density: number
  /** The lowest structural similarity of any patch of 64 by 64 pixels. */
  readonly worstPatch: number
  /** The smallest rectangle around all differing pixels; undefined when all are equal. */
  readonly bounds: Rectangle | undefined
  readonly picture: Pixels
}

/** How two pictures of the same size differ. */
export function comparePixels(one: Pixels, other: Pixels): PixelDifference {
  if (one.width !== other.width || one.height !== other.height)
    fail(`the pictures are ${one.width}x${one.height} and ${other.width}x${other.height}`)
  const { width, height } = one
  const picture = { width, height, data: Buffer.alloc(width * height * 4) }
  const differing = pixelmatch(one.data, other.data, picture.data, width, height, { threshold: 0.1 })
  return {
    density: differing / (width * height),
    worstPatch: worstPatch(grey(one), grey(other)),
    bounds: changedBounds(one, other),
    picture,
  }
}

/** Fails with both pictures and their difference unless every pixel is the same. */
export function assertSamePixels(expected: Pixels, actual: Pixels, message: string): void {
  const found = comparePixels(expected, actual)
  if (found.bounds === undefined) return
  const { x, y, width, height } = found.bounds
  const share = `${(found.density * 100).toFixed(2)} %, worst patch ${found.worstPatch.toFixed(3)}`
  throw Object.assign(
    new AssertionError({ message: `${message}: pixels differ within ${x},${y} ${width}x${height} (${share})` }),
    { pictures: { expected: encode(expected), actual: encode(actual), difference: encode(found.picture) } },
  )
}

/** Fails and shows pictures; those that are given a box have it drawn around. */
export function failShowing(
  message: string,
  pictures: Readonly<Record<string, Pixels | { readonly of: Pixels; readonly box: Rectangle }>>,
): never {
  const shown = Object.entries(pictures).map(([name, picture]): [string, string] => [
    name,
    encode('of' in picture ? outlined(picture.of, picture.box) : picture),
  ])
  throw Object.assign(new AssertionError({ message, operator: 'fail' }), { pictures: Object.fromEntries(shown) })
}

const OUTLINE = Buffer.from([230, 40, 60, 255])
const OUTLINE_PX = 2

function outlined({ width, height, data }: Pixels, box: Rectangle): Pixels {
  const drawn = Buffer.from(data)
  const [left, top] = [Math.round(box.x) - OUTLINE_PX, Math.round(box.y) - OUTLINE_PX]
  const [right, bottom] = [Math.round(box.x + box.width) + OUTLINE_PX, Math.round(box.y + box.height) + OUTLINE_PX]
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      const isEdge =
        x < left + OUTLINE_PX || x >= right - OUTLINE_PX || y < top + OUTLINE_PX || y >= bottom - OUTLINE_PX
      if (isEdge) OUTLINE.copy(drawn, (y * width + x) * 4)
    }
  return { width, height, data: drawn }
}

export function crop(picture: Pixels, { x, y, width, height }: Rectangle): Pixels {
  const data = Buffer.alloc(width * height * 4)
  for (let row = 0; row < height; row++) {
    const start = ((y + row) * picture.width + x) * 4
    picture.data.copy(data, row * width * 4, start, start + width * 4)
  }
  return { width, height, data }
}

function grey({ width, height, data }: Pixels): Grey {
  const luminance = new Float64Array(width * height)
  for (let at = 0; at < luminance.length; at++)
    luminance[at] = 0.299 * data[at * 4]! + 0.587 * data[at * 4 + 1]! + 0.114 * data[at * 4 + 2]!
  return { width, height, luminance }
}

function changedBounds(one: Pixels, other: Pixels): Rectangle | undefined {
  let [left, top, right, bottom] = [one.width, one.height, -1, -1]
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++) {
      const at = (y * one.width + x) * 4
      if (one.data.readUInt32LE(at) === other.data.readUInt32LE(at)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** A grey picture: one luminance from 0 to 255 per pixel, in rows. */
interface Grey {
  readonly width: number
  readonly height: number
  readonly luminance: Float64Array
}

const BLOCK = 8
const PATCH = 64
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/**
 * The structural similarity (Wang and others, 2004) of blocks of 8 by 8 pixels, averaged over patches of 64 by 64, and
 * the smallest of these averages: a missing button that hardly moves the mean of a screen makes one patch worthless.
 */
function worstPatch(one: Grey, other: Grey): number {
  let worst = 1
  for (let top = 0; top < one.height; top += PATCH)
    for (let left = 0; left < one.width; left += PATCH) worst = Math.min(worst, patchMean(one, other, left, top))
  return worst
}

function patchMean(one: Grey, other: Grey, left: number, top: number): number {
  let sum = 0
  let count = 0
  for (let y = top; y < Math.min(top + PATCH, one.height); y += BLOCK)
    for (let x = left; x < Math.min(left + PATCH, one.width); x += BLOCK) {
      sum += blockSimilarity(one, other, x, y)
      count++
    }
  return sum / count
}

function blockSimilarity(one: Grey, other: Grey, left: number, top: number): number {
  const right = Math.min(left + BLOCK, one.width)
  const bottom = Math.min(top + BLOCK, one.height)
  let [sumA, sumB, squareA, squareB, product, count] = [0, 0, 0, 0, 0, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const a = one.luminance[y * one.width + x]!
      const b = other.luminance[y * one.width + x]!
      sumA += a
      sumB += b
      squareA += a * a
      squareB += b * b
      product += a * b
      count++
    }
  const [meanA, meanB] = [sumA / count, sumB / count]
  const varianceA = squareA / count - meanA * meanA
  const varianceB = squareB / count - meanB * meanB
  const covariance = product / count - meanA * meanB
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  )
}
