import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Imports a module that the user names by its path. The packaged program is a script, in which `import()` is a `require`:
 * `.ci/bundle.mjs` puts the import of this file into a file beside it.
 */
export const importFile = (path: string): Promise<unknown> => importUrl(pathToFileURL(resolve(path)).href)

const importUrl = (url: string): Promise<unknown> => import(url)
