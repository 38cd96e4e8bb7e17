import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { Fault } from '../base/fault.ts'
import { MAX_PICTURE_FILE_BYTES, toPictureFile } from '../paint/picture-file.ts'
import type { Include, ParseOptions } from '../scenario/load/load.ts'
import type { ReadPicture } from '../scenario/load/pictures.ts'
import { isUnsafeHere } from '../stores/disk.ts'
import { applicationReader, withApplications } from './applications.ts'

/**
 * Reads the files that a scenario file includes: applications, and files in its folder or below it, links followed. `onRead`
 * receives the path of each.
 */
export function includeBelow(scenario: string, onRead: (path: string) => void = () => {}): Include {
  const root = dirname(resolve(scenario))
  /** With the same separators on every platform. */
  const named = (path: string) => relative(root, path).replaceAll(sep, '/')
  const included = new Set<string>()
  return withApplications((path, from) => {
    if (isUnsafeHere(path)) return { message: `${JSON.stringify(path)} is outside the folder of the scenario` }
    const folder = included.has(from) ? resolve(root, dirname(from)) : root
    const wanted = resolve(folder, path)
    onRead(wanted)
    try {
      const found = realpathSync(wanted)
      if (!found.startsWith(realpathSync(root) + sep))
        return { message: `${JSON.stringify(path)} is outside the folder of the scenario` }
      const text = readFileSync(found, 'utf8')
      included.add(named(wanted))
      return { file: named(wanted), text }
    } catch (error) {
      return { message: `${JSON.stringify(path)} cannot be read: ${(error as NodeJS.ErrnoException).code}` }
    }
  }, applicationReader(onRead))
}

/**
 * Reads the pictures that a scenario file shows, each once. They must stand in its folder or below it, links followed.
 * `onRead` receives the path of each.
 */
export function pictureBelow(scenario: string, onRead: (path: string) => void = () => {}): ReadPicture {
  const root = dirname(resolve(scenario))
  const read = new Map<string, ReturnType<ReadPicture>>()
  return (path) => {
    const known = read.get(path) ?? readOne(root, path, onRead)
    read.set(path, known)
    return known
  }
}

function readOne(root: string, path: string, onRead: (path: string) => void): ReturnType<ReadPicture> {
  if (isUnsafeHere(path)) return { message: `${JSON.stringify(path)} is outside the folder of the scenario` }
  const wanted = resolve(root, path)
  onRead(wanted)
  try {
    const found = realpathSync(wanted)
    if (!found.startsWith(realpathSync(root) + sep))
      return { message: `${JSON.stringify(path)} is outside the folder of the scenario` }
    const about = statSync(found)
    if (!about.isFile()) return { message: `${JSON.stringify(path)} is not a file` }
    if (about.size > MAX_PICTURE_FILE_BYTES)
      return {
        message: `${JSON.stringify(path)} has ${about.size} bytes; at most ${MAX_PICTURE_FILE_BYTES} are allowed`,
      }
    return toPictureFile(readFileSync(found))
  } catch (error) {
    if (error instanceof Fault) return { message: `${JSON.stringify(path)}: ${error.message}` }
    return { message: `${JSON.stringify(path)} cannot be read: ${(error as NodeJS.ErrnoException).code}` }
  }
}

/** Reads the files that a scenario file includes and the pictures that it shows. */
export const readersBelow = (
  scenario: string,
  onRead?: (path: string) => void,
): Required<Pick<ParseOptions, 'include' | 'picture'>> => ({
  include: includeBelow(scenario, onRead),
  picture: pictureBelow(scenario, onRead),
})
