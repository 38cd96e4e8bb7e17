import { type CanvasContext, rasterize, toPath2D } from '../canvas/skia.ts'
import { gradientPixel, pixelOf } from '../colour.ts'
import { iconOf } from '../icons.ts'
import { paintedPixels } from '../picture-file.ts'
import { widthOf } from '../text/fonts.ts'
import { drawLine } from '../text/text.ts'
import { ascentOf, cornerOf, type DrawOp, type DrawStyle, TEXT_MARGIN, textHeightOf } from './draw-op.ts'

/**
 * The premultiplied pixels of a style. A stretchable sprite repeats the column `left` and the row `top` to fill its
 * bounds.
 */
export interface Sprite {
  readonly width: number
  readonly height: number
  readonly pixels: Uint32Array
  readonly left?: number
  readonly top?: number
}

type Drawable = Exclude<DrawStyle, { kind: 'flat' | 'verticalGradient' | 'backdrop' }>

/** Two generations of recently used sprites. Sprites used in neither are dropped. */
let recent = new Map<string, Sprite>()
let earlier = new Map<string, Sprite>()
let recentPixels = 0
const MAX_RECENT = 1000
/** 16 MB. */
export const MAX_RECENT_PIXELS = 4_000_000

/** The sprite of an operation, drawn if it is not cached. */
export function spriteOf(op: DrawOp, style: Drawable): Sprite {
  const known = recent.get(op.key)
  if (known) return known
  const sprite = earlier.get(op.key) ?? draw(style)
  if (recent.size >= MAX_RECENT || recentPixels >= MAX_RECENT_PIXELS) {
    earlier = recent
    recent = new Map()
    recentPixels = 0
  }
  recent.set(op.key, sprite)
  recentPixels += sprite.pixels.length
  return sprite
}

/** The pixels of all sprites that are cached, four bytes each. */
export const cachedSpritePixels = (): number =>
  [...new Set([...recent.values(), ...earlier.values()])].reduce((sum, { pixels }) => sum + pixels.length, 0)

function draw(style: Drawable): Sprite {
  switch (style.kind) {
    case 'box':
      return drawBox(style)
    case 'roundedGradient':
      return drawRoundedGradient(style)
    case 'shadow':
      return drawShadow(style)
    case 'text':
      return drawText(style)
    case 'icon':
      return drawIcon(style)
    case 'path':
      return drawPath(style)
    case 'picture':
      return style.cut !== 'none'
        ? drawMiddle(style)
        : { width: style.width, height: style.height, pixels: paintedPixels(style.file, style.width, style.height) }
  }
}

function drawBox(style: Extract<DrawStyle, { kind: 'box' }>): Sprite {
  const { width, height, fill, border, thickness = 1, radius = 0 } = style
  const radii = typeof radius === 'object' ? radius : ([radius, radius, radius, radius] as const)
  const inner = border ? thickness : 0
  const outline = (context: CanvasContext, inset: number) =>
    context.roundRect(
      inset,
      inset,
      Math.max(0, width - 2 * inset),
      Math.max(0, height - 2 * inset),
      radii.map((corner) => Math.max(0, corner - inset)),
    )
  const pixels = rasterize(width, height, (context) => {
    if (fill) {
      context.fillStyle = fill
      context.beginPath()
      // A solid border is painted over a fill of the full size, so that there is no gap between them.
      outline(context, border && border.length === 7 ? 0 : inner)
      context.fill()
    }
    if (!border) return
    context.fillStyle = border
    context.beginPath()
    outline(context, 0)
    outline(context, inner)
    context.fill('evenodd')
  })
  const corner = cornerOf(style)
  return { width, height, pixels, left: Math.min(corner, width >> 1), top: Math.min(corner, height >> 1) }
}

function drawRoundedGradient({
  width,
  height,
  top,
  bottom,
  radius,
}: Extract<DrawStyle, { kind: 'roundedGradient' }>): Sprite {
  const pixels = rasterize(width, height, (context) => {
    context.fillStyle = '#ffffff'
    context.beginPath()
    context.roundRect(0, 0, width, height, radius)
    context.fill()
  })
  fillGradient(pixels, width, height, top, bottom)
  return { width, height, pixels, left: Math.min(Math.ceil(radius) + 1, width >> 1) }
}

/** Gives white shapes one colour per row. Computed, because gradients of a canvas differ between processors. */
function fillGradient(pixels: Uint32Array, width: number, height: number, top: string, bottom: string): void {
  for (let row = 0; row < height; row++) {
    const shade = gradientPixel(pixelOf(top), pixelOf(bottom), row, height - 1)
    for (let at = row * width; at < (row + 1) * width; at++) {
      const alpha = pixels[at]! >>> 24
      const part = (shift: number) => Math.round((((shade >>> shift) & 255) * alpha) / 255) << shift
      pixels[at] = alpha === 255 ? shade : ((alpha << 24) | part(16) | part(8) | part(0)) >>> 0
    }
  }
}

/** Computed, not drawn: a canvas's blur differs between processors. Empty below the box itself. */
function drawShadow(style: ShadowLook): Sprite {
  const { reach, drop, opacity } = style
  const width = style.width + 2 * reach
  const height = style.height + 2 * reach + drop
  const darkness = style.radius === undefined ? squareDarkness(style) : roundDarkness(style, style.radius)
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (isUnder(x - reach, y - reach, style)) continue
      pixels[y * width + x] = (Math.round(255 * opacity * darkness(x - reach, y - reach)) << 24) >>> 0
    }
  return { width, height, pixels, left: width >> 1, top: height >> 1 }
}

/** The largest corner radius. */
const MAX_CORNER_RADIUS_PX = 24

/** Whether the box covers a pixel: all but its corners. */
function isUnder(
  x: number,
  y: number,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false
  return (
    (x >= MAX_CORNER_RADIUS_PX && x < width - MAX_CORNER_RADIUS_PX) ||
    (y >= MAX_CORNER_RADIUS_PX && y < height - MAX_CORNER_RADIUS_PX)
  )
}

type ShadowLook = Extract<DrawStyle, { kind: 'shadow' }>

/** The darkness of a pixel below a box with square corners, 0 to 1. */
function squareDarkness({ width, height, reach, drop }: ShadowLook): (x: number, y: number) => number {
  const across = profile(width + 2 * reach, reach, width, reach)
  const down = profile(height + 2 * reach + drop, reach + drop, height, reach)
  return (x, y) => across[x + reach]! * down[y + reach]!
}

/** The darkness of a pixel below a box with round corners, whose shadow is at least as round as its reach. */
function roundDarkness({ width, height, reach, drop }: ShadowLook, radius: number): (x: number, y: number) => number {
  const corner = Math.min(Math.max(radius, reach), width / 2, height / 2)
  const beyond = (at: number, size: number) => Math.abs(at + 0.5 - size / 2) - (size / 2 - corner)
  return (x, y) => {
    const [across, down] = [beyond(x, width), beyond(y - drop, height)]
    const [right, below] = [Math.max(0, across), Math.max(0, down)]
    const outside = Math.sqrt(right * right + below * below) + Math.min(0, Math.max(across, down))
    return smoothStep(corner - outside, reach)
  }
}

/** The darkness of each pixel of a line: 0 outside, 1 well inside the span from `start`, a smooth step at both ends. */
const profile = (length: number, start: number, span: number, reach: number): readonly number[] =>
  Array.from({ length }, (_, at) => smoothStep(at + 0.5 - start, reach) - smoothStep(at + 0.5 - start - span, reach))

/** From 0 at `reach` outside an edge to 1 at `reach` inside it. */
function smoothStep(distance: number, reach: number): number {
  const share = Math.min(1, Math.max(0, (distance + reach) / (2 * reach)))
  return share * share * share * (share * (share * 6 - 15) + 10)
}

function drawText({ text, font, colour, direction }: Extract<DrawStyle, { kind: 'text' }>): Sprite {
  const width = Math.ceil(widthOf(text, font)) + 2 * TEXT_MARGIN
  const height = textHeightOf(font, text)
  const baseline = ascentOf(font, text)
  const pixels = rasterize(width, height, (context) => {
    context.fillStyle = colour
    context.strokeStyle = colour
    drawLine(context, TEXT_MARGIN, baseline, text, font, direction)
  })
  return { width, height, pixels }
}

function drawIcon(style: Extract<DrawStyle, { kind: 'icon' }>): Sprite {
  const { size, colour } = style
  const { path, stroke } = iconOf(style.icon)
  const pixels = rasterize(size, size, (context) => {
    if (style.isMirrored) context.translate(size, 0)
    context.scale((style.isMirrored ? -size : size) / 16, size / 16)
    context.fillStyle = colour
    context.strokeStyle = colour
    context.lineCap = 'round'
    context.lineJoin = 'round'
    context.lineWidth = stroke ?? 1
    const outline = toPath2D(path)
    if (stroke === undefined) context.fill(outline, 'evenodd')
    else context.stroke(outline)
  })
  return { width: size, height: size, pixels }
}

/** The middle of a picture in a square or a disc, as large as fits. Computed, so that its edge is the same on every machine. */
function drawMiddle({ file, width, height, cut }: Extract<DrawStyle, { kind: 'picture' }>): Sprite {
  const ratio = Math.max(width / file.width, height / file.height)
  const [across, down] = [Math.round(file.width * ratio), Math.round(file.height * ratio)]
  const source = paintedPixels(file, across, down)
  const [left, top] = [(across - width) >> 1, (down - height) >> 1]
  const pixels = new Uint32Array(width * height)
  const radius = Math.min(width, height) / 2
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2)
      const share = cut === 'square' ? 1 : Math.min(1, Math.max(0, radius - distance + 0.5))
      if (share > 0) pixels[y * width + x] = faded(source[(y + top) * across + x + left]!, share)
    }
  return { width, height, pixels }
}

/** A premultiplied pixel with a share of its opacity. */
function faded(pixel: number, share: number): number {
  let result = 0
  for (let shift = 0; shift < 32; shift += 8) result += Math.round(((pixel >>> shift) & 255) * share) * 2 ** shift
  return result
}

function drawPath({
  width,
  height,
  path,
  size,
  colour,
  lower,
  stroke,
  mirrored,
}: Extract<DrawStyle, { kind: 'path' }>): Sprite {
  const pixels = rasterize(width, height, (context) => {
    if (mirrored) {
      context.translate(width, 0)
      context.scale(-1, 1)
    }
    context.scale(width / size.width, height / size.height)
    context.fillStyle = lower === undefined ? colour : '#ffffff'
    context.strokeStyle = context.fillStyle
    context.lineCap = 'round'
    context.lineJoin = 'round'
    context.lineWidth = stroke ?? 1
    const outline = toPath2D(path)
    if (stroke === undefined) context.fill(outline, 'evenodd')
    else context.stroke(outline)
  })
  if (lower !== undefined) fillGradient(pixels, width, height, colour, lower)
  return { width, height, pixels }
}
