import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'

/**
 * Surfaces of coloured light on which photographs are built. Only sums, products and roots of numbers are computed, which
 * every processor rounds alike, so that a picture has the same bytes everywhere.
 */

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Pixels in which shapes are drawn. Places are in units of the height: y from 0 to 1, x from 0 to `aspect`. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly aspect: number
  /** Three numbers for each pixel, by rows. */
  readonly light: Float32Array
}

export const rasterOf = (width: number, height: number): Raster => ({
  width,
  height,
  aspect: width / height,
  light: new Float32Array(width * height * 3),
})

/** Draws numbers from 0 to 1, whole numbers, choices and chances, each of them the next one of its seed. */
export interface Draws {
  (low?: number, high?: number): number
  whole(low: number, high: number): number
  one<T>(choices: readonly T[]): T
  chance(share: number): boolean
}

const STEPS = 65_536

export function drawsOf(seed: number): Draws {
  // The first numbers of seeds that differ in few bits are alike.
  let random: Random = split(seededRandom(seed), 'picture')
  const whole = (low: number, high: number): number => {
    const [value, next] = drawInteger(random, low, high)
    random = next
    return value
  }
  const between = (low = 0, high = 1): number => low + (whole(0, STEPS - 1) / STEPS) * (high - low)
  return Object.assign(between, {
    whole,
    one: <T>(choices: readonly T[]): T => choices[whole(0, choices.length - 1)]!,
    chance: (share: number): boolean => between() < share,
  })
}

/** A 32-bit number of a text, always the same one. */
export function pictureSeed(text: string): number {
  let hash = 2166136261
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

export const clamp = (value: number, low = 0, high = 1): number => (value < low ? low : Math.min(value, high))
export const mix = (from: number, to: number, share: number): number => from + (to - from) * share
export const mixed = (from: Rgb, to: Rgb, share: number): Rgb => [
  mix(from[0], to[0], share),
  mix(from[1], to[1], share),
  mix(from[2], to[2], share),
]
/** From 0 at `low` to 1 at `high`, without a bend at either. */
export const smooth = (low: number, high: number, value: number): number => {
  const share = clamp((value - low) / (high - low))
  return share * share * (3 - 2 * share)
}

/** Noise at a point of a grid, from 0 to 1. */
export function grain(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

/** Noise at the points of a grid is looked up: computing it takes most of the time of a photograph. */
const LOOKUP = Float64Array.from({ length: 65_536 }, (_, at) => grain(at, 0, 0x2c1b3c6d))
const lookUp = (x: number, y: number, seed: number): number =>
  LOOKUP[(Math.imul(x, 40_503) + Math.imul(y, 10_619) + seed) & 65_535]!

/** Smooth noise between the points of a grid with a distance of 1. Written without arrays, for its speed. */
export function noise(x: number, y: number, seed: number): number {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const across = x - left
  const down = y - top
  const u = across * across * (3 - 2 * across)
  const v = down * down * (3 - 2 * down)
  const first = lookUp(left, top, seed)
  const above = first + (lookUp(left + 1, top, seed) - first) * u
  const second = lookUp(left, top + 1, seed)
  const below = second + (lookUp(left + 1, top + 1, seed) - second) * u
  return above + (below - above) * v
}

/** Noise of several sizes, each half as large and half as strong as the one before; from 0 to 1. */
export function layeredNoise(x: number, y: number, seed: number, layers: number): number {
  let sum = 0
  let total = 0
  let strength = 1
  let size = 1
  for (let layer = 0; layer < layers; layer++) {
    sum += strength * noise(x * size, y * size, seed + layer * 977)
    total += strength
    strength /= 2
    size *= 2
  }
  return sum / total
}

/** The distance of a point from the edge of a shape, in units of the height; negative inside. */
export type Shape = (x: number, y: number) => number

export interface RasterBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** How a shape is filled: from one colour at its top to another at its bottom, brighter or darker from point to point. */
export interface Fill {
  readonly top: Rgb
  readonly bottom?: Rgb
  readonly shade?: (x: number, y: number) => number
  readonly opacity?: number
  /** The distance over which the edge fades; a pixel by default. */
  readonly soft?: number
}

/** Fills a shape inside of a box. */
export function fill({ width, height, light }: Raster, box: RasterBox, shape: Shape, paint: Fill): void {
  const { top, bottom = top, shade, opacity = 1, soft = 0 } = paint
  const pixel = 1 / height
  const fade = Math.max(soft, pixel)
  const from = Math.max(0, Math.floor(box.left * height))
  const to = Math.min(width, Math.ceil(box.right * height))
  const first = Math.max(0, Math.floor(box.top * height))
  const last = Math.min(height, Math.ceil(box.bottom * height))
  const span = Math.max(pixel, box.bottom - box.top)
  for (let row = first; row < last; row++) {
    const y = (row + 0.5) * pixel
    const share = clamp((y - box.top) / span)
    const red = mix(top[0], bottom[0], share)
    const green = mix(top[1], bottom[1], share)
    const blue = mix(top[2], bottom[2], share)
    for (let column = from; column < to; column++) {
      const x = (column + 0.5) * pixel
      const distance = shape(x, y)
      if (distance >= fade / 2) continue
      const cover = distance <= -fade / 2 ? opacity : opacity * (0.5 - distance / fade)
      const bright = shade ? shade(x, y) : 1
      const at = (row * width + column) * 3
      light[at] = light[at]! + (red * bright - light[at]!) * cover
      light[at + 1] = light[at + 1]! + (green * bright - light[at + 1]!) * cover
      light[at + 2] = light[at + 2]! + (blue * bright - light[at + 2]!) * cover
    }
  }
}

export const boxAround = (x: number, y: number, across: number, down: number): RasterBox => ({
  left: x - across,
  top: y - down,
  right: x + across,
  bottom: y + down,
})

/** An ellipse. Distances are exact for circles and good near the edge for others. */
export function fillEllipse(raster: Raster, x: number, y: number, across: number, down: number, paint: Fill): void {
  const least = Math.min(across, down)
  const soft = paint.soft ?? 0
  fill(
    raster,
    boxAround(x, y, across + soft, down + soft),
    (px, py) => {
      const u = (px - x) / across
      const v = (py - y) / down
      return (Math.sqrt(u * u + v * v) - 1) * least
    },
    paint,
  )
}

export function fillRect(raster: Raster, left: number, top: number, width: number, height: number, paint: Fill): void {
  const [middle, centre] = [left + width / 2, top + height / 2]
  const soft = paint.soft ?? 0
  fill(
    raster,
    boxAround(middle, centre, width / 2 + soft, height / 2 + soft),
    (x, y) => Math.max(Math.abs(x - middle) - width / 2, Math.abs(y - centre) - height / 2),
    paint,
  )
}

/** A line with round ends. */
export function fillLine(
  raster: Raster,
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  thick: number,
  paint: Fill,
): void {
  const [dx, dy] = [toX - fromX, toY - fromY]
  const length = dx * dx + dy * dy || 1e-9
  const box = {
    left: Math.min(fromX, toX) - thick,
    right: Math.max(fromX, toX) + thick,
    top: Math.min(fromY, toY) - thick,
    bottom: Math.max(fromY, toY) + thick,
  }
  const shape: Shape = (x, y) => {
    const share = clamp(((x - fromX) * dx + (y - fromY) * dy) / length)
    const offX = x - fromX - dx * share
    const offY = y - fromY - dy * share
    return Math.sqrt(offX * offX + offY * offY) - thick / 2
  }
  fill(raster, box, shape, paint)
}

/** A convex polygon, its corners clockwise. */
export function fillPolygon(raster: Raster, corners: readonly (readonly [number, number])[], paint: Fill): void {
  const sides = corners.flatMap(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!
    const [dx, dy] = [nextX - x, nextY - y]
    const length = Math.sqrt(dx * dx + dy * dy) || 1e-9
    return [dy / length, -dx / length, (x * dy - y * dx) / length]
  })
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
  const shape: Shape = (x, y) => {
    let most = -1e9
    for (let side = 0; side < sides.length; side += 3) {
      const distance = sides[side]! * x + sides[side + 1]! * y - sides[side + 2]!
      if (distance > most) most = distance
    }
    return most
  }
  fill(raster, box, shape, paint)
}

/** Everything below a line whose height depends on x, such as a ridge. */
export function fillBelow(raster: Raster, edge: (x: number) => number, bottom: number, paint: Fill): void {
  const { width, height, aspect } = raster
  const edges = new Float64Array(width)
  let top = 1
  for (let column = 0; column < width; column++) {
    edges[column] = edge((column + 0.5) / height)
    if (edges[column]! < top) top = edges[column]!
  }
  const shape: Shape = (x, y) => edges[Math.floor(x * height)]! - y
  fill(raster, { left: 0, right: aspect, top, bottom }, shape, paint)
}

/** Makes everything drawn so far out of focus, over a radius in units of the height. */
export function blur(raster: Raster, radius: number): void {
  const reach = Math.round(radius * raster.height)
  if (reach < 1) return
  for (let pass = 0; pass < 2; pass++) {
    blurLines(raster, reach, raster.width, raster.height, 3, raster.width * 3)
    blurLines(raster, reach, raster.height, raster.width, raster.width * 3, 3)
  }
}

function blurLines(
  { light }: Raster,
  reach: number,
  length: number,
  lines: number,
  step: number,
  lineStep: number,
): void {
  const line = new Float64Array(length)
  for (let number = 0; number < lines; number++)
    for (let channel = 0; channel < 3; channel++) {
      const start = number * lineStep + channel
      for (let at = 0; at < length; at++) line[at] = light[start + at * step]!
      let sum = 0
      for (let at = -reach; at <= reach; at++) sum += line[clamp(at, 0, length - 1)]!
      for (let at = 0; at < length; at++) {
        light[start + at * step] = sum / (2 * reach + 1)
        sum += line[Math.min(length - 1, at + reach + 1)]! - line[Math.max(0, at - reach)]!
      }
    }
}

/** What a lens and a sensor add. */
export interface Finish {
  readonly seed: number
  /** How strongly the corners darken. */
  readonly vignette: number
  /** The strength of the noise, in steps of 255. */
  readonly grain: number
  /** Factors of red, green and blue. */
  readonly tint: Rgb
}

/** The opaque pixels of a finished surface, red in the lowest byte. */
export function developed(
  { width, height, light }: Raster,
  { seed, vignette, grain: strength, tint }: Finish,
): Uint32Array {
  const pixels = new Uint32Array(width * height)
  const [middle, centre] = [width / 2, height / 2]
  const most = middle * middle + centre * centre
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const number = row * width + column
      const dx = column - middle
      const dy = row - centre
      const far = (dx * dx + dy * dy) / most
      const dark = 1 - vignette * far * far
      const speck = (grain(column, row, seed) - 0.5) * strength
      let pixel = 0xff000000
      for (let channel = 0; channel < 3; channel++) {
        const share = clamp((light[number * 3 + channel]! * dark * tint[channel]!) / 255)
        // A soft S gives the contrast of a print.
        const print = share + (share * share * (3 - 2 * share) - share) * 0.35
        pixel |= Math.round(clamp(print * 255 + speck, 0, 255)) << (channel * 8)
      }
      pixels[number] = pixel >>> 0
    }
  return pixels
}
