import { Fault } from '../base/fault.ts'
import { spanAround, visualLine } from '../desktop/model/bidi.ts'
import { intersect, isEmptyRect, type Rect, translate } from '../desktop/model/geometry.ts'
import { pixelOf } from './colour.ts'
import { encodePng } from './png/encode.ts'
import { readPng, type Size } from './png/read-png.ts'

/** A picture of a screen, a window or a part of one. Pixels are created on demand. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Rows of red, green, blue, alpha bytes. Every pixel is opaque. Read-only. */
  pixels(): Uint8Array
  png(): Promise<Buffer> | Buffer
  /** The painted text, each line or word group with its bounds in this picture. Absent on real desktops. */
  readonly text?: readonly TextRun[]
  /** The base64 of the PNG, if that is cheaper than encoding the file. */
  base64?(): string
}

export interface TextRun {
  readonly text: string
  readonly bounds: Rect
}

/** A picture whose pixels `pixels` creates on each use, and whose file is created once. */
function pictureOf(width: number, height: number, pixels: () => Uint8Array, text?: readonly TextRun[]): Picture {
  let file: Buffer | undefined
  return {
    width,
    height,
    pixels,
    png: () => {
      file ??= encodePng(width, height, wordsOf(pixels()))
      return file
    },
    ...(text && { text }),
  }
}

/** A picture of given pixels: rows of red, green, blue, alpha bytes, all opaque. */
export function fromPixels(width: number, height: number, pixels: Uint8Array): Picture {
  return pictureOf(width, height, () => pixels)
}

/** Reads a PNG file, on white where it is transparent. Throws `BadRequest` for any other file. */
export function fromPng(file: Buffer): Picture {
  const { width, height, data: pixels } = readPng(file)
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++)
      pixels[channel] = Math.round((pixels[channel]! * alpha + 255 * (255 - alpha)) / 255)
    pixels[at + 3] = 255
  }
  return fromPixels(width, height, pixels)
}

/** A part of a picture, clipped to it. Throws `BadRequest` if nothing is left. */
export function crop(picture: Picture, part: Rect): Picture {
  const area = intersect(roundOut(part), wholeOf(picture))
  if (!area) throw new Fault('BadRequest', 'the part lies outside of the picture', { part, picture: wholeOf(picture) })
  const text = picture.text?.flatMap((run) => {
    const cut = intersect(run.bounds, area) && cutWords(run, area)
    const bounds = cut && intersect(cut.bounds, area)
    return bounds ? [{ text: cut.text, bounds: translate(bounds, -area.x, -area.y) }] : []
  })
  const pixels = () => {
    const whole = wordsOf(picture.pixels())
    const cut = new Uint32Array(area.width * area.height)
    for (let row = 0; row < area.height; row++) {
      const start = (area.y + row) * picture.width + area.x
      cut.set(whole.subarray(start, start + area.width), row * area.width)
    }
    return bytesOf(cut)
  }
  return pictureOf(area.width, area.height, pixels, text)
}

/** The words of a run whose middle is in an area, estimated from the length of the text before them. */
function cutWords({ text, bounds }: TextRun, { x, width }: Rect): TextRun | undefined {
  const perCharacter = bounds.width / Math.max(1, text.length)
  const line = visualLine(text, (part) => part.length * perCharacter)
  const words = [...text.matchAll(/\S+/g)].filter(({ 0: word, index }) => {
    const { left, right } = spanAround(line, index, index + word.length)
    const middle = bounds.x + (left + right) / 2
    return middle >= x && middle < x + width
  })
  const [first, last] = [words[0], words.at(-1)]
  if (!first || !last) return undefined
  const end = last.index + last[0].length
  if (first.index === 0 && end === text.length) return { text, bounds }
  return {
    text: text.slice(first.index, end),
    bounds: {
      ...bounds,
      x: bounds.x + Math.round(spanAround(line, first.index, end).left),
      width: Math.max(1, Math.round((end - first.index) * perCharacter)),
    },
  }
}

/** Paints rectangles over a picture in one colour and removes the text below them. */
export function cover(picture: Picture, rects: readonly Rect[], colour = '#000000'): Picture {
  const areas = rects.flatMap((rect) => intersect(roundOut(rect), wholeOf(picture)) ?? [])
  if (areas.length === 0) return picture
  const text = picture.text?.filter((run) => !areas.some((area) => intersect(run.bounds, area)))
  const pixels = () => {
    const covered = wordsOf(picture.pixels()).slice()
    for (const area of areas)
      for (let row = area.y; row < area.y + area.height; row++) {
        const start = row * picture.width + area.x
        covered.fill(pixelOf(colour), start, start + area.width)
      }
    return bytesOf(covered)
  }
  return pictureOf(picture.width, picture.height, pixels, text)
}

/** Scales a picture down to a width, each pixel the mean of its source pixels. A narrower picture is unchanged. */
export function scaleTo(picture: Picture, maxWidth: number): Picture {
  const width = Math.max(1, Math.round(maxWidth))
  if (picture.width <= width) return picture
  return resize(picture, width, Math.max(1, Math.round((picture.height * width) / picture.width)))
}

/** Scales a picture to a size, each pixel the mean of the source pixels below it. */
export function resize(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture
  const [across, down] = [width / picture.width, height / picture.height]
  const text = picture.text?.map(({ text: content, bounds }) => ({
    text: content,
    bounds: roundOut({
      x: bounds.x * across,
      y: bounds.y * down,
      width: bounds.width * across,
      height: bounds.height * down,
    }),
  }))
  return pictureOf(width, height, () => resample(picture.pixels(), picture, { width, height }, 3), text)
}

const wholeOf = ({ width, height }: Picture): Rect => ({ x: 0, y: 0, width, height })

/** The smallest rectangle of whole pixels around one. */
function roundOut(rect: Rect): Rect {
  if (isEmptyRect(rect)) return rect
  const x = Math.floor(rect.x)
  const y = Math.floor(rect.y)
  return { x, y, width: Math.ceil(rect.x + rect.width) - x, height: Math.ceil(rect.y + rect.height) - y }
}

/** A view of the same memory as pixels, red in the lowest byte. A copy if it is not aligned. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2)
}

/** Pixels of red, green and blue bytes from those with a fourth. */
export function withoutAlpha(pixels: Uint8Array): Uint8Array {
  const packed = new Uint8Array((pixels.length / 4) * 3)
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    packed[to] = pixels[from]!
    packed[to + 1] = pixels[from + 1]!
    packed[to + 2] = pixels[from + 2]!
  }
  return packed
}

/** A view of the same memory as bytes. */
export const bytesOf = (words: Uint32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

/**
 * Scales pixels of four bytes. Each source pixel counts by its share of the new one. Only the first `channels` bytes of
 * each pixel are scaled; the others become 255.
 */
export function resample(source: Uint8Array, from: Size, to: Size, channels: 3 | 4): Uint8Array {
  const columns = sharesOf(from.width, to.width)
  const rows = sharesOf(from.height, to.height)
  // Neighbouring rows share the source row at their border, which is scaled once.
  const narrow = new Float64Array(to.width * channels)
  let narrowed = -1
  const sums = new Float64Array(to.width * channels)
  const pixels = new Uint8Array(to.width * to.height * 4).fill(255)
  for (let y = 0, pixel = 0; y < to.height; y++) {
    sums.fill(0)
    for (let at = rows.starts[y]!; at < rows.starts[y + 1]!; at++) {
      const row = rows.places[at]!
      const share = rows.shares[at]!
      if (row !== narrowed) narrowRow(source, row * from.width * 4, columns, channels, narrow)
      narrowed = row
      for (let each = 0; each < sums.length; each++) sums[each] = sums[each]! + narrow[each]! * share
    }
    for (let each = 0; each < sums.length; pixel += 4)
      for (let channel = 0; channel < channels; channel++) pixels[pixel + channel] = Math.round(sums[each++]!)
  }
  return pixels
}

/** Scales one row, which begins at an offset. */
function narrowRow(
  source: Uint8Array,
  offset: number,
  { starts, places, shares }: Shares,
  channels: 3 | 4,
  narrow: Float64Array,
): void {
  for (let x = 0, to = 0; to < narrow.length; x++) {
    let [red, green, blue, alpha] = [0, 0, 0, 0]
    const end = starts[x + 1]!
    for (let at = starts[x]!; at < end; at++) {
      const pixel = offset + places[at]! * 4
      const share = shares[at]!
      red += source[pixel]! * share
      green += source[pixel + 1]! * share
      blue += source[pixel + 2]! * share
      if (channels === 4) alpha += source[pixel + 3]! * share
    }
    narrow[to++] = red
    narrow[to++] = green
    narrow[to++] = blue
    if (channels === 4) narrow[to++] = alpha
  }
}

/** The source pixels of all new pixels, with their shares: those of a new pixel are between its start and the next. */
interface Shares {
  readonly starts: Int32Array
  readonly places: Int32Array
  readonly shares: Float64Array
}

function sharesOf(before: number, after: number): Shares {
  const step = before / after
  const starts = [0]
  const places: number[] = []
  const shares: number[] = []
  for (let place = 0; place < after; place++) {
    const [start, end] = [place * step, (place + 1) * step]
    for (let from = Math.floor(start); from < Math.min(before, Math.ceil(end)); from++) {
      places.push(from)
      shares.push((Math.min(end, from + 1) - Math.max(start, from)) / step)
    }
    starts.push(places.length)
  }
  return { starts: Int32Array.from(starts), places: Int32Array.from(places), shares: Float64Array.from(shares) }
}
