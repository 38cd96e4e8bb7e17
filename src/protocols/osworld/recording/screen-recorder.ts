import { Fault } from '../../../base/fault.ts'
import type { Picture } from '../../../paint/picture.ts'
import { type EncoderSource, findEncoder, type VideoEncoder } from './encoders.ts'
import { FrameStore, MAX_RECORDED_BYTES, MAX_RECORDED_FRAMES, type RecordedSize } from './frame-store.ts'
import { readVideo, writeMp4 } from './mp4.ts'

/** How long encoding may take, in milliseconds. */
const MAX_ENCODING_MS = 60_000
/** How long each picture is shown at least, in milliseconds. */
const MIN_SHOWN_MS = 100

export interface ScreenRecorderOptions {
  /** The encoders to try, in order. */
  readonly encoders?: readonly EncoderSource[]
  readonly maxFrames?: number
  readonly maxBytes?: number
  /** Aborts encoding, as when a session is closed. */
  readonly signal?: AbortSignal
}

/** Records the screen of one desktop. */
export interface ScreenRecorder {
  readonly isRecording: boolean
  /**
   * Begins a recording. Throws `Conflict` while there is one or the last is being encoded, and `PlatformUnsupported` without
   * an encoder.
   */
  start(): Promise<void>
  /** Takes the picture of the screen at a time of the desktop. Ignored while nothing is recorded. */
  frame(picture: Picture, atMs: number): void
  /** Ends the recording without a film. */
  discard(): void
  /**
   * Ends the recording and returns it as an MP4 file. The last picture is shown until `atMs`. Throws `Conflict` without a
   * recording, `BadRequest` without a picture, `Timeout` when encoding takes too long.
   */
  stop(atMs?: number): Promise<Buffer>
}

/**
 * Creates a recorder.
 * @example
 * const recorder = createScreenRecorder()
 * await recorder.start()
 * recorder.frame(picture, clock.now())
 * const mp4 = await recorder.stop(clock.now())
 */
export function createScreenRecorder({
  encoders,
  maxFrames = MAX_RECORDED_FRAMES,
  maxBytes = MAX_RECORDED_BYTES,
  signal,
}: ScreenRecorderOptions = {}): ScreenRecorder {
  let isEncoding = false
  let recording: { readonly store: FrameStore; encoder: VideoEncoder | undefined } | undefined
  return {
    get isRecording() {
      return recording !== undefined
    },
    start: async () => {
      if (recording) throw new Fault('Conflict', 'a recording is running; end it first')
      if (isEncoding) throw new Fault('Conflict', 'the last recording is still being encoded; try again later')
      const started = { store: new FrameStore({ maxFrames, maxBytes }), encoder: undefined as VideoEncoder | undefined }
      recording = started
      try {
        started.encoder = await findEncoder(encoders)
      } catch (thrown) {
        recording = undefined
        throw thrown
      }
    },
    frame: (picture, atMs) => recording?.store.add(picture, atMs),
    discard: () => {
      recording = undefined
    },
    stop: async (atMs) => {
      if (!recording?.encoder) throw new Fault('Conflict', 'no recording is running; start one first')
      const { store, encoder } = recording
      recording = undefined
      isEncoding = true
      try {
        return await encode(store, encoder, atMs, signal)
      } finally {
        isEncoding = false
      }
    },
  }
}

async function encode(
  store: FrameStore,
  encoder: VideoEncoder,
  endMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const { size } = store
  if (!size) throw new Fault('BadRequest', 'the recording has no picture')
  const timeout = AbortSignal.timeout(MAX_ENCODING_MS)
  const file = await encoder.encode(size, store.pixels(), signal ? AbortSignal.any([signal, timeout]) : timeout)
  return fileOf(file, size, durationsOf(store.times(), endMs))
}

function fileOf(encoded: Buffer, size: RecordedSize, durationsMs: readonly number[]): Buffer {
  const video = readVideo(encoded)
  if (video.samples.length !== durationsMs.length)
    throw new Error(`the encoder has made ${video.samples.length} of ${durationsMs.length} pictures`)
  return writeMp4(video, size, durationsMs)
}

/** How long each picture is shown, in milliseconds. Later pauses are shorter by what the minimum has added. */
function durationsOf(times: readonly number[], endMs: number | undefined): readonly number[] {
  const startMs = times[0] ?? 0
  let shownMs = 0
  return times.map((atMs, index) => {
    const untilMs = (times[index + 1] ?? endMs ?? atMs) - startMs
    const durationMs = Math.max(MIN_SHOWN_MS, Math.round(untilMs - shownMs))
    shownMs += durationMs
    return durationMs
  })
}
