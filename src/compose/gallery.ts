import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Fault } from '../base/fault.ts'
import { didYouMean } from '../base/strings.ts'
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

/** The folders in a folder, by name. Empty when it does not exist. */
export function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

/**
 * The absolute path of a scenario, given by a path or a name of the gallery, with or without extension.
 * Returns the input unchanged when no file matches.
 */
export function findScenario(given: string): string {
  for (const folder of ['.', GALLERY])
    for (const path of scenarioCandidates(given)) {
      const found = resolve(folder, path)
      if (existsSync(found) && statSync(found).isFile()) return found
    }
  return resolve(given)
}

/** The text of a scenario, given as for `findScenario`. Throws a `Fault` `ScenarioInvalid` that names the nearest ones. */
export function readScenario(given: string): string {
  try {
    return readFileSync(findScenario(given), 'utf8')
  } catch (error) {
    throw unreadableScenario(given, error)
  }
}

/** Whether there is a file for a scenario, as `findScenario` finds it. */
export const isScenarioFound = (given: string): boolean =>
  statSync(findScenario(given), { throwIfNoEntry: false })?.isFile() ?? false

/** The fault for a scenario that cannot be read, with the nearest names of the gallery, or of the folder of a path. */
function unreadableScenario(given: string, error: unknown): Fault {
  const { code } = error as NodeJS.ErrnoException
  const about = { path: given }
  if (code === 'EISDIR') return new Fault('ScenarioInvalid', `${given} is a folder, not a scenario`, about)
  if (code !== 'ENOENT') return new Fault('ScenarioInvalid', `${given} cannot be read: ${code}`, about)
  if (/[\\/]/.test(given)) {
    const near = didYouMean(basename(given), scenarioFilesIn(dirname(resolve(given))))
    return new Fault('ScenarioInvalid', `there is no scenario file ${given}${near}`, about)
  }
  const names = galleryNames()
  const near = didYouMean(given.replace(/\.ya?ml$/i, ''), names) || `; the gallery has ${names.join(', ')}`
  return new Fault('ScenarioInvalid', `there is no scenario ${JSON.stringify(given)}${near}`, about)
}
