/**
 * Stores sessions, messages, events, files and other server state. A store has two kinds of data: records,
 * which can be replaced, and append-only streams. Values are JSON. A completed write survives the process.
 */
export interface Store {
  get(kind: string, id: string): unknown
  /** Inserts or replaces a record. `owner` groups records for `list`. A replaced record keeps its position. */
  put(kind: string, id: string, value: unknown, owner?: string): void
  /** Oldest first. */
  list(kind: string, owner?: string): readonly StoredRecord[]
  /** Deletes a record. Returns false if it does not exist. */
  remove(kind: string, id: string): boolean
  /** Appends an entry and returns its number, starting at 1. */
  append(stream: string, value: unknown): number
  /** Returns the entries after a number, oldest first. */
  read(stream: string, after?: number, limit?: number): readonly StoredEntry[]
  /** Returns the number of entries, which is the number of the last entry. */
  count(stream: string): number
  /** Deletes a stream. The next entry is 1 again. */
  drop(stream: string): void
  /** Runs `work` atomically. Keeps none of its writes if it throws. */
  atomically<T>(work: () => T): T
  close(): void
}

export interface StoredRecord {
  readonly id: string
  readonly value: unknown
}

export interface StoredEntry {
  readonly number: number
  readonly value: unknown
}
