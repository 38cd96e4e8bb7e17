import type { Size } from './png/image-size.ts'

/**
 * Scales pixels of four bytes. Each source pixel counts by its share of the new one. Only the first `channels` bytes of
 * each pixel are scaled; the others become 255.
 */
export function resample(source: Uint8Array, from: Size, to: Size, channels: 3 | 4): Uint8Array {
  const columns = sharesOf(from.width, to.width)
  const rows = sharesOf(from.height, to.height)
  // Neighbouring rows share the source row at their border, which is scaled once.
  const narrow = new Float64Array(to.width * channels)
  let narrowed = -1
  const sums = new Float64Array(to.width * channels)
  const pixels = new Uint8Array(to.width * to.height * 4).fill(255)
  for (let y = 0, pixel = 0; y < to.height; y++) {
    sums.fill(0)
    for (let at = rows.starts[y]!; at < rows.starts[y + 1]!; at++) {
      const row = rows.places[at]!
      const share = rows.shares[at]!
      if (row !== narrowed) narrowRow(source, row * from.width * 4, columns, channels, narrow)
      narrowed = row
      for (let each = 0; each < sums.length; each++) sums[each] = sums[each]! + narrow[each]! * share
    }
    for (let each = 0; each < sums.length; pixel += 4)
      for (let channel = 0; channel < channels; channel++) pixels[pixel + channel] = Math.round(sums[each++]!)
  }
  return pixels
}

/** Scales one row, which begins at an offset. */
function narrowRow(
  source: Uint8Array,
  offset: number,
  { starts, places, shares }: Shares,
  channels: 3 | 4,
  narrow: Float64Array,
): void {
  for (let x = 0, to = 0; to < narrow.length; x++) {
    let [red, green, blue, alpha] = [0, 0, 0, 0]
    const end = starts[x + 1]!
    for (let at = starts[x]!; at < end; at++) {
      const pixel = offset + places[at]! * 4
      const share = shares[at]!
      red += source[pixel]! * share
      green += source[pixel + 1]! * share
      blue += source[pixel + 2]! * share
      if (channels === 4) alpha += source[pixel + 3]! * share
    }
    narrow[to++] = red
    narrow[to++] = green
    narrow[to++] = blue
    if (channels === 4) narrow[to++] = alpha
  }
}

/** The source pixels of all new pixels, with their shares: those of a new pixel are between its start and the next. */
interface Shares {
  readonly starts: Int32Array
  readonly places: Int32Array
  readonly shares: Float64Array
}

function sharesOf(before: number, after: number): Shares {
  const step = before / after
  const starts = [0]
  const places: number[] = []
  const shares: number[] = []
  for (let place = 0; place < after; place++) {
    const [start, end] = [place * step, (place + 1) * step]
    for (let from = Math.floor(start); from < Math.min(before, Math.ceil(end)); from++) {
      places.push(from)
      shares.push((Math.min(end, from + 1) - Math.max(start, from)) / step)
    }
    starts.push(places.length)
  }
  return { starts: Int32Array.from(starts), places: Int32Array.from(places), shares: Float64Array.from(shares) }
}
