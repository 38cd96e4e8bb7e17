import type { Store } from './store.ts'

interface Kept {
  readonly text: string
  readonly owner: string | undefined
}

/** A store that lives as long as the process. Values are kept as JSON, so that nobody can change them from outside. */
export function memoryStore(): Store {
  let kinds = new Map<string, Map<string, Kept>>()
  let streams = new Map<string, string[]>()

  const records = (kind: string) => {
    const known = kinds.get(kind) ?? new Map<string, Kept>()
    kinds.set(kind, known)
    return known
  }
  return {
    get: (kind, id) => parsed(kinds.get(kind)?.get(id)?.text),
    put: (kind, id, value, owner) => void records(kind).set(id, { text: JSON.stringify(value), owner }),
    list: (kind, owner) =>
      [...(kinds.get(kind) ?? [])]
        .filter(([, kept]) => owner === undefined || kept.owner === owner)
        .map(([id, { text }]) => ({ id, value: JSON.parse(text) })),
    remove: (kind, id) => kinds.get(kind)?.delete(id) ?? false,
    append: (stream, value) => {
      const entries = streams.get(stream) ?? []
      streams.set(stream, entries)
      return entries.push(JSON.stringify(value))
    },
    read: (stream, after = 0, limit) =>
      (streams.get(stream) ?? [])
        .slice(after, limit === undefined ? undefined : after + limit)
        .map((text, index) => ({ number: after + index + 1, value: JSON.parse(text) })),
    drop: (stream) => void streams.delete(stream),
    atomically: (work) => {
      const before = { kinds: copied(kinds, (map) => new Map(map)), streams: copied(streams, (list) => [...list]) }
      try {
        return work()
      } catch (thrown) {
        kinds = before.kinds
        streams = before.streams
        throw thrown
      }
    },
    close: () => {},
  }
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

const copied = <T>(map: ReadonlyMap<string, T>, copy: (value: T) => T) =>
  new Map([...map].map(([key, value]) => [key, copy(value)]))
