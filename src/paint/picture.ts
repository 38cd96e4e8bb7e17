import type { Rect } from '../desktop/geometry.ts'

/** A picture of a screen, a window or a part of one. Pixels are made when somebody asks for them. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Rows of red, green, blue, alpha bytes; every pixel is opaque. Not to be written to. */
  pixels(): Uint8Array
  png(): Promise<Buffer> | Buffer
  /** The text that was painted, each line or word group with its box in this picture; absent on real desktops. */
  readonly text?: readonly TextRun[]
  /** The PNG as the letters of its base64, where that is cheaper than making them from the file. */
  base64?(): Buffer
}

export interface TextRun {
  readonly text: string
  readonly bounds: Rect
}
