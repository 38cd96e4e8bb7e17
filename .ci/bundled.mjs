// Before the tests and the conformance suite: the command line as it ships, which some of them start. It is where
// test/support/cli/bundled-program.ts says.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle } from './bundle.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'node_modules/.cache/backlot')
/** Beside the sources, what the bundle depends on. */
const RECIPE = [
  '.ci/bundle.mjs',
  '.ci/bundled.mjs',
  'package.json',
  'package-lock.json',
  'src/cli/launcher.ts',
  'src/cli/compile-cache.ts',
]

export async function setup(project) {
  await prepare()
  project.onTestsRerun(prepare)
}

/** Bundles anew what has changed since, so that suites that follow each other do it once. */
async function prepare() {
  const stamps = join(FOLDER, 'inputs.json')
  if (existsSync(stamps) && Object.entries(JSON.parse(readFileSync(stamps, 'utf8'))).every(isUnchanged)) return
  // Another run of the tests may be using the bundle.
  const unfinished = `${FOLDER}-${process.pid}`
  // Files beside a source are read from where it lies, since nothing is built.
  const inputs = await bundle(unfinished, [], (source) => JSON.stringify(pathToFileURL(join(ROOT, source)).href))
  const files = [...RECIPE, ...inputs].filter((file) => existsSync(join(ROOT, file)))
  const written = JSON.stringify(Object.fromEntries(files.map((file) => [file, stampOf(file)])))
  writeFileSync(join(unfinished, 'inputs.json'), written)
  rmSync(FOLDER, { recursive: true, force: true })
  renameSync(unfinished, FOLDER)
}

const isUnchanged = ([file, stamp]) => existsSync(join(ROOT, file)) && stampOf(file) === stamp

function stampOf(file) {
  const { mtimeMs, size } = statSync(join(ROOT, file))
  return `${mtimeMs} ${size}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare()
