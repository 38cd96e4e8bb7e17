import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { readProfile } from './profile.ts'
import { PROTOCOLS, type Protocol } from './protocols.ts'
import type { CertifyOptions } from './run/options.ts'
import type { Profile } from './run/test-context.ts'
import { findFreePort, startCommand, waitUntilAnswering } from './servers/processes.ts'

const SCENARIO = 'conformance/scenarios/desk.yaml'
/** OSWorld's server has one desktop for all its clients, so it is served by a process of its own. */
const OSWORLD_SCENARIO = 'conformance/scenarios/osworld.yaml'
const PROFILE = 'conformance/profiles/ours.yaml'
const TOKEN = 'conformance'
/** The command line of this checkout. */
export const BACKLOT = 'node --import tsx src/cli/main.ts'
const SERVE = `${BACKLOT} serve`
/** Starts our MCP server on standard input and output. */
export const MCP = `${SERVE} --mode mcp --scenario ${SCENARIO}`
const START_MS = 60_000

/** Backlot’s own servers, started from the command line. */
export interface OurServers {
  readonly urls: Readonly<Record<Protocol, string>>
  close(): Promise<void>
}

/** Serves every protocol on a free port, with the prerequisites of the profile. */
export async function serveOurs(): Promise<OurServers> {
  const data = mkdtempSync(join(tmpdir(), 'backlot-conformance-'))
  mkdirSync(join(data, 'client'))
  writeFileSync(join(data, 'client', 'index.html'), '<!doctype html><title>Client</title>\n')
  const all = PROTOCOLS
  const names = all.filter((name) => name !== 'osworld')
  const ports = Object.fromEntries(await Promise.all(all.map(async (name) => [name, await findFreePort()] as const)))
  const flags = names.map((name) => (name === 'observer' ? `--port ${ports[name]}` : `--${name}-port ${ports[name]}`))
  const more = `--mode inspect --scenario ${SCENARIO} --script conformance/profiles/script.yaml --data ${data}`
  const env = { ...process.env, AGENT_WEBKIT_TOKEN: TOKEN, WINDIE_RUNS_API_KEY: 'conformance-runs' }
  const server = startCommand(`${SERVE} --quiet ${more} --protocols ${names.join()} ${flags.join(' ')}`, {
    env,
    inheritsStderr: true,
  })
  const osworld = startCommand(
    `${SERVE} --quiet --mode inspect --scenario ${OSWORLD_SCENARIO} --protocols osworld --osworld-port ${ports.osworld}`,
    { env, inheritsStderr: true },
  )
  const urls = Object.fromEntries(all.map((name) => [name, `http://127.0.0.1:${ports[name]}`])) as OurServers['urls']
  for (const [name, url] of Object.entries(urls))
    if (!(await waitUntilAnswering(url, name === 'osworld' ? osworld : server, START_MS)))
      throw new Error(`${url} does not answer`)
  // The first list of tasks reads the gallery. A check that waits for it would be too slow to be repeated for each sabotage.
  await fetch(`${urls.openenv}/backlot/num_tasks`, { method: 'POST', body: JSON.stringify({ split: 'test' }) })
  return {
    urls,
    close: async () => {
      await Promise.all([server.stop(), osworld.stop()])
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Our profile. WindieOS analyses a picture of the desktop that the observer serves. */
function profileFor(protocol: Protocol, { observer }: OurServers['urls']): Profile {
  const written = parse(readFileSync(PROFILE, 'utf8'))
  written.windieos.known.screen = { url: `${observer}/api/screenshot`, shows: 'a window' }
  return readProfile(stringify(written), protocol, PROFILE)
}

/** The options that certify one of our servers over its address. */
export const optionsFor = (protocol: Protocol, urls: OurServers['urls']): CertifyOptions => ({
  protocol,
  url: urls[protocol],
  profile: profileFor(protocol, urls),
  program: BACKLOT,
  ...(protocol === 'agent-webkit' && { token: TOKEN }),
})
