import type { RecordedSize } from './frame-store.ts'
import { mp4Box } from './mp4-boxes.ts'
import { type EncodedVideo, isKeySample } from './mp4-reader.ts'

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
