import { Fault } from '../base/fault.ts'
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
