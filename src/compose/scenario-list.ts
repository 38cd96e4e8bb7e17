import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../base/fault.ts'
import type { ListedScenario } from '../observer/session/sessions.ts'
import { loadCachedScenario } from '../scenario/load/cache.ts'
import type { Folder } from '../stores/folder.ts'
import { scenarioFilesIn } from './gallery.ts'
import { includeBelow } from './include-below.ts'

/** The most files of a folder that are read. */
const MAX_FILES = 200

/** Lists the scenarios in some folders that sessions can be opened with. Omits unusable files. */
export async function listScenarios(folders: readonly string[], folder: Folder): Promise<readonly ListedScenario[]> {
  const listed: ListedScenario[] = []
  for (const root of folders)
    for (const file of scenarioFilesIn(root).slice(0, MAX_FILES)) {
      const found = await read(join(root, file), file, folder)
      if (found) listed.push(found)
      // Yields to other work between two files.
      await yieldToOthers()
    }
  return listed
}

async function read(path: string, file: string, folder: Folder): Promise<ListedScenario | undefined> {
  try {
    const resolved = folder.resolve(path, 'scenario')
    const { name, task, tags, difficulty } = loadCachedScenario(await readFile(resolved, 'utf8'), {
      file,
      include: includeBelow(resolved),
    })
    const short = file.replace(/\.ya?ml$/i, '')
    // Omits a short name that another folder resolves first, because it would open another scenario.
    const scenario = folder.resolve(short, 'scenario') === resolved ? short : path
    return { scenario, name, task: task ?? null, tags, difficulty: difficulty ?? null }
  } catch (thrown) {
    if (Fault.from(thrown).code === 'Internal' && !('syscall' in (thrown as object))) throw thrown
    return undefined
  }
}
