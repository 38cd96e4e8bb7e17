import type { Bits } from './bits.ts'
import { CODES, LENGTHS, LITERALS, MATCH_CODES, MATCH_LENGTHS, MAX_MATCH_PX } from './deflate-table.ts'

/**
 * The pixels of a segment. A row is encoded in segments, each as long as the longest match; no match continues in the
 * next segment.
 */
export const SEGMENT_PX = MAX_MATCH_PX

/**
 * The fields in the record of a segment: its size in bits, the sum of its bytes, their contribution to the second
 * checksum up to the end of the band, and whether its pixels changed.
 */
export const SEGMENT_FIELDS = 4
export const STALE_FIELD = 3

const FILTER_SUB = 1
const FILTER_UP = 2

/** A row of a picture of opaque pixels, red in the lowest byte. */
export interface PixelRow {
  readonly pixels: Uint32Array
  readonly width: number
  readonly y: number
  /** Whether its pixels are filtered against those to their left instead of those above. */
  readonly isFirst: boolean
  /** Whether it is known to equal the row above. */
  readonly isSame: boolean
  /** The number of bytes of the band after it. */
  readonly bytesBehind: number
}

/**
 * Filters and deflates the segments `first` to `last` of a row in one pass. A pixel that differs from the one above by
 * as much as its neighbour becomes part of a match, any other is a literal, and the code table is fixed. A segment
 * depends on its own pixels, those above, and the two before it.
 */
export function encodeSegments(
  out: Bits,
  row: PixelRow,
  first: number,
  last: number,
  notes: Float64Array,
  noteAt: number,
): void {
  const { pixels, width, isFirst, isSame, bytesBehind } = row
  const { view } = out
  let { length, waiting, count } = out
  const start = row.y * width
  const back = isFirst ? 1 : width
  let note = noteAt + first * SEGMENT_FIELDS
  let at = start + first * SEGMENT_PX
  let before = isFirst && first === 0 ? 0 : pixels[at - back]!
  let step = first === 0 ? -1 : difference(pixels[at - 1]!, pixels[at - 1 - back]!)
  for (let place = first; place <= last; place++, note += SEGMENT_FIELDS) {
    const end = start + Math.min(width, (place + 1) * SEGMENT_PX)
    let size = -8 * length - count
    let a = 0
    let b = 0
    if (place === 0) {
      const filter = isFirst ? FILTER_SUB : FILTER_UP
      waiting |= CODES[filter]! << count
      count += LENGTHS[filter]!
      a = filter
      b = filter
    }
    while (at < end) {
      const now = pixels[at]!
      const red = (now - before) & 255
      const green = ((now >>> 8) - (before >>> 8)) & 255
      const blue = ((now >>> 16) - (before >>> 16)) & 255
      const own = red | (green << 8) | (blue << 16)
      // Writes the complete pending bytes. With at most seven bits left, two literals fill a word.
      view.setInt32(length, waiting, true)
      length += count >>> 3
      waiting >>>= count & 24
      count &= 7
      if (own !== step) {
        step = own
        const redCode = LITERALS[red]!
        waiting |= (redCode & 0xffff) << count
        count += redCode >>> 16
        const greenCode = LITERALS[green]!
        waiting |= (greenCode & 0xffff) << count
        count += greenCode >>> 16
        view.setInt32(length, waiting, true)
        length += count >>> 3
        waiting >>>= count & 24
        count &= 7
        const blueCode = LITERALS[blue]!
        waiting |= (blueCode & 0xffff) << count
        count += blueCode >>> 16
        b += 3 * a + 3 * red + 2 * green + blue
        a += red + green + blue
        at++
        before = pixels[at - back]!
        continue
      }
      const runStart = at
      if (isSame) at = end
      else if (step === 0) at = sameUntil(pixels, at, end, back)
      else
        while (
          at < end &&
          ((pixels[at] === now && pixels[at - back] === before) || difference(pixels[at]!, pixels[at - back]!) === step)
        )
          at++
      before = pixels[at - back]!
      const times = at - runStart
      const sum = red + green + blue
      b += 3 * times * a + ((3 * times * (times - 1)) / 2) * sum + times * (3 * red + 2 * green + blue)
      a += times * sum
      waiting |= MATCH_CODES[times]! << count
      count += MATCH_LENGTHS[times]!
    }
    size += 8 * length + count
    notes[note] = size
    notes[note + 1] = a
    notes[note + 2] = b + a * (bytesBehind + 3 * (start + width - end))
    notes[note + STALE_FIELD] = 0
  }
  view.setInt32(length, waiting, true)
  out.length = length + (count >>> 3)
  out.waiting = waiting >>> (count & 24)
  out.count = count & 7
}

/**
 * The first pixel from `at` that differs from the one `back` before it, or `end`. Most are equal, so four are compared
 * at a time.
 */
function sameUntil(pixels: Uint32Array, at: number, end: number, back: number): number {
  let next = at
  while (
    next + 4 <= end &&
    pixels[next] === pixels[next - back] &&
    pixels[next + 1] === pixels[next + 1 - back] &&
    pixels[next + 2] === pixels[next + 2 - back] &&
    pixels[next + 3] === pixels[next + 3 - back]
  )
    next += 4
  while (next < end && pixels[next] === pixels[next - back]) next++
  return next
}

const difference = (now: number, before: number): number =>
  ((now - before) & 255) |
  ((((now >>> 8) - (before >>> 8)) & 255) << 8) |
  ((((now >>> 16) - (before >>> 16)) & 255) << 16)
