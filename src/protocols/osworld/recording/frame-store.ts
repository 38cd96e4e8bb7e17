import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { crop, type Picture, resize, scaleTo } from '../../../paint/picture.ts'

export const MAX_RECORDED_FRAMES = 300
export const MAX_RECORDED_BYTES = 64 * 1024 * 1024
export const MAX_RECORDED_WIDTH_PX = 1920

/** A kept picture, compressed. */
interface StoredFrame {
  readonly atMs: number
  readonly data: Buffer
}

export interface RecordedSize {
  readonly width: number
  readonly height: number
}

/** The limits of a recording. */
export interface FrameLimits {
  readonly maxFrames: number
  readonly maxBytes: number
}

/** The pictures of a recording that differ from the one before, compressed and within limits. */
export class FrameStore {
  readonly #limits: FrameLimits
  #frames: StoredFrame[] = []
  /** The latest change, if it is not among the kept ones. */
  #latest: StoredFrame | undefined
  #shown: Buffer | undefined
  #bytes = 0
  #changes = 0
  /** Of so many changes, one is kept. */
  #stride = 1
  size: RecordedSize | undefined

  constructor(limits: FrameLimits) {
    this.#limits = limits
  }

  add(picture: Picture, atMs: number): void {
    this.size ??= sizeFor(picture)
    const fitted = fitTo(picture, this.size)
    const bytes = fitted.pixels()
    const pixels = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (this.#shown?.equals(pixels)) return
    this.#shown = Buffer.from(pixels)
    const frame = { atMs, data: deflateRawSync(pixels, { level: 1 }) }
    if (this.#changes++ % this.#stride === 0) {
      this.#latest = undefined
      this.#keep(frame)
    } else this.#latest = frame
  }

  #keep(frame: StoredFrame): void {
    this.#frames.push(frame)
    this.#bytes += frame.data.length
    while (this.#isFull() && this.#frames.length > 2) this.#thin()
  }

  #isFull(): boolean {
    return this.#frames.length > this.#limits.maxFrames || this.#bytes > this.#limits.maxBytes
  }

  /** Drops every second picture. If the newest is one of them, it is only the latest one from now on. */
  #thin(): void {
    const newest = this.#frames.at(-1)
    this.#frames = this.#frames.filter((_, index) => index % 2 === 0)
    if (this.#frames.at(-1) !== newest) this.#latest = newest
    this.#bytes = this.#frames.reduce((sum, { data }) => sum + data.length, 0)
    this.#stride *= 2
  }

  /** The times of the kept pictures, in milliseconds, ascending. */
  times(): readonly number[] {
    return this.#all().map(({ atMs }) => atMs)
  }

  /** The pixels of the kept pictures: rows of red, green, blue, alpha bytes. Unpacked one at a time. */
  *pixels(): Generator<Buffer> {
    for (const { data } of this.#all()) yield inflateRawSync(data)
  }

  #all(): readonly StoredFrame[] {
    return this.#latest ? [...this.#frames, this.#latest] : this.#frames
  }
}

/** The size of the video: even, because H.264 has one colour for four pixels. */
function sizeFor(picture: Picture): RecordedSize {
  const { width, height } = scaleTo(picture, MAX_RECORDED_WIDTH_PX)
  return { width: Math.max(2, width - (width % 2)), height: Math.max(2, height - (height % 2)) }
}

function fitTo(picture: Picture, { width, height }: RecordedSize): Picture {
  if (picture.width === width && picture.height === height) return picture
  const isOdd = isOneMore(picture.width, width) && isOneMore(picture.height, height)
  return isOdd ? crop(picture, { x: 0, y: 0, width, height }) : resize(picture, width, height)
}

const isOneMore = (side: number, wanted: number): boolean => side === wanted || side === wanted + 1
