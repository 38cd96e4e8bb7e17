import { randomBytes, randomUUID } from 'node:crypto'
import { drawHex, type Random } from './random.ts'

/** A source of ids: seeded where runs must repeat, from the system where ids must be unpredictable. */
export interface IdSource {
  hex(length: number): string
  uuid(): string
}

export function seededIds(random: Random): IdSource {
  let current = random
  const hex = (length: number) => {
    const [text, next] = drawHex(current, length)
    current = next
    return text
  }
  return {
    hex,
    uuid: () => {
      const digits = hex(32)
      const variant = ((Number.parseInt(digits[16]!, 16) & 0x3) | 0x8).toString(16)
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        variant + digits.slice(17, 20),
        digits.slice(20),
      ].join('-')
    },
  }
}

/** Random bytes are drawn in blocks because each draw costs more than its bytes. */
const PAGE_BYTES = 4096
let page = Buffer.alloc(0)

function drawBytes(count: number): Buffer {
  if (page.length < count) page = randomBytes(Math.max(PAGE_BYTES, count))
  const drawn = page.subarray(0, count)
  page = page.subarray(count)
  return drawn
}

export const systemIds: IdSource = {
  hex: (length) =>
    drawBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  uuid: () => randomUUID(),
}
