import { Fault } from '../base/fault.ts'
import { installCommand, loadOptional } from '../base/optional.ts'
import { memoryStore } from './memory.ts'
import type { Store } from './store.ts'

const loadSqlite = () => import('./sqlite.ts')

/**
 * Opens the store in a SQLite file. Without the optional package `libsql`, opens a store in memory and passes one line with
 * the install command to `warn`. Throws `StorageFailed` as `sqliteStore` does.
 */
export async function openStore(path: string, warn: (line: string) => void, load = loadSqlite): Promise<Store> {
  try {
    const { sqliteStore } = await loadOptional('history', load)
    return sqliteStore(path)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'PlatformUnsupported') throw thrown
    warn(`history is kept in memory and lost at the end; to keep it on disk, run: ${installCommand('history')}`)
    return memoryStore()
  }
}
