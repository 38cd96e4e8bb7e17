import { type Files, filePathsBelow, isFolder } from '../files/files.ts'
import { type Desktop, filesOf } from '../model/desktop.ts'
import { shellText } from '../model/shell-texts.ts'

/** A file that the launcher offers. */
export interface ShellDocument {
  readonly name: string
  readonly path: string
  /** The name of its folder. */
  readonly folder: string
}

const HOME = /^\/(?:home|Users)\/([^/]+)\//

const documents = new WeakMap<Files, readonly ShellDocument[]>()

/** The files in home folders, by name. Hidden files and those in hidden folders are left out. */
function documentsIn(files: Files): readonly ShellDocument[] {
  const known = documents.get(files)
  if (known) return known
  const found = filePathsBelow(files, '/')
    .filter((path) => HOME.test(path) && !path.includes('/.') && !isFolder(files, path))
    .map((path) => {
      const parts = path.split('/')
      return { name: parts.at(-1)!, path, folder: parts.at(-2)! }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  documents.set(files, found)
  return found
}

const MAX_RECENT = 4

/** The files that the launcher recommends. */
export const recentDocuments = (desktop: Desktop): readonly ShellDocument[] =>
  documentsIn(filesOf(desktop)).slice(0, MAX_RECENT)

/** The files whose names contain a text; case is ignored. */
export function documentsFor(desktop: Desktop, query: string): readonly ShellDocument[] {
  const wanted = query.trim().toLowerCase()
  return documentsIn(filesOf(desktop)).filter(({ name }) => name.toLowerCase().includes(wanted))
}

/** The name of the user, after the home folder; the word for a user without one. */
export function userName(desktop: Desktop): string {
  for (const path of filePathsBelow(filesOf(desktop), '/')) {
    const name = HOME.exec(`${path}/`)?.[1]
    if (name !== undefined) return name[0]!.toUpperCase() + name.slice(1)
  }
  return shellText(desktop, 'User')
}
