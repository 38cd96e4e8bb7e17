import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../../base/fault.ts'
import type { RecordedSize } from './frame-store.ts'
import type { VideoEncoder } from './video-encoder.ts'

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
