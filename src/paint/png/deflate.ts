/** The lengths of an optimal prefix code in which none is longer than `longest` (package-merge); 0 for a weight of 0. */
export function codeLengths(weights: readonly number[], longest: number): Uint8Array {
  const coins = weights
    .map((weight, symbol) => ({ weight, symbols: [symbol] }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.weight - b.weight)
  let packages: typeof coins = []
  for (let level = 0; level < longest; level++) {
    const merged = [...coins, ...packages].sort((a, b) => a.weight - b.weight)
    packages = []
    for (let at = 0; at + 1 < merged.length; at += 2) {
      const [first, second] = [merged[at]!, merged[at + 1]!]
      packages.push({ weight: first.weight + second.weight, symbols: [...first.symbols, ...second.symbols] })
    }
  }
  const lengths = new Uint8Array(weights.length)
  for (const { symbols } of packages.slice(0, coins.length - 1)) for (const symbol of symbols) lengths[symbol]!++
  return lengths
}

/** The codes that belong to code lengths (RFC 1951, 3.2.2), first bit lowest as deflate writes them. */
export function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length)
  let code = 0
  for (let length = 1; length <= 15; length++) {
    code <<= 1
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = reversed(code++, length)
    })
  }
  return codes
}

function reversed(code: number, length: number): number {
  let bits = 0
  for (let bit = 0; bit < length; bit++) bits |= ((code >>> bit) & 1) << (length - 1 - bit)
  return bits
}

/** Pixels of three bytes in the longest match, which is 258 bytes. */
const MAX_MATCH_PX = 86
/** The symbol that ends a block. */
export const END_OF_BLOCK = 256

/** Code lengths of the 286 symbols as hexadecimal digits, from their frequencies in painted screens: literals, end, matches. */
const TABLE =
  '2567888898999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999989898888755b6cc7cc8c9c9aaa9a9abbaaaaa98a4'

/** The code length of each symbol in bits. */
export const LENGTHS = Uint8Array.from(TABLE, (digit) => Number.parseInt(digit, 16))
/** The codes of the symbols, first bit lowest. */
export const CODES = canonicalCodes(LENGTHS)

/** The code of each byte, at most nine bits, with its length in the upper half. */
const LITERALS = Uint32Array.from({ length: 256 }, (_, byte) => CODES[byte]! | (LENGTHS[byte]! << 16))

/** The shortest match of each symbol from 257 on, and how many bits of the rest follow it (RFC 1951, 3.2.5). */
const MATCH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const MATCH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]

/** The code of a match by its length in pixels, with extra bits and the only distance, whose code is a single 0. */
const MATCH_CODES = new Uint32Array(MAX_MATCH_PX + 1)
/** The length of these codes in bits. */
const MATCH_LENGTHS = new Uint8Array(MAX_MATCH_PX + 1)
for (let times = 1; times <= MAX_MATCH_PX; times++) {
  const place = MATCH_BASE.findLastIndex((base) => base <= times * 3)
  const symbol = 257 + place
  MATCH_CODES[times] = CODES[symbol]! | ((times * 3 - MATCH_BASE[place]!) << LENGTHS[symbol]!)
  MATCH_LENGTHS[times] = LENGTHS[symbol]! + MATCH_EXTRA[place]! + 1
}

const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const REPEAT_PREVIOUS = 16

/** The start of every block: not the last one, with a code table, and the table. */
export const HEADER = blockHeader()

function blockHeader(): { readonly bytes: Uint8Array; readonly rest: number; readonly restBits: number } {
  const bytes: number[] = []
  let rest = 0
  let restBits = 0
  const write = (value: number, size: number) => {
    rest |= value << restBits
    restBits += size
    for (; restBits >= 8; restBits -= 8, rest >>>= 8) bytes.push(rest & 255)
  }
  // Only distance code 2 is used: three bytes back.
  const steps = repeatsIn([...LENGTHS, 0, 0, 1])
  const weights = new Array<number>(19).fill(0)
  for (const { symbol } of steps) weights[symbol]!++
  const sizes = codeLengths(weights, 7)
  const codes = canonicalCodes(sizes)
  write(0b100, 3)
  write(286 - 257, 5)
  write(3 - 1, 5)
  write(19 - 4, 4)
  for (const symbol of CODE_LENGTH_ORDER) write(sizes[symbol]!, 3)
  for (const { symbol, extra, extraBits } of steps) {
    write(codes[symbol]!, sizes[symbol]!)
    write(extra, extraBits)
  }
  return { bytes: Uint8Array.from(bytes), rest, restBits }
}

/** Run-length encodes three to six equal code lengths. */
function repeatsIn(
  lengths: readonly number[],
): readonly { readonly symbol: number; readonly extra: number; readonly extraBits: number }[] {
  const steps: { symbol: number; extra: number; extraBits: number }[] = []
  let at = 0
  while (at < lengths.length) {
    const symbol = lengths[at]!
    let same = 1
    while (lengths[at + same] === symbol) same++
    at += same
    steps.push({ symbol, extra: 0, extraBits: 0 })
    let left = same - 1
    for (; left >= 3; left -= Math.min(6, left))
      steps.push({ symbol: REPEAT_PREVIOUS, extra: Math.min(6, left) - 3, extraBits: 2 })
    for (; left > 0; left--) steps.push({ symbol, extra: 0, extraBits: 0 })
  }
  return steps
}

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

/** A bit writer, lowest bit first, as in deflate. */
export class Bits {
  /** Each written word may extend three bytes beyond the length. */
  bytes = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  /** The number of complete bytes. */
  length = 0
  /** The pending bits, at most seven between calls. */
  waiting = 0
  count = 0

  /** Clears the writer and allocates bytes. */
  begin(room: number): void {
    if (this.bytes.length < room) {
      this.bytes = new Uint8Array(room)
      this.view = new DataView(this.bytes.buffer)
    }
    this.length = 0
    this.waiting = 0
    this.count = 0
  }

  /** At most 24 bits. */
  put(bits: number, size: number): void {
    const waiting = this.waiting | (bits << this.count)
    const count = this.count + size
    this.view.setInt32(this.length, waiting, true)
    this.length += count >>> 3
    this.waiting = waiting >>> (count & 24)
    this.count = count & 7
  }

  /** Appends whole bytes. No bits may be pending. */
  append(bytes: ArrayLike<number>): void {
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Copies `size` bits, starting at the bit `from`, from bytes that are followed by one more word. */
  copy(source: DataView, from: number, size: number): void {
    if (size === 0) return
    const { view } = this
    const end = from + size
    const before = Math.min(size, -this.count & 7)
    this.put(bitsAt(source, from, before), before)
    let at = from + before
    let { length } = this
    const shift = at & 7
    for (let byte = at >>> 3; at + 32 <= end; at += 32, byte += 4, length += 4) {
      // In two steps, because a shift by 32 has no effect.
      const high = (source.getUint8(byte + 4) << 1) << (31 - shift)
      view.setInt32(length, (source.getInt32(byte, true) >>> shift) | high, true)
    }
    this.length = length
    for (let left = end - at; left > 0; left = end - at) {
      const taken = Math.min(24, left)
      this.put(bitsAt(source, at, taken), taken)
      at += taken
    }
  }
}

/** At most 24 bits. */
const bitsAt = (source: DataView, at: number, size: number): number =>
  (source.getInt32(at >>> 3, true) >>> (at & 7)) & ((1 << size) - 1)
