/** A picture file that a scenario shows, read once when it is loaded. */
export interface PictureFile {
  /** The SHA-256 of its bytes, in hex digits. */
  readonly hash: string
  readonly format: 'png' | 'svg'
  /** Its size in pixels. */
  readonly width: number
  readonly height: number
  /** Its bytes, as base64. */
  readonly data: string
}

/** The picture files of a scenario by the paths that it writes. */
export type PictureFiles = ReadonlyMap<string, PictureFile>
