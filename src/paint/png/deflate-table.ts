import { canonicalCodes, codeLengths } from './huffman.ts'

/** Pixels of three bytes in the longest match, which is 258 bytes. */
export const MAX_MATCH_PX = 86
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
export const LITERALS = Uint32Array.from({ length: 256 }, (_, byte) => CODES[byte]! | (LENGTHS[byte]! << 16))

/** The shortest match of each symbol from 257 on, and how many bits of the rest follow it (RFC 1951, 3.2.5). */
const MATCH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const MATCH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]

/** The code of a match by its length in pixels, with extra bits and the only distance, whose code is a single 0. */
export const MATCH_CODES = new Uint32Array(MAX_MATCH_PX + 1)
/** The length of these codes in bits. */
export const MATCH_LENGTHS = new Uint8Array(MAX_MATCH_PX + 1)
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
