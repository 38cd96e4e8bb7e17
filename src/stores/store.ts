/**
 * Where sessions, messages, events, files and whatever else a server remembers are kept. It knows two things: records,
 * which are put and replaced, and streams, which only grow. Values are JSON. A write that returned survives the process.
 */
export interface Store {
  get(kind: string, id: string): unknown
  /** `owner` groups records, for `list`; a record that is replaced keeps its place. */
  put(kind: string, id: string, value: unknown, owner?: string): void
  /** Oldest first. */
  list(kind: string, owner?: string): readonly StoredRecord[]
  /** False when there was none. */
  remove(kind: string, id: string): boolean
  /** The number of the new entry; a stream's first is 1. */
  append(stream: string, value: unknown): number
  /** Entries after a number, oldest first. */
  read(stream: string, after?: number, limit?: number): readonly StoredEntry[]
  /** How many entries a stream has, which is the number of the last. */
  count(stream: string): number
  /** Forgets a whole stream; the next entry is 1 again. */
  drop(stream: string): void
  /** All of the work is kept, or, when it throws, none of it. */
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
