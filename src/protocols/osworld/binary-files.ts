import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { decodeUtf8 } from '../../base/text/utf8.ts'

const MAX_FILES = 64
const MAX_BYTES = 64 * 1024 * 1024

const NOTE = /^\(binary file of \d{1,9} bytes, SHA-256 ([0-9a-f]{64})\)\n$/

/**
 * The bytes of uploads that are not text. A synthetic disk holds text, so such a file holds a note with its digest there, by
 * which copies and renamed files are found too. The oldest are forgotten first.
 */
export class BinaryFiles {
  readonly #byDigest = new Map<string, Buffer>()
  #bytes = 0

  /** The text of the file on the disk: the bytes themselves, or a note. Throws `TooLarge`. */
  textFor(bytes: Buffer): string {
    const text = decodeUtf8(bytes, false)
    if (text !== undefined) return text
    if (bytes.length > MAX_BYTES)
      throw new Fault('TooLarge', `a file has at most ${MAX_BYTES} bytes, not ${bytes.length}`)
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (!this.#byDigest.has(digest)) this.#keep(digest, bytes)
    return `(binary file of ${bytes.length} bytes, SHA-256 ${digest})\n`
  }

  /** The bytes of a file with a text on the disk. */
  bytesOf(text: string): Buffer {
    const digest = NOTE.exec(text)?.[1]
    return (digest !== undefined && this.#byDigest.get(digest)) || Buffer.from(text)
  }

  #keep(digest: string, bytes: Buffer): void {
    this.#byDigest.set(digest, bytes)
    this.#bytes += bytes.length
    for (const [oldest, kept] of this.#byDigest) {
      if (this.#bytes <= MAX_BYTES && this.#byDigest.size <= MAX_FILES) return
      this.#byDigest.delete(oldest)
      this.#bytes -= kept.length
    }
  }
}
