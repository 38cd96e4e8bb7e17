// Runs OpenEnv's own client and its own validation against the built server: the program of docs/openenv.md, the criteria of
// `openenv validate --url`, and the graders of the runtime level. The Python packages are kept in ~/.cache/backlot/openenv.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const fixtures = join(root, 'fixtures/openenv')
const TIMEOUT_MS = 120_000
/** Reads a report with OpenEnv's own model, and judges it with its own policy. */
const READ_REPORT = `
import sys
from openenv.validation.policy import apply_policy, load_policy
from openenv.validation.report import ValidationReport
report = ValidationReport.model_validate_json(sys.argv[1])
passed = [result.check_id for result in report.results if result.status == "pass"]
assert apply_policy(report.results, load_policy(report.policy_version), report.lane) is report.verdict
assert len(passed) == 9, passed
print(f"audit report: {report.verdict.value}, {len(passed)} passed")
`

const bin = install()
const server = await startServer()
try {
  const program = join(bin, '..', 'episode.py')
  writeFileSync(program, programIn('docs/openenv.md'))
  const printed = run(join(bin, 'python'), [program, server.url])
  if (printed !== '0 1 True 1\n1 1 True 1\n2 1 True 1\n')
    throw new Error(`the program of the guide printed\n${printed}`)
  process.stdout.write(run(join(bin, 'openenv'), ['validate', '--url', server.url]))
  process.stdout.write(run(join(bin, 'python'), [join(fixtures, 'validate.py'), server.url]))
  process.stdout.write(run(join(bin, 'python'), [join(fixtures, 'parallel.py'), server.url]))
  const audit = ['eval', 'login', '--audit', '--format', 'openenv', '--workers', '1', '--out', join(bin, '../audit')]
  const report = run(process.execPath, [join(root, 'dist/bundle/backlot.js'), ...audit])
  process.stdout.write(run(join(bin, 'python'), ['-c', READ_REPORT, report]))
} finally {
  server.child.kill()
}

/** Installs the packages into a virtual environment, once for each list of them. Returns its folder of programs. */
function install() {
  const requirements = join(fixtures, 'requirements.txt')
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'backlot/openenv', hash)
  const done = join(folder, 'installed')
  const programs = join(folder, 'bin')
  if (existsSync(done)) return programs
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run('python3', ['-m', 'venv', folder])
  run(join(programs, 'pip'), ['install', '-q', '--no-compile', '--disable-pip-version-check', '-r', requirements])
  writeFileSync(done, '')
  return programs
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 5 * TIMEOUT_MS })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

/** The first program in Python of a page. */
function programIn(page) {
  return /```python\n(.*?)```/s.exec(readFileSync(join(root, page), 'utf8'))[1]
}

/** Starts the built server on a free port. */
async function startServer() {
  const program = join(root, 'dist/bundle/backlot.js')
  if (!existsSync(program)) throw new Error(`there is no ${program}; run npm run build first`)
  const args = [program, 'serve', '--mode', 'inspect', '--protocols', 'openenv', '--openenv-port', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  for await (const chunk of child.stderr) {
    text += chunk
    const url = /openenv\s+(http:\/\/\S+)/.exec(text)?.[1]
    if (!url) continue
    child.stderr.resume()
    return { child, url }
  }
  throw new Error(`the server ended:\n${text}`)
}
