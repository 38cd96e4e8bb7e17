import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scenarioCandidates } from '../stores/folder.ts'
import { PACKAGE } from './package.ts'

/** The folder of the scenarios that come with the package. */
export const GALLERY = join(PACKAGE, 'scenarios')

/** The scenario of a desktop that is opened without one. */
export const DEFAULT_SCENARIO = 'desktop'

/** The names of the gallery's scenarios. */
export const galleryNames = (): readonly string[] =>
  scenarioFilesIn(GALLERY).map((file) => file.replace(/\.ya?ml$/, ''))

/** The scenario files that stand in a folder, by name; none when there is no such folder. */
export function scenarioFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.ya?ml$/i.test(name))
      .sort()
  } catch {
    return []
  }
}

/**
 * The absolute path of a scenario that is written as a path or as a name of the gallery, each with or without its ending.
 * What names no file is the path as it is written.
 */
export function findScenario(written: string): string {
  for (const folder of ['.', GALLERY])
    for (const path of scenarioCandidates(written)) {
      const found = resolve(folder, path)
      if (existsSync(found) && statSync(found).isFile()) return found
    }
  return resolve(written)
}
