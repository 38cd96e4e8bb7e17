/** A bit writer, lowest bit first, as in deflate. */
export class Bits {
  /** Each written word may extend three bytes beyond the length. */
  bytes = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  /** The number of complete bytes. */
  length = 0
  /** The pending bits, at most seven between calls. */
  waiting = 0
  count = 0

  /** Clears the writer and allocates bytes. */
  begin(room: number): void {
    if (this.bytes.length < room) {
      this.bytes = new Uint8Array(room)
      this.view = new DataView(this.bytes.buffer)
    }
    this.length = 0
    this.waiting = 0
    this.count = 0
  }

  /** At most 24 bits. */
  put(bits: number, size: number): void {
    const waiting = this.waiting | (bits << this.count)
    const count = this.count + size
    this.view.setInt32(this.length, waiting, true)
    this.length += count >>> 3
    this.waiting = waiting >>> (count & 24)
    this.count = count & 7
  }

  /** Appends whole bytes. No bits may be pending. */
  append(bytes: ArrayLike<number>): void {
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Copies `size` bits, starting at the bit `from`, from bytes that are followed by one more word. */
  copy(source: DataView, from: number, size: number): void {
    if (size === 0) return
    const { view } = this
    const end = from + size
    const before = Math.min(size, -this.count & 7)
    this.put(bitsAt(source, from, before), before)
    let at = from + before
    let { length } = this
    const shift = at & 7
    for (let byte = at >>> 3; at + 32 <= end; at += 32, byte += 4, length += 4) {
      // In two steps, because a shift by 32 has no effect.
      const high = (source.getUint8(byte + 4) << 1) << (31 - shift)
      view.setInt32(length, (source.getInt32(byte, true) >>> shift) | high, true)
    }
    this.length = length
    for (let left = end - at; left > 0; left = end - at) {
      const taken = Math.min(24, left)
      this.put(bitsAt(source, at, taken), taken)
      at += taken
    }
  }
}

/** At most 24 bits. */
const bitsAt = (source: DataView, at: number, size: number): number =>
  (source.getInt32(at >>> 3, true) >>> (at & 7)) & ((1 << size) - 1)
