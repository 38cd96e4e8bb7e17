// Virtual environments of Python with pinned packages, below ~/.cache/backlot/python. They are created when their files change.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The interpreters that are tried, unless BACKLOT_PYTHON names one. */
const INTERPRETERS = process.env.BACKLOT_PYTHON
  ? [process.env.BACKLOT_PYTHON]
  : ['python3.13', 'python3.12', 'python3.11', 'python3']
/** Virtual environments need no package of the system, except for pip. */
const PROBE = 'import sys, venv, pip; assert sys.version_info >= (3, 11); print(sys.version)'

/** The interpreter of an environment with the requirements of the first file, which may include the others. */
export function environmentOf(files, withoutDependencies) {
  const { python, version } = findInterpreter()
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  const content = [version, ...texts, ...(withoutDependencies ? [withoutDependencies] : [])].join('\n')
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const folder = join(homedir(), '.cache/backlot/python', hash)
  if (!existsSync(folder)) createEnvironment(python, folder, files[0], withoutDependencies)
  return join(folder, 'bin/python')
}

function findInterpreter() {
  for (const candidate of INTERPRETERS) {
    const { status, stdout } = spawnSync(candidate, ['-c', PROBE], { encoding: 'utf8' })
    if (status === 0) return { python: candidate, version: stdout }
  }
  throw new Error(`the Python package needs Python 3.11 with pip as one of ${INTERPRETERS.join(', ')}`)
}

/** Creates the environment under another name first, since an interrupted one would be incomplete. */
function createEnvironment(python, folder, requirements, withoutDependencies) {
  const unfinished = `${folder}-${process.pid}`
  try {
    run(python, ['-m', 'venv', '--without-pip', unfinished])
    const inside = ['--python', join(unfinished, 'bin/python'), 'install']
    const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check', ...inside]
    run(python, [...pip, '--requirement', requirements])
    if (withoutDependencies) run(python, [...pip, '--no-deps', withoutDependencies])
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Runs a program, and ends this one with its exit code if that is not 0. */
export function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
