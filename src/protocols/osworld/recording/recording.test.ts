import { describe, expect, it } from 'vitest'
import { fromPixels, type Picture } from '../../../paint/picture.ts'
import { ffmpegEncoder, packageEncoder, type VideoEncoder } from './encoders.ts'
import { FrameStore } from './frame-store.ts'
import { findBox, mp4Box, readBoxes } from './mp4.ts'
import { createScreenRecorder } from './screen-recorder.ts'

const picture = (shade: number, width = 64, height = 48): Picture =>
  fromPixels(width, height, new Uint8Array(width * height * 4).fill(255).fill(shade, 0, width * 8))

/** The numbers of four bytes of a box, from a byte of its content. */
function numbersOf(file: Buffer, path: string, from = 0): readonly number[] {
  const body = findBox(file, path)!.body
  return Array.from({ length: Math.floor((body.length - from) / 4) }, (_, index) => body.readUInt32BE(from + index * 4))
}

const TABLES = 'moov/trak/mdia/minf/stbl'
const shownMs = (file: Buffer) => numbersOf(file, `${TABLES}/stts`, 8).filter((_, index) => index % 2 === 1)

/** An encoder that notes what it is given and writes a picture of five bytes for each. */
function fakeEncoder(): { readonly encoder: VideoEncoder; readonly seen: number[] } {
  const seen: number[] = []
  const encode = async (_: unknown, pictures: Iterable<Uint8Array>) => {
    for (const pixels of pictures) seen.push(pixels[0]!)
    const sample = Buffer.from([0, 0, 0, 1, 0x65])
    const sizes = seen.map(() => sample.length)
    const file = (at: number) => {
      const stbl = mp4Box(
        'stbl',
        mp4Box('stsd', 0, 0),
        mp4Box('stsz', 0, 0, seen.length, sizes),
        mp4Box('stsc', 0, 1, [1, seen.length, 1]),
        mp4Box('stco', 0, 1, at),
      )
      return mp4Box('moov', mp4Box('trak', mp4Box('mdia', mp4Box('minf', stbl))))
    }
    const media = mp4Box('mdat', Buffer.concat(seen.map(() => sample)))
    return Buffer.concat([file(file(0).length + 8), media])
  }
  return { encoder: { name: 'fake', encode }, seen }
}

describe('a recording', () => {
  it('[OR1] is an MP4 file with a sample for each change, at the times of the desktop', async () => {
    const recorder = createScreenRecorder({ encoders: [packageEncoder] })
    await recorder.start()
    for (const [shade, atMs] of [
      [10, 5000],
      [90, 5250],
      [90, 6000],
      [200, 7000],
    ] as const)
      recorder.frame(picture(shade), atMs)
    const file = await recorder.stop(9000)
    expect([...readBoxes(file)].map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
    expect(shownMs(file)).toEqual([250, 1750, 2000])
    expect(numbersOf(file, 'moov/mvhd').slice(3, 5)).toEqual([1000, 4000])
    expect(numbersOf(file, 'moov/trak/mdia/mdhd').slice(3, 5)).toEqual([1000, 4000])
    expect(numbersOf(file, 'moov/trak/tkhd').slice(-2)).toEqual([64 * 65_536, 48 * 65_536])
    expect(numbersOf(file, `${TABLES}/stss`)).toEqual([0, 1, 1])
    expect(findBox(file, `${TABLES}/stsd`)!.body.toString('latin1')).toContain('avcC')
    const [, , count, ...sizes] = numbersOf(file, `${TABLES}/stsz`)
    const media = [...readBoxes(file)].find(({ type }) => type === 'mdat')!
    expect([count, sizes.reduce((sum, size) => sum + size)]).toEqual([3, media.body.length])
    expect(numbersOf(file, `${TABLES}/stco`)).toEqual([0, 1, media.at + 8])
    // Each sample is a list of parts with their lengths ahead.
    let at = 0
    for (const size of sizes) {
      const end = at + size
      while (at < end) at += 4 + media.body.readUInt32BE(at)
      expect(at).toBe(end)
    }
  })

  it('[OR2] [OR3] leaves out equal pictures, and shows each for a moment', async () => {
    const { encoder, seen } = fakeEncoder()
    const recorder = createScreenRecorder({ encoders: [async () => encoder] })
    await recorder.start()
    for (const [shade, atMs] of [
      [1, 0],
      [2, 0],
      [2, 500],
      [3, 20],
      [4, 1000],
    ] as const)
      recorder.frame(picture(shade), atMs)
    expect(shownMs(await recorder.stop())).toEqual([100, 100, 800, 100])
    expect(seen).toEqual([1, 2, 3, 4])
  })

  it('[OR4] keeps a bounded number of pictures, the first and the last among them', () => {
    const store = new FrameStore({ maxFrames: 10, maxBytes: 1_000_000 })
    for (let index = 0; index < 200; index++) store.add(picture(index), index)
    const times = store.times()
    expect(times.length).toBeLessThanOrEqual(11)
    expect([times[0], times.at(-1)]).toEqual([0, 199])
    const gaps = times.slice(1, -1).map((at, index) => at - times[index]!)
    expect(new Set(gaps).size).toBe(1)
    expect([...store.pixels()].map(([first]) => first)).toEqual(times)
    const small = new FrameStore({ maxFrames: 1000, maxBytes: 600 })
    for (let index = 0; index < 200; index++) small.add(picture(index), index)
    expect(small.times().length).toBeLessThan(30)
    expect(small.times().at(-1)).toBe(199)
  })

  it('[OR5] has one even size', () => {
    const store = new FrameStore({ maxFrames: 10, maxBytes: 1_000_000 })
    store.add(picture(1, 65, 49), 0)
    store.add(picture(2, 130, 98), 1)
    store.add(picture(3, 65, 49), 2)
    expect(store.size).toEqual({ width: 64, height: 48 })
    expect([...store.pixels()].map(({ length }) => length)).toEqual([64 * 48 * 4, 64 * 48 * 4, 64 * 48 * 4])
    const wide = new FrameStore({ maxFrames: 10, maxBytes: 1_000_000 })
    wide.add(picture(1, 3840, 20), 0)
    expect(wide.size).toEqual({ width: 1920, height: 10 })
  })

  it('[OR6] names both encoders where there is none', async () => {
    const missing = async () => undefined
    const recorder = createScreenRecorder({ encoders: [missing, () => ffmpegEncoder('/no/such/ffmpeg')] })
    await expect(recorder.start()).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message:
        'recordings need the optional package h264-mp4-encoder or the program ffmpeg; run: npm install h264-mp4-encoder@1',
    })
    expect(recorder.isRecording).toBe(false)
  })

  it('[OR6] leaves no handlers of the package behind', async () => {
    const events = ['uncaughtException', 'unhandledRejection'] as const
    const before = events.map((event) => process.listenerCount(event))
    const encoder = await packageEncoder()
    await encoder!.encode({ width: 16, height: 16 }, [new Uint8Array(1024)], new AbortController().signal)
    expect(events.map((event) => process.listenerCount(event))).toEqual(before)
  })

  it('[OR7] ends when it is aborted', async () => {
    const stopped = AbortSignal.abort()
    const recorder = createScreenRecorder({ encoders: [packageEncoder], signal: stopped })
    await recorder.start()
    recorder.frame(picture(1), 0)
    await expect(recorder.stop()).rejects.toMatchObject({ code: 'Timeout' })
    const other = createScreenRecorder({ encoders: [packageEncoder] })
    await other.start()
    other.frame(picture(1), 0)
    expect(shownMs(await other.stop(200))).toEqual([200])
  })

  it('[OR8] refuses what does not fit, and stays usable', async () => {
    const { encoder } = fakeEncoder()
    const recorder = createScreenRecorder({ encoders: [async () => encoder] })
    recorder.frame(picture(1), 0)
    await expect(recorder.stop()).rejects.toMatchObject({ code: 'Conflict', message: expect.stringContaining('start') })
    await recorder.start()
    await expect(recorder.start()).rejects.toMatchObject({
      code: 'Conflict',
      message: expect.stringContaining('running'),
    })
    await expect(recorder.stop()).rejects.toMatchObject({ code: 'BadRequest' })
    await recorder.start()
    recorder.frame(picture(1), 0)
    const stopping = recorder.stop(5000)
    await expect(recorder.start()).rejects.toMatchObject({
      code: 'Conflict',
      message: expect.stringContaining('encoded'),
    })
    expect(shownMs(await stopping)).toEqual([5000])
    await recorder.start()
  })
})
