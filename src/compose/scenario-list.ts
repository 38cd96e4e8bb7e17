import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { ListedScenario } from '../observer/session/sessions.ts'
import { loadCachedScenario } from '../scenario/load/cache.ts'
import type { ParseOptions } from '../scenario/load/load.ts'
import type { Folder } from '../stores/folder.ts'
import { readersBelow } from './files-below.ts'
import { GALLERY, scenarioFilesIn } from './gallery.ts'
import { PACKAGE } from './package.ts'

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
  return (await shippedHead(path)) ?? loadHead(path, file)
}

async function loadHead(path: string, file: string): Promise<KnownHead> {
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

/** What a scenario of this package gives, and the files that it was read from, by their paths in the gallery. */
interface ShippedHead {
  readonly head: Head
  readonly files: readonly string[]
  /** The hash of these files. */
  readonly hash: string
}

/** The document with the heads of the gallery, which `npm run reference` writes, so that a first list need not load each file. */
export const GALLERY_HEADS = 'gallery.json'

let shipped: Readonly<Record<string, ShippedHead>> | undefined

function shippedHeads(): Readonly<Record<string, ShippedHead>> {
  try {
    shipped ??= JSON.parse(readFileSync(join(PACKAGE, 'docs/reference', GALLERY_HEADS), 'utf8'))
  } catch {
    // Each file is loaded instead.
    shipped = {}
  }
  return shipped!
}

/** The known head of a file of a gallery. Undefined for another file, and when one that it was read from has changed. */
export async function shippedHead(path: string, gallery = GALLERY): Promise<KnownHead | undefined> {
  const heads = shippedHeads()
  const name = nameIn(gallery, path)
  const known = Object.hasOwn(heads, name) ? heads[name] : undefined
  if (known === undefined) return undefined
  const paths = known.files.map((each) => join(gallery, each))
  const states = await Promise.all(paths.map(async (each) => [each, await stateOf(each)] as const))
  return (await hashOf(known.files, gallery)) === known.hash ? { head: known.head, files: new Map(states) } : undefined
}

/** The heads of all scenarios of the gallery, by their names in it. */
export async function galleryHeads(): Promise<Readonly<Record<string, ShippedHead>>> {
  const entries: [string, ShippedHead][] = []
  for (const file of scenarioFilesIn(GALLERY)) {
    const { head, files: read } = await loadHead(join(GALLERY, file), file)
    if (!head) throw new Error(`${file} cannot be loaded`)
    const files = [...read.keys()].map((path) => nameIn(GALLERY, path)).sort()
    entries.push([file, { head, files, hash: await hashOf(files, GALLERY) }])
  }
  return Object.fromEntries(entries)
}

const nameIn = (gallery: string, path: string): string => relative(gallery, path).replaceAll(sep, '/')

/** The hash of files by their names and contents. One that is not there has no content. */
async function hashOf(files: readonly string[], gallery: string): Promise<string> {
  const contents = await Promise.all(files.map((file) => readFile(join(gallery, file)).catch(() => Buffer.alloc(0))))
  const hash = createHash('sha256')
  for (const [place, content] of contents.entries()) hash.update(`${files[place]} ${content.length}\n`).update(content)
  return hash.digest('base64')
}
