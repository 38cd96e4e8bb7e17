import { CODES, END_OF_BLOCK, HEADER, LENGTHS, LITERALS, LONGEST, MATCH_CODES, MATCH_LENGTHS } from './deflate-table.ts'

/** Some rows of a picture as they stand in a PNG: filtered, deflated to whole bytes, and the check sum of what was deflated. */
export interface Band {
  /** A multiple of three bytes, so that base64 can be made band by band. Lent: the next band is written over it. */
  readonly bytes: Uint8Array
  readonly sum: Sum
}

/** An Adler-32 check sum in its two halves, with the number of bytes it is of. */
export interface Sum {
  readonly a: number
  readonly b: number
  readonly length: number
}

const MODULUS = 65521

/** The check sum of one text behind another. */
export const joinSums = (first: Sum, second: Sum): Sum => ({
  a: (first.a + second.a + MODULUS - 1) % MODULUS,
  b: (first.b + second.b + (second.length % MODULUS) * ((first.a + MODULUS - 1) % MODULUS)) % MODULUS,
  length: first.length + second.length,
})

const FILTER_SUB = 1
const FILTER_UP = 2

let out = new Uint8Array(1 << 17)

/**
 * Rows `from` to `to` of opaque pixels, red in the lowest byte. The first row refers to its own left, so that a band
 * needs no other. One pass: a pixel that differs from the one above as its neighbour did becomes part of a match, any other
 * stands for itself, and the code table is fixed.
 */
export function encodeBand(pixels: Uint32Array, width: number, from: number, to: number): Band {
  const rowBytes = 1 + 3 * width
  // No literal takes more than 15 bits.
  const room = (to - from) * rowBytes * 2 + HEADER.bytes.length + 64
  if (out.length < room) out = new Uint8Array(room)
  const bytes = out
  const memory = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  const codes = CODES
  const lengths = LENGTHS
  const view = new DataView(bytes.buffer)
  bytes.set(HEADER.bytes)
  let length = HEADER.bytes.length
  let bits = HEADER.rest
  let count = HEADER.restBits
  let a = 1
  let b = 0
  for (let y = from; y < to; y++) {
    const isFirst = y === from
    const filter = isFirst ? FILTER_SUB : FILTER_UP
    bits |= codes[filter]! << count
    count += lengths[filter]!
    a += filter
    b += a
    const start = y * width
    const end = start + width
    const back = isFirst ? 1 : width
    const isSame = !isFirst && memory.compare(memory, (start - width) * 4, start * 4, start * 4, end * 4) === 0
    let before = isFirst ? 0 : pixels[start - width]!
    let last = -1
    let at = start
    while (at < end) {
      const now = pixels[at]!
      const red = (now - before) & 255
      const green = ((now >>> 8) - (before >>> 8)) & 255
      const blue = ((now >>> 16) - (before >>> 16)) & 255
      const step = red | (green << 8) | (blue << 16)
      if (step !== last) {
        last = step
        // The whole bytes among the bits that wait go out; with the seven left at most, two literals fill a word.
        view.setInt32(length, bits, true)
        length += count >>> 3
        bits >>>= count & 24
        count &= 7
        const first = LITERALS[red]!
        bits |= (first & 0xffff) << count
        count += first >>> 16
        const second = LITERALS[green]!
        bits |= (second & 0xffff) << count
        count += second >>> 16
        view.setInt32(length, bits, true)
        length += count >>> 3
        bits >>>= count & 24
        count &= 7
        const third = LITERALS[blue]!
        bits |= (third & 0xffff) << count
        count += third >>> 16
        b += 3 * a + 3 * red + 2 * green + blue
        a += red + green + blue
        at++
        before = pixels[at - back]!
        continue
      }
      const runStart = at
      if (isSame) at = end
      else if (step === 0) while (at < end && pixels[at] === pixels[at - back]) at++
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
      for (let left = at - runStart; left > 0; ) {
        const taken = Math.min(left, LONGEST)
        view.setInt32(length, bits, true)
        length += count >>> 3
        bits >>>= count & 24
        count &= 7
        bits |= MATCH_CODES[taken]! << count
        count += MATCH_LENGTHS[taken]!
        left -= taken
      }
    }
    for (; count >= 8; count -= 8, bits >>>= 8) bytes[length++] = bits & 255
    a %= MODULUS
    b %= MODULUS
  }
  bits |= codes[END_OF_BLOCK]! << count
  count += lengths[END_OF_BLOCK]!
  for (; count >= 8; count -= 8, bits >>>= 8) bytes[length++] = bits & 255
  // An empty stored block ends at a whole byte: three bits, then up to the byte, then two lengths.
  const spare = 3 + count > 8 ? 2 : 1
  for (let byte = 0; byte < spare; byte++, bits >>>= 8) bytes[length++] = bits & 255
  length = appendEmpty(bytes, length)
  while (length % 3 !== 0) {
    bytes[length++] = 0
    length = appendEmpty(bytes, length)
  }
  return { bytes: bytes.subarray(0, length), sum: { a, b, length: (to - from) * rowBytes } }
}

/** The bytes of an empty stored block behind its three bits: its length and the complement. */
function appendEmpty(target: Uint8Array, length: number): number {
  target[length] = 0
  target[length + 1] = 0
  target[length + 2] = 255
  target[length + 3] = 255
  return length + 4
}

const difference = (now: number, before: number): number =>
  ((now - before) & 255) |
  ((((now >>> 8) - (before >>> 8)) & 255) << 8) |
  ((((now >>> 16) - (before >>> 16)) & 255) << 16)
