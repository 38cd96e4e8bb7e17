// Runs the conformance suite of the Model Context Protocol against the built server, over HTTP.
// Each scenario must pass, or stand in fixtures/mcp-conformance/not-applicable.json with a reason. One that is listed
// there and passes fails the run too, as does one that is listed and unknown.
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
  const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const args = [suite, 'server', '--url', `${server.url}/mcp`, '--suite', 'all', '--output-dir', output]
  const { stdout, stderr, error } = spawnSync(node, args, { encoding: 'utf8', timeout: TIMEOUT_MS })
  const results = readResults(output)
  if (error || results.size === 0) throw error ?? new Error(`the suite wrote no results\n${stdout}${stderr}`)
  const passed = [...results].filter(([, checks]) => hasPassed(checks)).map(([name]) => name)
  process.stdout.write(`MCP conformance: ${passed.length} of ${results.size} scenarios pass: ${passed.join(', ')}\n`)
  problems = judge(results)
} finally {
  server.child.kill()
  rmSync(output, { recursive: true })
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0

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

function judge(results) {
  const unknown = Object.keys(notApplicable).filter((name) => !results.has(name))
  return [
    ...unknown.map((name) => `not-applicable.json lists ${name}, which the suite does not have`),
    ...[...results].flatMap(([name, checks]) => {
      const reason = notApplicable[name]
      if (hasPassed(checks)) return reason === undefined ? [] : [`${name} passes; remove it from not-applicable.json`]
      if (reason !== undefined) return []
      const messages = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
      return [`${name} fails: ${messages.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('; ')}`]
    }),
  ]
}
