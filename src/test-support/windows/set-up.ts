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

/** Files of this machine, with the Debian package of each. The chroot needs these. */
const CHROOT_FILES: Readonly<Record<string, string>> = {
  '/usr/bin/mmdebstrap': 'mmdebstrap',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
}
const TEST_FILES: Readonly<Record<string, string>> = {
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/dbus-daemon': 'dbus-daemon',
  '/usr/bin/x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64',
}

/** Vitest calls this before the tests, and what it returns after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('windows', await setUpWindows((line) => process.stdout.write(`${line}\n`)))
  return removeOwnRuns
}

/** Sets up what tests on Windows need. Throws with every reason when that is not possible here. */
export async function setUpWindows(log: (line: string) => void = () => {}): Promise<WindowsInstallation> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('tests on Windows run under Wine in a chroot, which needs Linux and root')
  const missing = missingPrograms(NAMESPACE_PROGRAMS)
  if (missing.length > 0) throw new Error(`tests on Windows need these programs: ${missing.join(' ')}`)
  const cache = cacheFolder()
  return withLock(cache, async () => {
    removeAbandonedRuns()
    const step = async <T>(name: string, action: () => Promise<T>): Promise<T> => {
      const started = performance.now()
      const result = await action()
      log(`windows: ${name} after ${((performance.now() - started) / 1000).toFixed(1)} s`)
      return result
    }
    const chrootPackages = step('packages for the chroot', () => installMissing(CHROOT_FILES))
    // apt works for one program at a time.
    const testPackages = chrootPackages.then(() => step('packages for the tests', () => installMissing(TEST_FILES)))
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
    const canvas = step('canvas', () => newestCanvas(cache))
    const app = step('package', () => installedApp(cache, canvas))
    const parts = await allOf([root, prefix, node, app, canvas, testPackages] as const)
    for (const folder of parts.slice(0, 4)) removeOutdated(folder as string)
    return { root: parts[0], prefix: parts[1], node: parts[2], app: parts[3], canvas: parts[4] }
  })
}

async function installMissing(files: Readonly<Record<string, string>>): Promise<void> {
  const missing = () =>
    Object.entries(files)
      .filter(([file]) => !existsSync(file))
      .map(([, name]) => name)
  if (missing().length > 0) await installPackages(missing())
  if (missing().length > 0) throw new Error(`these packages could not be installed: ${missing().join(' ')}`)
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

/** Waits for all results. Throws with the message of every failure. */
async function allOf<T extends readonly unknown[]>(results: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(results)
  const failures = settled.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  if (failures.length > 0)
    throw new Error(`tests on Windows could not be set up:\n${[...new Set(failures)].join('\n')}`)
  return (await Promise.all(results)) as { -readonly [K in keyof T]: Awaited<T[K]> }
}
