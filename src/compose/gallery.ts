import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scenarioCandidates } from '../stores/folder.ts'
import { PACKAGE } from './package.ts'

/** The folder of the scenarios in this package. */
export const GALLERY = join(PACKAGE, 'scenarios')

/** The scenario of a desktop that is opened without one. */
export const DEFAULT_SCENARIO = 'desktop'

/** The names of the scenarios in the gallery. */
export const galleryNames = (): readonly string[] =>
  scenarioFilesIn(GALLERY).map((file) => file.replace(/\.ya?ml$/, ''))

/** The scenario files of a folder, by name. Empty when the folder does not exist. */
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
 * The absolute path of a scenario, given by a path or a name of the gallery, with or without extension.
 * Returns the input unchanged when no file matches.
 */
export function findScenario(written: string): string {
  for (const folder of ['.', GALLERY])
    for (const path of scenarioCandidates(written)) {
      const found = resolve(folder, path)
      if (existsSync(found) && statSync(found).isFile()) return found
    }
  return resolve(written)
}
