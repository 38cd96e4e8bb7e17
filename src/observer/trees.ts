import type { Ids } from '../base/ids.ts'
import type { Element } from '../desktop/element.ts'

const TOKEN_TTL_MS = 300_000
const TOKENS_PER_WINDOW = 16

interface Seen {
  readonly token: string
  readonly tree: Element
  readonly atMs: number
}

/** What a session has been shown: trees by token, for diffs; and the latest of each window, to notice acting blindly. */
export class Trees {
  readonly #ids: Ids
  readonly #rings = new Map<string, Seen[]>()
  readonly #latest = new Map<string, Element>()
  hits = 0
  misses = 0

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Remembers a tree that is about to be shown and names it: a ring of 16 per window, 300 s each. */
  remember(windowUid: string, tree: Element, nowMs: number): string {
    const ring = this.#rings.get(windowUid) ?? []
    const token = `tt:${this.#ids.hex(16)}`
    ring.push({ token, tree, atMs: nowMs })
    if (ring.length > TOKENS_PER_WINDOW) ring.shift()
    this.#rings.set(windowUid, ring)
    this.saw(windowUid, tree)
    return token
  }

  recall(windowUid: string, token: string, nowMs: number): Element | undefined {
    const seen = this.#rings.get(windowUid)?.find((each) => each.token === token)
    return seen && nowMs - seen.atMs <= TOKEN_TTL_MS ? seen.tree : undefined
  }

  saw(windowUid: string, tree: Element): void {
    this.#latest.set(windowUid, tree)
  }

  latest(windowUid: string): Element | undefined {
    return this.#latest.get(windowUid)
  }

  /** Whether this very tree was the last one captured of its window; counted for the metrics. */
  cached(windowUid: string, tree: Element): boolean {
    const hit = this.#latest.get(windowUid) === tree
    if (hit) this.hits++
    if (!hit) this.misses++
    return hit
  }

  get windows(): number {
    return this.#rings.size
  }

  /** After another scenario was loaded nothing of the old one may be compared with. */
  clear(): void {
    this.#rings.clear()
    this.#latest.clear()
  }
}
