import type { Rect } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import { changedAreas, type Pixels } from '../../paint/picture-changes.ts'
import type { FrameFile, OpenFrameFile } from '../../stores/folder.ts'

/** Where the harness finds a picture, and what differs from the one before. */
export interface ShownFrame {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly changed: readonly Rect[]
}

/** The last picture of a session in a file that the harness maps. The file is opened with the first picture. */
export class SharedFrame {
  readonly #open: OpenFrameFile
  #file: FrameFile | undefined
  #shown: Pixels | undefined

  constructor(open: OpenFrameFile) {
    this.#open = open
  }

  /** Writes what differs from the picture before. A picture of another size gets a new file. Throws `Busy`. */
  show({ width, height, pixels }: Picture): ShownFrame {
    const next = { width, height, bytes: pixels() }
    const changed = changedAreas(this.#shown, next)
    if (!this.#file || this.#shown?.width !== width || this.#shown.height !== height) {
      this.close()
      this.#file = this.#open(next.bytes.length)
    }
    for (const { y, height: rows } of changed) {
      const rowBytes = width * 4
      this.#file.write(next.bytes.subarray(y * rowBytes, (y + rows) * rowBytes), y * rowBytes)
    }
    this.#shown = next
    return { path: this.#file.path, width, height, changed }
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
    this.#shown = undefined
  }
}
