// The stages of CI. It prints the seconds of each, stops at the first that fails, and ends with a summary in any case. With
// --full it plays every case of every suite, and the suites for other systems too: `npm run test:full`.
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stateOf } from './covered.mjs'

const SHARES = 4
const isFull = process.argv.includes('--full')
const ifChanged = isFull ? '' : ' --if-changed'

// What the long suites need: readers of painted text in other scripts, without which those tests are skipped, Redis, and the
// packages of clients in Python.
const PACKAGES = [
  ...['tesseract-ocr', 'tesseract-ocr-ara', 'tesseract-ocr-chi-sim', 'tesseract-ocr-heb', 'tesseract-ocr-jpn'],
  ...['redis-tools', 'python3', 'python3-venv', 'python3-requests', 'python3-lxml'],
]
const INSTALL = `if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q && apt-get install -y -q --no-install-recommends ${PACKAGES.join(' ')}
fi`

// Programs for desktops of Linux and, where the suite under Wine will run, Wine.
const SET_UP = `node --import tsx .ci/set-up.ts${isFull || !stateOf('windows').isSame ? ' windows' : ''}`

/**
 * What runs, in this order. A stage with `isBeside` runs beside those that follow, up to the stage that is `after` it, because it
 * waits or uses one core. One with `mayFail` downloads: the suites that need its programs install what is missing, and say why they
 * cannot.
 */
export const STAGES = [
  { name: 'packages', command: INSTALL, isBeside: true, mayFail: true },
  { name: 'Python packages', command: 'node .ci/python.mjs --set-up', isBeside: true, mayFail: true },
  { name: 'npm ci', command: 'npm ci' },
  { name: 'test', command: 'npm test' },
  { name: 'vendor types', command: 'node .ci/vendor-types.mjs', isBeside: true },
  { name: 'check', command: 'npm run check' },
  // The package manager serves one at a time.
  { name: 'set-up', command: SET_UP, after: 'packages', isBeside: true, mayFail: true },
  { name: 'test:long', command: 'npm run test:long', after: 'vendor types' },
  { name: 'test:real', command: 'npm run test:real', after: 'set-up' },
  { name: 'test:python', command: 'npm run test:python', after: 'Python packages' },
  { name: 'conformance', command: 'npm run conformance' },
  { name: 'demo', command: 'npm run demo' },
  // It builds what the stages after it use. The long suites have validated and audited the gallery.
  { name: 'package', command: `node .ci/package.mjs${isFull ? ' --nodes' : ''}` },
  { name: 'fuzz', command: 'npm run fuzz -- --seconds 20 --requests 1500 --frames 400' },
  { name: 'OpenEnv', command: 'node .ci/openenv.mjs', isBeside: true },
  { name: 'MCP conformance', command: 'node .ci/mcp-conformance.mjs' },
  { name: 'release', command: 'node .ci/release.mjs check && node .ci/release.mjs sbom reports/backlot.cdx.json' },
  {
    name: 'test:windows',
    command: `timeout --kill-after=10 900 node .ci/covered.mjs windows${ifChanged}`,
    after: 'OpenEnv',
  },
  { name: 'image', command: `node .ci/covered.mjs image${ifChanged}` },
  { name: 'arm64', command: `node .ci/covered.mjs arm64${ifChanged}` },
  // Nothing that is generated has changed. What has passed is recorded.
  { name: 'git diff', command: "git diff --exit-code -- . ':!.ci/passed.json'" },
]

/**
 * The share of long suites that a commit plays. Its place in the history chooses it, so that four commits in a row play all; hashes
 * would leave a share out of four commits more often than not. A shallow clone does not know the place, and takes the hash.
 */
export function shareOfCommit({ place, hash }) {
  const number = place ?? Number.parseInt(hash.slice(0, 8), 16)
  return `${(number % SHARES) + 1}/${SHARES}`
}

function currentCommit() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true'
  return { hash: git('rev-parse', 'HEAD'), place: isShallow ? undefined : Number(git('rev-list', '--count', 'HEAD')) }
}

/** What is printed at the end. `stages` have names and seconds; `files` are lines of .ci/reporter.ts. */
export function summaryOf(stages, files, totalSeconds) {
  const row = (name, seconds, note = '') => `${seconds.toFixed(1).padStart(9)}  ${name}${note && ` ${note}`}`
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10)
  const count = (key) => files.reduce((sum, file) => sum + file[key], 0)
  return [
    '  seconds  stage',
    ...stages.map(({ name, seconds, note }) => row(name, seconds, note)),
    row('in all', totalSeconds),
    '',
    '  seconds  slowest test files',
    ...slowest.map(({ file, seconds }) => row(file, seconds)),
    '',
    `${files.length} test files: ${count('passed')} tests passed, ${count('failed')} failed, ${count('skipped')} skipped`,
  ].join('\n')
}

/** Ends all processes of a stage. */
function endGroup({ pid }, signal = 'SIGTERM') {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Runs the stages. Returns the exit code. */
export async function runStages(stages) {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-ci-'))
  const times = join(folder, 'times')
  const share = process.env.BACKLOT_TEST_SHARE ?? (isFull ? '1/1' : shareOfCommit(currentCommit()))
  console.log(`long suites play the share ${share}; this repeats it: BACKLOT_TEST_SHARE=${share} .ci/run`)
  const env = { ...process.env, BACKLOT_TEST_SHARE: share, BACKLOT_TEST_TIMES: times }
  const start = Date.now()
  const secondsSince = (then) => (Date.now() - then) / 1000
  const done = []
  const beside = new Map()
  let current
  const begin = (command, output) => {
    const stdio = ['ignore', output, output]
    const child = spawn('bash', ['-euo', 'pipefail', '-c', command], { env, stdio, detached: true })
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ? 1 : code)))
    return { child, ended }
  }
  const finish = () => {
    for (const { child } of beside.values()) endGroup(child)
    const files = existsSync(times) ? readFileSync(times, 'utf8').trim().split('\n') : []
    const read = files.filter((line) => line !== '').map((line) => JSON.parse(line))
    console.log(`\n${summaryOf(done, read, secondsSince(start))}`)
    rmSync(folder, { recursive: true })
  }
  const fail = ({ name, command }, code) => {
    finish()
    const again = `BACKLOT_TEST_SHARE=${share} bash -c '${command.replaceAll("'", "'\\''")}'`
    console.log(`\n${name} failed with exit code ${code}; this repeats it:\n  ${again}`)
    return code
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      if (current) endGroup(current.child, signal)
      if (current) done.push({ name: current.name, seconds: secondsSince(current.since), note: `(ended by ${signal})` })
      finish()
      process.exit(1)
    })
  for (const stage of stages) {
    const { name, command, isBeside, after } = stage
    if (after !== undefined) {
      const since = Date.now()
      const { stage: waited, ended, log } = beside.get(after)
      const code = await ended
      beside.delete(after)
      done.push({ name: `waiting for ${after}`, seconds: secondsSince(since) })
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
      if (!waited.mayFail) console.log(`\n--- ${after}, beside others\n${lines.join('\n')}`)
      else if (code !== 0) console.log(lines.slice(-20).join('\n'))
      if (code !== 0 && !waited.mayFail) return fail(waited, code)
    }
    const from = Date.now()
    if (isBeside) {
      const log = join(folder, `${name}.log`)
      const file = openSync(log, 'w')
      const begun = begin(command, file)
      beside.set(name, { ...begun, stage, log })
      begun.ended.then((code) =>
        done.push({ name, seconds: secondsSince(from), note: `(beside others${code === 0 ? '' : '; failed'})` }),
      )
      closeSync(file)
      continue
    }
    console.log(`\n--- ${name}`)
    current = { ...begin(command, 'inherit'), name, since: from }
    const code = await current.ended
    current = undefined
    const seconds = secondsSince(from)
    console.log(`--- ${name}: ${seconds.toFixed(1)} s`)
    done.push({ name, seconds, note: code === 0 ? '' : '(failed)' })
    if (code !== 0) return fail(stage, code)
  }
  finish()
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const unknown = process.argv.slice(2).filter((argument) => argument !== '--full')
  if (unknown.length > 0) {
    console.error(`usage: .ci/run [--full]\n\nunknown: ${unknown.join(' ')}`)
    process.exit(2)
  }
  process.chdir(new URL('..', import.meta.url).pathname)
  process.exitCode = await runStages(isFull ? STAGES.filter(({ name }) => name !== 'npm ci') : STAGES)
}
