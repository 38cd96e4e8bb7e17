import { LruCache } from '../../base/lru-cache.ts'

/** A value that a trace does not show. */
interface Value {
  /** The id of the session that wrote the trace. */
  readonly owner: string
  /** The path of the trace. */
  readonly file: string
  /** Where it belongs in the trace: `sequence.key`, or `sequence` for all arguments of a call. */
  readonly place: string
  readonly value: unknown
}

/** All that is withheld in a process, active traces and ended ones together. */
const MAX_BYTES = 16 * 1024 * 1024
/** What an entry needs besides its text. */
const ENTRY_BYTES = 256
const UTF16_BYTES = 2

/** A value as it is kept: as JSON, since the memory that text needs is known. */
interface Kept extends Omit<Value, 'value'> {
  readonly json: string
}

/**
 * What traces write as `<redacted>` or cut, so that the process that wrote a trace can replay it. The room is bounded: the
 * oldest values go first, and a replay then asks for them as bindings.
 */
export class WithheldValues {
  readonly #values: LruCache<string, Kept>

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

  /** Forgets what a session withheld. */
  forget(owner: string): void {
    for (const [key, kept] of this.#values) if (kept.owner === owner) this.#values.delete(key)
  }
}

const bytesOf = ({ file, place, json }: Kept): number =>
  ENTRY_BYTES + UTF16_BYTES * (2 * (file.length + place.length) + json.length)
