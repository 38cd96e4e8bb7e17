import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import { installCommand, loadOptional } from '../../../base/optional.ts'
import type { RecordedSize } from './frame-store.ts'

/** Encodes pictures to H.264. */
export interface VideoEncoder {
  readonly name: string
  /**
   * Encodes pictures of one size, given as rows of red, green, blue, alpha bytes, to an MP4 file with a sample for each.
   * Throws a `Fault` when it is aborted or fails.
   */
  encode(size: RecordedSize, pictures: Iterable<Uint8Array>, signal: AbortSignal): Promise<Buffer>
}

/** Returns an encoder if it can be used here. */
export type EncoderSource = () => Promise<VideoEncoder | undefined>

/** From 10, the best picture, to 51. Text of a screen stays sharp. */
const QUANTIZER = 28
/** From 0, the smallest file, to 10. */
const SPEED = 10
const PICTURES_PER_KEY = 30

/** The optional package `h264-mp4-encoder`, which is compiled to WebAssembly. Undefined if it is not installed. */
export async function packageEncoder(): Promise<VideoEncoder | undefined> {
  const library = await loadEncoder()
  if (!library) return undefined
  return {
    name: 'h264-mp4-encoder',
    encode: async ({ width, height }, pictures, signal) => {
      const encoder = await withoutHandlers(() => library.createH264MP4Encoder())
      // All encoders share one file system in memory.
      const outputFilename = `recording-${++files}.mp4`
      Object.assign(encoder, {
        outputFilename,
        width,
        height,
        frameRate: 10,
        speed: SPEED,
        quantizationParameter: QUANTIZER,
        groupOfPictures: PICTURES_PER_KEY,
      })
      encoder.initialize()
      let file: Buffer
      try {
        for (const picture of pictures) {
          if (signal.aborted) throw new Fault('Timeout', 'encoding the recording took too long')
          encoder.addFrameRgba(picture)
          // A picture takes some 50 ms, so others get a turn after each.
          await yieldToOthers()
        }
      } finally {
        // Required also after a failure: an encoder that has not finished makes the package unusable.
        encoder.finalize()
        file = Buffer.from(encoder.FS.readFile(outputFilename))
        encoder.FS.unlink(outputFilename)
        encoder.delete()
      }
      return file
    },
  }
}

let files = 0

async function loadEncoder() {
  try {
    return await withoutHandlers(async () => {
      const library = await loadOptional('recording', () => import('h264-mp4-encoder'))
      return library.default ?? library
    })
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'PlatformUnsupported') return undefined
    throw thrown
  }
}

/** Process events for which the package installs handlers, which would end the server. */
const HANDLED = ['uncaughtException', 'unhandledRejection'] as const

/** Does some work and removes the handlers that it has installed. */
async function withoutHandlers<T>(work: () => Promise<T>): Promise<T> {
  const before = HANDLED.map((event) => new Set(process.rawListeners(event)))
  try {
    return await work()
  } finally {
    for (const [index, event] of HANDLED.entries())
      for (const listener of process.rawListeners(event))
        if (!before[index]!.has(listener)) process.removeListener(event, listener as () => void)
  }
}

/** The encoders in the order in which they are tried. */
export const ENCODER_SOURCES: readonly EncoderSource[] = [packageEncoder, () => ffmpegEncoder()]

/** The first encoder that can be used. Throws `PlatformUnsupported`, which names what to install. */
export async function findEncoder(sources: readonly EncoderSource[] = ENCODER_SOURCES): Promise<VideoEncoder> {
  for (const source of sources) {
    const encoder = await source()
    if (encoder) return encoder
  }
  throw new Fault(
    'PlatformUnsupported',
    `recordings need the optional package h264-mp4-encoder or the program ffmpeg; run: ${installCommand('recording')}`,
    { package: 'h264-mp4-encoder', program: 'ffmpeg' },
  )
}

const PROGRAM = 'ffmpeg'
const MAX_VERSION_MS = 5000
const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_MESSAGE_CHARACTERS = 500

/** The program `ffmpeg` with the encoder libx264. Undefined if it is not installed. */
export async function ffmpegEncoder(program: string = PROGRAM): Promise<VideoEncoder | undefined> {
  if (!(await canEncode(program))) return undefined
  return { name: program, encode: (size, pictures, signal) => encodeWith(program, size, pictures, signal) }
}

async function canEncode(program: string): Promise<boolean> {
  const signal = AbortSignal.timeout(MAX_VERSION_MS)
  const listing = ['-nostdin', '-hide_banner', '-h', 'encoder=libx264']
  const child = spawn(program, listing, { stdio: ['ignore', 'pipe', 'ignore'], signal, killSignal: 'SIGKILL' })
  try {
    const [text] = await Promise.all([collect(child.stdout, MAX_FILE_BYTES), once(child, 'close')])
    return child.exitCode === 0 && text.includes('Encoder libx264')
  } catch {
    return false
  }
}

/** Fragments of one picture each need no file: others are completed at their beginning when they end. */
const argumentsFor = ({ width, height }: RecordedSize): readonly string[] => [
  ...['-nostdin', '-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-r', '10'],
  ...['-i', 'pipe:0', '-an', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-bf', '0', '-pix_fmt', 'yuv420p'],
  ...['-movflags', 'empty_moov+frag_every_frame+default_base_moof', '-f', 'mp4', 'pipe:1'],
]

async function encodeWith(
  program: string,
  size: RecordedSize,
  pictures: Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Buffer> {
  const child = spawn(program, argumentsFor(size), { stdio: 'pipe', signal, killSignal: 'SIGKILL' })
  const ended = once(child, 'close')
  try {
    const [file, message] = await Promise.all([
      collect(child.stdout, MAX_FILE_BYTES),
      collect(child.stderr, MAX_FILE_BYTES),
      pipeline(Readable.from(pictures), child.stdin).catch(() => {}),
      ended,
    ])
    if (child.exitCode === 0) return file
    throw new Error(message.toString('utf8').slice(0, MAX_MESSAGE_CHARACTERS).trim())
  } catch (thrown) {
    if (signal.aborted) throw new Fault('Timeout', 'encoding the recording took too long')
    throw new Fault('PlatformUnsupported', `${program} cannot encode the recording: ${(thrown as Error).message}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Everything that a stream has. Throws beyond a number of bytes. */
async function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Error(`it wrote more than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
