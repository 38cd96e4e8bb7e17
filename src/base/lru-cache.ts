/** A map that evicts its oldest entries once their total weight exceeds `most`. */
export class LruCache<Key, Value> extends Map<Key, Value> {
  readonly #most: number
  readonly #weigh: (value: Value) => number
  #weight = 0

  /** The weight of an entry; 1 by default. */
  constructor(most: number, weigh: (value: Value) => number = () => 1) {
    super()
    this.#most = most
    this.#weigh = weigh
  }

  override set(key: Key, value: Value): this {
    this.#forget(key)
    super.set(key, value)
    this.#weight += this.#weigh(value)
    if (this.#weight > this.#most) this.#shrink(key)
    return this
  }

  override delete(key: Key): boolean {
    this.#forget(key)
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#weight = 0
  }

  /** Sets an entry and returns its value. */
  keep(key: Key, value: Value): Value {
    this.set(key, value)
    return value
  }

  #forget(key: Key): void {
    if (this.has(key)) this.#weight -= this.#weigh(this.get(key)!)
  }

  /** The newest entry is evicted only when it is too heavy by itself. */
  #shrink(newest: Key): void {
    for (const oldest of this.keys()) {
      if (this.#weight <= this.#most) return
      if (oldest !== newest) this.delete(oldest)
    }
    if (this.#weight > this.#most) this.delete(newest)
  }
}
