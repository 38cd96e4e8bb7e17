import type { Box } from './element.ts'
import type { Frame } from './recording.ts'

/** How two pictures of the same size differ. */
export interface PixelDifference {
  /** How many pixels differ. */
  readonly count: number
  /** The smallest rectangle around them. Undefined if none differs. */
  readonly box: Box | undefined
}

/**
 * Compares two pictures in RGBA, 4 bytes a pixel, and draws where they differ: changed pixels in red, the others as a
 * pale grey copy of the later picture.
 * @param out Receives the picture; as long as the others.
 */
export function drawPixelDifference(
  before: Uint8ClampedArray,
  after: Uint8ClampedArray,
  width: number,
  out: Uint8ClampedArray,
): PixelDifference {
  let count = 0
  let [left, top, right, bottom] = [width, Number.POSITIVE_INFINITY, -1, -1]
  for (let at = 0; at < out.length; at += 4) {
    const isSame = before[at] === after[at] && before[at + 1] === after[at + 1] && before[at + 2] === after[at + 2]
    out[at + 3] = 255
    if (isSame) {
      const grey = 0.299 * after[at]! + 0.587 * after[at + 1]! + 0.114 * after[at + 2]!
      const pale = 190 + grey / 4
      out[at] = pale
      out[at + 1] = pale
      out[at + 2] = pale
      continue
    }
    out[at] = 214
    out[at + 1] = 0
    out[at + 2] = 60
    count++
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return {
    count,
    box: count === 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
  }
}

/** The upper left corner of a tile in its picture. */
export function slotCorner(
  { width }: Frame,
  tileSize: number,
  slot: number,
): { readonly x: number; readonly y: number } {
  const columns = Math.ceil(width / tileSize)
  return { x: (slot % columns) * tileSize, y: Math.floor(slot / columns) * tileSize }
}
