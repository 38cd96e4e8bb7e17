// Tests the Python package in virtual environments with pinned versions, which it creates below ~/.cache/backlot/python when they
// change: lint, types, tests. With --set-up it only creates the environment. With --heavy it also runs what takes minutes or large
// packages, in environments of their own. Other arguments go to pytest.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CLIENT = fileURLToPath(new URL('../clients/python', import.meta.url))
const INTERPRETERS = ['python3.13', 'python3.12', 'python3.11', 'python3']
/** Virtual environments need no package of the system, except for pip. */
const PROBE = 'import sys, venv, pip; assert sys.version_info >= (3, 11); print(sys.version)'
/** Only its code for machines is tested. Its dependencies are for its tasks: torch, browsers and clients of clouds. */
const OSWORLD = 'desktop-env==1.0.2'
/** Libraries whose packages fit beside none of the others, and the tests that need them. */
const APART = {
  hud: ['clients/python/tests/test_heavy_hud.py', 'clients/python/tests/test_docs.py', '-k', 'hud'],
  trl: ['clients/python/tests/test_heavy_trl.py'],
}

const words = process.argv.slice(2)
const isHeavy = words.includes('--heavy')
const { python, version } = findInterpreter()
const inside = isHeavy
  ? environmentOf(['requirements-heavy.txt', 'requirements.txt'], OSWORLD)
  : environmentOf(['requirements.txt'])
const apart = Object.entries(isHeavy ? APART : {}).map(([name, tests]) => ({
  program: environmentOf([`requirements-${name}.txt`]),
  tests,
}))
if (!words.includes('--set-up')) {
  run(inside, ['-m', 'ruff', 'check', '.'])
  run(inside, ['-m', 'ruff', 'format', '--check', '.'])
  run(inside, ['-m', 'mypy'])
  // The tests start the program as it is published.
  run(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url)), '--without-types'])
  const root = join(CLIENT, '../..')
  run(inside, ['-m', 'pytest', 'clients/python', ...words], root)
  for (const { program, tests } of apart) run(program, ['-m', 'pytest', ...tests, '--heavy'], root)
}

function findInterpreter() {
  for (const candidate of INTERPRETERS) {
    const { status, stdout } = spawnSync(candidate, ['-c', PROBE], { encoding: 'utf8' })
    if (status === 0) return { python: candidate, version: stdout }
  }
  throw new Error(`the Python package needs Python 3.11 with pip as one of ${INTERPRETERS.join(', ')}`)
}

/** The interpreter of an environment with the requirements of the first file, which may include the others. */
function environmentOf(files, withoutDependencies) {
  const texts = files.map((file) => readFileSync(join(CLIENT, file), 'utf8'))
  const content = [version, ...texts, ...(withoutDependencies ? [withoutDependencies] : [])].join('\n')
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const folder = join(homedir(), '.cache/backlot/python', hash)
  if (!existsSync(folder)) createEnvironment(folder, join(CLIENT, files[0]), withoutDependencies)
  return join(folder, 'bin/python')
}

/** Creates the environment under another name first, since an interrupted one would be incomplete. */
function createEnvironment(folder, requirements, withoutDependencies) {
  const unfinished = `${folder}-${process.pid}`
  try {
    run(python, ['-m', 'venv', '--without-pip', unfinished])
    const pip = [
      '-m',
      'pip',
      '--quiet',
      '--disable-pip-version-check',
      '--python',
      join(unfinished, 'bin/python'),
      'install',
    ]
    run(python, [...pip, '--requirement', requirements])
    if (withoutDependencies) run(python, [...pip, '--no-deps', withoutDependencies])
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Runs a program, and ends this one with its exit code if that is not 0. */
function run(program, args, cwd = CLIENT) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit', env: environment() })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Workers of Ray import the tests too, to call their functions. */
function environment() {
  const folders = [join(CLIENT, 'src'), CLIENT].join(delimiter)
  return { ...process.env, PYTHONPATH: folders, PYTHONDONTWRITEBYTECODE: '1' }
}
