import type { Size } from './png/image-size.ts'

/**
 * Scales pixels of four bytes, rows first, then columns. Each source pixel counts by its share of the new one. Only the
 * first `channels` bytes of each pixel are scaled; the others become 255.
 */
export function resample(source: Uint8Array, from: Size, to: Size, channels: 3 | 4): Uint8Array {
  const columns = sharesOf(from.width, to.width)
  const rows = sharesOf(from.height, to.height)
  const narrow = new Float64Array(to.width * from.height * channels)
  for (let y = 0; y < from.height; y++)
    for (let x = 0; x < to.width; x++)
      for (const { from: column, share } of columns[x]!)
        for (let channel = 0; channel < channels; channel++)
          narrow[(y * to.width + x) * channels + channel]! += source[(y * from.width + column) * 4 + channel]! * share
  const pixels = new Uint8Array(to.width * to.height * 4).fill(255)
  for (let y = 0; y < to.height; y++)
    for (let x = 0; x < to.width; x++)
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0
        for (const { from: row, share } of rows[y]!) sum += narrow[(row * to.width + x) * channels + channel]! * share
        pixels[(y * to.width + x) * 4 + channel] = Math.round(sum)
      }
  return pixels
}

/** The source pixels of each new pixel, with their shares. */
function sharesOf(before: number, after: number): readonly (readonly { from: number; share: number }[])[] {
  const step = before / after
  return Array.from({ length: after }, (_, place) => {
    const [start, end] = [place * step, (place + 1) * step]
    const shares: { from: number; share: number }[] = []
    for (let from = Math.floor(start); from < Math.min(before, Math.ceil(end)); from++)
      shares.push({ from, share: (Math.min(end, from + 1) - Math.max(start, from)) / step })
    return shares
  })
}
