// Tests the Python package in a virtual environment with pinned versions, which it creates below ~/.cache/backlot/python when they
// change: lint, types, tests. With --set-up it only creates the environment. Other arguments go to pytest.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CLIENT = fileURLToPath(new URL('../clients/python', import.meta.url))
const REQUIREMENTS = join(CLIENT, 'requirements.txt')
const INTERPRETERS = ['python3.13', 'python3.12', 'python3.11', 'python3']
/** Virtual environments need no package of the system, except for pip. */
const PROBE = 'import sys, venv, pip; assert sys.version_info >= (3, 11); print(sys.version)'

const { python, version } = findInterpreter()
const hash = createHash('sha256')
  .update(`${version}\n${readFileSync(REQUIREMENTS, 'utf8')}`)
  .digest('hex')
  .slice(0, 16)
const folder = join(homedir(), '.cache/backlot/python', hash)
const inside = join(folder, 'bin/python')
if (!existsSync(folder)) createEnvironment()
if (!process.argv.includes('--set-up')) {
  run(inside, ['-m', 'ruff', 'check', '.'])
  run(inside, ['-m', 'ruff', 'format', '--check', '.'])
  run(inside, ['-m', 'mypy'])
  // The tests start the program as it is published.
  run(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url)), '--without-types'])
  run(inside, ['-m', 'pytest', 'clients/python', ...process.argv.slice(2)], join(CLIENT, '../..'))
}

function findInterpreter() {
  for (const candidate of INTERPRETERS) {
    const { status, stdout } = spawnSync(candidate, ['-c', PROBE], { encoding: 'utf8' })
    if (status === 0) return { python: candidate, version: stdout }
  }
  throw new Error(`the Python package needs Python 3.11 with pip as one of ${INTERPRETERS.join(', ')}`)
}

/** Creates the environment under another name first, since an interrupted one would be incomplete. */
function createEnvironment() {
  const unfinished = `${folder}-${process.pid}`
  try {
    run(python, ['-m', 'venv', '--without-pip', unfinished])
    const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--python', join(unfinished, 'bin/python')]
    run(python, [...pip, 'install', '--requirement', REQUIREMENTS])
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

function environment() {
  return { ...process.env, PYTHONPATH: join(CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' }
}
