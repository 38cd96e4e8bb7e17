import { readFileSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Include } from '../scenario/load/load.ts'
import { isUnsafeHere } from '../stores/disk.ts'

/**
 * Reads the files that a scenario file includes. They must stand in its folder or below it, links followed. `onRead`
 * receives the path of each.
 */
export function includeBelow(scenario: string, onRead: (path: string) => void = () => {}): Include {
  const root = dirname(resolve(scenario))
  /** With the same separators on every platform. */
  const named = (path: string) => relative(root, path).replaceAll(sep, '/')
  const included = new Set<string>()
  return (path, from) => {
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
  }
}
