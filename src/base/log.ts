import { Fault } from './fault.ts'

/** An entry of a log. Numbers start at 1 and have no gaps. */
export interface Numbered<T> {
  readonly number: number
  readonly event: T
}

/**
 * A numbered, bounded log. Any number of readers follow it, each with its own cursor.
 * It keeps the newest `capacity` events, and readers never make it grow.
 */
export class EventLog<T> {
  readonly #capacity: number
  readonly #ring: Numbered<T>[]
  readonly #waiting = new Set<() => void>()
  #last: number
  #closed = false

  /** `held` are the entries of an earlier log that this one continues, oldest first and without gaps. */
  constructor(capacity = 1000, held: readonly Numbered<T>[] = []) {
    this.#capacity = capacity
    this.#ring = held.slice(-capacity)
    this.#last = held.at(-1)?.number ?? 0
  }

  get last(): number {
    return this.#last
  }

  /** The oldest number in the log; `last + 1` when it is empty. */
  get first(): number {
    return this.#last - Math.min(this.#ring.length, this.#capacity) + 1
  }

  get closed(): boolean {
    return this.#closed
  }

  append(event: T): Numbered<T> {
    if (this.#closed) throw new Error('the log is closed')
    const entry = { number: ++this.#last, event }
    this.#ring.push(entry)
    // Dropped in halves, so that appending stays cheap on average.
    if (this.#ring.length >= this.#capacity * 2) this.#ring.splice(0, this.#ring.length - this.#capacity)
    this.#wake()
    return entry
  }

  /** Ends every reader once it has read everything. Appending afterwards is a bug. */
  close(): void {
    this.#closed = true
    this.#wake()
  }

  /** The entries with a number above `after`, oldest first. Throws `EventsEvicted` when some of them were dropped. */
  since(after: number): readonly Numbered<T>[] {
    const oldest = this.first
    if (after < oldest - 1)
      throw new Fault('EventsEvicted', `event ${after + 1} is no longer held; the oldest is ${oldest}`, { oldest })
    return after < this.#last ? this.#ring.slice(after - this.#last) : []
  }

  /** All entries in the log, oldest first. */
  held(): readonly Numbered<T>[] {
    return this.#ring.slice(-this.#capacity)
  }

  /** Waits for an event after a number. Resolves to false when the log is closed or `signal` aborts. */
  async newer(after: number, signal?: AbortSignal): Promise<boolean> {
    while (this.#last <= after) {
      if (this.#closed || signal?.aborted) return false
      await this.#change(signal)
    }
    return !signal?.aborted
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal?.addEventListener('abort', done)
      if (signal?.aborted) done()
    })
  }

  #wake(): void {
    if (this.#waiting.size > 0) for (const done of [...this.#waiting]) done()
  }
}
