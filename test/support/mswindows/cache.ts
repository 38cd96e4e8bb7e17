import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The folder outside of the repository that keeps what tests on Windows need. BACKLOT_WINDOWS_CACHE overrides it. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  env.BACKLOT_WINDOWS_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'backlot', 'windows')

/** A short name for the content of a recipe, so that a changed recipe is built again. */
export const recipeName = (name: string, recipe: unknown): string =>
  `${name}-${createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12)}`

/**
 * Returns a folder that `build` fills once. An interrupted build leaves nothing that looks complete, and the next one
 * starts again. Of processes that build the same at once, the first one's folder stays.
 */
export async function buildOnce(folder: string, build: (unfinished: string) => Promise<unknown>): Promise<string> {
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished-${process.pid}`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  await build(unfinished)
  await rename(unfinished, folder).catch(async (error) => {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

/** Runs that are under way may still use older folders. */
const MAX_UNUSED_MS = 24 * 3600 * 1000

/** Deletes older folders of the same name with another recipe. */
export function removeOutdated(folder: string): void {
  const [name] = basename(folder).split(/-[0-9a-f]{12}$/)
  for (const other of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), other)
    const isOutdated = path !== folder && other.startsWith(`${name}-`)
    if (isOutdated && Date.now() - statSync(path).mtimeMs > MAX_UNUSED_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/** The folder of machines that are running. The name of each begins with the id of the process that uses it. */
export const runsFolder = (): string => join(cacheFolder(), 'runs')

/** Deletes the folders of runs whose process was killed before it could do so. */
export function removeAbandonedRuns(): void {
  const runs = runsFolder()
  for (const name of existsSync(runs) ? readdirSync(runs) : [])
    if (!existsSync(`/proc/${name.split('-')[0]}`)) rmSync(join(runs, name), { recursive: true, force: true })
}

const MAX_END_MS = 5000

/** Waits until the processes that this one has started no longer use a run, and deletes what they have left. */
export async function removeOwnRuns(): Promise<void> {
  const isOwn = (name: string) => {
    const status = `/proc/${name.split('-')[0]}/status`
    return existsSync(status) && readFileSync(status, 'utf8').includes(`PPid:\t${process.pid}\n`)
  }
  const deadline = Date.now() + MAX_END_MS
  while (existsSync(runsFolder()) && readdirSync(runsFolder()).some(isOwn) && Date.now() < deadline) await sleep(50)
  removeAbandonedRuns()
}

/**
 * Runs `action` while no other process holds the lock of a folder. The kernel releases the lock when this process ends,
 * however it ends.
 */
export async function withLock<T>(folder: string, action: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true })
  // The holder reads a pipe that closes with this process.
  const holder = spawn('flock', [join(folder, 'lock'), 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [problem] = await Promise.race([
    once(holder.stdout, 'data').then(() => [undefined]),
    once(holder, 'exit').then(([code]) => [`flock ended with ${code}`]),
  ])
  if (problem) throw new Error(problem)
  try {
    return await action()
  } finally {
    holder.stdin.end()
    await once(holder, 'exit')
  }
}
