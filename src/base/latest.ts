/** A map of the entries that came last: one more than `most`, and the oldest goes. */
export class Latest<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value!)
    return this
  }

  /** Sets an entry and gives its value. */
  keep(key: Key, value: Value): Value {
    this.set(key, value)
    return value
  }
}
