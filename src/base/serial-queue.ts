import type { Awaitable } from './async.ts'

/** Runs work one piece after another, in the order in which it was added. Work that fails does not hold up the rest. */
export class SerialQueue {
  #last: Promise<void> | undefined

  /** Runs work after all work added before it: at once if there is none, and then synchronously if the work is. */
  run<T>(work: () => Promise<T>): Promise<T>
  run<T>(work: () => Awaitable<T>): Awaitable<T>
  run<T>(work: () => Awaitable<T>): Awaitable<T> {
    const done = this.#last ? this.#last.then(work) : work()
    if (!(done instanceof Promise)) return done
    const end = () => {
      if (this.#last === last) this.#last = undefined
    }
    const last = done.then(end, end)
    this.#last = last
    return done
  }

  /** Resolves when all work added before has ended. */
  async ended(): Promise<void> {
    await this.#last
  }
}
