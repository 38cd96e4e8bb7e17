import { encloses, type Rect } from '../../desktop/model/geometry.ts'
import { blendPixel, gradientPixel, mixPixels, OPAQUE_BLACK, pixelOf } from '../colour.ts'
import { paintBackdrop } from './backdrop.ts'
import type { DrawOp, DrawStyle } from './draw-op.ts'
import { type Layer, overlapOf } from './layer.ts'
import { type Sprite, spriteOf } from './sprite.ts'

/** A pixel buffer, red in the lowest byte, all opaque. */
export interface FrameBuffer {
  /** The part of the desktop it shows. */
  readonly view: Rect
  readonly pixels: Uint32Array
}

export const createFrameBuffer = (view: Rect): FrameBuffer => ({
  view,
  pixels: new Uint32Array(view.width * view.height).fill(OPAQUE_BLACK),
})

/** Paints layers, lowest first, only on the pixels of `damage`, as if they had been black. */
export function composite(frame: FrameBuffer, layers: readonly Layer[], damage: Rect): void {
  const area = overlapOf(frame.view, damage)
  if (area.width === 0) return
  const lowest = layers.findLastIndex((each) => hides(each, area))
  if (lowest < 0) fill(frame, area, OPAQUE_BLACK)
  for (let place = Math.max(0, lowest); place < layers.length; place++) paintLayer(frame, layers[place]!, area)
}

/** Whether a layer or one of its children covers an area completely. */
function hides(layer: Layer, area: Rect): boolean {
  const { covers, rounded } = layer
  if (!covers) return layer.children.some((child) => child.covers && hides(child, area))
  const hidden = rounded ? narrower(covers, rounded.radius) : covers
  return encloses(hidden, area)
}

const narrower = (rect: Rect, by: number): Rect => ({ ...rect, y: rect.y + by, height: rect.height - 2 * by })

function paintLayer(frame: FrameBuffer, { ops, children, over, clip, rounded, bounds }: Layer, area: Rect): void {
  const inside = clip ? overlapOf(area, clip) : area
  if (inside.width === 0 || overlapOf(bounds, inside).width === 0) return
  const corners = rounded ? keepCorners(frame, rounded.rect, rounded.radius, inside) : []
  for (const op of ops) paintOp(frame, op, inside)
  for (const child of children) paintLayer(frame, child, inside)
  for (const op of over) paintOp(frame, op, inside)
  for (const corner of corners) cutCorner(frame, corner)
}

function paintOp(frame: FrameBuffer, op: DrawOp, clip: Rect): void {
  const area = overlapOf(op.bounds, clip)
  if (area.width === 0) return
  const { style } = op
  if (style.kind === 'flat') fill(frame, area, pixelOf(style.colour))
  else if (style.kind === 'verticalGradient') paintVerticalGradient(frame, style, area)
  else if (style.kind === 'backdrop') paintBackdrop(frame.pixels, frame.view, style, area)
  else paintSprite(frame, spriteOf(op, style), op.bounds, area)
}

function fill({ view, pixels }: FrameBuffer, area: Rect, pixel: number): void {
  const opaque = pixel >>> 24 === 255
  let start = (area.y - view.y) * view.width + area.x - view.x
  for (let row = 0; row < area.height; row++, start += view.width)
    if (opaque) pixels.fill(pixel, start, start + area.width)
    else for (let at = start; at < start + area.width; at++) pixels[at] = blendPixel(pixel, pixels[at]!)
}

function paintVerticalGradient(
  frame: FrameBuffer,
  style: Extract<DrawStyle, { kind: 'verticalGradient' }>,
  area: Rect,
): void {
  const top = pixelOf(style.top)
  const bottom = pixelOf(style.bottom)
  for (let y = area.y; y < area.y + area.height; y++) {
    fill(
      frame,
      { x: area.x, y, width: area.width, height: 1 },
      gradientPixel(top, bottom, y - style.span.y, style.span.height - 1),
    )
  }
}

function paintSprite({ view, pixels }: FrameBuffer, sprite: Sprite, place: Rect, area: Rect): void {
  const { left, top } = sprite
  const extraX = place.width - sprite.width
  const extraY = place.height - sprite.height
  const right = area.x + area.width
  // Columns of the target: unchanged, then one repeated, then unchanged.
  const stretchFrom = left === undefined ? place.x + place.width : place.x + left
  const stretchTo = left === undefined ? place.x + place.width : stretchFrom + extraX + 1
  for (let y = area.y; y < area.y + area.height; y++) {
    let row = y - place.y
    if (top !== undefined && row > top) row = row <= top + extraY ? top : row - extraY
    const source = row * sprite.width - place.x
    const target = (y - view.y) * view.width - view.x
    blit(sprite.pixels, source, pixels, target, area.x, Math.min(right, stretchFrom))
    if (left === undefined) continue
    spread(
      pixels,
      target,
      Math.max(area.x, stretchFrom),
      Math.min(right, stretchTo),
      sprite.pixels[row * sprite.width + left]!,
    )
    blit(sprite.pixels, source - extraX, pixels, target, Math.max(area.x, stretchTo), right)
  }
}

/** Blends columns `from` to `to` of a sprite over a frame. */
function blit(sprite: Uint32Array, source: number, frame: Uint32Array, target: number, from: number, to: number): void {
  for (let x = from; x < to; x++) {
    const pixel = sprite[source + x]!
    if (pixel === 0) continue
    frame[target + x] = pixel >= OPAQUE_BLACK ? pixel : blendPixel(pixel, frame[target + x]!)
  }
}

function spread(frame: Uint32Array, target: number, from: number, to: number, pixel: number): void {
  if (pixel === 0 || from >= to) return
  if (pixel >= OPAQUE_BLACK) {
    frame.fill(pixel, target + from, target + to)
    return
  }
  // Backgrounds are mostly uniform, so the previous result is often the next one.
  let under = frame[target + from]!
  let result = blendPixel(pixel, under)
  for (let at = target + from; at < target + to; at++) {
    if (frame[at] !== under) {
      under = frame[at]!
      result = blendPixel(pixel, under)
    }
    frame[at] = result
  }
}

interface Corner {
  readonly rect: Rect
  readonly kept: readonly number[]
  /** How much of each pixel, 0 to 255, belongs to the layer. */
  readonly share: (x: number, y: number) => number
}

/** Saves the pixels below the round corners of a layer before it is painted. */
function keepCorners(frame: FrameBuffer, rect: Rect, radius: number, clip: Rect): readonly Corner[] {
  const coverage = cornerCoverage(radius)
  const corners: Corner[] = []
  for (const atRight of [false, true])
    for (const atBottom of [false, true]) {
      const x = atRight ? rect.x + rect.width - radius : rect.x
      const y = atBottom ? rect.y + rect.height - radius : rect.y
      const area = overlapOf({ x, y, width: radius, height: radius }, clip)
      if (area.width === 0) continue
      const share = (pixelX: number, pixelY: number) => {
        const column = atRight ? radius - 1 - (pixelX - x) : pixelX - x
        const row = atBottom ? radius - 1 - (pixelY - y) : pixelY - y
        return coverage[row * radius + column]!
      }
      corners.push({ rect: area, kept: pixelsOf(frame, area), share })
    }
  return corners
}

function pixelsOf({ view, pixels }: FrameBuffer, area: Rect): readonly number[] {
  const kept: number[] = []
  for (let y = area.y; y < area.y + area.height; y++)
    for (let x = area.x; x < area.x + area.width; x++) kept.push(pixels[(y - view.y) * view.width + x - view.x]!)
  return kept
}

function cutCorner({ view, pixels }: FrameBuffer, { rect, kept, share }: Corner): void {
  let place = 0
  for (let y = rect.y; y < rect.y + rect.height; y++)
    for (let x = rect.x; x < rect.x + rect.width; x++) {
      const at = (y - view.y) * view.width + x - view.x
      pixels[at] = mixPixels(pixels[at]!, kept[place++]!, share(x, y), 255)
    }
}

const coverages = new Map<number, Uint8Array>()
const SAMPLES_PER_SIDE = 8

/** The coverage of each pixel of a top left corner by its circle, from 8 × 8 samples. */
export function cornerCoverage(radius: number): Uint8Array {
  const known = coverages.get(radius)
  if (known) return known
  const coverage = new Uint8Array(radius * radius)
  for (let y = 0; y < radius; y++)
    for (let x = 0; x < radius; x++) {
      let inside = 0
      for (let point = 0; point < SAMPLES_PER_SIDE * SAMPLES_PER_SIDE; point++) {
        const dx = radius - x - ((point % SAMPLES_PER_SIDE) + 0.5) / SAMPLES_PER_SIDE
        const dy = radius - y - (Math.floor(point / SAMPLES_PER_SIDE) + 0.5) / SAMPLES_PER_SIDE
        if (dx * dx + dy * dy <= radius * radius) inside++
      }
      coverage[y * radius + x] = Math.round((inside * 255) / (SAMPLES_PER_SIDE * SAMPLES_PER_SIDE))
    }
  coverages.set(radius, coverage)
  return coverage
}
