// Suites that need another system, and the files that each covers. `node .ci/covered.mjs NAME` runs a suite and, when all of it
// has passed, writes the hash of those files into .ci/passed.json, which is committed. With --if-changed it leaves the suite
// out while the hash is still the same. Other arguments go to the suite, which then records nothing.
//
// The promise: what is particular to the other system was tried there as it is. A change that behaves alike on every system
// does not run them; `npm run test:full` does.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RECORD = '.ci/passed.json'

/** The exit code of a suite that cannot run here. */
const NOT_TRIED = 75

/**
 * `paths` are those of Git, without the prose and the other tests there. A source of the product is covered too where it contains
 * `mentions`.
 */
export const SUITES = {
  windows: {
    command: ['node_modules/.bin/vitest', 'run', '--config', 'vitest.windows.config.ts'],
    paths: [
      // The adapter with what adapters share, and how the package is installed and starts.
      ...['src/adapters/mswindows', ':(glob)src/adapters/*.ts', 'src/stores', 'src/cli/launcher.ts', '.ci/bundle.mjs'],
      'package-lock.json',
      // The suite and its programs.
      ...['test/acceptance/windows-*.wine.ts', ':!test/acceptance/windows-conformance.wine.ts', 'fixtures/windows'],
      ...['test/support/mswindows', 'test/support/adapters/computer.suite.ts', 'vitest.windows.config.ts'],
    ],
    // Code that does something else on Windows.
    mentions: /process\.platform|'win32'|windows-path|\bsep\b.* from 'node:path'|'E(BUSY|PERM|ACCES)'/,
  },
  image: {
    command: [process.execPath, '--import', 'tsx', '.ci/image.ts'],
    paths: ['docs/scaling/Dockerfile', 'package.json', '.ci/image.ts'],
  },
  arm64: {
    command: ['bash', '.ci/arm64.sh'],
    // What computes positions and pixels, in the native library or with fractions.
    paths: [
      ...['src/paint', 'src/scenario/layout', 'src/desktop/model/geometry.ts', 'src/desktop/projection.ts'],
      ...['package-lock.json', '.ci/arm64.sh', '.ci/marks.mjs'],
    ],
  },
}

/** The files that a suite covers, sorted. Those that are new are among them, those that Git ignores are not. */
export function coveredFiles({ paths, mentions }, root = ROOT) {
  const list = (...pathspecs) =>
    execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...pathspecs], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64e6,
    })
      .split('\0')
      .filter((file) => file !== '' && existsSync(join(root, file)))
      .filter((file) => !/\.(md|test\.ts|long\.ts|real\.ts|desktops\.ts)$/.test(file))
  const product = mentions ? list('src/*.ts', ':!src/adapters') : []
  const isMentioning = (file) =>
    !/\.(suite|wine)\.ts$/.test(file) && mentions.test(readFileSync(join(root, file), 'utf8'))
  return [...new Set([...list(...paths), ...product.filter(isMentioning)])].sort()
}

/** A hash of the paths of files and of their contents as Git would store them. */
export function hashOf(files, root = ROOT) {
  const blobs = execFileSync('git', ['hash-object', '--stdin-paths'], {
    cwd: root,
    encoding: 'utf8',
    input: `${files.join('\n')}\n`,
  })
  return createHash('sha256')
    .update(JSON.stringify([files, blobs]))
    .digest('hex')
}

const recorded = () => (existsSync(join(ROOT, RECORD)) ? JSON.parse(readFileSync(join(ROOT, RECORD), 'utf8')) : {})

/** Whether a suite passed with the files as they are, and how to say that. */
export function stateOf(name) {
  const files = coveredFiles(SUITES[name])
  const hash = hashOf(files)
  const isSame = recorded()[name] === hash
  const what = `the ${files.length} files that it covers (.ci/covered.mjs)`
  return { hash, isSame, reason: isSame ? `it passed with ${what} as they are` : `it has not passed with ${what}` }
}

/** Runs a suite. Returns its exit code. */
function run(name, args) {
  const { command } = SUITES[name]
  const { hash, isSame, reason } = stateOf(name)
  if (args.includes('--if-changed') && isSame) {
    console.log(`${name} is left out: ${reason}`)
    return 0
  }
  const others = args.filter((arg) => arg !== '--if-changed')
  const [program, ...given] = command
  const { status } = spawnSync(program, [...given, ...others], { cwd: ROOT, stdio: 'inherit' })
  if (status === NOT_TRIED) return 0
  if (status !== 0) return status ?? 1
  // A file that changed while the suite ran was not tried as it is now.
  if (others.length > 0 || stateOf(name).hash !== hash) return 0
  const record = Object.entries({ ...recorded(), [name]: hash }).sort()
  writeFileSync(join(ROOT, RECORD), `${JSON.stringify(Object.fromEntries(record), null, 2)}\n`)
  console.log(`${name}: passed and recorded in ${RECORD}; commit it`)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...args] = process.argv.slice(2)
  if (!(name in SUITES)) throw new Error(`there is no suite ${name}; there are ${Object.keys(SUITES).join(' and ')}`)
  process.exitCode = run(name, args)
}
