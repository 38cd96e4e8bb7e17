import {
  type FileKind,
  type Folder,
  fileNotFound,
  hasReadableName,
  type OutputDirectory,
  scenarioCandidates,
  scenarioNamesAmong,
} from './folder.ts'
import type { Store } from './store.ts'

interface StoredRecord {
  readonly text: string
  readonly owner: string | undefined
  /** The sequence number of the first `put` of its id. */
  readonly position: number
}

/** A store for the life of the process. Keeps values as JSON, so that callers cannot mutate them. */
export function memoryStore(): Store {
  const kinds = new Map<string, Map<string, StoredRecord>>()
  const streams = new Map<string, string[]>()
  let lastPosition = 0
  /** Undo functions of the current transaction, newest last. */
  let undo: (() => void)[] | undefined

  const recordsOf = (kind: string) => kinds.get(kind) ?? kinds.set(kind, new Map()).get(kind)!
  const entriesOf = (stream: string) => streams.get(stream) ?? streams.set(stream, []).get(stream)!

  function set(kind: string, id: string, record: StoredRecord | undefined): boolean {
    const records = recordsOf(kind)
    const before = records.get(id)
    undo?.push(() => void set(kind, id, before))
    if (record) records.set(id, record)
    else records.delete(id)
    return before !== undefined
  }

  function append(stream: string, value: unknown): number {
    const entries = entriesOf(stream)
    undo?.push(() => entries.pop())
    return entries.push(JSON.stringify(value))
  }

  function drop(stream: string): void {
    const entries = streams.get(stream)
    if (!entries) return
    undo?.push(() => streams.set(stream, entries))
    streams.delete(stream)
  }

  function atomically<T>(work: () => T): T {
    if (undo) return work()
    undo = []
    try {
      return work()
    } catch (thrown) {
      const steps = undo
      undo = undefined
      for (const step of steps.toReversed()) step()
      throw thrown
    } finally {
      undo = undefined
    }
  }

  return {
    get: (kind, id) => {
      const record = kinds.get(kind)?.get(id)
      return record && JSON.parse(record.text)
    },
    put: (kind, id, value, owner) => {
      const position = kinds.get(kind)?.get(id)?.position ?? ++lastPosition
      set(kind, id, { text: JSON.stringify(value), owner, position })
    },
    list: (kind, owner) =>
      [...(kinds.get(kind) ?? [])]
        .filter(([, record]) => owner === undefined || record.owner === owner)
        .sort(([, one], [, other]) => one.position - other.position)
        .map(([id, { text }]) => ({ id, value: JSON.parse(text) })),
    remove: (kind, id) => set(kind, id, undefined),
    append,
    read: (stream, after = 0, limit) =>
      (streams.get(stream) ?? [])
        .slice(after, limit === undefined ? undefined : after + limit)
        .map((text, index) => ({ number: after + index + 1, value: JSON.parse(text) })),
    count: (stream) => streams.get(stream)?.length ?? 0,
    drop,
    atomically,
    close: () => {},
  }
}

type Files = Map<string, string | Uint8Array>

/** Files in memory: the given ones, and those written through an output directory. */
export function memoryFolder(files: ReadonlyMap<string, string | Uint8Array>, output: Files = new Map()): Folder {
  const find = (path: string, kind: FileKind): string => {
    const names = kind === 'scenario' ? scenarioCandidates(path) : [path]
    const found = names.find((name) => (files.has(name) || output.has(name)) && hasReadableName(name, kind))
    if (found === undefined) throw fileNotFound(path, kind)
    return found
  }
  const read = (path: string, kind: FileKind): Buffer => {
    const name = find(path, kind)
    return Buffer.from((files.get(name) ?? output.get(name)) as string)
  }
  return {
    roots: [],
    resolve: find,
    readText: async (path, kind) => read(path, kind).toString('utf8'),
    readBytes: async (path, kind) => read(path, kind),
    readNow: read,
    scenarioNames: () => scenarioNamesAmong([...files.keys(), ...output.keys()]),
  }
}

/** Writes into a map by path. Never rotates line files. */
export const memoryOutput = (path: string, output: Files): OutputDirectory => ({
  path,
  subdirectory: (name) => memoryOutput(`${path}/${name}`, output),
  lines: (name) => ({
    path: `${path}/${name}`,
    append: (line) => {
      output.set(`${path}/${name}`, `${output.get(`${path}/${name}`) ?? ''}${line}\n`)
    },
  }),
  writeBytes: (name, bytes) => {
    output.set(`${path}/${name}`, bytes)
  },
})
