import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { parse, stringify } from 'yaml'
import { readProfile } from './profile.ts'
import { type CertifiedProtocol, PROTOCOLS } from './protocols.ts'
import type { CertifyOptions } from './run/options.ts'
import { findFreePort, type ServerProcess, startCommand, waitUntilAnswering } from './servers/processes.ts'
import type { Profile } from './suite/test-context.ts'

const SCENARIO = 'conformance/scenarios/desk.yaml'
/** OSWorld's server has one desktop for all its clients, so it is served by a process of its own. */
const OSWORLD_SCENARIO = 'conformance/scenarios/osworld.yaml'
const AGENT_DESKTOP_SCENARIO = 'conformance/scenarios/agent-desktop.yaml'
const PROFILE = 'conformance/profiles/ours.yaml'
const TOKEN = 'conformance'
/** The command line of this checkout as it ships, which `.ci/bundled.mjs` builds. Checks start it dozens of times. */
export const BACKLOT = 'node node_modules/.cache/backlot/backlot.js'
const SERVE = `${BACKLOT} serve`
/** Starts our MCP server on standard input and output. */
export const MCP = `${SERVE} --mode mcp --scenario ${SCENARIO}`
const START_MS = 60_000

/** Backlot’s own servers, started from the command line. */
export interface OurServers {
  readonly urls: Readonly<Record<CertifiedProtocol, string>>
  /** The command line, which uses the desktop of `agent-desktop`. */
  readonly client: string
  close(): Promise<void>
}

/** Serves every protocol on a free port, with the prerequisites of the profile. */
export async function serveOurs(): Promise<OurServers> {
  const data = mkdtempSync(join(tmpdir(), 'backlot-conformance-'))
  mkdirSync(join(data, 'client'))
  writeFileSync(join(data, 'client', 'index.html'), '<!doctype html><title>Client</title>\n')
  const all = PROTOCOLS
  const alone = { osworld: OSWORLD_SCENARIO, 'agent-desktop': AGENT_DESKTOP_SCENARIO }
  const names = all.filter((name) => !Object.hasOwn(alone, name))
  const ports = Object.fromEntries(await Promise.all(all.map(async (name) => [name, await findFreePort()] as const)))
  const flags = names.map((name) => (name === 'observer' ? `--port ${ports[name]}` : `--${name}-port ${ports[name]}`))
  const more = `--mode inspect --scenario ${SCENARIO} --script conformance/profiles/script.yaml --data ${data}`
  const env = { ...process.env, AGENT_WEBKIT_TOKEN: TOKEN, WINDIE_RUNS_API_KEY: 'conformance-runs' }
  const server = startCommand(`${SERVE} --quiet ${more} --protocols ${names.join()} ${flags.join(' ')}`, {
    env,
    inheritsStderr: true,
  })
  const options = { env, inheritsStderr: true }
  const inspected = `${SERVE} --quiet --mode inspect --scenario`
  const osworld = startCommand(
    `${inspected} ${OSWORLD_SCENARIO} --protocols osworld --osworld-port ${ports.osworld}`,
    options,
  )
  const desk = startCommand(
    `${inspected} ${AGENT_DESKTOP_SCENARIO} --protocols observer --port ${ports['agent-desktop']}`,
    options,
  )
  const serverOf: Partial<Record<CertifiedProtocol, ServerProcess>> = { osworld, 'agent-desktop': desk }
  const client = join(data, 'desk.mjs')
  await bundleClient(client)
  const urls = Object.fromEntries(all.map((name) => [name, `http://127.0.0.1:${ports[name]}`])) as OurServers['urls']
  for (const [name, url] of Object.entries(urls))
    if (!(await waitUntilAnswering(url, serverOf[name as CertifiedProtocol] ?? server, START_MS)))
      throw new Error(`${url} does not answer`)
  // The first list of tasks reads the gallery. A check that waits for it would be too slow to be repeated for each sabotage.
  await fetch(`${urls.openenv}/backlot/num_tasks`, { method: 'POST', body: JSON.stringify({ split: 'test' }) })
  return {
    urls,
    client: `BACKLOT_URL=${urls['agent-desktop']} ${process.execPath} ${client} --contract agent-desktop`,
    close: async () => {
      await Promise.all([server.stop(), osworld.stop(), desk.stop()])
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Our profile. WindieOS analyses a picture of the desktop that the observer serves. */
function profileFor(protocol: CertifiedProtocol, { observer }: OurServers['urls']): Profile {
  const written = parse(readFileSync(PROFILE, 'utf8'))
  written.windieos.known.screen = { url: `${observer}/api/screenshot`, shows: 'a window' }
  return readProfile(stringify(written), protocol, PROFILE)
}

/** Bundles the command line as the package does, so that a call does not compile it. */
const bundleClient = (outfile: string) =>
  build({
    stdin: {
      contents: `import { desk } from "./src/protocols/desk/client/main.ts"
        await desk(process.argv.slice(2), { ownFolder: ".", program: [] })`,
      resolveDir: '.',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['*/execute.ts'],
    outfile,
  })

/** The options that certify one of our servers over its address, or our command line. */
export const optionsFor = (
  protocol: CertifiedProtocol,
  { urls, client }: Pick<OurServers, 'urls' | 'client'>,
): CertifyOptions => ({
  protocol,
  ...(protocol === 'agent-desktop' ? { command: client } : { url: urls[protocol] }),
  profile: profileFor(protocol, urls),
  program: BACKLOT,
  ...(protocol === 'agent-webkit' && { token: TOKEN }),
})
