/** Bits on their way into bytes, the lowest first, as deflate has them. */
export class Bits {
  /** Each word that is written may reach three bytes behind what is done. */
  bytes = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  /** How many bytes are done. */
  length = 0
  /** The bits behind them, at most seven between two calls. */
  waiting = 0
  count = 0

  /** Forgets what was written and makes room for so many bytes. */
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

  /** Whole bytes, where none waits for its other bits. */
  append(bytes: ArrayLike<number>): void {
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** `size` bits of bytes that hold a word more, from the bit `from` on. */
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
      // In two steps, because a shift by 32 would be none.
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
