import { Fault } from '../base/fault.ts'
import type { Rect } from '../desktop/geometry.ts'
import { type Picture, wordsOf } from './picture.ts'

/** How alike two pictures are; 1 is equal, 0 has nothing in common, below 0 is opposite. */
export interface Similarity {
  readonly global: number
  /** The least mean over patches of 64 × 64: it shows what the global mean hides. */
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
 * Structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) on luminance: Gaussian windows of 11 × 11 pixels, sigma 1.5,
 * all that lie wholly in the picture. A window over equal pixels is exactly 1 and is not computed. A picture smaller than
 * a window is one window by itself. Throws `BadRequest` when the sizes differ.
 */
export function compare(a: Picture, b: Picture): Similarity {
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

/** For each row the first and last column in which the pictures differ; a row without any begins behind its end. */
interface Spans {
  readonly first: Int32Array
  readonly last: Int32Array
}

function rowsThatDiffer(a: Uint32Array, b: Uint32Array, width: number, height: number): Spans | undefined {
  const first = new Int32Array(height).fill(width)
  const last = new Int32Array(height).fill(-1)
  if (
    Buffer.compare(
      Buffer.from(a.buffer, a.byteOffset, a.byteLength),
      Buffer.from(b.buffer, b.byteOffset, b.byteLength),
    ) === 0
  )
    return undefined
  for (let y = 0; y < height; y++) {
    const start = y * width
    let left = 0
    while (left < width && a[start + left] === b[start + left]) left++
    if (left === width) continue
    let right = width - 1
    while (a[start + right] === b[start + right]) right--
    first[y] = left
    last[y] = right
  }
  return { first, last }
}

function bySlidingWindow(a: Uint32Array, b: Uint32Array, width: number, height: number, differing: Spans): Similarity {
  const patchColumns = Math.ceil(width / PATCH)
  const patches = new Float64Array(patchColumns * Math.ceil(height / PATCH))
  const sums = Array.from({ length: 4 }, () => new Float64Array(width))
  const planes = new Planes(a, b, width)
  let lost = 0
  for (let y = RADIUS; y < height - RADIUS; y++) {
    // The windows of this row that hold a pixel that differs.
    let from = width
    let to = -1
    for (let row = y - RADIUS; row <= y + RADIUS; row++) {
      from = Math.min(from, differing.first[row]!)
      to = Math.max(to, differing.last[row]!)
    }
    from = Math.max(RADIUS, from - RADIUS)
    to = Math.min(width - RADIUS - 1, to + RADIUS)
    if (from > to) continue
    sumColumns(planes, y, from - RADIUS, to + RADIUS, sums)
    for (let x = from; x <= to; x++) {
      const loss = 1 - windowSimilarity(sums, x)
      lost += loss
      patches[Math.floor(y / PATCH) * patchColumns + Math.floor(x / PATCH)]! += loss
    }
  }
  const windows = (width - 2 * RADIUS) * (height - 2 * RADIUS)
  return { global: 1 - lost / windows, ...worstPatch(patches, patchColumns, width, height) }
}

/** The luminance of both pictures, row by row as it is needed. */
class Planes {
  readonly #a: Uint32Array
  readonly #b: Uint32Array
  readonly #width: number
  readonly #rows: { readonly x: Float64Array; readonly y: Float64Array; row: number }[]

  constructor(a: Uint32Array, b: Uint32Array, width: number) {
    this.#a = a
    this.#b = b
    this.#width = width
    this.#rows = Array.from({ length: SIDE }, () => ({
      x: new Float64Array(width),
      y: new Float64Array(width),
      row: -1,
    }))
  }

  row(row: number): { readonly x: Float64Array; readonly y: Float64Array } {
    const held = this.#rows[row % SIDE]!
    if (held.row === row) return held
    held.row = row
    const start = row * this.#width
    for (let x = 0; x < this.#width; x++) {
      held.x[x] = luminance(this.#a[start + x]!)
      held.y[x] = luminance(this.#b[start + x]!)
    }
    return held
  }
}

/** ITU-R BT.601. */
const luminance = (pixel: number): number =>
  0.299 * (pixel & 255) + 0.587 * ((pixel >>> 8) & 255) + 0.114 * ((pixel >>> 16) & 255)

/** The weighted sums down each column of the windows around row `y`: of both, of both squared, of the product. */
function sumColumns(planes: Planes, y: number, from: number, to: number, sums: readonly Float64Array[]): void {
  const [first, second, squares, product] = sums as [Float64Array, Float64Array, Float64Array, Float64Array]
  for (const sum of sums) sum.fill(0, from, to + 1)
  for (let offset = -RADIUS; offset <= RADIUS; offset++) {
    const weight = WEIGHTS[offset + RADIUS]!
    const row = planes.row(y + offset)
    for (let x = from; x <= to; x++) {
      const p = row.x[x]!
      const q = row.y[x]!
      first[x]! += weight * p
      second[x]! += weight * q
      squares[x]! += weight * (p * p + q * q)
      product[x]! += weight * p * q
    }
  }
}

function windowSimilarity(sums: readonly Float64Array[], at: number): number {
  const [first, second, squares, product] = sums as [Float64Array, Float64Array, Float64Array, Float64Array]
  let p = 0
  let q = 0
  let square = 0
  let both = 0
  for (let offset = 0; offset < SIDE; offset++) {
    const weight = WEIGHTS[offset]!
    const x = at - RADIUS + offset
    p += weight * first[x]!
    q += weight * second[x]!
    square += weight * squares[x]!
    both += weight * product[x]!
  }
  return similarity(p, q, square, both)
}

/** From the means of both, of the sum of their squares and of their product. */
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
