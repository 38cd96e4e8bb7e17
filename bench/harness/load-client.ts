import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as open } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A request that is repeated. */
export interface RequestPlan {
  readonly path: string
  /** JSON bodies, used in turn and cyclically. Without bodies the request is a GET. */
  readonly bodies?: readonly string[]
  /** Further headers than the content type. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends up to `connections` requests at a time for some whole seconds. Returns the number of responses. */
export type LoadClient = (url: string, work: RequestPlan, connections: number, seconds: number) => Promise<number>

const WRK = '/usr/bin/wrk'

/** The lightest installed client: a costly client leaves the server idle, which distorts its rate. */
export const loadClient = (): { readonly name: string; readonly ask: LoadClient } =>
  existsSync(WRK) ? { name: 'wrk', ask: askByWrk } : { name: 'node:http (wrk is not installed)', ask: askByNode }

const askByWrk: LoadClient = async (url, { path, bodies, headers }, connections, seconds) => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  try {
    const script = join(folder, 'bodies.lua')
    writeFileSync(script, bodies ? luaOf(bodies, headers) : '')
    const args = ['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`]
    const { stdout } = await promisify(execFile)(WRK, [...args, '--script', script, url + path])
    const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)
    if (refused) throw new Error(`${path} refused ${refused[1]} requests`)
    return Number(/(\d+) requests in/.exec(stdout)![1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const luaOf = (bodies: readonly string[], headers: RequestPlan['headers'] = {}): string =>
  `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
local bodies = {${bodies.map((body) => `[==[${body}]==]`).join(', ')}}
local number = 0
function request()
  number = number % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[number])
end
`

const askByNode: LoadClient = async (url, work, connections, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const until = performance.now() + seconds * 1000
  let count = 0
  const one = async () => {
    while (performance.now() < until) await send(url, work, count++, agent)
  }
  await Promise.all(Array.from({ length: connections }, one))
  agent.destroy()
  return count
}

function send(url: string, { path, bodies, headers: more }: RequestPlan, number: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = bodies?.[number % bodies.length]
    const ofBody =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const headers = { ...ofBody, ...more }
    const request = open(url + path, { method: bodies ? 'POST' : 'GET', agent, headers }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${path} answered ${reply.statusCode}`))
      reply.resume().once('end', resolve)
    })
    request.once('error', reject).end(body)
  })
}
