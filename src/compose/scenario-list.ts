import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { ListedScenario } from '../observer/session/sessions.ts'
import { loadCachedScenario } from '../scenario/load/cache.ts'
import type { ParseOptions } from '../scenario/load/load.ts'
import type { Folder } from '../stores/folder.ts'
import { readersBelow } from './files-below.ts'
import { scenarioFilesIn } from './gallery.ts'

/** The most files of a folder that are read. */
const MAX_FILES = 200
/** The most files whose entries are kept. */
const MAX_KNOWN = 1000

/** Lists the scenarios in some folders that sessions can be opened with. Omits unusable files. */
export async function listScenarios(folders: readonly string[], folder: Folder): Promise<readonly ListedScenario[]> {
  const listed: ListedScenario[] = []
  for (const root of folders) {
    const files = scenarioFilesIn(root).slice(0, MAX_FILES)
    // Each wait may take as long as a turn of other work, so that files that are known wait together.
    const unchanged = new Set((await Promise.all(files.map((file) => isKnown(join(root, file), file, folder)))).flat())
    for (const file of files) {
      const found = await read(join(root, file), file, folder, unchanged.has(file))
      if (found) listed.push(found)
      // Yields to other work between two files.
      if (!unchanged.has(file)) await yieldToOthers()
    }
  }
  return listed
}

/** The file, if its entry is known and nothing that it was read from has changed. */
async function isKnown(path: string, file: string, folder: Folder): Promise<readonly string[]> {
  try {
    const last = known.get(folder.resolve(path, 'scenario'))
    return last && (await areUnchanged(last.files)) ? [file] : []
  } catch (thrown) {
    unlessBug(thrown)
    return []
  }
}

/** @param isUnchanged Whether its entry is known and up to date. */
async function read(
  path: string,
  file: string,
  folder: Folder,
  isUnchanged: boolean,
): Promise<ListedScenario | undefined> {
  try {
    const resolved = folder.resolve(path, 'scenario')
    const last = isUnchanged ? known.get(resolved) : undefined
    const head = last ? last.head : await headOf(resolved, file)
    const short = file.replace(/\.ya?ml$/i, '')
    // Omits a short name that another folder resolves first, because it would open another scenario.
    const scenario = folder.resolve(short, 'scenario') === resolved ? short : path
    return head && { scenario, ...head }
  } catch (thrown) {
    return unlessBug(thrown)
  }
}

/** The part of an entry that the text of a file gives. */
type Head = Omit<ListedScenario, 'scenario'>

/** What a file gave, until it, a file that it includes or a picture that it shows changes. */
interface KnownHead {
  readonly head: Head | undefined
  /** The state of each file that was read, by its path. */
  readonly files: ReadonlyMap<string, string>
}

/** Composing the files that include others takes most of the time of a list. */
const known = new LruCache<string, KnownHead>(MAX_KNOWN)
/** What is being read, so that lists that are asked for at once read each file once. */
const reading = new Map<string, Promise<KnownHead>>()

async function headOf(path: string, file: string): Promise<Head | undefined> {
  const pending = reading.get(path) ?? readHead(path, file).finally(() => reading.delete(path))
  reading.set(path, pending)
  return known.keep(path, await pending).head
}

async function readHead(path: string, file: string): Promise<KnownHead> {
  const files = new Map([[path, await stateOf(path)]])
  const included: string[] = []
  const head = headIn(await readFile(path, 'utf8'), {
    file,
    ...readersBelow(path, (each) => included.push(each)),
  })
  for (const each of included) files.set(each, await stateOf(each))
  return { head, files }
}

function headIn(text: string, options: ParseOptions): Head | undefined {
  try {
    const { name, task, tags, difficulty } = loadCachedScenario(text, options)
    return { name, task: task ?? null, tags, difficulty: difficulty ?? null }
  } catch (thrown) {
    return unlessBug(thrown)
  }
}

/** Undefined for a file that cannot be used. Throws a bug again. */
function unlessBug(thrown: unknown): undefined {
  if (Fault.from(thrown).code === 'Internal' && !('syscall' in (thrown as object))) throw thrown
}

async function areUnchanged(files: ReadonlyMap<string, string>): Promise<boolean> {
  const states = await Promise.all([...files].map(async ([path, state]) => (await stateOf(path)) === state))
  return !states.includes(false)
}

/** Other for a file with another content; empty for one that is not there. */
const stateOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ ino, size, mtimeMs, ctimeMs }) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    () => '',
  )
