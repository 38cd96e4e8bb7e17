import type { Rect } from '../../desktop/model/geometry.ts'
import { blendPixel, channelsOf, gradientPixel, mixPixels, pixelOf } from '../colour.ts'
import type { BackdropShape, DrawStyle, Facet, Glow, Ribbon, Shade, Wave } from './draw-op.ts'

type BackdropLook = Extract<DrawStyle, { kind: 'backdrop' }>

/** The painters of looks, the lowest first. They are tables by column, much smaller than a picture. */
const painters = new WeakMap<BackdropLook, readonly RowPainter[]>()

function paintersOf(style: BackdropLook): readonly RowPainter[] {
  const known = painters.get(style)
  if (known) return known
  const glow = style.glow ? [glowPainter(style.glow, style.span)] : []
  const made = [...glow, ...style.shapes.map((shape) => painterOf(shape, style))]
  painters.set(style, made)
  return made
}

function painterOf(shape: BackdropShape, { span, soft }: BackdropLook): RowPainter {
  switch (shape.kind) {
    case 'wave':
      return wavePainter(shape, span, soft)
    case 'ribbon':
      return ribbonPainter(shape, span, soft)
    case 'facet':
      return facetPainter(shape, span, soft)
  }
}

/**
 * Paints the part of a wallpaper inside `area`, row by row. Everything is computed from sums, products and square roots, so
 * that every processor has the same pixels.
 */
export function paintBackdrop(pixels: Uint32Array, view: Rect, style: BackdropLook, area: Rect): void {
  const { span } = style
  const [top, bottom] = [pixelOf(style.top), pixelOf(style.bottom)]
  const shapes = paintersOf(style)
  const from = area.x - span.x
  for (let y = area.y; y < area.y + area.height; y++) {
    const row = y - span.y
    const start = (y - view.y) * view.width - view.x + area.x
    const lowest = shapes.findLastIndex(({ fillsFrom }) => row >= fillsFrom)
    if (lowest < 0) pixels.fill(gradientPixel(top, bottom, row, span.height - 1), start, start + area.width)
    for (let place = Math.max(0, lowest); place < shapes.length; place++) {
      const shape = shapes[place]!
      if (row >= shape.first) shape.paint(pixels, start, row, from, area.width)
    }
  }
}

/** Paints the part of a shape in one row: `width` pixels from `start` of the buffer, which are from column `from` on. */
interface RowPainter {
  /** The first row that the shape touches, and the first from which it fills all rows. */
  readonly first: number
  readonly fillsFrom: number
  readonly paint: (pixels: Uint32Array, start: number, row: number, from: number, width: number) => void
}

/** The share of a pixel that is inside an edge, 0 to 1: `distance` pixels from its middle, fading over `soft` pixels. */
const coverage = (distance: number, soft: number): number => Math.min(1, Math.max(0, distance / soft + 0.5))

/** A point of a cubic curve. */
function curveAt([a, b, c, d]: readonly [number, number, number, number], share: number): number {
  const rest = 1 - share
  return a * rest * rest * rest + 3 * b * rest * rest * share + 3 * c * rest * share * share + d * share * share * share
}

/** A value for the middle of each column of a width. */
function columnValues(width: number, valueAt: (share: number) => number): Float64Array {
  const values = new Float64Array(width)
  for (let x = 0; x < width; x++) values[x] = valueAt((x + 0.5) / width)
  return values
}

/** The steps of a colour from left to right. */
const SHADE_STEPS = 128

/** The colours of a row: that of column `x` is `pixels[steps[x]]`. */
export interface RowShades {
  readonly steps: Uint8Array
  /** The pixels of a row, which the next call overwrites. */
  readonly pixelsOf: (row: number, last: number) => Uint32Array
}

function rowShades({ top, bottom, right }: Shade, width: number): RowShades {
  const [high, low] = [pixelOf(top), pixelOf(bottom)]
  const pixels = new Uint32Array(right ? SHADE_STEPS : 1)
  const steps = new Uint8Array(width)
  if (!right) {
    const one = (row: number, last: number) => {
      pixels[0] = gradientPixel(high, low, row, last)
      return pixels
    }
    return { steps, pixelsOf: one }
  }
  for (let x = 0; x < width; x++) steps[x] = Math.round((x * (SHADE_STEPS - 1)) / Math.max(1, width - 1))
  const [rightHigh, rightLow] = [pixelOf(right.top), pixelOf(right.bottom)]
  return {
    steps,
    pixelsOf(row, last) {
      const from = gradientPixel(high, low, row, last)
      const to = gradientPixel(rightHigh, rightLow, row, last)
      for (let step = 0; step < SHADE_STEPS; step++) pixels[step] = mixPixels(to, from, step, SHADE_STEPS - 1)
      return pixels
    },
  }
}

const GLOW_STEPS = 1024

/** A light around a point: the square of what is left of the square of the distance. */
function glowPainter(glow: Glow, { width, height }: Rect): RowPainter {
  const radius = glow.radius * width
  const middle = glow.y * height
  const across = columnValues(width, (share) => ((share - glow.x) * (share - glow.x)) / (glow.radius * glow.radius))
  const [red, green, blue, most] = channelsOf(glow.colour)
  const shades = new Uint32Array(GLOW_STEPS)
  for (let step = 0; step < GLOW_STEPS; step++) {
    const rest = 1 - (step + 0.5) / GLOW_STEPS
    const alpha = Math.round(most * rest * rest)
    const part = (channel: number) => Math.round((channel * alpha) / 255)
    shades[step] = ((alpha << 24) | (part(blue) << 16) | (part(green) << 8) | part(red)) >>> 0
  }
  return {
    first: Math.floor(middle - radius),
    fillsFrom: Number.POSITIVE_INFINITY,
    paint(pixels, start, row, from, width) {
      const down = (row + 0.5 - middle) / radius
      for (let at = 0; at < width; at++) {
        const distance = across[from + at]! + down * down
        if (distance >= 1) continue
        const shade = shades[Math.floor(distance * GLOW_STEPS)]!
        if (shade !== 0) pixels[start + at] = blendPixel(shade, pixels[start + at]!)
      }
    },
  }
}

function wavePainter(wave: Wave, { width, height }: Rect, soft: number): RowPainter {
  const edge = columnValues(width, (share) => curveAt(wave.edge, share) * height)
  const { steps, pixelsOf } = rowShades(wave, width)
  const lowest = edge.reduce((a, b) => Math.max(a, b), -1)
  return {
    first: Math.floor(edge.reduce((a, b) => Math.min(a, b), height) - soft / 2),
    fillsFrom: Math.ceil(lowest + soft / 2 - 0.5),
    paint(pixels, start, row, from, width) {
      const shades = pixelsOf(row, height - 1)
      for (let at = 0; at < width; at++) {
        const share = coverage(row + 0.5 - edge[from + at]!, soft)
        if (share === 0) continue
        const shade = shades[steps[from + at]!]!
        if (share === 1) pixels[start + at] = shade
        else pixels[start + at] = mixPixels(shade, pixels[start + at]!, Math.round(255 * share), 255)
      }
    },
  }
}

const RIBBON_STEPS = 512

function ribbonPainter(ribbon: Ribbon, { width, height }: Rect, soft: number): RowPainter {
  const upper = columnValues(width, (share) => curveAt(ribbon.upper, share) * height)
  const lower = columnValues(width, (share) => curveAt(ribbon.lower, share) * height)
  const { strength } = ribbon
  const shown = columnValues(width, (share) => (strength ? curveAt(strength, share) : 1))
  const shades = shadesOf(ribbon.colours)
  const half = soft / 2
  const last = lower.reduce((a, b) => Math.max(a, b), -1) + half
  return {
    first: Math.floor(upper.reduce((a, b) => Math.min(a, b), height) - half),
    fillsFrom: Number.POSITIVE_INFINITY,
    paint(pixels, start, row, from, width) {
      if (row > last) return
      const middle = row + 0.5
      for (let at = 0; at < width; at++) {
        const above = middle - upper[from + at]!
        const below = lower[from + at]! - middle
        if (above <= -half || below <= -half) continue
        const share = coverage(above, soft) * coverage(below, soft) * shown[from + at]!
        const step = Math.floor((RIBBON_STEPS * above) / (above + below))
        const shade = shades[Math.min(RIBBON_STEPS - 1, Math.max(0, step))]!
        const under = pixels[start + at]!
        const over = blendPixel(shade, under)
        pixels[start + at] = share >= 1 ? over : mixPixels(over, under, Math.round(255 * Math.max(0, share)), 255)
      }
    },
  }
}

/** Premultiplied pixels from the first colour to the last. */
function shadesOf(colours: readonly string[]): Uint32Array {
  const stops = colours.map(channelsOf)
  const shades = new Uint32Array(RIBBON_STEPS)
  for (let step = 0; step < RIBBON_STEPS; step++) {
    const place = ((step + 0.5) / RIBBON_STEPS) * (stops.length - 1)
    const index = Math.min(stops.length - 2, Math.floor(place))
    const share = place - index
    const channel = (at: number) => stops[index]![at]! * (1 - share) + stops[index + 1]![at]! * share
    const alpha = channel(3)
    const [red, green, blue] = [0, 1, 2].map((at) => Math.round((channel(at) * alpha) / 255)) as [
      number,
      number,
      number,
    ]
    shades[step] = ((Math.round(alpha) << 24) | (blue << 16) | (green << 8) | red) >>> 0
  }
  return shades
}

/** A side of a polygon: the distance of a point from it is `a · x + b · y + c`, positive inside. */
interface Side {
  readonly a: number
  readonly b: number
  readonly c: number
}

function facetPainter(facet: Facet, { width, height }: Rect, soft: number): RowPainter {
  const corners = facet.corners.map(([x, y]) => [x * width, y * height] as const)
  const sides = sidesOf(corners)
  const { steps, pixelsOf } = rowShades(facet, width)
  const rows = corners.map(([, y]) => y)
  const highest = Math.floor(Math.min(...rows))
  const lowest = Math.ceil(Math.max(...rows))
  const half = soft / 2
  const shareAt = (x: number, row: number) =>
    coverage(Math.min(...sides.map(({ a, b, c }) => a * (x + 0.5) + b * (row + 0.5) + c)), soft)
  return {
    first: Math.floor(highest - half),
    fillsFrom: Number.POSITIVE_INFINITY,
    paint(pixels, start, row, from, width) {
      if (row > lowest + half) return
      const [left, right] = columnsInside(sides, row, -half, from, from + width)
      if (left >= right) return
      const place = Math.min(lowest - highest, Math.max(0, row - highest))
      const shades = pixelsOf(place, lowest - highest)
      const inner = columnsInside(sides, row, half, left, right)
      const [full, end] = inner[0] < inner[1] ? inner : [right, right]
      const shift = start - from
      const edge = (x: number) => {
        const share = Math.round(255 * shareAt(x, row))
        pixels[shift + x] = mixPixels(shades[steps[x]!]!, pixels[shift + x]!, share, 255)
      }
      for (let x = left; x < full; x++) edge(x)
      if (facet.right) for (let x = full; x < end; x++) pixels[shift + x] = shades[steps[x]!]!
      else pixels.fill(shades[0]!, shift + full, shift + end)
      for (let x = end; x < right; x++) edge(x)
    },
  }
}

/** The sides of a convex polygon, whose corners may go round either way. */
function sidesOf(corners: readonly (readonly [number, number])[]): readonly Side[] {
  const next = (at: number) => corners[(at + 1) % corners.length]!
  const turn = corners.reduce((sum, [x, y], at) => sum + x * next(at)[1] - next(at)[0] * y, 0) < 0 ? -1 : 1
  return corners.map(([x, y], at) => {
    const [toX, toY] = next(at)
    const [across, down] = [toX - x, toY - y]
    const length = Math.max(1e-9, Math.sqrt(across * across + down * down)) * turn
    const [a, b] = [-down / length, across / length]
    return { a, b, c: -a * x - b * y }
  })
}

/** The columns of a row whose middle is at least `least` pixels inside all sides, from one to before the other. */
function columnsInside(sides: readonly Side[], row: number, least: number, from: number, to: number): [number, number] {
  let left = from
  let right = to
  for (const { a, b, c } of sides) {
    const rest = least - b * (row + 0.5) - c - a * 0.5
    if (Math.abs(a) < 1e-9) {
      if (rest > 0) return [from, from]
    } else if (a > 0) left = Math.max(left, Math.ceil(rest / a))
    else right = Math.min(right, Math.floor(rest / a) + 1)
  }
  return [left, Math.max(left, right)]
}
