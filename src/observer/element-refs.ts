import { LruCache } from '../base/lru-cache.ts'
import type { Target } from '../desktop/model/desktop.ts'

/** A session with more refs forgets the oldest. */
const MAX_REFS = 50_000

/** An element that has a ref, with the page of a browser that it is on, if it is on one. */
export interface RefTarget extends Target {
  readonly page?: string | undefined
}

/**
 * Short names of elements, which outlines give: `e1`, `e2` in the order in which they were first shown. An element keeps
 * its ref while the session lasts, and no other element gets it.
 */
export class ElementRefs {
  readonly #refs = new LruCache<string, string>(MAX_REFS)
  readonly #targets = new LruCache<string, RefTarget>(MAX_REFS)
  #count = 0
  #epoch = 0

  /** Changes whenever all refs are forgotten. */
  get epoch(): number {
    return this.#epoch
  }

  /** The ref of an element, a new one if it has none. */
  refOf(target: RefTarget): string {
    const key = JSON.stringify([target.window, target.element, target.page])
    const known = this.#refs.get(key)
    if (known !== undefined) return known
    const ref = `e${++this.#count}`
    this.#refs.set(key, ref)
    this.#targets.set(ref, target)
    return ref
  }

  /** The element of a ref; undefined for a ref that no outline has given. */
  find(ref: string): RefTarget | undefined {
    return this.#targets.get(ref)
  }

  /** Forgets all refs and starts at `e1` again. */
  clear(): void {
    this.#refs.clear()
    this.#targets.clear()
    this.#count = 0
    this.#epoch++
  }
}
