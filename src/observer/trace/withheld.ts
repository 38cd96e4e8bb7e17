import { LruCache } from '../../base/lru-cache.ts'
import type { IsSecret, SentAs } from '../policies/secrets.ts'
import { isToolArguments, type ToolArguments } from '../result.ts'

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

/** Replaces a secret in traces and in the log of calls. */
export const REDACTED = '<redacted>'

/** The arguments of a call as a trace or a log writes them. */
export interface RecordableArguments {
  readonly args: ToolArguments
  /** The values that are written as `<redacted>`, by their path. */
  readonly withheld: ReadonlyMap<string, unknown>
  /** Whether only the beginning of the arguments is written. */
  readonly isTruncated: boolean
}

/** The arguments of a call without secrets. Only the beginning of arguments that need more than `maxBytes` as JSON. */
export function recordableArguments(
  args: ToolArguments,
  sentAs: SentAs,
  isSecret: IsSecret,
  maxBytes: number,
): RecordableArguments {
  const withheld = new Map<string, unknown>()
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(args)) {
    if (key.startsWith('_')) continue
    kept[key] = withoutSecretValues(key, value, { path: key, withheld, isSecret, sentAs })
  }
  const written = withinBytes(kept, maxBytes)
  return { args: written as ToolArguments, withheld, isTruncated: written !== kept }
}

/** A value, or the beginning of its JSON if that needs more bytes. */
export function withinBytes(value: unknown, maxBytes: number): unknown {
  if (isSurelySmall(value, maxBytes)) return value
  const text = JSON.stringify(value) ?? 'null'
  if (Buffer.byteLength(text) <= maxBytes) return value
  return { __truncated: true, preview: text.slice(0, Math.floor(maxBytes / 2)) }
}

/** Most JSON characters that a character of a text needs. */
const MAX_ESCAPE_LENGTH = 6
/** More than a number or a literal needs, with its punctuation. */
const MAX_LITERAL_LENGTH = 40

/** Whether the JSON of an object of texts and numbers is short, without writing it. */
function isSurelySmall(value: unknown, maxBytes: number): boolean {
  if (!isToolArguments(value)) return false
  let length = 2
  for (const key in value) {
    const field = value[key]
    if (typeof field === 'object') return false
    length += MAX_ESCAPE_LENGTH * key.length + MAX_LITERAL_LENGTH
    if (typeof field === 'string') length += MAX_ESCAPE_LENGTH * field.length
  }
  return length <= maxBytes
}

interface Withholding {
  readonly path: string
  readonly withheld: Map<string, unknown>
  readonly isSecret: IsSecret
  readonly sentAs?: SentAs
}

/** Hides the values of secret names at any depth. */
export function withoutSecretValues(key: string, value: unknown, withholding: Withholding): unknown {
  const { path, withheld, isSecret, sentAs } = withholding
  if (isSecret(key, sentAs)) {
    withheld.set(path, value)
    return REDACTED
  }
  const inner = (name: string, each: unknown) =>
    withoutSecretValues(name, each, { path: `${path}.${name}`, withheld, isSecret })
  if (Array.isArray(value)) return value.map((item, index) => inner(String(index), item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(name, each)]))
}
