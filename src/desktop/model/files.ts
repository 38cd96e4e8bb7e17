import { Fault } from '../../base/fault.ts'
import { MAX_TEXT_CHARACTERS } from './element.ts'

/** A small file system as a value: absolute paths, each with its text; null is a folder. The root `/` is always there. */
export type Files = Readonly<Record<string, string | null>>

export interface Entry {
  readonly name: string
  readonly path: string
  readonly isFolder: boolean
}

const MAX_PATH_CHARACTERS = 1000
/** The limits of `putFile`. */
const MAX_FILES = 10_000
const MAX_DISK_CHARACTERS = 16 * 1024 * 1024

/** Resolves `.`, `..` and doubled slashes. Relative paths start at `from`. Throws `BadRequest` for an empty path. */
export function resolvePath(from: string, path: string): string {
  const wanted = path.trim()
  if (wanted === '' || wanted.length > MAX_PATH_CHARACTERS || /[\u0000-\u001f]/.test(wanted))
    throw new Fault('BadRequest', `${JSON.stringify(path)} is no path of a file`)
  const parts: string[] = []
  for (const part of (wanted.startsWith('/') ? wanted : `${from}/${wanted}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))
export const joinPath = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`)

/** Folders need no entry: the parent of a file is a folder. */
export const isFolder = (files: Files, path: string): boolean =>
  path === '/' || (has(files, path) && files[path] === null) || Object.keys(files).some((each) => isInside(each, path))

export const isFile = (files: Files, path: string): boolean => has(files, path) && files[path] !== null

export const exists = (files: Files, path: string): boolean => isFile(files, path) || isFolder(files, path)

/** The paths of all files and folders in a folder, at any depth, sorted. */
export function filePathsBelow(files: Files, folder: string): readonly string[] {
  const paths = new Set<string>()
  for (let path of Object.keys(files))
    for (; isInside(path, folder) && path !== folder && !paths.has(path); path = folderOf(path)) paths.add(path)
  return [...paths].sort()
}

const listings = new WeakMap<Files, Map<string, readonly Entry[]>>()

/** The entries of a folder, folders first, sorted by name. Cached per state of the files. */
export function listFolder(files: Files, folder: string): readonly Entry[] {
  const known = listings.get(files) ?? new Map<string, readonly Entry[]>()
  listings.set(files, known)
  const entries = known.get(folder) ?? entriesOf(files, folder)
  known.set(folder, entries)
  return entries
}

function entriesOf(files: Files, folder: string): readonly Entry[] {
  const prefix = folder === '/' ? '/' : `${folder}/`
  const names = new Map<string, boolean>()
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith(prefix) || path === prefix) continue
    const [name = '', ...deeper] = path.slice(prefix.length).split('/')
    names.set(name, names.get(name) === true || deeper.length > 0 || text === null)
  }
  const entries = [...names].map(([name, isFolder]) => ({ name, path: joinPath(folder, name), isFolder }))
  return entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1))
}

/** Throws `BadRequest` if the file does not exist. */
export function readFile(files: Files, path: string): string {
  const text = has(files, path) ? files[path] : undefined
  if (typeof text === 'string') return text
  throw new Fault('BadRequest', isFolder(files, path) ? `${path} is a folder` : `there is no file ${path}`, { path })
}

/** Throws `BadRequest` if the parent folder does not exist or the path is a folder. */
export function writeFile(files: Files, path: string, text: string): Files {
  if (!isFolder(files, folderOf(path))) throw new Fault('BadRequest', `there is no folder ${folderOf(path)}`, { path })
  return withText(files, path, text)
}

function withText(files: Files, path: string, text: string): Files {
  if (isFolder(files, path)) throw new Fault('BadRequest', `${path} is a folder`, { path })
  if (text.length > MAX_TEXT_CHARACTERS)
    throw new Fault('TooLarge', `a file holds at most ${MAX_TEXT_CHARACTERS} characters, not ${text.length}`, { path })
  return files[path] === text ? files : { ...files, [path]: text }
}

/**
 * Writes a file with the folders that it needs. Throws `BadRequest` if the path is a folder or below a file, and
 * `TooLarge` beyond the size of a file or of the disk.
 */
export function putFile(files: Files, path: string, text: string): Files {
  for (let folder = folderOf(path); folder !== '/'; folder = folderOf(folder))
    if (isFile(files, folder)) throw new Fault('BadRequest', `${folder} is a file, so nothing can be in it`, { path })
  const next = withText(files, path, text)
  const texts = Object.values(next)
  const characters = texts.reduce((sum, each) => sum + (each?.length ?? 0), 0)
  if (texts.length > MAX_FILES || characters > MAX_DISK_CHARACTERS)
    throw new Fault('TooLarge', `the disk holds at most ${MAX_FILES} files and ${MAX_DISK_CHARACTERS} characters`, {
      path,
    })
  return next
}

/** Removes a file, or a folder with its content. The parent folder stays, even if it becomes empty. */
export function removePath(files: Files, path: string): Files {
  if (path === '/' || !exists(files, path)) throw new Fault('BadRequest', `there is no ${path} to delete`, { path })
  const kept = Object.entries(files).filter(([each]) => each !== path && !isInside(each, path))
  return withFolder(Object.fromEntries(kept), folderOf(path))
}

/** Moves a file or folder. Throws `BadRequest` if it is missing, the target exists, or the target is inside it. */
export function movePath(files: Files, from: string, to: string): Files {
  if (from === to) return files
  return removePath(copyPath(files, from, to), from)
}

export function copyPath(files: Files, from: string, to: string): Files {
  if (!exists(files, from)) throw new Fault('BadRequest', `there is no ${from}`, { path: from })
  if (exists(files, to)) throw new Fault('BadRequest', `${to} is there already`, { path: to })
  if (isInside(to, from)) throw new Fault('BadRequest', `${to} is inside ${from}`, { path: to })
  if (!isFolder(files, folderOf(to))) throw new Fault('BadRequest', `there is no folder ${folderOf(to)}`, { path: to })
  const copies = Object.entries(files)
    .filter(([path]) => path === from || isInside(path, from))
    .map(([path, text]): [string, string | null] => [to + path.slice(from.length), text])
  const copied = { ...files, ...Object.fromEntries(copies) }
  return isFolder(files, from) ? withFolder(copied, to) : copied
}

/** A free path in a folder: `name`, otherwise `name (2)` and so on, before the extension. */
export function freePath(files: Files, folder: string, name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let path = joinPath(folder, name)
  for (let number = 2; exists(files, path); number++) path = joinPath(folder, `${stem} (${number})${ending}`)
  return path
}

const withFolder = (files: Files, path: string): Files => (isFolder(files, path) ? files : { ...files, [path]: null })

const isInside = (path: string, folder: string): boolean => path.startsWith(folder === '/' ? '/' : `${folder}/`)

const has = (files: Files, path: string): boolean => Object.hasOwn(files, path)
