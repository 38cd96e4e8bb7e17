import type { Rect } from '../desktop/model/geometry.ts'
import type { Picture } from './picture.ts'

/** Unchanged rows between changed ones that do not begin a new area. */
const MAX_GAP_ROWS = 8
const BYTES_PER_PIXEL = 4

/** The pixels of a picture, as `pixels()` returns them, and its size. */
export interface Pixels extends Pick<Picture, 'width' | 'height'> {
  readonly bytes: Uint8Array
}

/**
 * The areas in which two pictures differ, from top to bottom, without overlap. Each is as wide as the changes in its rows.
 * Pictures of different sizes differ as a whole.
 */
export function changedAreas(before: Pixels | undefined, after: Pixels): readonly Rect[] {
  const { width, height } = after
  if (before?.width !== width || before.height !== height) return [{ x: 0, y: 0, width, height }]
  if (before.bytes === after.bytes) return []
  return changedBands(before, after).map(({ top, bottom }) => {
    const { left, right } = changedColumns(wordsOf(before), wordsOf(after), { width, top, bottom })
    return { x: left, y: top, width: right - left, height: bottom - top }
  })
}

/** Runs of changed rows; `bottom` is the row below the last. */
function changedBands(before: Pixels, after: Pixels): readonly { readonly top: number; readonly bottom: number }[] {
  const rowBytes = after.width * BYTES_PER_PIXEL
  const earlier = bufferOf(before.bytes)
  const later = bufferOf(after.bytes)
  const bands: { top: number; bottom: number }[] = []
  for (let row = 0; row < after.height; row++) {
    const start = row * rowBytes
    if (later.compare(earlier, start, start + rowBytes, start, start + rowBytes) === 0) continue
    const last = bands.at(-1)
    if (last && row - last.bottom < MAX_GAP_ROWS) last.bottom = row + 1
    else bands.push({ top: row, bottom: row + 1 })
  }
  return bands
}

/** The columns from the first to behind the last changed pixel of some rows. */
function changedColumns(
  before: Uint32Array,
  after: Uint32Array,
  { width, top, bottom }: { readonly width: number; readonly top: number; readonly bottom: number },
): { readonly left: number; readonly right: number } {
  let left = width
  let right = 0
  for (let row = top; row < bottom; row++) {
    const start = row * width
    let first = 0
    while (first < left && before[start + first] === after[start + first]) first++
    left = first
    let end = width
    while (end > right && before[start + end - 1] === after[start + end - 1]) end--
    right = end
  }
  return { left, right }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const wordsOf = ({ bytes }: Pixels): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / BYTES_PER_PIXEL)
