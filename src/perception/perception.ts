import type { Rect } from '../desktop/geometry.ts'
import type { Picture } from '../paint/picture.ts'

/** What looks at pictures for a session. A part that is absent is not configured. */
export interface Perception {
  readonly ocr?: Ocr | undefined
  readonly vision?: Vision | undefined
}

/** Reads text off a picture. Throws `PlatformUnsupported` when what it needs is missing. */
export interface Ocr {
  /** How it reads: `scene` knows what was painted, `tesseract` looks at pixels. */
  readonly name: string
  read(picture: Picture): Promise<readonly Word[]>
}

/** A word with its box in the picture, in pixels, and how sure the reader is, 0 to 100. */
export interface Word {
  readonly text: string
  readonly bounds: Rect
  readonly confidence: number
  /** Words of one line share it. */
  readonly line: number
  readonly block: number
}

/** Describes a picture in words. Throws `Timeout` or `PlatformUnsupported` when its endpoint does not serve. */
export interface Vision {
  readonly model: string
  describe(picture: Picture, prompt: string, signal?: AbortSignal): Promise<{ text: string; tokens: number }>
}
