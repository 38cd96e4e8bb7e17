import type { IdSource } from '../../base/ids.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import type { ToolResult } from '../result.ts'

const TOKEN_TTL_MS = 300_000
const TOKENS_PER_WINDOW = 16
/** Windows of real desktops come and go without end. */
const MAX_WINDOWS = 64

/** What was told of a window, and all that it was made of. */
interface CachedTree {
  readonly of: readonly unknown[]
  readonly answer: ToolResult
}

interface WindowState {
  readonly token: string
  readonly tree: Element
  readonly atMs: number
}

/** What capturing the tree of a window came to, the last time (observer document, "capabilities"). */
export interface Capture {
  readonly tree: Element
  readonly tookMs: number
  readonly atMs: number
}

/** The elements below the root that have a name; counting ends at `most`. */
export function countNamed(tree: Element, most = Number.POSITIVE_INFINITY): number {
  let named = 0
  for (const node of walk(tree)) if (node !== tree && node.name !== '' && ++named >= most) break
  return named
}

/** What a session has been shown: trees by token, for diffs; and of each window the last one, to notice what changed meanwhile. */
export class TreeCache {
  readonly #ids: IdSource
  readonly #rings = new LruCache<string, WindowState[]>(MAX_WINDOWS)
  readonly #known = new LruCache<string, Element>(MAX_WINDOWS)
  readonly #told = new LruCache<string, CachedTree>(MAX_WINDOWS)
  readonly #captures = new LruCache<string, Capture>(MAX_WINDOWS)
  hits = 0
  misses = 0
  captured = 0
  captureMsTotal = 0
  captureMsMost = 0

  constructor(ids: IdSource) {
    this.#ids = ids
  }

  /** Remembers a tree that is about to be shown and names it: a ring of 16 per window, 300 s each. */
  remember(windowUid: string, tree: Element, nowMs: number): string {
    const ring = this.#rings.get(windowUid) ?? []
    const token = `tt:${this.#ids.hex(16)}`
    ring.push({ token, tree, atMs: nowMs })
    if (ring.length > TOKENS_PER_WINDOW) ring.shift()
    this.#rings.delete(windowUid)
    this.#rings.set(windowUid, ring)
    this.setKnown(windowUid, tree)
    return token
  }

  recall(windowUid: string, token: string, nowMs: number): Element | undefined {
    const seen = this.#rings.get(windowUid)?.find((each) => each.token === token)
    return seen && nowMs - seen.atMs <= TOKEN_TTL_MS ? seen.tree : undefined
  }

  /** The window and the tree that a token names, whichever window that is. */
  find(token: string, nowMs: number): { readonly windowUid: string; readonly tree: Element } | undefined {
    for (const windowUid of this.#rings.keys()) {
      const tree = this.recall(windowUid, token, nowMs)
      if (tree) return { windowUid, tree }
    }
    return undefined
  }

  /** The tree that was shown last. */
  lastShown(windowUid: string): Element | undefined {
    return this.#rings.get(windowUid)?.at(-1)?.tree
  }

  /** The client has met this tree: it was shown, or is what came of its own action. */
  setKnown(windowUid: string, tree: Element): void {
    this.#known.delete(windowUid)
    this.#known.set(windowUid, tree)
  }

  knownTree(windowUid: string): Element | undefined {
    return this.#known.get(windowUid)
  }

  /** Whether this very tree was the last one met of its window; counted for the metrics. */
  isKnown(windowUid: string, tree: Element): boolean {
    const hit = this.#known.get(windowUid) === tree
    if (hit) this.hits++
    if (!hit) this.misses++
    return hit
  }

  /** What is told of a window, the same object again when it would be made of the same. */
  cachedResult(windowUid: string, of: readonly unknown[], make: () => ToolResult): ToolResult {
    const last = this.#told.get(windowUid)
    if (last?.of.every((part, place) => part === of[place])) return last.answer
    const answer = make()
    this.#told.set(windowUid, { of, answer })
    return answer
  }

  recordCapture(windowUid: string, tree: Element, { tookMs, atMs }: Omit<Capture, 'tree'>): void {
    this.captured++
    this.captureMsTotal += tookMs
    this.captureMsMost = Math.max(this.captureMsMost, tookMs)
    this.#captures.set(windowUid, { tree, tookMs, atMs })
  }

  get captures(): ReadonlyMap<string, Capture> {
    return this.#captures
  }

  get windows(): number {
    return this.#rings.size
  }

  /** After another scenario was loaded nothing of the old one may be compared with. */
  clear(): void {
    this.#rings.clear()
    this.#known.clear()
    this.#told.clear()
    this.#captures.clear()
  }
}
