// Runs the conformance suite of the Model Context Protocol against the built server, over HTTP, for each revision that it serves.
// Each scenario must pass, or stand in fixtures/mcp-conformance/not-applicable.json with a reason: one for the scenario, or one
// for each of its checks that need not pass. What is listed there and passes fails the run too, as does what is unknown.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'fixtures/mcp-conformance')
const notApplicable = JSON.parse(readFileSync(join(folder, 'not-applicable.json'), 'utf8'))
/** The suite needs `fs.globSync`. */
const MIN_NODE = 22
const TIMEOUT_MS = 120_000

install()
const node = findNode()
const server = await startServer()
const output = mkdtempSync(join(tmpdir(), 'backlot-mcp-'))
let problems
try {
  problems = Object.entries(notApplicable).flatMap(([revision, excused]) => tryRevision(revision, excused))
} finally {
  server.child.kill()
  rmSync(output, { recursive: true })
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0

/** The problems of the scenarios that a revision requires. */
function tryRevision(revision, excused) {
  const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const results = join(output, revision)
  const args = [suite, 'server', '--url', `${server.url}/mcp`, '--requirements', revision, '--output-dir', results]
  const { stdout, stderr, error } = spawnSync(node, args, { encoding: 'utf8', timeout: TIMEOUT_MS })
  const scenarios = readResults(results)
  if (error || scenarios.size === 0) throw error ?? new Error(`the suite wrote no results\n${stdout}${stderr}`)
  const passed = [...scenarios].filter(([, checks]) => hasPassed(checks)).map(([name]) => name)
  process.stdout.write(`MCP ${revision}: ${passed.length} of ${scenarios.size} scenarios pass: ${passed.join(', ')}\n`)
  return judge(scenarios, excused).map((problem) => `${revision}: ${problem}`)
}

/** The packages need no scripts of their own. */
function install() {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel', 'error'], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`npm ci in ${folder} failed`)
}

function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= MIN_NODE) return process.execPath
  const file = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(file)) return file
  throw new Error(`the suite needs Node.js ${MIN_NODE}, which ${folder} has for Linux only; run this with a newer one`)
}

/** Starts the built server on a free port. */
async function startServer() {
  const program = join(root, 'dist/bundle/backlot.js')
  if (!existsSync(program)) throw new Error(`there is no ${program}; run npm run build first`)
  const args = [program, 'serve', '--mode', 'inspect', '--scenario', 'login', '--port', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  for await (const chunk of child.stderr) {
    text += chunk
    const url = /observer\s+(http:\/\/\S+)/.exec(text)?.[1]
    if (!url) continue
    child.stderr.resume()
    return { child, url }
  }
  throw new Error(`the server ended:\n${text}`)
}

/** The checks of each scenario by its name. A folder is named `server-NAME-TIME`. */
function readResults(output) {
  const results = new Map()
  for (const name of readdirSync(output)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\w-]+$/.exec(name)?.[1]
    const file = join(output, name, 'checks.json')
    if (scenario && existsSync(file)) results.set(scenario, JSON.parse(readFileSync(file, 'utf8')))
  }
  return results
}

/** A scenario that checked nothing has not passed. */
function hasPassed(checks) {
  return checks.some(({ status }) => status === 'SUCCESS') && !checks.some(({ status }) => status === 'FAILURE')
}

function judge(results, excused) {
  const unknown = Object.keys(excused).filter((name) => !results.has(name))
  return [
    ...unknown.map((name) => `not-applicable.json lists ${name}, which the suite does not have`),
    ...[...results].flatMap(([name, checks]) => problemsOf(name, checks, excused[name])),
  ]
}

/** @param reason A text for the scenario, or an object with one for each check. */
function problemsOf(name, checks, reason) {
  if (hasPassed(checks)) return reason === undefined ? [] : [`${name} passes; remove it from not-applicable.json`]
  if (typeof reason === 'string') return []
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const unlisted = failed.filter(({ id }) => reason?.[id] === undefined)
  const passing = Object.keys(reason ?? {}).filter((id) => !failed.some((check) => check.id === id))
  return [
    ...unlisted.map(({ id, errorMessage }) => `${name} fails: ${id}: ${errorMessage}`),
    ...passing.map((id) => `${name}: ${id} does not fail; remove it from not-applicable.json`),
    // Nothing was checked.
    ...(failed.length === 0 ? [`${name} checks nothing`] : []),
  ]
}
