import { Fault } from '../../../base/fault.ts'
import { installCommand } from '../../../base/optional.ts'
import { ffmpegEncoder } from './ffmpeg-encoder.ts'
import { packageEncoder } from './package-encoder.ts'
import type { EncoderSource, VideoEncoder } from './video-encoder.ts'

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
