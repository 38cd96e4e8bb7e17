/** A box of an MP4 file (ISO/IEC 14496-12). */
export interface Mp4Box {
  readonly type: string
  /** The content, without size and type. */
  readonly body: Buffer
  /** Where the box begins in the file. */
  readonly at: number
}

/** The boxes in a part of a file. Throws for a box that reaches beyond it. */
export function* readBoxes(part: Buffer, start = 0): Generator<Mp4Box> {
  let at = 0
  while (at + 8 <= part.length) {
    const size = part.readUInt32BE(at)
    if (size < 8 || at + size > part.length) throw new Error(`a box of ${size} bytes at ${start + at} of an MP4 file`)
    yield { type: part.toString('latin1', at + 4, at + 8), body: part.subarray(at + 8, at + size), at: start + at }
    at += size
  }
}

/** The first box along a path of types, such as `moov/trak/mdia`. Undefined if there is none. */
export function findBox(file: Buffer, path: string): Mp4Box | undefined {
  let part = { body: file, at: -8 }
  let found: Mp4Box | undefined
  for (const type of path.split('/')) {
    found = [...readBoxes(part.body, part.at + 8)].find((each) => each.type === type)
    if (!found) return undefined
    part = found
  }
  return found
}

/** A box of a type with some content: numbers of four bytes, or bytes. */
export function mp4Box(type: string, ...content: readonly (number | readonly number[] | Buffer)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (Buffer.isBuffer(part) ? part : numbers(part))))
  return Buffer.concat([numbers(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** Numbers of four bytes. */
function numbers(values: number | readonly number[]): Buffer {
  const list = typeof values === 'number' ? [values] : values
  const bytes = Buffer.alloc(list.length * 4)
  for (const [index, value] of list.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}
