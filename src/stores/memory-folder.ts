import { type Drawer, type FileKind, type Folder, mayBeRead, outside, scenarioPaths } from './folder.ts'

type Files = Map<string, string | Uint8Array>

/** Files that exist only here: those given, and those a drawer has written. */
export function memoryFolder(files: ReadonlyMap<string, string | Uint8Array>, written: Files = new Map()): Folder {
  const find = (path: string, kind: FileKind): string => {
    const names = kind === 'scenario' ? scenarioPaths(path) : [path]
    const found = names.find((name) => (files.has(name) || written.has(name)) && mayBeRead(name, kind))
    if (found === undefined) throw outside(path, kind)
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
  }
}

/** Writes into a map, by path. Lines are never moved aside. */
export const memoryDrawer = (path: string, written: Files): Drawer => ({
  path,
  below: (name) => memoryDrawer(`${path}/${name}`, written),
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
