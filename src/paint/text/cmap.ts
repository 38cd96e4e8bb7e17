import { brotliDecompressSync } from 'node:zlib'

/** The code points of a font file, TrueType or WOFF2, from its `cmap` table (OpenType specification, formats 4 and 12). */
export function charactersIn(file: Uint8Array): ReadonlySet<number> {
  const table = isWoff2(file) ? tableOfWoff2(file, 'cmap') : tableOf(file, 'cmap')
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const codes = new Set<number>()
  const count = view.getUint16(2)
  for (let index = 0; index < count; index++) {
    const at = view.getUint32(4 + index * 8 + 4)
    const format = view.getUint16(at)
    if (format === 4) readFormat4(view, at, codes)
    if (format === 12) readFormat12(view, at, codes)
  }
  return codes
}

const tagAt = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4))

function tableOf(file: Uint8Array, tag: string): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const count = view.getUint16(4)
  for (let table = 0; table < count; table++) {
    const entry = 12 + table * 16
    if (tagAt(file, entry) === tag) return file.subarray(view.getUint32(entry + 8))
  }
  throw new Error(`the font has no table ${tag}`)
}

const isWoff2 = (file: Uint8Array): boolean => tagAt(file, 0) === 'wOF2'

/** The tags that a directory of WOFF2 names by number, as far as they are needed here. */
const KNOWN_TAGS: Readonly<Record<number, string>> = { 0: 'cmap', 10: 'glyf', 11: 'loca' }
const OTHER_TAG = 63
const HEADER_BYTES = 48

/** A table of a WOFF2 file that is stored as in a TrueType file: one of all but `glyf` and `loca`. */
function tableOfWoff2(file: Uint8Array, wanted: string): Uint8Array {
  const header = new DataView(file.buffer, file.byteOffset)
  const [count, compressed] = [header.getUint16(12), header.getUint32(20)]
  let at = HEADER_BYTES
  /** A number in base 128, the most significant digit first. */
  const number = (): number => {
    let value = 0
    for (;;) {
      const byte = file[at++]!
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let start = 0
  let found: { readonly start: number; readonly length: number } | undefined
  for (let table = 0; table < count; table++) {
    const flags = file[at++]!
    const known = flags & 63
    const tag = known === OTHER_TAG ? tagAt(file, at) : KNOWN_TAGS[known]
    if (known === OTHER_TAG) at += 4
    const original = number()
    const version = flags >> 6
    const isOutline = tag === 'glyf' || tag === 'loca'
    const isTransformed = isOutline ? version !== 3 : version !== 0
    const length = isTransformed ? number() : original
    if (tag === wanted) found = { start, length }
    start += length
  }
  if (!found) throw new Error(`the font has no table ${wanted}`)
  return brotliDecompressSync(file.subarray(at, at + compressed)).subarray(found.start, found.start + found.length)
}

function readFormat4(view: DataView, at: number, codes: Set<number>): void {
  const segments = view.getUint16(at + 6) / 2
  const ends = at + 14
  const starts = ends + segments * 2 + 2
  const deltas = starts + segments * 2
  const offsets = deltas + segments * 2
  for (let segment = 0; segment < segments; segment++) {
    const first = view.getUint16(starts + segment * 2)
    const last = view.getUint16(ends + segment * 2)
    const delta = view.getUint16(deltas + segment * 2)
    const offset = view.getUint16(offsets + segment * 2)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const place = offsets + segment * 2 + offset + (code - first) * 2
      const glyph = offset === 0 ? (code + delta) & 0xffff : view.getUint16(place)
      if (glyph !== 0) codes.add(code)
    }
  }
}

function readFormat12(view: DataView, at: number, codes: Set<number>): void {
  const groups = view.getUint32(at + 12)
  for (let group = 0; group < groups; group++) {
    const entry = at + 16 + group * 12
    const last = view.getUint32(entry + 4)
    for (let code = view.getUint32(entry); code <= last; code++) codes.add(code)
  }
}
