import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installPackages } from '../linux/install-packages.ts'
import { missingPrograms } from '../linux/private-desktop.ts'
import {
  buildOnce,
  cacheFolder,
  recipeName,
  removeAbandonedRuns,
  removeOutdated,
  removeOwnRuns,
  withLock,
} from './cache.ts'
import { NAMESPACE_PROGRAMS } from './namespace.ts'
import { fetchCanvas, fetchNode, installForWindows, OPTIONAL_PACKAGES, packRepository } from './packages.ts'
import { buildPrefix, buildRoot, PREFIX_RECIPE, ROOT_RECIPE } from './root.ts'

/** Folders of the cache that tests on Windows use. */
export interface WindowsInstallation {
  /** A chroot with Wine. */
  readonly root: string
  /** Contains `prefix`: a drive and a registry, which each run copies. */
  readonly prefix: string
  /** Contains `bin/node.exe`. */
  readonly node: string
  /** Contains `node_modules`: the packed package and what it needs on Windows. */
  readonly app: string
  /** The version of canvas that all compared platforms have, and the folder of its packages. */
  readonly canvas: { readonly version: string; readonly folder: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    windows: WindowsInstallation
  }
}

/** Debian packages of this machine that the chroot is made with. */
const CHROOT_PACKAGES = ['mmdebstrap', 'debian-archive-keyring']
const TEST_PACKAGES = ['xvfb', 'dbus-daemon', 'gcc-mingw-w64-x86-64']

/** Vitest calls this before the tests, and what it returns after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('windows', await setUpWindows((line) => process.stdout.write(`${line}\n`)))
  return removeOwnRuns
}

/** Sets up what tests on Windows need. Throws with every reason when that is not possible here. */
export const setUpWindows = (log?: (line: string) => void): Promise<WindowsInstallation> =>
  locked(log, async (cache, step) => {
    const started = startParts(cache, step)
    const app = step('package', () => installedApp(cache, started.canvas))
    const [root, prefix, node, canvas] = await finished(started, app)
    const folders = { root, prefix, node, app: await app }
    for (const folder of Object.values(folders)) removeOutdated(folder)
    return { ...folders, canvas }
  })

/** Sets up all but the package, which changes with each commit. */
export const prepareWindows = (log?: (line: string) => void): Promise<unknown> =>
  locked(log, (cache, step) => finished(startParts(cache, step)))

/** Whether the parts that take minutes are there: the chroot with Wine, and its prefix. */
export const isWindowsPrepared = (): boolean =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  [recipeName('root', ROOT_RECIPE), recipeName('prefix', PREFIX_RECIPE)].every((name) =>
    existsSync(join(cacheFolder(), name)),
  )

/** Runs an action, and logs how long it took. */
type Step = <T>(name: string, action: () => Promise<T>) => Promise<T>

/** Runs `action` while no other process sets up the same. */
async function locked<T>(
  log: (line: string) => void = () => {},
  action: (cache: string, step: Step) => Promise<T>,
): Promise<T> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('tests on Windows run under Wine in a chroot, which needs Linux and root')
  const missing = missingPrograms(NAMESPACE_PROGRAMS)
  if (missing.length > 0) throw new Error(`tests on Windows need these programs: ${missing.join(' ')}`)
  const cache = cacheFolder()
  return withLock(cache, () => {
    removeAbandonedRuns()
    return action(cache, async (name, run) => {
      const started = performance.now()
      const result = await run()
      log(`windows: ${name} after ${((performance.now() - started) / 1000).toFixed(1)} s`)
      return result
    })
  })
}

/** Starts to set up the parts that are the same for all commits. */
function startParts(cache: string, step: Step) {
  const chrootPackages = step('packages for the chroot', () => installPackages(CHROOT_PACKAGES))
  const testPackages = chrootPackages.then(() => step('packages for the tests', () => installPackages(TEST_PACKAGES)))
  const root = chrootPackages.then(() =>
    step('chroot', () => buildOnce(join(cache, recipeName('root', ROOT_RECIPE)), buildRoot)),
  )
  const prefix = root.then((root) =>
    step('prefix', () =>
      buildOnce(join(cache, recipeName('prefix', PREFIX_RECIPE)), (folder) => buildPrefix(root, folder)),
    ),
  )
  const node = step('node', () =>
    buildOnce(join(cache, recipeName('node', process.versions.node.split('.')[0])), fetchNode),
  )
  return { root, prefix, node, canvas: step('canvas', () => newestCanvas(cache)), testPackages }
}

/** Waits for all parts, and for what else was started. Throws with the message of every failure. */
async function finished(
  { root, prefix, node, canvas, testPackages }: ReturnType<typeof startParts>,
  ...others: readonly Promise<unknown>[]
) {
  const settled = await Promise.allSettled([root, prefix, node, canvas, testPackages, ...others])
  const failures = settled.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  if (failures.length > 0)
    throw new Error(`tests on Windows could not be set up:\n${[...new Set(failures)].join('\n')}`)
  return Promise.all([root, prefix, node, canvas])
}

async function newestCanvas(cache: string): Promise<WindowsInstallation['canvas']> {
  const folder = await buildOnce(join(cache, 'canvas'), fetchCanvas)
  const version = readFileSync(join(folder, 'version'), 'utf8')
  return { version, folder: join(folder, version) }
}

async function installedApp(cache: string, canvas: Promise<WindowsInstallation['canvas']>): Promise<string> {
  const folder = mkdtempSync(join(cache, 'packing-'))
  try {
    const { file, hash } = await packRepository(folder)
    const { version } = await canvas
    const recipe = { hash, version, packages: OPTIONAL_PACKAGES }
    return await buildOnce(join(cache, recipeName('app', recipe)), (unfinished) =>
      installForWindows(unfinished, file, version),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
