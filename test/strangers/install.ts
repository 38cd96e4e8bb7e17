import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the strangers are made of, each at the version that their accusations were classified for. */
const PACKAGES = ['agent-webkit-server==0.2.0', 'fastapi==0.165.0', 'uvicorn==0.54.0', 'flask==3.1.3', 'fastmcp==4.2.3']

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/strangers', import.meta.url))

/** The Python with the strangers' packages, which are installed at the first run. */
export function installPython(): string {
  const root = join(CACHE, 'python')
  const python = join(root, 'bin', 'python')
  const stamp = join(root, 'installed.txt')
  const wanted = PACKAGES.join('\n')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python
  mkdirSync(CACHE, { recursive: true })
  run('python3', ['-m', 'venv', root])
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES])
  writeFileSync(stamp, wanted)
  return python
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
