import { Fault } from '../base/fault.ts'
import { loadOptional } from '../base/optional.ts'
import { intersect, isEmptyRect, type Rect } from '../desktop/model/geometry.ts'
import { bytesOf, fromPixels, type Picture, wordsOf } from '../paint/picture.ts'

const MAX_AREA_PIXELS = 1 << 26
const OPAQUE_BLACK = 0xff00_0000

/** Throws `BadRequest` for an area of a real screen that is empty or too large to hold. */
export function assertCapturable(area: Rect): void {
  if (isEmptyRect(area)) throw new Fault('BadRequest', 'the area is empty; give it a width and a height')
  if (area.width * area.height > MAX_AREA_PIXELS)
    throw new Fault('BadRequest', `the area has more than ${MAX_AREA_PIXELS} pixels; ask for less of the screen`)
}

/** A monitor whose picture is captured as a whole, in any resolution. */
export interface CapturedMonitor {
  readonly bounds: Rect
  capture(): Promise<Picture>
}

/**
 * Captures an area that may span monitors. Pixels on no monitor are black. Only monitors that show a part of it are captured.
 * Throws `BadRequest` for an area that is empty or too large.
 */
export async function captureArea(area: Rect, monitors: readonly CapturedMonitor[]): Promise<Picture> {
  assertCapturable(area)
  const words = new Uint32Array(area.width * area.height).fill(OPAQUE_BLACK)
  for (const { bounds, capture } of monitors) {
    const seen = intersect(area, bounds)
    if (!seen) continue
    copyPart(await capture(), bounds, seen, words, area)
  }
  return fromPixels(area.width, area.height, bytesOf(words))
}

/** Copies a part of the picture of a monitor, each pixel from the one of the picture that is at its middle. */
function copyPart(picture: Picture, bounds: Rect, part: Rect, into: Uint32Array, area: Rect): void {
  const source = wordsOf(picture.pixels())
  const [across, down] = [picture.width / bounds.width, picture.height / bounds.height]
  for (let y = part.y; y < part.y + part.height; y++) {
    const from = Math.floor((y - bounds.y + 0.5) * down) * picture.width
    const to = (y - area.y) * area.width
    for (let x = part.x; x < part.x + part.width; x++)
      into[to + (x - area.x)] = source[from + Math.floor((x - bounds.x + 0.5) * across)]!
  }
}

/** The part of the package `node-screenshots` that adapters use. It is installed only where it is needed. */
export interface NativeScreenshots {
  readonly Monitor: { all(): readonly CapturableMonitor[] }
  readonly Window: { all(): readonly CapturableWindow[] }
}

/** A picture in device pixels. */
export interface NativeImage {
  readonly width: number
  readonly height: number
  /** Rows of red, green, blue, alpha bytes. */
  toRaw(): Promise<Buffer>
}

export interface CapturableMonitor {
  /** The number that the system gives the monitor. */
  id(): number
  x(): number
  y(): number
  width(): number
  height(): number
  scaleFactor(): number
  isPrimary(): boolean
  captureImage(): Promise<NativeImage>
}

export interface CapturableWindow {
  /** The number that the system gives the window. */
  id(): number
  captureImage(): Promise<NativeImage>
}

/** Loads `node-screenshots`. Throws `PlatformUnsupported` with the install command when it is not installed. */
export function loadNativeScreenshots(): Promise<NativeScreenshots> {
  // The name is a variable, because neither compiler nor bundler may look for a package that is absent on other platforms.
  const name = 'node-screenshots'
  return loadOptional('screenshots', async () => {
    const loaded = (await import(name)) as NativeScreenshots & { readonly default?: NativeScreenshots }
    return loaded.default ?? loaded
  })
}

/** The pixels of a captured image, all opaque. */
export async function pictureOfImage(image: NativeImage): Promise<Picture> {
  const pixels = new Uint8Array(await image.toRaw())
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255
  return fromPixels(image.width, image.height, pixels)
}
