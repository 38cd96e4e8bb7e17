import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { parse, stringify } from 'yaml'
import { readProfile } from './profile.ts'
import { PROTOCOLS, type Protocol } from './protocols.ts'
import { createCoverageMatrix } from './report/coverage.ts'
import { createMarkdownReport } from './report/write.ts'
import type { Profile } from './run/test-context.ts'
import { type CertifyOptions, certify, mutationReport, mutationRun } from './run.ts'
import { findFreePort, startCommand, waitUntilAnswering } from './servers/processes.ts'

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is needed.')
  return Number(text)
}
const program = new Command('npm run conformance|mutation --')
  .description(
    'Certifies Backlot’s own servers, started from the command line and tested from outside; or breaks them.',
  )
  .addArgument(new Argument('<task>').choices(['certify', 'mutation']))
  .addArgument(new Argument('[protocol...]', 'all protocols without any').choices(PROTOCOLS))
  .option('--seed <number>', 'the seed of the run', wholeNumber, 1)
  .option('--every <number>', 'mutation: use every Nth generated fault; 0 uses none', wholeNumber, 1)
  .option('--only <words>', 'mutation: only the faults with these words in their names')
  .option('--each', 'mutation: print the requirement that noticed each fault')
  .parse()
const [task, protocols] = program.processedArgs as ['certify' | 'mutation', readonly Protocol[]]
const { seed, every, only, each } = program.opts<{ seed: number; every: number; only?: string; each?: true }>()

const SCENARIO = 'conformance/scenarios/desk.yaml'
/** OSWorld's server has one desktop for all its clients, so it is served by a process of its own. */
const OSWORLD_SCENARIO = 'conformance/scenarios/osworld.yaml'
const PROFILE = 'conformance/profiles/ours.yaml'
const TOKEN = 'conformance'
const BACKLOT = 'node --import tsx src/cli/main.ts'
const SERVE = `${BACKLOT} serve`
const MCP = `${SERVE} --mode mcp --scenario ${SCENARIO}`
const START_MS = 60_000

interface Ours {
  readonly urls: Readonly<Record<Protocol, string>>
  close(): Promise<void>
}

/** Serves every protocol on a free port, with the prerequisites of the profile. */
async function serveOurs(): Promise<Ours> {
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
  const urls = Object.fromEntries(all.map((name) => [name, `http://127.0.0.1:${ports[name]}`])) as Ours['urls']
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
function profileFor(protocol: Protocol, { observer }: Ours['urls']): Profile {
  const written = parse(readFileSync(PROFILE, 'utf8'))
  written.windieos.known.screen = { url: `${observer}/api/screenshot`, shows: 'a window' }
  return readProfile(stringify(written), protocol, PROFILE)
}

const optionsFor = (protocol: Protocol, urls: Ours['urls']): CertifyOptions => ({
  protocol,
  url: urls[protocol],
  seed,
  profile: profileFor(protocol, urls),
  program: BACKLOT,
  ...(protocol === 'agent-webkit' && { token: TOKEN }),
  ...(protocol === 'observer' && { command: MCP }),
})

/** Milliseconds, as seconds. */
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function certifyOurs(protocol: Protocol, urls: Ours['urls']): Promise<boolean> {
  const startedAt = performance.now()
  const outcome = await certify({
    ...optionsFor(protocol, urls),
    report: 'reports/certify',
    progress: process.stderr,
  })
  process.stdout.write(`${createMarkdownReport(outcome)}\n${seconds(startedAt)}\n\n`)
  const empty = createCoverageMatrix(outcome).filter((cell) => cell.mark === 'empty')
  for (const { item, title } of empty) process.stdout.write(`no requirement of ${item} was tried: ${title}\n`)
  return outcome.exitCode === 0 && empty.length === 0
}

/** The minimum shares of noticed faults. */
const MIN_GENERATED_SHARE = 0.95
const MIN_SEMANTIC_SHARE = 1

async function mutateOurs(protocol: Protocol, urls: Ours['urls']): Promise<boolean> {
  const startedAt = performance.now()
  const outcome = await mutationRun(optionsFor(protocol, urls), {
    every,
    ...(only !== undefined && { only }),
    stdio: (name, command = MCP) => `${BACKLOT} sabotage ${protocol} "${name}" --command '${command}'`,
    onMutant: ({ name, killedBy = 'unnoticed' }, done, all) => {
      if (each) process.stderr.write(`${name} | ${killedBy}\n`)
      else if (done % 50 === 0) process.stderr.write(`${protocol}: ${done}/${all}\n`)
    },
  })
  process.stdout.write(`${mutationReport(protocol, outcome)}\n${seconds(startedAt)}\n\n`)
  const { generatedRate, semanticRate, falseAlarms, failing } = outcome
  const noticed = generatedRate >= MIN_GENERATED_SHARE && semanticRate >= MIN_SEMANTIC_SHARE
  return noticed && falseAlarms === 0 && failing.length === 0
}

const ours = await serveOurs()
try {
  let passed = true
  for (const protocol of protocols.length > 0 ? protocols : PROTOCOLS) {
    const run = task === 'mutation' ? mutateOurs : certifyOurs
    passed = (await run(protocol, ours.urls)) && passed
  }
  process.exitCode = passed ? 0 : 1
} finally {
  await ours.close()
}
