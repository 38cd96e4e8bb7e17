import { type Drawer, type Folder, outside } from './folder.ts'

type Files = Map<string, string | Uint8Array>

/** Files that exist only here: those given, and those a drawer has written. */
export function memoryFolder(files: ReadonlyMap<string, string | Uint8Array>, written: Files = new Map()): Folder {
  const read = (path: string) => {
    const found = files.get(path) ?? written.get(path)
    if (found === undefined) throw outside(path)
    return Buffer.from(found as string)
  }
  return {
    roots: [],
    resolve: (path) => {
      read(path)
      return path
    },
    readText: async (path) => read(path).toString('utf8'),
    readBytes: async (path) => read(path),
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
