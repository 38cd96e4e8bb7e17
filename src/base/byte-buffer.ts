const BLOCK_BYTES = 256 * 1024
/** The most bytes in UTF-8 for one UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3

/**
 * A buffer that is appended to and cut off in pieces. Pieces share memory, which is allocated in blocks of 256 KiB and
 * never overwritten.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** The number of bytes written since the start. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Discards the bytes that were written but not cut off. */
  begin(): void {
    this.#start = this.#end
  }

  text(text: string): void {
    this.#demand(text.length * MAX_BYTES_PER_CHARACTER)
    this.#end += this.#bytes.write(text, this.#end)
  }

  copy(from: Buffer, start: number, end: number): void {
    this.#demand(end - start)
    this.#end += from.copy(this.#bytes, this.#end, start, end)
  }

  /** Returns the bytes written since the start. */
  cut(): Buffer {
    const piece = this.#bytes.subarray(this.#start, this.#end)
    this.begin()
    return piece
  }

  #demand(more: number): void {
    if (this.#end + more <= this.#bytes.length) return
    const written = this.#bytes.subarray(this.#start, this.#end)
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * (written.length + more)))
    this.#start = 0
    this.#end = written.copy(this.#bytes)
  }
}
