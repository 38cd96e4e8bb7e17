import { LruCache } from '../../base/lru-cache.ts'

/** A value that a trace omits. */
interface Value {
  /** The id of the session that wrote the trace. */
  readonly owner: string
  /** The path of the trace. */
  readonly file: string
  /** Its position in the trace: `sequence.key`, or `sequence` for all arguments of a call. */
  readonly place: string
  readonly value: unknown
}

/** The limit for all traces of a process, active and ended ones. */
const MAX_BYTES = 16 * 1024 * 1024
/** The overhead of an entry. */
const ENTRY_BYTES = 256
const UTF16_BYTES = 2

/** A stored value. It is JSON, since the memory size of text is known. */
interface StoredValue extends Omit<Value, 'value'> {
  readonly json: string
}

/**
 * The values that traces write as `<redacted>` or cut, so that the process that wrote a trace can replay it. Memory is
 * limited: the oldest values are dropped first, and a replay then requires them as bindings.
 */
export class WithheldValues {
  readonly #values: LruCache<string, StoredValue>

  constructor(maxBytes = MAX_BYTES) {
    this.#values = new LruCache(maxBytes, bytesOf)
  }

  keep({ owner, file, place, value }: Value): void {
    this.#values.set(JSON.stringify([owner, file, place]), {
      owner,
      file,
      place,
      json: JSON.stringify(value) ?? 'null',
    })
  }

  /** The values that a session withheld from the trace whose path `isFile` accepts, by place. */
  from(owner: string, isFile: (path: string) => boolean): ReadonlyMap<string, unknown> {
    const accepted = new Map<string, boolean>()
    const found = new Map<string, unknown>()
    for (const { owner: writer, file, place, json } of this.#values.values()) {
      if (writer !== owner) continue
      if (!accepted.has(file)) accepted.set(file, isFile(file))
      if (accepted.get(file)) found.set(place, JSON.parse(json))
    }
    return found
  }

  /** Forgets the values of a session. */
  forget(owner: string): void {
    for (const [key, stored] of this.#values) if (stored.owner === owner) this.#values.delete(key)
  }
}

const bytesOf = ({ file, place, json }: StoredValue): number =>
  ENTRY_BYTES + UTF16_BYTES * (2 * (file.length + place.length) + json.length)
