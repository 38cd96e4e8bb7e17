const ROOM = 256 * 1024
/** Of what UTF-8 makes of a UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3

/**
 * Bytes that are written one after the other and cut off piece by piece. Pieces share their memory, which is taken a
 * quarter of a megabyte at a time and never written twice.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** How many bytes were written since the beginning. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Whatever was written and not cut off is forgotten. */
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

  /** What was written since the beginning. */
  cut(): Buffer {
    const piece = this.#bytes.subarray(this.#start, this.#end)
    this.begin()
    return piece
  }

  #demand(more: number): void {
    if (this.#end + more <= this.#bytes.length) return
    const written = this.#bytes.subarray(this.#start, this.#end)
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(ROOM, 2 * (written.length + more)))
    this.#start = 0
    this.#end = written.copy(this.#bytes)
  }
}
