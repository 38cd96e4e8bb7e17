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
