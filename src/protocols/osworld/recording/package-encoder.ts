import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import { loadOptional } from '../../../base/optional.ts'
import type { VideoEncoder } from './video-encoder.ts'

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
