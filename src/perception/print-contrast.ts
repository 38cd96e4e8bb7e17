import { type Picture, wordsOf } from '../paint/picture.ts'

/** Prepares pictures for an engine trained on print: dark text on white, enlarged, without frames. */

/** Half the side of the square whose median is a pixel's background: larger than strokes of text, smaller than buttons. */
const MEDIAN_RADIUS_PX = 10
/** The amplification of differences from the background. */
const CONTRAST_FACTOR = 2
/** A longer dark run is a frame or an underline. */
const MAX_STROKE_PX = 48
const STROKE_THRESHOLD = 170

/** A greyscale picture, one byte per pixel. */
export interface GreyImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Yields to other work during a long preparation. */
type Pause = () => Promise<void> | undefined

/**
 * Converts a picture to black on white, enlarged `times`. The value of a pixel is its difference from its surroundings, so
 * light text on a strong colour becomes as dark as dark text on white, and one pass reads both. Works by row, with pauses.
 */
export async function toPrintContrast(picture: Picture, times: number, pause: Pause): Promise<GreyImage> {
  const { width, height } = picture
  const grey = await greyOf(picture, pause)
  const print = await medians(grey, width, height, pause)
  for (let y = 0; y < height; y++) {
    for (let at = y * width; at < (y + 1) * width; at++)
      print[at] = 255 - Math.min(255, CONTRAST_FACTOR * Math.abs(grey[at]! - print[at]!))
    await pause()
  }
  await eraseLines(print, width, height, pause)
  return enlarged(print, width, height, times, pause)
}

/** An uncompressed greyscale file (PGM). */
export const encodePgm = ({ width, height, pixels }: GreyImage): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels])

async function greyOf(picture: Picture, pause: Pause): Promise<Uint8Array> {
  const pixels = wordsOf(picture.pixels())
  const grey = new Uint8Array(pixels.length)
  for (let from = 0; from < grey.length; from += picture.width) {
    for (let at = from; at < from + picture.width; at++) {
      const pixel = pixels[at]!
      grey[at] = (77 * (pixel & 0xff) + 151 * ((pixel >> 8) & 0xff) + 28 * ((pixel >> 16) & 0xff)) >> 8
    }
    await pause()
  }
  return grey
}

/** The median of the square around each pixel, with a histogram that moves along each row. */
async function medians(grey: Uint8Array, width: number, height: number, pause: Pause): Promise<Uint8Array> {
  const result = new Uint8Array(grey.length)
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - MEDIAN_RADIUS_PX)
    const bottom = Math.min(height - 1, y + MEDIAN_RADIUS_PX)
    const histogram = new Int32Array(256)
    let count = 0
    let median = 0
    let below = 0
    const column = (x: number, change: 1 | -1) => {
      for (let row = top; row <= bottom; row++) {
        const value = grey[row * width + x]!
        histogram[value]! += change
        if (value < median) below += change
      }
      count += change * (bottom - top + 1)
    }
    for (let x = 0; x < Math.min(MEDIAN_RADIUS_PX, width); x++) column(x, 1)
    for (let x = 0; x < width; x++) {
      if (x + MEDIAN_RADIUS_PX < width) column(x + MEDIAN_RADIUS_PX, 1)
      if (x - MEDIAN_RADIUS_PX - 1 >= 0) column(x - MEDIAN_RADIUS_PX - 1, -1)
      const half = count >> 1
      while (below > half) below -= histogram[--median]!
      while (below + histogram[median]! <= half) below += histogram[median++]!
      result[y * width + x] = median
    }
    await pause()
  }
  return result
}

/** Whitens dark runs longer than a stroke of a letter, horizontally and vertically. */
async function eraseLines(print: Uint8Array, width: number, height: number, pause: Pause): Promise<void> {
  const isLine = new Uint8Array(print.length)
  const scan = (start: number, step: number, length: number) => {
    let from = 0
    for (let index = 0; index <= length; index++) {
      if (index < length && print[start + index * step]! < STROKE_THRESHOLD) continue
      if (index - from > MAX_STROKE_PX) for (let at = from; at < index; at++) isLine[start + at * step] = 1
      from = index + 1
    }
  }
  for (let y = 0; y < height; y++) {
    scan(y * width, 1, width)
    await pause()
  }
  for (let x = 0; x < width; x++) {
    scan(x, width, height)
    await pause()
  }
  for (let y = 0; y < height; y++) {
    for (let at = y * width; at < (y + 1) * width; at++) if (isLine[at] === 1) print[at] = 255
    await pause()
  }
}

/** Scales a picture with linear interpolation. */
async function enlarged(
  grey: Uint8Array,
  width: number,
  height: number,
  times: number,
  pause: Pause,
): Promise<GreyImage> {
  const wide = Math.max(1, Math.round(width * times))
  const high = Math.max(1, Math.round(height * times))
  const pixels = new Uint8Array(wide * high)
  for (let y = 0; y < high; y++) {
    const down = Math.max(0, Math.min(height - 1, (y + 0.5) / times - 0.5))
    const top = Math.floor(down)
    const lower = Math.min(height - 1, top + 1)
    const v = down - top
    for (let x = 0; x < wide; x++) {
      const across = Math.max(0, Math.min(width - 1, (x + 0.5) / times - 0.5))
      const left = Math.floor(across)
      const right = Math.min(width - 1, left + 1)
      const u = across - left
      const upper = grey[top * width + left]! * (1 - u) + grey[top * width + right]! * u
      const under = grey[lower * width + left]! * (1 - u) + grey[lower * width + right]! * u
      pixels[y * wide + x] = Math.round(upper * (1 - v) + under * v)
    }
    await pause()
  }
  return { width: wide, height: high, pixels }
}
