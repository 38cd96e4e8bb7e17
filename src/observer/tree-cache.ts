import type { WindowInfo } from '../adapters/computer.ts'
import { Fault } from '../base/fault.ts'
import type { IdSource } from '../base/ids.ts'
import { LruCache } from '../base/lru-cache.ts'
import { type Element, walk } from '../desktop/model/element.ts'
import { ElementRefs } from './element-refs.ts'
import type { ToolResult } from './result.ts'

const TOKEN_TTL_MS = 300_000
const MAX_TOKENS_PER_WINDOW = 16
/** Windows of a real desktop may open and close any number of times. */
const MAX_WINDOWS = 64

/** A result about a window and the values that it depends on. */
interface CachedTree {
  readonly of: readonly unknown[]
  readonly answer: ToolResult
}

interface WindowState {
  readonly token: string
  readonly tree: Element
  readonly atMs: number
}

/** The latest capture of the tree of a window (observer document, "capabilities"). */
export interface Capture {
  readonly tree: Element
  readonly tookMs: number
  readonly atMs: number
}

/** The number of named elements below the root, at max `max`. */
export function countNamed(tree: Element, max = Number.POSITIVE_INFINITY): number {
  let named = 0
  for (const node of walk(tree)) if (node !== tree && node.name !== '' && ++named >= max) break
  return named
}

/** The trees that a session has returned: by token, for differences, and the latest of each window, to detect changes. */
export class TreeCache {
  readonly #ids: IdSource
  readonly #rings = new LruCache<string, WindowState[]>(MAX_WINDOWS)
  readonly #known = new LruCache<string, Element>(MAX_WINDOWS)
  readonly #answers = new LruCache<string, CachedTree>(MAX_WINDOWS)
  readonly #captures = new LruCache<string, Capture>(MAX_WINDOWS)
  /** The refs that outlines have given. */
  readonly refs = new ElementRefs()
  hits = 0
  misses = 0
  captured = 0
  captureMsTotal = 0
  captureMsMost = 0

  constructor(ids: IdSource) {
    this.#ids = ids
  }

  /** Remembers a tree and returns its token. A window has its latest 16 tokens, each for 300 s. */
  remember(windowUid: string, tree: Element, nowMs: number): string {
    const ring = this.#rings.get(windowUid) ?? []
    const token = `tt:${this.#ids.hex(16)}`
    ring.push({ token, tree, atMs: nowMs })
    if (ring.length > MAX_TOKENS_PER_WINDOW) ring.shift()
    this.#rings.delete(windowUid)
    this.#rings.set(windowUid, ring)
    this.setKnown(windowUid, tree)
    return token
  }

  recall(windowUid: string, token: string, nowMs: number): Element | undefined {
    const seen = this.#rings.get(windowUid)?.find((each) => each.token === token)
    return seen && nowMs - seen.atMs <= TOKEN_TTL_MS ? seen.tree : undefined
  }

  /** The window and the tree of a token. */
  find(token: string, nowMs: number): { readonly windowUid: string; readonly tree: Element } | undefined {
    for (const windowUid of this.#rings.keys()) {
      const tree = this.recall(windowUid, token, nowMs)
      if (tree) return { windowUid, tree }
    }
    return undefined
  }

  /** The tree that was returned last. */
  lastShown(windowUid: string): Element | undefined {
    return this.#rings.get(windowUid)?.at(-1)?.tree
  }

  /** Records that the client knows this tree: it was returned, or is the result of the client's action. */
  setKnown(windowUid: string, tree: Element): void {
    this.#known.delete(windowUid)
    this.#known.set(windowUid, tree)
  }

  knownTree(windowUid: string): Element | undefined {
    return this.#known.get(windowUid)
  }

  /** Whether the client already knows this tree. Counts hits and misses for the metrics. */
  isKnown(windowUid: string, tree: Element): boolean {
    const hit = this.#known.get(windowUid) === tree
    if (hit) this.hits++
    if (!hit) this.misses++
    return hit
  }

  /** Returns the previous result about a window if its dependencies are the same objects, else computes it. */
  cachedResult(windowUid: string, of: readonly unknown[], make: () => ToolResult): ToolResult {
    const last = this.#answers.get(windowUid)
    if (last?.of.every((part, place) => part === of[place])) return last.answer
    const answer = make()
    this.#answers.set(windowUid, { of, answer })
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

  /** Forgets all trees, after a scenario was loaded or rewound. */
  clear(): void {
    this.#rings.clear()
    this.#known.clear()
    this.#answers.clear()
    this.#captures.clear()
    this.refs.clear()
  }
}

const TTL_MS = 300_000

/** All windows and trees at one moment. They are immutable, so a snapshot costs almost nothing. */
export interface Snapshot {
  readonly id: string
  readonly atMs: number
  readonly windows: readonly WindowInfo[]
  readonly trees: ReadonlyMap<string, Element>
  /** Windows whose program did not give its tree in time. */
  readonly unavailable: ReadonlySet<string>
}

/** The snapshots of a session: at most 32, for 300 s each. The least recently read is dropped first. */
export class Snapshots {
  readonly #ids: IdSource
  readonly #held = new LruCache<string, Snapshot>(32)

  constructor(ids: IdSource) {
    this.#ids = ids
  }

  take(seen: Omit<Snapshot, 'id' | 'atMs'>, nowMs: number): Snapshot {
    const snapshot = { ...seen, id: `snap:${this.#ids.hex(16)}`, atMs: nowMs }
    this.#held.set(snapshot.id, snapshot)
    return snapshot
  }

  read(id: string, nowMs: number): Snapshot {
    const snapshot = this.#held.get(id)
    if (!snapshot || nowMs - snapshot.atMs > TTL_MS) {
      this.#held.delete(id)
      throw new Fault('SnapshotExpired', `the snapshot ${JSON.stringify(id)} is unknown or older than 300 s`, {
        snapshot_id: id,
      })
    }
    this.#held.delete(id)
    this.#held.set(id, snapshot)
    return snapshot
  }

  drop(id: string): boolean {
    return this.#held.delete(id)
  }
}
