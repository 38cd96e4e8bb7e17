import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { decodeUtf8 } from '../../base/strings.ts'
import { MAX_TEXT_CHARACTERS } from '../../desktop/widgets/text/text.ts'
import { MissingFault } from './wire.ts'

const MAX_FILES = 64
const MAX_BYTES = 64 * 1024 * 1024

const NOTE = /^\(binary file of \d{1,9} bytes, SHA-256 ([0-9a-f]{64})\)\n$/

/**
 * The bytes of uploads that are not text, or longer than a file of a synthetic disk may be. Such a file holds a note with its
 * digest there, by which copies and renamed files are found too. The oldest are forgotten first.
 */
export class BinaryFiles {
  readonly #byDigest = new Map<string, Buffer>()
  #bytes = 0

  /** The text of the file on the disk: the bytes themselves, or a note. Throws `TooLarge`. */
  textFor(bytes: Buffer): string {
    const text = decodeUtf8(bytes, false)
    if (text !== undefined && text.length <= MAX_TEXT_CHARACTERS) return text
    if (bytes.length > MAX_BYTES)
      throw new Fault('TooLarge', `a file has at most ${MAX_BYTES} bytes, not ${bytes.length}`)
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (!this.#byDigest.has(digest)) this.#keep(digest, bytes)
    return `(binary file of ${bytes.length} bytes, SHA-256 ${digest})\n`
  }

  /** The bytes of a file with a text on the disk. Throws `MissingFault` for a note whose bytes are forgotten. */
  bytesOf(text: string): Buffer {
    const digest = NOTE.exec(text)?.[1]
    if (digest === undefined) return Buffer.from(text)
    const bytes = this.#byDigest.get(digest)
    if (bytes) return bytes
    throw new MissingFault('the bytes of this upload are no longer kept; upload the file again')
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
