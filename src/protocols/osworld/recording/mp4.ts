import type { RecordedSize } from './frame-store.ts'

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

/** The pictures of an encoder's file. */
interface EncodedVideo {
  /** The content of the `stsd` box, which describes the codec. */
  readonly description: Buffer
  /** One picture each, as parts with their lengths ahead. */
  readonly samples: readonly Buffer[]
}

const TABLES = 'moov/trak/mdia/minf/stbl'

/** Reads the first track of a file, whole or in fragments of one picture each. */
export function readVideo(file: Buffer): EncodedVideo {
  const description = findBox(file, `${TABLES}/stsd`)?.body
  if (!description) throw new Error('the encoder has written no video')
  const boxes = [...readBoxes(file)]
  const isFragmented = boxes.some(({ type }) => type === 'moof')
  const samples = isFragmented
    ? boxes.filter(({ type }) => type === 'mdat').map(({ body }) => body)
    : samplesOfTables(file)
  return { description, samples }
}

/** The samples that the tables of a file describe (ISO/IEC 14496-12, 8.7). */
function samplesOfTables(file: Buffer): readonly Buffer[] {
  const table = (type: string): Buffer => findBox(file, `${TABLES}/${type}`)?.body ?? Buffer.alloc(12)
  const [sizes, chunks, offsets] = [table('stsz'), table('stsc'), table('stco')]
  const common = sizes.readUInt32BE(4)
  const count = sizes.readUInt32BE(8)
  const sizeOf = (sample: number): number => (common === 0 ? sizes.readUInt32BE(12 + sample * 4) : common)
  const samples: Buffer[] = []
  for (let chunk = 0; chunk < offsets.readUInt32BE(4); chunk++) {
    let at = offsets.readUInt32BE(8 + chunk * 4)
    for (let left = samplesPerChunk(chunks, chunk + 1); left > 0 && samples.length < count; left--) {
      const size = sizeOf(samples.length)
      samples.push(file.subarray(at, at + size))
      at += size
    }
  }
  return samples
}

/** The number of samples of a chunk, counted from 1: each row of `stsc` holds for the chunks from its own on. */
function samplesPerChunk(stsc: Buffer, chunk: number): number {
  let samples = 0
  for (let row = 0; row < stsc.readUInt32BE(4); row++)
    if (stsc.readUInt32BE(8 + row * 12) <= chunk) samples = stsc.readUInt32BE(12 + row * 12)
  return samples
}

const KEY_PICTURE = 5

/** Whether a sample can be shown without the ones before: it has a part of an IDR picture (H.264, 7.3.1). */
function isKeySample(sample: Buffer): boolean {
  for (let at = 0; at + 5 <= sample.length; at += 4 + sample.readUInt32BE(at))
    if ((sample[at + 4]! & 31) === KEY_PICTURE) return true
  return false
}

/** Units of time per second: the times of a recording are milliseconds. */
const TIMESCALE = 1000
const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
/** No language. */
const UNDETERMINED = 0x55c40000

/**
 * Writes a file with one video track, its index ahead of the pictures.
 * @param video The encoded pictures.
 * @param durationsMs How long each picture is shown, in milliseconds.
 */
export function writeMp4(video: EncodedVideo, { width, height }: RecordedSize, durationsMs: readonly number[]): Buffer {
  const { description, samples } = video
  const totalMs = durationsMs.reduce((sum, each) => sum + each, 0)
  const keys = samples.flatMap((sample, index) => (isKeySample(sample) ? [index + 1] : []))
  const type = mp4Box('ftyp', Buffer.from('isom', 'latin1'), 0x200, Buffer.from('isomiso2avc1mp41', 'latin1'))
  const index = (firstAt: number): Buffer => {
    const tables = mp4Box(
      'stbl',
      mp4Box('stsd', description),
      mp4Box(
        'stts',
        0,
        samples.length,
        durationsMs.flatMap((each) => [1, each]),
      ),
      mp4Box('stss', 0, keys.length, keys),
      mp4Box('stsc', 0, 1, [1, samples.length, 1]),
      mp4Box(
        'stsz',
        0,
        0,
        samples.length,
        samples.map(({ length }) => length),
      ),
      mp4Box('stco', 0, 1, firstAt),
    )
    const reference = mp4Box('dref', 0, 1, mp4Box('url ', 1))
    const media = mp4Box(
      'mdia',
      mp4Box('mdhd', 0, [0, 0, TIMESCALE, totalMs, UNDETERMINED]),
      mp4Box('hdlr', 0, 0, Buffer.from('vide', 'latin1'), [0, 0, 0], Buffer.from('Screen\0', 'latin1')),
      mp4Box('minf', mp4Box('vmhd', 1, [0, 0]), mp4Box('dinf', reference), tables),
    )
    const track = mp4Box('tkhd', 3, [0, 0, 1, 0, totalMs, 0, 0, 0, 0], IDENTITY, [width * 0x10000, height * 0x10000])
    const movie = mp4Box(
      'mvhd',
      [0, 0, 0, TIMESCALE, totalMs, 0x10000, 0x01000000, 0, 0],
      IDENTITY,
      [0, 0, 0, 0, 0, 0, 2],
    )
    return mp4Box('moov', movie, mp4Box('trak', track, media))
  }
  const firstAt = type.length + index(0).length + 8
  return Buffer.concat([type, index(firstAt), mp4Box('mdat', Buffer.concat(samples))])
}
