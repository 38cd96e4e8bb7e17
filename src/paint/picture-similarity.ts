import { Fault } from '../base/fault.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import { pixelOf } from './colour.ts'
import { bytesOf, fromPixels, type Picture, wordsOf } from './picture.ts'

/** The similarity of two pictures: 1 is equal, 0 has nothing in common, negative is opposite. */
export interface Similarity {
  readonly global: number
  /** The least mean over patches of 64 × 64, which shows what the global mean hides. */
  readonly minimum: number
  /** The patch with the least mean. */
  readonly worst: Rect
}

const RADIUS = 5
const SIDE = 2 * RADIUS + 1
const SIGMA = 1.5
const PATCH = 64
/** (0.01 · 255)² and (0.03 · 255)². */
const C1 = 6.5025
const C2 = 58.5225

const WEIGHTS = gaussian()

/**
 * Structural similarity of two pictures (Wang, Bovik, Sheikh, Simoncelli 2004) on luminance: Gaussian windows of 11 × 11 pixels,
 * sigma 1.5, all that lie wholly in the picture. A window over equal pixels is exactly 1 and is not computed. A picture
 * smaller than a window is one window by itself.
 * @param a A picture.
 * @param b A picture of the same size.
 * @throws A `Fault` `BadRequest` when the sizes differ.
 */
export function comparePictures(a: Picture, b: Picture): Similarity {
  const { width, height } = a
  if (width !== b.width || height !== b.height)
    throw new Fault('BadRequest', `pictures of ${width} × ${height} and ${b.width} × ${b.height} cannot be compared`)
  const whole = { x: 0, y: 0, width, height }
  if (a === b) return { global: 1, minimum: 1, worst: whole }
  const [first, second] = [wordsOf(a.pixels()), wordsOf(b.pixels())]
  const differing = rowsThatDiffer(first, second, width, height)
  if (!differing) return { global: 1, minimum: 1, worst: whole }
  if (width < SIDE || height < SIDE) {
    const value = wholeSimilarity(first, second)
    return { global: value, minimum: value, worst: whole }
  }
  return bySlidingWindow(first, second, width, height, differing)
}

/** For each row, the first and last column that differ. In an equal row the first is after the last. */
interface Spans {
  readonly first: Int32Array
  readonly last: Int32Array
  /** The first and last column that differ in any row. */
  readonly left: number
  readonly right: number
}

function rowsThatDiffer(a: Uint32Array, b: Uint32Array, width: number, height: number): Spans | undefined {
  const first = new Int32Array(height).fill(width)
  const last = new Int32Array(height).fill(-1)
  const [bytesA, bytesB] = [bufferOf(a), bufferOf(b)]
  const stride = width * 4
  let left = width
  let right = -1
  for (let y = 0; y < height; y++) {
    const start = y * stride
    if (bytesA.compare(bytesB, start, start + stride, start, start + stride) === 0) continue
    const row = y * width
    let from = 0
    while (a[row + from] === b[row + from]) from++
    let to = width - 1
    while (a[row + to] === b[row + to]) to--
    first[y] = from
    last[y] = to
    left = Math.min(left, from)
    right = Math.max(right, to)
  }
  return right < 0 ? undefined : { first, last, left, right }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

function bySlidingWindow(a: Uint32Array, b: Uint32Array, width: number, height: number, differing: Spans): Similarity {
  const patchColumns = Math.ceil(width / PATCH)
  const patches = new Float64Array(patchColumns * Math.ceil(height / PATCH))
  const reach = 2 * RADIUS
  const rows = new Rows(a, b, width, Math.max(0, differing.left - reach), Math.min(width - 1, differing.right + reach))
  const means = termsOf(width)
  let lost = 0
  for (let y = RADIUS; y < height - RADIUS; y++) {
    // The windows of this row that contain a differing pixel.
    let from = width
    let to = -1
    for (let row = y - RADIUS; row <= y + RADIUS; row++) {
      from = Math.min(from, differing.first[row]!)
      to = Math.max(to, differing.last[row]!)
    }
    from = Math.max(RADIUS, from - RADIUS)
    to = Math.min(width - RADIUS - 1, to + RADIUS)
    if (from > to) continue
    blurDown(rows.terms, rows.around(y), from - RADIUS, to + RADIUS, means)
    const row = Math.floor(y / PATCH) * patchColumns
    for (let x = from; x <= to; ) {
      // Up to the end of the patch or of the windows.
      const column = Math.floor(x / PATCH)
      const end = Math.min(to, column * PATCH + PATCH - 1)
      const loss = lossAlong(means, x, end)
      lost += loss
      patches[row + column]! += loss
      x = end + 1
    }
  }
  const windows = (width - 2 * RADIUS) * (height - 2 * RADIUS)
  return { global: 1 - lost / windows, ...worstPatch(patches, patchColumns, width, height) }
}

/** The terms averaged over a window: the luminance of both pictures, the sum of its squares and its product. */
interface Terms {
  readonly p: Float64Array
  readonly q: Float64Array
  readonly squares: Float64Array
  readonly product: Float64Array
}

const termsOf = (count: number): Terms => ({
  p: new Float64Array(count),
  q: new Float64Array(count),
  squares: new Float64Array(count),
  product: new Float64Array(count),
})

/** The terms of two pictures, computed row by row on demand. Keeps as many rows as a window has. */
class Rows {
  /** The kept rows, one after the other, unordered. */
  readonly terms: Terms
  readonly #a: Uint32Array
  readonly #b: Uint32Array
  readonly #width: number
  readonly #from: number
  readonly #to: number
  readonly #held = new Int32Array(SIDE).fill(-1)

  /** Only the columns from `from` to `to` are read. */
  constructor(a: Uint32Array, b: Uint32Array, width: number, from: number, to: number) {
    this.#a = a
    this.#b = b
    this.#width = width
    this.#from = from
    this.#to = to
    this.terms = termsOf(SIDE * width)
  }

  /** The offsets of the rows of the windows around row `y`, from the top. */
  around(y: number): readonly number[] {
    return Array.from({ length: SIDE }, (_, offset) => this.#begin(y - RADIUS + offset))
  }

  #begin(row: number): number {
    const slot = row % SIDE
    const begin = slot * this.#width
    if (this.#held[slot] === row) return begin
    this.#held[slot] = row
    const { p, q, squares, product } = this.terms
    const start = row * this.#width
    for (let x = this.#from; x <= this.#to; x++) {
      const first = luminance(this.#a[start + x]!)
      const second = luminance(this.#b[start + x]!)
      p[begin + x] = first
      q[begin + x] = second
      squares[begin + x] = first * first + second * second
      product[begin + x] = first * second
    }
    return begin
  }
}

/** ITU-R BT.601. */
const luminance = (pixel: number): number =>
  0.299 * (pixel & 255) + 0.587 * ((pixel >>> 8) & 255) + 0.114 * ((pixel >>> 16) & 255)

/** The weighted means of columns, over the rows at `begins`. */
function blurDown(terms: Terms, begins: readonly number[], from: number, to: number, into: Terms): void {
  blurRows(terms.p, begins, from, to, into.p)
  blurRows(terms.q, begins, from, to, into.q)
  blurRows(terms.squares, begins, from, to, into.squares)
  blurRows(terms.product, begins, from, to, into.product)
}

const [W5, W4, W3, W2, W1, W0] = WEIGHTS as unknown as readonly [number, number, number, number, number, number]

/** Unrolled, rows at the same distance together: a loop over the weights takes four times as long. */
function blurRows(rows: Float64Array, begins: readonly number[], from: number, to: number, into: Float64Array): void {
  const [a5, a4, a3, a2, a1, middle, b1, b2, b3, b4, b5] = begins as Eleven
  for (let x = from; x <= to; x++)
    into[x] =
      W0 * rows[middle + x]! +
      W1 * (rows[a1 + x]! + rows[b1 + x]!) +
      W2 * (rows[a2 + x]! + rows[b2 + x]!) +
      W3 * (rows[a3 + x]! + rows[b3 + x]!) +
      W4 * (rows[a4 + x]! + rows[b4 + x]!) +
      W5 * (rows[a5 + x]! + rows[b5 + x]!)
}

type Five = [number, number, number, number, number]
type Eleven = readonly [...Five, number, ...Five]

/** The sum by which the windows around the pixels of a row are below 1. */
function lossAlong({ p, q, squares, product }: Terms, from: number, to: number): number {
  let loss = 0
  for (let x = from; x <= to; x++)
    loss += 1 - similarity(blurAt(p, x), blurAt(q, x), blurAt(squares, x), blurAt(product, x))
  return loss
}

/** The weighted mean of a row around a column. */
const blurAt = (row: Float64Array, x: number): number =>
  W0 * row[x]! +
  W1 * (row[x - 1]! + row[x + 1]!) +
  W2 * (row[x - 2]! + row[x + 2]!) +
  W3 * (row[x - 3]! + row[x + 3]!) +
  W4 * (row[x - 4]! + row[x + 4]!) +
  W5 * (row[x - 5]! + row[x + 5]!)

/** SSIM from the means of both, of the sum of their squares and of their product. */
function similarity(p: number, q: number, squares: number, product: number): number {
  const means = p * q
  const meanSquares = p * p + q * q
  return ((2 * means + C1) * (2 * (product - means) + C2)) / ((meanSquares + C1) * (squares - meanSquares + C2))
}

function worstPatch(
  patches: Float64Array,
  columns: number,
  width: number,
  height: number,
): { minimum: number; worst: Rect } {
  let minimum = 1
  let worst: Rect = { x: 0, y: 0, width, height }
  patches.forEach((lost, place) => {
    const x = (place % columns) * PATCH
    const y = Math.floor(place / columns) * PATCH
    const rect = { x, y, width: Math.min(PATCH, width - x), height: Math.min(PATCH, height - y) }
    const across = Math.min(x + rect.width, width - RADIUS) - Math.max(x, RADIUS)
    const down = Math.min(y + rect.height, height - RADIUS) - Math.max(y, RADIUS)
    if (across <= 0 || down <= 0 || 1 - lost / (across * down) >= minimum) return
    minimum = 1 - lost / (across * down)
    worst = rect
  })
  return { minimum, worst }
}

function wholeSimilarity(a: Uint32Array, b: Uint32Array): number {
  const count = a.length
  let p = 0
  let q = 0
  let squares = 0
  let product = 0
  for (let at = 0; at < count; at++) {
    const first = luminance(a[at]!)
    const second = luminance(b[at]!)
    p += first / count
    q += second / count
    squares += (first * first + second * second) / count
    product += (first * second) / count
  }
  return similarity(p, q, squares, product)
}

function gaussian(): Float64Array {
  const weights = Float64Array.from({ length: SIDE }, (_, place) =>
    Math.exp(-((place - RADIUS) ** 2) / (2 * SIGMA * SIGMA)),
  )
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

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
