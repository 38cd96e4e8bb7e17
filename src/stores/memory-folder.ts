import {
  type FileKind,
  type Folder,
  fileNotFound,
  hasReadableName,
  type OutputDirectory,
  scenarioCandidates,
  scenarioNamesAmong,
} from './folder.ts'

type Files = Map<string, string | Uint8Array>

/** Files in memory: the given ones, and those written through an output directory. */
export function memoryFolder(files: ReadonlyMap<string, string | Uint8Array>, written: Files = new Map()): Folder {
  const find = (path: string, kind: FileKind): string => {
    const names = kind === 'scenario' ? scenarioCandidates(path) : [path]
    const found = names.find((name) => (files.has(name) || written.has(name)) && hasReadableName(name, kind))
    if (found === undefined) throw fileNotFound(path, kind)
    return found
  }
  const read = (path: string, kind: FileKind): Buffer => {
    const name = find(path, kind)
    return Buffer.from((files.get(name) ?? written.get(name)) as string)
  }
  return {
    roots: [],
    resolve: find,
    readText: async (path, kind) => read(path, kind).toString('utf8'),
    readBytes: async (path, kind) => read(path, kind),
    readNow: read,
    scenarioNames: () => scenarioNamesAmong([...files.keys(), ...written.keys()]),
  }
}

/** Writes into a map by path. Never rotates line files. */
export const memoryOutput = (path: string, written: Files): OutputDirectory => ({
  path,
  subdirectory: (name) => memoryOutput(`${path}/${name}`, written),
  lines: (name) => ({
    path: `${path}/${name}`,
    append: (line) => {
      written.set(`${path}/${name}`, `${written.get(`${path}/${name}`) ?? ''}${line}\n`)
    },
  }),
  writeBytes: (name, bytes) => {
    written.set(`${path}/${name}`, bytes)
  },
})
