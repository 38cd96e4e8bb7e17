import { Buffer } from 'buffer/'

/** A folder of files that can be read: those of the gallery, by their paths in the package. */

const ROOT = '/backlot'

/** What the core reads when it is loaded; the build writes it. */
declare const PACKAGE_JSON: string
const files = new Map<string, string>([[`${ROOT}/package.json`, PACKAGE_JSON]])

/** Adds files by their paths in the package. */
export function addFiles(texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) files.set(`${ROOT}/${path}`, text)
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file ${path}`), { code: 'ENOENT' })
}

export function readFileSync(path: string, encoding?: 'utf8'): string | Buffer {
  const text = files.get(path)
  if (text === undefined) throw missing(path)
  return encoding === undefined ? Buffer.from(text) : text
}

export const existsSync = (path: string): boolean => files.has(path) || isFolder(path)

const isFolder = (path: string): boolean => [...files.keys()].some((file) => file.startsWith(`${path}/`))

export function realpathSync(path: string): string {
  if (!existsSync(path)) throw missing(path)
  return path
}

export function statSync(path: string) {
  const text = files.get(path)
  if (text === undefined && !isFolder(path)) throw missing(path)
  return {
    isFile: () => text !== undefined,
    isDirectory: () => text === undefined,
    size: Buffer.from(text ?? '').length,
  }
}

export function readdirSync(folder: string, options?: { readonly withFileTypes?: boolean }) {
  const below = [...files.keys()]
    .filter((file) => file.startsWith(`${folder}/`))
    .map((file) => file.slice(folder.length + 1))
  if (below.length === 0) throw missing(folder)
  const names = [...new Set(below.map((path) => path.split('/')[0]!))].sort()
  if (!options?.withFileTypes) return names
  return names.map((name) => ({ name, isDirectory: () => !below.includes(name), isFile: () => below.includes(name) }))
}
