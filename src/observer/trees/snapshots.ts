import type { WindowInfo } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Element } from '../../desktop/model/element.ts'

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
