import { findBox, readBoxes } from './mp4-boxes.ts'

/** The pictures of an encoder's file. */
export interface EncodedVideo {
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
export function isKeySample(sample: Buffer): boolean {
  for (let at = 0; at + 5 <= sample.length; at += 4 + sample.readUInt32BE(at))
    if ((sample[at + 4]! & 31) === KEY_PICTURE) return true
  return false
}
