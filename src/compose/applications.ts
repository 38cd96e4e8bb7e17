import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { didYouMean } from '../base/strings.ts'
import { SENT_OPTIONS } from '../observer/scenario-source.ts'
import { includeNothing } from '../scenario/expand/expand-scenario.ts'
import type { Include, IncludedText, ParseOptions, ReadApplication } from '../scenario/load/load.ts'
import { foldersIn, GALLERY } from './gallery.ts'

/** The folder of the applications in this package. */
export const APPLICATIONS: string = join(GALLERY, 'apps')

/** The names of the applications that every scenario can include. */
export const applicationNames = (): readonly string[] => foldersIn(APPLICATIONS)

/**
 * Reads `apps/NAME`, an application of this package, or a file that a file of one includes. Undefined for any other path.
 * `onRead` receives the path of each file.
 */
export const applicationReader =
  (onRead: (path: string) => void = () => {}): ReadApplication =>
  (path, from) => {
    const [, name] = /^apps\/([a-z0-9-]+)$/.exec(path) ?? []
    const [, folder] = /^backlot:apps\/([a-z0-9-]+)\//.exec(from) ?? []
    if (name !== undefined) return readPart(name, 'app.yaml', onRead)
    return folder === undefined ? undefined : readPart(folder, path, onRead)
  }

/** A file of an application, in its folder or one below. */
const PART = /^(?:[a-z0-9-]+\/)?[a-z0-9-]+\.yaml$/

/** Reads a file of an application. Problems call it `backlot:apps/NAME/FILE`, unlike any file beside the scenario. */
function readPart(
  name: string,
  part: string,
  onRead: (path: string) => void,
): IncludedText | { readonly message: string } {
  const path = join(APPLICATIONS, name, part)
  if (!applicationNames().includes(name)) {
    const names = applicationNames()
    const near = didYouMean(name, names) || `; there are ${names.join(', ')}`
    return { message: `there is no application "apps/${name}"${near}` }
  }
  if (!PART.test(part)) return { message: `${JSON.stringify(part)} is outside the application "apps/${name}"` }
  onRead(path)
  try {
    return { file: `backlot:apps/${name}/${part}`, text: readFileSync(path, 'utf8') }
  } catch (error) {
    return { message: `${JSON.stringify(part)} cannot be read: ${(error as NodeJS.ErrnoException).code}` }
  }
}

/** Reads applications by a reader, and other files by another. */
export const withApplications =
  (include: Include, readApplication: ReadApplication = applicationReader()): Include =>
  (path, from) =>
    readApplication(path, from) ?? include(path, from)

/** For a scenario that was given as text: it can include applications, and no files. */
export const includeForText: Include = withApplications(includeNothing)

/** How scenarios that callers send are read, with applications. */
export const SENT_WITH_APPLICATIONS: ParseOptions = { ...SENT_OPTIONS, include: includeForText }
